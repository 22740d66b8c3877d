"""Programs of the house: set-up, pins, generated documents. No part of the installed application."""

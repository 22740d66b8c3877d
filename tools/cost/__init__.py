"""Cost of a finished run."""

"""What people write, read into slots, intent and language: a pure fold over the user's turns."""

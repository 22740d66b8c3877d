"""Peak memory per device, phase by phase."""

"""Pure domain: values in, values out. No file, clock, network or language model."""

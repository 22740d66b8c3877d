"""Counting a data set: examples, tokens, lengths."""

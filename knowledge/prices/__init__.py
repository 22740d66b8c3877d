"""Prices: where they come from, what is kept back, and the snapshots they are kept in."""

"""Throughput and time of a run."""

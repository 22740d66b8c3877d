"""Data files and their loaders, the guide, the index and retrieval."""

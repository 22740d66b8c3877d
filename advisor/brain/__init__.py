"""Who speaks in the graph: the built-in brain, and the turn it works on."""

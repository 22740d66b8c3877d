"""What survives a kill: turns, results, locks, checkpoints."""

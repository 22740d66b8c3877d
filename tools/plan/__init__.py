"""Ways to run a job, ranked."""

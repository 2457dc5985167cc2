"""HTTP: what the hall knows, for browsers and scripts, on the same port as everything else."""

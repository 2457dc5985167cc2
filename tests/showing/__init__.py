"""Games that nobody knows: each is shown by what it declares, and by nothing else."""

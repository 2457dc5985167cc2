"""What a hall needs around it, wherever it runs: its time, and its worker processes."""

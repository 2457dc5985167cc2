"""What is around a hall, wherever it runs: its time, and its worker processes."""

"""The vocabulary everyone shares. It imports nothing of ours, and knows no game."""

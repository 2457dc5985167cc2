"""Standard output, on a terminal or not."""

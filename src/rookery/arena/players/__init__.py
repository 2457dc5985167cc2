"""Who plays in a match: levels of ours, programs, programs that listen; and between two games."""

"""Who plays in a match: levels of ours, programs, and programs that listen; and their pools."""

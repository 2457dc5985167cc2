"""The past of tables, read from the log beside the game."""

"""Letting tours run: attendance, the next round, the start of matches, and the end."""

"""Clocks as values: how long a seat may think, what it has left, and when its flag falls."""

"""Texts for elsewhere: what was played here, as files that other programs read."""

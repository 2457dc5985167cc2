"""Texts for elsewhere: results of tours, as files that other programs read."""

"""Mistakes drawn from the sources, to find out which of them the tests see."""

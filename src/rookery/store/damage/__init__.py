"""Damaged logs: what is wrong with one, and what can still be had from it."""

"""Rounds of tours that take long to pair are paired in a process of their own."""

"""Counting and measuring: how many positions, and how many microseconds.

Nothing here prints, and no test asserts a time: budgets are shown, people judge.
"""

"""Measuring: how many microseconds, megabytes and answers a second.

Nothing here prints, and no test asserts a time: budgets are shown, people judge.
"""

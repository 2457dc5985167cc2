"""Letting tours run: who is there, which round is next, which match begins, when it is over."""

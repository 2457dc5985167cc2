"""Judges of people: who they are, what they may know, and what they may do."""

"""Rulings: what a decision at a table is made of, also where the rules broke."""

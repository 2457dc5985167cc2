"""Broadcasts: what clients are told unasked, of the lobby, of their game, and of one they came back to."""

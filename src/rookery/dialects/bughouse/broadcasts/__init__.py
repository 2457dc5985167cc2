"""Broadcasts: what clients are told unasked, of the lobby, of their game, or on coming back."""

"""Tournaments: their plans, their formats, who decides, and what people ask about them."""

"""Tournaments: what was agreed, who decides, and who asks for what."""

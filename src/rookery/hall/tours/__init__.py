"""Tournaments: what was agreed, who decides, who meets whom, and who asks for what."""

"""Rookery: one game server that speaks the wire languages of five old game systems."""

__version__ = "0.1.0"

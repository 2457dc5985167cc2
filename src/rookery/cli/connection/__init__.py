"""Connections to a server: by its address, to one table, or for tours."""

"""Loads and the servers under them: processes of their own."""

"""Verifying logs: replay every table and tour, and name each event that cannot have happened."""

"""Snapshots of what the hall's own stream leads to, so that starts do not grow with the log."""

"""The doctor: looks at logs, and finds events that cannot have happened."""

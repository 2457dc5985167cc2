"""The doctor: looks at logs, and finds what cannot have happened."""

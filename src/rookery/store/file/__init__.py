"""The file of a store: made, locked, copied, and still the one at its path."""

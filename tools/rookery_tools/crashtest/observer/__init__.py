"""Who judges: what was heard over the wires, against the log that is left."""

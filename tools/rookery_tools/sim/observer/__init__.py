"""Who judges a world: by what went over the wires, and by the log that is left."""

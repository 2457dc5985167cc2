"""The judge of tours: what may happen in one, by laws that are not the hall's own decisions."""

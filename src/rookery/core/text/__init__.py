"""Text that people and programs write: whole numbers, options, names."""

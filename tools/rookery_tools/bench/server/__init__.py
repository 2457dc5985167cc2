"""The rows that measure a whole server, each in its file; `rows` has their names."""

"""The log in one SQLite file: its store, what the file looks like inside, and how it is read."""

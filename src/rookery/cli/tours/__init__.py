"""A tour at a terminal: what is known of it, drawn, watched, described in a file."""

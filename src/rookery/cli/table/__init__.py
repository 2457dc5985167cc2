"""A table at a terminal: what is known of it, drawn, watched and played at."""

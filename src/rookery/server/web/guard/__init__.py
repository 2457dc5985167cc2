"""Which clients may ask over HTTP, by which name, from which page, and how often."""

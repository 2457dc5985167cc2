"""Commands about a person's account on a server, and for its organiser."""

"""Commands about who one is on a server."""

"""Commands about a server's log: what is in it, whether it is sound, and copies of it."""

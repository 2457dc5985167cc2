"""Commands for a server on several machines."""

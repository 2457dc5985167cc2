"""Commands that try the server itself."""

"""People, in words that the server says to the hall."""

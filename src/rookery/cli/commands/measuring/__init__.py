"""Commands that measure the rules, the bots and the server, and try it out."""

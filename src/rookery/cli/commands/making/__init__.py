"""Commands for people who make a game, a bot or a dialect of their own."""

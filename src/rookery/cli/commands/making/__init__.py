"""Commands for whoever makes a game, a bot or a dialect of their own."""

"""House bots: players of the server's own, who sit down when nobody else does."""

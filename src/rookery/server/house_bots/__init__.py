"""House bots: who sits down when nobody else does, and thinks outside the server."""

"""House bots: players of the server's own, who fill seats that people wait at."""

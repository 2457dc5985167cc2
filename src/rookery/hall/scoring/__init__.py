"""Functions of results: formats, points, standings, tie-breaks and ratings."""

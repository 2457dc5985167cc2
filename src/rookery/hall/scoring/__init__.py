"""Functions of results: points, standings, tie-breaks and ratings."""

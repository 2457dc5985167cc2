"""A house: the house bots as a process of their own, a client of the hall like an edge."""

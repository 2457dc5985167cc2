"""A hall on many machines: edges, and what goes between them and the hall that leads."""

"""Requests: what a client asks, each a short conversation with the hall that ends in one answer."""

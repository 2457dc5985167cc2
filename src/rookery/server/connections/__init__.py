"""Connections: ports, bytes, TLS, and who has been silent for too long."""

"""Connections: ports, bytes, TLS, and which clients have been silent for too long."""

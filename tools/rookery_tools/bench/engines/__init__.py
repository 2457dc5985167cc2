"""PostgreSQL and NATS, run for a while on this machine."""

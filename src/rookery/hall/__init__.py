"""The hall: all tables and players of one server, decided without I/O and told the time."""

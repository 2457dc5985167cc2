"""How people come to a table: seats, rooms, gatherings, and what waits for players."""

"""How people come to a table: seats, rooms, gatherings, and vacancies that wait for players."""

"""Who is told of a table: who listens there, and what of its events each of them may know."""

"""Who is away from a table: until when they may be, who waits for them, who may take their seat."""

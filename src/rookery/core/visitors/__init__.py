"""Who comes to the server: from which host, by which port, and how much each may ask for."""

"""Who calls the server: players of all languages, and those who look on or ask over HTTP."""

"""Who is here: players, their sessions, their numbers, and what each home may use up."""

"""How players come into a tour: by permission, by a code behind a name, or by signing up."""

"""How players come into a tour: who may, by a code behind a name, or once enough are there."""

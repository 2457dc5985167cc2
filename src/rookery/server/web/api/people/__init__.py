"""People over HTTP: who they are, what they played, and how strong they are."""

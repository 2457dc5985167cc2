"""The API: what can be asked over HTTP, and in which types it is answered."""

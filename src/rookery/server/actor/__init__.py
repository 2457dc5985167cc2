"""Around the hall: asked, decided, written, told."""

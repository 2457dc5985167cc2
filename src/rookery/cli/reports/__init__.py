"""What measurements and matches came to, as tables and sentences."""

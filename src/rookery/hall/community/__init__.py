"""What people do with each other beside their games, and who sees that it goes well."""

"""What people do with each other beside their games, and how moderators keep it friendly."""

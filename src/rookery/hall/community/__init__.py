"""What people do with each other beside their games, and how the organiser keeps it friendly."""

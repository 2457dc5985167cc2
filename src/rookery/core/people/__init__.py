"""Words about people: accounts, blocks, and what the organiser does."""

"""Words about people: accounts, blocks, reports, and what the organiser does about them."""

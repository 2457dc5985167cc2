"""Words about people: accounts, blocks, reports, and what moderators do."""

"""Options that several commands have: numbers, clocks, variants, dialects."""

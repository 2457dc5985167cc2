"""What whoever runs a tour decides by hand: pairings, results, seeds, who plays for whom."""

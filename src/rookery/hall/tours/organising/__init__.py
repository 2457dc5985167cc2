"""What a tour's owner or the organiser decides by hand: results and seeds."""

"""What Rookery is measured and tried with; it imports `rookery`, which knows nothing of it."""

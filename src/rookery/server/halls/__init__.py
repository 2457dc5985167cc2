"""A hall as a process: it leads, or stands by until it can."""

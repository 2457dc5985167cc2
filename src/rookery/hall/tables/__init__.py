"""Tables: what is played at them, who judges it, when a flag falls, and who is told."""

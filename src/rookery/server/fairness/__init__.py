"""Fair turns: nobody takes the time of others, by connection or by host."""

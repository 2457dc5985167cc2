"""Between connections and the hall: in one process, or over a broker."""

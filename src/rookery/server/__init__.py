"""The server: sockets, timers, threads and the disk around a hall that knows none of them."""

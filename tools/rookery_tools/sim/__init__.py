"""The whole server in a world that is made up: one seed, one day, to the byte.

`loop` is an event loop without threads or sockets, `wires` are connections in memory, `disk`
is what the real store writes to, `process` is a server that runs on them and dies, `clients/`
are those who call it, and `observer/` judges by what went over the wires. `world` puts them
together: bytes and faults are drawn from the seed, and nothing else is.
"""

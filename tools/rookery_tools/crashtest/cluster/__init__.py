"""The crash test of a cluster: its parts are killed, stopped and cut off from each other."""

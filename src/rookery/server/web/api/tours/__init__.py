"""Tours over HTTP: to look at, to run, and how ratings went in one."""

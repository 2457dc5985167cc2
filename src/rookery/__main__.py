"""`python -m rookery` is the same as `rookery`."""

from rookery.cli import main

main()

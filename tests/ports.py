"""A port for who has to know its number beforehand, or to listen on it a second time.

What a process listens on by itself it should choose when it opens it (port 0). Where it
cannot, the port must be none that the system gives to others: between our looking and our
listening it would give it to any connection of any other test.
"""

from rookery_tools.bench.engines.programs import spare_port

__all__ = ["spare_port"]

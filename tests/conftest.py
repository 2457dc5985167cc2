"""How hypothesis behaves here: few examples, the same on every run, and no old failures kept.

A test that fails today and passes tomorrow teaches nobody anything.
"""

from hypothesis import settings

settings.register_profile(
    "rookery", derandomize=True, deadline=None, max_examples=60, database=None
)
settings.load_profile("rookery")

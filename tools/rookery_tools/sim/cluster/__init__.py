"""Several processes in one world: halls of which one leads, edges, a broker and a database."""

from rookery.core.errors import Mistake

try:
    import psycopg  # noqa: F401 # it is not installed with Rookery unless it is wanted
except ImportError as wrong:  # pragma: no cover
    raise Mistake(
        "Made-up worlds have databases and need one thing more: pip install 'rookery[postgres]'."
    ) from wrong

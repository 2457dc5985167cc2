"""The log in PostgreSQL: records, the fence that one leader writes through, and its lease.

PostgreSQL keeps and fences; we trust it with what it promises and with nothing else. A batch
is one statement: it moves the hall's count on, if the hall is still ours and the count is
where we left it, and inserts the records in the same commit. So no two processes can both
write, no number is missing or there twice, and no transaction is ever left open.
"""

from rookery.store import StoreFailed

try:
    import psycopg  # noqa: F401 # it is not installed with Rookery unless it is wanted
except ImportError as wrong:  # pragma: no cover
    raise StoreFailed(
        "A log in PostgreSQL needs one thing more: pip install 'rookery[postgres]'."
    ) from wrong

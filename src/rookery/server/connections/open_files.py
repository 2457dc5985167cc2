"""How many files this process may have open, and how many of them may be connections.

A connection is a file to the system. Where all are used up nothing can be opened any more, not
the log, not a pipe to a bot, and connections cannot even be refused. So the bound is raised as
far as it may be at the start, and some are kept back.
"""

import resource

from rookery.server.limits import FILES_RESERVED, FILES_SPARE, SESSIONS_MAX


def raise_limit() -> int:
    """Let this process open as many files as the system allows; return how many."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = 2 * SESSIONS_MAX if hard == resource.RLIM_INFINITY else min(hard, 2 * SESSIONS_MAX)
    if soft != resource.RLIM_INFINITY and soft < most:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        except (OSError, ValueError):
            return soft  # some systems have a lower bound that they do not tell
        return most
    return most if soft == resource.RLIM_INFINITY else soft


def sessions_among(files: int) -> int:
    """How many connections there may be if the process may open so many files."""
    # What came while all are there is taken from the system before it is refused.
    kept = max(FILES_RESERVED, min(files // 4, FILES_RESERVED + FILES_SPARE))
    return max(1, min(SESSIONS_MAX, files - kept))

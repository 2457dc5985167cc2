"""What a client of fishcom may be called: the course's rule, or a wider one."""

import re
from typing import Final

NAME_MAX: Final = 12
SIGN: Final = "#"  # between a name and the code of somebody's tournament
_CODE: Final = re.compile("[A-Za-z0-9]{1,20}")
_LETTERS: Final = re.compile("[A-Za-z]+")


def may_be_called(name: str, *, strict: bool) -> bool:
    """Whether a client may have this name; `strict` is the course's rule: letters alone."""
    return 1 <= len(name) <= NAME_MAX and (not strict or bool(_LETTERS.fullmatch(name)))


def without_code(name: str) -> str:
    """The name without `#` and a tournament's code behind it, where there is one."""
    plain, sign, code = name.rpartition(SIGN)
    return plain if sign and plain and _CODE.fullmatch(code) else name

"""Programs as players: a process that is asked for moves over its standard input and output.

`words` has the messages, `program_output` judges what a program prints, `launch` starts it and
sees to it that nothing stays behind, `child` is one running process, and `program` is a player
that can be asked for moves. Failures are raised as `ProgramFailed`. The protocol is
docs/programs.md.
"""

from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.program import Program, parse_command

__all__ = ["Fault", "Program", "ProgramFailed", "parse_command"]

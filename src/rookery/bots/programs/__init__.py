"""Programs as players: a process that is asked for moves over its standard input and output.

`words` is what is said, `program_output` judges what a program prints, `launch` starts it and sees
to it that nothing stays behind, `child` is one running process, and `program` is a player
that somebody can ask for moves. What goes wrong is a `ProgramFailed`. The protocol is
docs/programs.md.
"""

from rookery.bots.programs.failed import Fault, ProgramFailed
from rookery.bots.programs.program import Program, parse_command

__all__ = ["Fault", "Program", "ProgramFailed", "parse_command"]

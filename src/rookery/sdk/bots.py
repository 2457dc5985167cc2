"""What a bot of one's own imports: what it is given, what it answers, and how levels are made."""

from rookery.bots.base import Bot, Halt, Level, Sight

__all__ = ["Bot", "Halt", "Level", "Sight"]

"""What a tour format of one's own imports: what it sees, and what it says is to be played."""

from rookery.core.tour_values import Field, Fixture
from rookery.hall.tours.formats.base import Format

__all__ = ["Field", "Fixture", "Format"]

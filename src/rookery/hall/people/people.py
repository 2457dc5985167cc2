"""All that is known of people, in one value, which the packages above receive whole."""

from msgspec import Struct

from rookery.hall.people.presence import Presence
from rookery.hall.people.register import Register
from rookery.hall.people.warden import Warden


class People(Struct, frozen=True):
    """Who is connected, who ever came, and what each home may still use."""

    presence: Presence
    register: Register
    warden: Warden

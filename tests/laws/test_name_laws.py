"""In no language, and in no way, is anybody or anything called what others cannot read."""

import json

import pytest

from rookery.core.events import Joined, PlayerMade, PlayerNamed, TourOpened
from rookery.core.names import objection
from rookery.dialects import DIALECTS, LANGUAGES
from rookery.hall.limits import NAME_MAX
from tests.transcripts.wired_hall import WiredHall

BAD = ["\u3164", "\u2800\u2800", "\u0301", "\u3164#CLASS", "Ann\u1160", "annבוב", "Ann\u202e"]


def native(kind: str, **fields: object) -> bytes:
    return json.dumps({"type": kind, **fields}).encode() + b"\n"


def said(dialect: str, name: str) -> bytes:
    """All the ways to give oneself this name, or something else."""
    match dialect:
        case "native":
            plan = {"variant": "reversi", "name": name}
            return b"".join(
                [
                    native("hello", version=1, name=name),
                    native("hello", version=1, name="ann"),
                    native("rename", name=name),
                    native("open_tour", plan=plan, code="OTHER"),
                    native("enter_room", room=name, variant="reversi"),
                    native("enter_room", room="den", variant="reversi", name=name),
                    native("join_tour", code="TEAMS", team=name),
                ]
            )
        case "fish":
            return native("joinGame", age=1, id=name)
        case "fishcom":
            return json.dumps(name).encode()
        case "blackwhite":
            return f"ENTERROOM [{name}]\nENTERROOM [ann] [{name}]\n".encode()
        case "bughouse":
            return f"ADD_PLAYER:{name}\n".encode()
        case "othello":
            return b"1\n"
        case "tourney":
            return f"@NEW PLAYER\n@NAME:{name}\n".encode()
        case _:
            return LANGUAGES[dialect].hello.replace("ann", name).encode() + b"\n"


@pytest.mark.parametrize("name", BAD, ids=ascii)
@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_name_in_the_log_can_be_read(dialect: str, name: str) -> None:
    hall = WiredHall()
    hall.connect("eve", "native")
    hall.send("eve", native("hello", version=1, name="Eve"))
    hall.send("eve", native("open_tour", plan={"variant": "reversi"}, code="CLASS"))
    teams = {"variant": "bughouse", "format": "round_robin"}
    hall.send("eve", native("open_tour", plan=teams, code="TEAMS"))
    hall.connect("ann", dialect)
    hall.send("ann", said(dialect, name))
    called: list[str] = []
    for record in hall.records:
        match record.event:
            case PlayerMade(name=given) | PlayerNamed(name=given) | Joined(name=given):
                called.append(given)
            case TourOpened(plan=plan) if plan.name:
                called.append(plan.name)
            case _ if record.stream.startswith("table/"):
                room = getattr(record.event, "room", "")
                called += [room] if room else []
            case _:
                pass
    assert "Eve" in called
    assert [one for one in called if objection(one, NAME_MAX) is not None] == []

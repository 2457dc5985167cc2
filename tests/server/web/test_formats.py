"""The formats of tours over HTTP: all there are, each with what it declares."""

from rookery.core.options import options_of
from rookery.hall.tours.formats import FORMATS
from tests.server.process import Server
from tests.server.web.looking import look


def test_every_format_is_told_with_its_options_and_in_a_sentence(server: Server) -> None:
    told = look(server, "/api/formats")["formats"]
    assert [one["name"] for one in told] == list(FORMATS)
    assert [one["name"] for one in told if not one["about"].endswith(".")] == []
    for one in told:
        form = FORMATS[one["name"]]
        assert [option["name"] for option in one["options"]] == [o.name for o in options_of(form)]
        assert (one["late"], one["solo"], one["most"]) == (form.late, form.solo, form.most)

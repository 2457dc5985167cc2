"""The page that is shipped: it is built from the sources that are here, and comes quickly."""

from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path

from tests.browser.edges import over_an_edge_too
from tests.browser.people import Visit
from tests.browser.programs import game
from tests.server.process import Server

ROOT = Path(__file__).parent.parent.parent
WEB = ROOT / "web"
PAGE = ROOT / "src" / "rookery" / "server" / "page"
MOST = 150_000  # bytes over the wire


def digest() -> str:
    """What `web/build.mjs` writes down of the sources it has built."""
    folders = (WEB / "src", WEB / "icons")
    sources = [path for folder in folders for path in folder.rglob("*") if path.is_file()]
    sources += [WEB / name for name in ("build.mjs", "icon.svg", "index.html", "package-lock.json")]
    found = sha256()
    for path in sorted(sources, key=lambda path: path.relative_to(WEB).as_posix()):
        found.update(f"{path.relative_to(WEB).as_posix()}\n".encode())
        found.update(path.read_bytes())
    return found.hexdigest()


def test_the_page_in_the_package_is_built_from_these_sources() -> None:
    built = (PAGE / "source.txt").read_text().strip()
    assert built == digest(), "web/ has changed: run `make page`"


@over_an_edge_too
def test_the_first_load_is_light_and_has_no_chess_in_it(visit: Visit, server: Server) -> None:
    person = visit()
    wire = person.room.new_cdp_session(person.page)
    sizes: list[float] = []
    names: list[str] = []

    def came(event: Mapping[str, float]) -> None:
        sizes.append(event["encodedDataLength"])

    wire.send("Network.enable")
    wire.on("Network.loadingFinished", came)
    person.room.on("request", lambda request: names.append(request.url))
    person.go("/")
    person.settles()
    assert 0 < sum(sizes) < MOST
    assert [name for name in names if "chess" in name or "bughouse" in name] == []

    game(server, "bughouse", "Ann", "Bob", "Cyd", "Dan")
    person.go("/tables/1")
    person.page.get_by_role("group", name="Board 1", exact=True).wait_for()
    assert [name for name in names if "chess" in name] != []

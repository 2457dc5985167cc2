"""The organiser's token: made once, kept for its user alone, and said when it is new."""

import stat
from pathlib import Path

import pytest

from rookery.core.errors import Mistake
from rookery.core.intents import Organise
from rookery.server.config import IN_MEMORY
from rookery.server.datadir import TOKEN_FILE, organiser_of, read_token
from tests.server.process import Server, serving
from tests.server.test_running import failing_start


def said_at_start(server: Server) -> str:
    """The line after the one that says where it listens."""
    assert server.process.stdout is not None
    return server.process.stdout.readline().decode()


def test_the_first_start_says_the_token_and_where_it_is(tmp_path: Path) -> None:
    organiser = organiser_of(str(tmp_path))
    path = tmp_path / TOKEN_FILE
    assert organiser.token == read_token(path)
    assert organiser.sentence == (
        f"The organiser's token is {organiser.token}, and is kept in {path}"
    )


def test_a_later_start_has_the_same_token_and_does_not_say_it(tmp_path: Path) -> None:
    first, second = organiser_of(str(tmp_path)), organiser_of(str(tmp_path))
    assert second.token == first.token
    assert second.sentence == f"The organiser's token is in {tmp_path / TOKEN_FILE}"


def test_a_token_that_others_could_read_is_closed_to_them_with_a_word(tmp_path: Path) -> None:
    path = tmp_path / TOKEN_FILE
    path.write_text("of-my-own\n")
    path.chmod(0o644)
    organiser = organiser_of(str(tmp_path))
    assert organiser.token == "of-my-own"
    assert "could read until now" in organiser.sentence
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert organiser_of(str(tmp_path)).sentence == f"The organiser's token is in {path}"


def test_only_its_user_may_read_the_token(tmp_path: Path) -> None:
    organiser_of(str(tmp_path))
    assert stat.S_IMODE((tmp_path / TOKEN_FILE).stat().st_mode) == 0o600


def test_a_start_that_was_cut_short_leaves_nothing_in_the_way(tmp_path: Path) -> None:
    (tmp_path / f"{TOKEN_FILE}.new").write_text("half a tok")
    organiser = organiser_of(str(tmp_path))
    assert [path.name for path in tmp_path.iterdir()] == [TOKEN_FILE]
    assert len(organiser.token) > 20


def test_without_a_folder_every_start_has_a_new_token_and_says_it() -> None:
    first, second = organiser_of(IN_MEMORY), organiser_of(IN_MEMORY)
    assert first.token != second.token
    assert first.token in first.sentence


def test_a_token_of_ones_own_is_taken(tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).write_text("  open-sesame\n")
    assert organiser_of(str(tmp_path)).token == "open-sesame"


@pytest.mark.parametrize("content", [b"", b" \n", b"two words", b"\xff\xfe"])
def test_a_file_without_a_token_is_a_mistake(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / TOKEN_FILE
    path.write_bytes(content)
    with pytest.raises(Mistake) as wrong:
        organiser_of(str(tmp_path))
    assert str(wrong.value) == (
        f"There is no token in {path}; without that file the server makes a new one."
    )


def test_a_token_that_cannot_be_read_is_said_before_the_server_listens(tmp_path: Path) -> None:
    (tmp_path / TOKEN_FILE).mkdir()
    code, said = failing_start(tmp_path)
    assert (code, said) == (
        2,
        f"Error: The organiser's token {tmp_path / TOKEN_FILE} cannot be read: Is a directory.\n",
    )


def test_a_token_that_cannot_be_written_is_a_mistake(tmp_path: Path) -> None:
    with pytest.raises(Mistake, match=r"cannot be written: No such file or directory\.$"):
        organiser_of(str(tmp_path / "nowhere"))


def test_who_shows_the_servers_token_is_its_organiser(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        token = read_token(tmp_path / TOKEN_FILE)
        assert said_at_start(server).startswith(f"The organiser's token is {token}, ")
        caller = server.call()
        assert caller.ask(Organise("guessed")).code == "bad_token"
        assert caller.ask(Organise(token)).type == "done"


def test_the_token_is_the_same_after_a_restart(tmp_path: Path) -> None:
    with serving(tmp_path) as server:
        token = read_token(tmp_path / TOKEN_FILE)
        server.kill()
    with serving(tmp_path) as server:
        assert token not in said_at_start(server)
        assert server.call().ask(Organise(token)).type == "done"


def test_a_server_in_memory_writes_no_token(tmp_path: Path) -> None:
    with serving(tmp_path, "--data", IN_MEMORY) as server:
        token = said_at_start(server).split()[-1]
        assert server.call().ask(Organise(token)).type == "done"
        assert not (tmp_path / TOKEN_FILE).exists()

"""Settings: three ways to give them, one order among them, and one sentence when wrong."""

from pathlib import Path

import pytest

from rookery.core.errors import Mistake
from rookery.dialects.tourney import TourneyOptions
from rookery.server.config import (
    PREFIX,
    BadSetting,
    BotTerms,
    HouseTerms,
    Settings,
    described,
    load,
)


def test_without_anything_the_defaults_hold() -> None:
    assert load({}, {}, None) == Settings()


def test_a_flag_beats_the_environment_which_beats_the_file(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text('host = "10.0.0.1"\nport = 1\ndata = "from-file"\n')
    environment = {"ROOKERY_HOST": "10.0.0.2", "ROOKERY_PORT": "2"}
    settings = load({"host": "10.0.0.3", "port": None}, environment, file)
    assert (settings.host, settings.port, settings.data) == ("10.0.0.3", 2, "from-file")


@pytest.mark.parametrize(
    ("flags", "sentence"),
    [
        ({"port": "70000"}, "A port is a number from 0 to 65535, not 70000."),
        ({"port": "-1"}, "A port is a number from 0 to 65535, not -1."),
        ({"port": "many"}, "port is a whole number, and what is given is not."),
        ({"classic_ports": "yes"}, "classic_ports is true or false, and what is given is not."),
        ({"tls_cert": "a.pem"}, "TLS needs both"),
        ({"log_level": "loud"}, "log_level is debug"),
        ({"leeway": "-1"}, "leeway is a number from 0 to 10000, not -1."),
        ({"leeway": "10001"}, "leeway is a number from 0 to 10000, not 10001."),
    ],
)
def test_a_wrong_setting_is_one_sentence(flags: dict[str, object], sentence: str) -> None:
    with pytest.raises(BadSetting, match=sentence) as refused:
        load(flags, {}, None)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("prot = 1", "no use for 'prot'"),
        ("port =", "is no TOML"),
        ("port = true", "port is a whole"),
        ("listen = 5", "listen is a table of settings"),
    ],
)
def test_a_wrong_file_is_one_sentence(text: str, sentence: str, tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text(text)
    with pytest.raises(BadSetting, match=sentence):
        load({}, {}, file)


def test_a_file_that_is_not_there_is_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="cannot be read"):
        load({}, {}, tmp_path / "none.toml")


def test_classic_ports_are_those_the_old_servers_had() -> None:
    settings = load({"classic_ports": "true"}, {}, None)
    assert opened(settings) == [("tourney", 1350), ("bughouse", 3333)]
    assert opened(load({}, {}, None)) == []


def test_a_port_of_ones_own_is_opened_beside_the_classic_one() -> None:
    settings = load({"classic_ports": "true", "listen": "tourney=7351,bughouse=3333"}, {}, None)
    assert opened(settings) == [("tourney", 7351), ("bughouse", 3333), ("tourney", 1350)]


def test_a_dialect_s_options_hold_on_its_classic_port(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text("classic_ports = true\n[listen.tourney]\ncodes = true\n")
    settings = load({}, {}, file)
    assert opened(settings) == [("tourney", 1350), ("bughouse", 3333)]
    assert settings.ports()[0].options == TourneyOptions(codes=True)


def test_the_house_is_open_where_only_this_machine_can_call() -> None:
    for host in ("127.0.0.1", "localhost", "::1"):
        assert load({"host": host}, {}, None).house_terms().open_at(host)
    assert not load({}, {}, None).house_terms().open_at("0.0.0.0")


@pytest.mark.parametrize(
    ("text", "open_there", "level"),
    [
        ('house = "off"', False, 2),
        ('house = "on,level=4"', True, 4),
        ('house = "auto"', True, 2),
    ],
)
def test_the_house_is_one_text_in_the_file_too(
    text: str, level: int, *, open_there: bool, tmp_path: Path
) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text(text)
    terms = load({}, {}, file).house_terms()
    assert (terms.open_at("127.0.0.1"), terms.terms.level) == (open_there, level)
    assert load({"house": "wait=1"}, {}, file).house_terms().terms.level == level


def test_every_setting_can_be_given_three_ways_as_the_same_text(tmp_path: Path) -> None:
    texts = {
        "host": "0.0.0.0", "port": "7", "data": "x", "tls_cert": "", "tls_key": "",
        "public_host": "a.org,b.org", "tour": "CODE", "return": "never",
        "listen": "fish=7352", "house": "off", "classic_ports": "true", "log_level": "debug",
        "hold_minutes": "3", "nats": "nats://10.0.0.9:4222", "hall": "cs4500", "leeway": "300",
        "lease": "2.5", "node": "a", "wait": "30",
        "rules_timeout": "500", "deaf": "7",
    }  # fmt: skip
    assert set(texts) == {one.name for one in described()}
    file = tmp_path / "rookery.toml"
    for name, text in texts.items():
        file.write_text(f'{name} = "{text}"')
        by_flag = load({name: text}, {}, None)
        assert load({}, {}, file) == by_flag, name
        assert load({}, {f"ROOKERY_{name.upper()}": text}, None) == by_flag, name


def test_a_word_about_the_house_leaves_the_rest_as_the_file_has_it(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text('[house]\ngames = ["nim"]\nlevel = 4\nwait = 0.5\nenabled = false\n')
    settings = load({"house": "on"}, {"ROOKERY_HOUSE": "level=5"}, file)
    terms = HouseTerms(enabled=True, games=frozenset({"nim"}), terms=BotTerms(500_000, 5))
    assert settings.house_terms() == terms
    assert terms.open_at("0.0.0.0")


@pytest.mark.parametrize(
    ("house", "sentence"),
    [
        ("maybe", "The house is on, off, auto or NAME=VALUE, not 'maybe'."),
        ("enabled=maybe", "The house is on, off or auto, not 'maybe'."),
        ("level=6", "level"),
        ("level=two", "level"),
        ("wait=-1", "wait is a number of seconds from 0 to 3600, not '-1'."),
        ("wait=soon", "wait is a number of seconds from 0 to 3600, not 'soon'."),
        ("wait=nan", "wait is a number of seconds from 0 to 3600, not 'nan'."),
        ("workers=1000", "workers"),
        ("games=chess", "There is no game 'chess'"),
        ("colour=red", "The house has no setting 'colour'"),
        ("level=3,wait", "not 'wait'"),
    ],
)
def test_a_wrong_word_about_the_house_is_one_sentence(house: str, sentence: str) -> None:
    with pytest.raises(Mistake, match=sentence) as refused:
        load({"house": house}, {}, None)
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("house = true", "house is a table of settings"),
        ("[house]\ngames = [1]", "The games of the house are a list of names"),
        ("[house]\nwait = true", "wait is a number of seconds"),
        ("[house]\nlevel = 2.5", "level"),
        ('[listen.othello]\nport = 0\nbot = "level9"', "bot is one of level1"),
        ('[listen.fish]\nport = 0\nwait = "long"', "set so: wait is a whole number, and what"),
    ],
)
def test_a_wrong_table_of_the_house_is_one_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text(text)
    with pytest.raises(Mistake, match=sentence):
        load({}, {}, file)


def test_an_othello_port_with_a_bot_has_it_after_ten_seconds(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text('[listen.othello]\nport = 0\nbot = "level2"\n')
    assert [port.house for port in load({}, {}, file).ports()] == [BotTerms(10_000_000, 2)]
    file.write_text("[listen.othello]\nport = 0\n")
    assert [port.house for port in load({}, {}, file).ports()] == [None]


def opened(settings: Settings) -> list[tuple[str, int]]:
    """The ports of one dialect."""
    return [(port.dialect, port.port) for port in settings.ports()]


def test_the_docs_say_what_the_table_of_settings_says() -> None:
    page = (Path(__file__).parents[2] / "docs" / "settings.md").read_text("utf-8")
    for setting in described():
        flag = f"`--{setting.name.replace('_', '-')}`"
        default = f" `{setting.default}` " if setting.default else " "
        row = (
            f"| `{setting.name}` | {flag} | `{PREFIX}{setting.name.upper()}` "
            f"|{default}| {setting.description} |"
        )
        assert row in page


# -- how those who were gone come back


def written(text: str, folder: Path) -> Path:
    file = folder / "rookery.toml"
    file.write_text(text)
    return file


def test_a_port_says_how_one_comes_back_and_else_as_the_one_port_does(tmp_path: Path) -> None:
    text = (
        'return = "never"\n[listen.tourney]\nport = 1\n[listen.fish]\nport = 2\nreturn = "host"\n'
    )
    tourney, fish = load({}, {}, written(text, tmp_path)).ports()
    assert (tourney.by, fish.by) == ("never", "host")
    assert load({"return": "never"}, {}, None).by == "never"
    assert load({}, {"ROOKERY_RETURN": "never"}, None).by == "never"
    assert load({}, {}, None).by == "host"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('return = "maybe"', "return is host or never, not 'maybe'."),
        (
            '[listen.fish]\nport = 2\nreturn = "maybe"',
            "return of fish is host or never, not 'maybe'.",
        ),
        (
            '[listen.tourney]\nport = 2\nany_host = true\nreturn = "never"',
            "A port of tourney has any_host or return = never, not both.",
        ),
    ],
)
def test_a_way_back_that_there_is_not_is_one_sentence(
    text: str, sentence: str, tmp_path: Path
) -> None:
    with pytest.raises(BadSetting) as wrong:
        load({}, {}, written(text, tmp_path))
    assert str(wrong.value) == sentence


def test_what_is_for_edges_in_the_file_is_for_edges_alone(tmp_path: Path) -> None:
    file = tmp_path / "rookery.toml"
    file.write_text("port = 7360\n[edges]\nport = 7350\n")
    assert load({}, {}, file).port == 7360
    assert load({}, {}, file, edge=True).port == 7350
    file.write_text("[edges]\nprot = 7350\n")
    with pytest.raises(BadSetting, match="no use for 'prot'"):
        load({}, {}, file)


@pytest.mark.parametrize("text", ["0", "19", "60001", "-1", "soon"])
def test_rules_have_a_time_that_can_be(text: str) -> None:
    with pytest.raises(Mistake, match="rules_timeout"):
        load({"rules_timeout": text}, {}, None)

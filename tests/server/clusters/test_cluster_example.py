"""`examples/cluster/`: its files can be read, name what there is, and its commands work."""

import json
import re
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from configparser import ConfigParser
from contextlib import ExitStack, contextmanager
from http import HTTPStatus
from pathlib import Path
from typing import Any
from urllib.request import urlopen

import click
import pytest

from rookery.cli import rookery
from rookery.server.config import described, load
from rookery.server.metrics import EVERYTHING, measure_of
from tests.ports import spare_port
from tests.postgres import needs_postgres, server
from tests.server.cluster import PROGRAM, measured, needs_broker
from tests.server.process import PATIENCE, environment
from tests.warm import Warm

EXAMPLE = Path(__file__).parents[3] / "examples" / "cluster"
README = (EXAMPLE / "README.md").read_text("utf-8")
PORT = re.compile(r"\b(4222|73[5-7][0-9])\b")


def commands() -> list[str]:
    """All lines that are to be typed without containers."""
    alone = README.partition("## Without containers")[2].partition("## With containers")[0]
    blocks = re.findall(r"```sh\n(.*?)```", alone, re.DOTALL)
    return [line for block in blocks for line in block.splitlines()]


def lines_of_rookery() -> Iterator[list[str]]:
    """What `rookery` is given anywhere in the example."""
    for line in commands():
        if line.startswith("rookery "):
            yield shlex.split(line.removesuffix("&"))[1:]
    for unit in EXAMPLE.glob("systemd/*.service"):
        read = ConfigParser(interpolation=None)
        read.optionxform = str  # type: ignore[assignment,method-assign] # as they are written
        read.read(unit)
        assert read["Install"]["WantedBy"] == "multi-user.target"
        program, *words = shlex.split(read["Service"]["ExecStart"])
        assert program.endswith("/rookery")
        yield words
    for service in compose()["services"].values():
        if "build" in service:
            yield service["command"]


def compose() -> dict[str, Any]:  # Any: as YAML has it
    yaml = pytest.importorskip("yaml")
    read: dict[str, Any] = yaml.safe_load((EXAMPLE / "compose.yaml").read_text("utf-8"))
    return read


def test_every_command_takes_what_it_is_given() -> None:
    seen = set()
    for name, *words in lines_of_rookery():
        command = rookery.get_command(click.Context(rookery), name)
        assert command is not None
        command.make_context(name, list(words))
        seen.add(name)
    assert {"hall", "edge", "bot"} <= seen


def test_what_the_containers_are_told_is_a_setting() -> None:
    services = compose()["services"]
    known = {f"ROOKERY_{one.name.upper()}" for one in described()}
    for service in services.values():
        if "build" in service:
            assert set(service["environment"]) <= known
            assert set(service["depends_on"]) <= set(services)


def test_containers_have_what_they_mount_and_build_from() -> None:
    told = compose()
    for service in told["services"].values():
        build = service.get("build")
        if isinstance(build, dict):
            context = (EXAMPLE / build["context"]).resolve()
            dockerfile = (context / build["dockerfile"]).read_text("utf-8")
            assert (context / "pyproject.toml").exists()
            for source in re.findall(r"^COPY (\S+) ", dockerfile, re.MULTILINE):
                assert (context / source).exists()
        else:
            assert service["image"]
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert source in told["volumes"] or (EXAMPLE / source).is_file()


def test_what_a_container_is_told_beats_the_file() -> None:
    environment = compose()["services"]["edge-1"]["environment"]
    assert isinstance(environment, dict)
    edge = load({}, environment, EXAMPLE / "rookery.toml", edge=True)
    assert (edge.host, edge.port) == ("0.0.0.0", 7350)  # in a container
    assert "edge-1" in edge.public_host
    assert "@nats:" in edge.nats


DIRECTIVES = {
    "Unit": {"Description", "After", "Wants"},
    "Service": {
        *("ExecStart", "Restart", "RestartSec", "User", "LimitNOFILE", "NoNewPrivileges"),
        *("ProtectSystem", "ProtectHome", "PrivateTmp"),
    },
    "Install": {"WantedBy"},
}


def test_units_are_as_systemd_wants_them(tmp_path: Path) -> None:
    """By its own word, where it is installed; else by what it is known to take."""
    verify = shutil.which("systemd-analyze")
    for unit in EXAMPLE.glob("systemd/*.service"):
        read = ConfigParser(interpolation=None)
        read.optionxform = str  # type: ignore[assignment,method-assign] # as they are written
        read.read(unit)
        assert {name: set(read[name]) - DIRECTIVES[name] for name in read.sections()} == {
            name: set() for name in DIRECTIVES
        }
        if verify is not None:
            here = tmp_path / unit.name.replace("@", "@a")
            here.write_text(unit.read_text("utf-8").replace("/opt/rookery/bin/rookery", "/bin/sh"))
            done = subprocess.run([verify, "verify", here], capture_output=True, check=False)
            assert (done.returncode, done.stderr) == (0, b"")


def test_one_file_is_for_halls_and_edges() -> None:
    hall, edge = (load({}, {}, EXAMPLE / "rookery.toml", edge=edge) for edge in (False, True))
    assert (hall.port, edge.port) == (7360, 7350)
    assert hall.house_terms().enabled


def names_drawn() -> set[str]:
    """What the dashboard asks for, as Prometheus has it."""
    panels = json.loads((EXAMPLE / "grafana" / "rookery.json").read_text("utf-8"))["panels"]
    exprs = [target["expr"] for panel in panels for target in panel["targets"]]
    return {name for expr in exprs for name in re.findall(r"rookery_\w+", expr)}


def test_what_is_drawn_is_measured() -> None:
    drawn = {measure_of(name) for name in names_drawn()}
    assert drawn <= set(EVERYTHING)
    wanted = "moves_total answer_seconds log_lag_seconds connections leads edge_attached_total"
    assert {f"rookery_{name}" for name in wanted.split()} <= drawn


def test_prometheus_asks_those_who_are_there() -> None:
    yaml = pytest.importorskip("yaml")
    jobs = yaml.safe_load((EXAMPLE / "prometheus.yml").read_text("utf-8"))["scrape_configs"]
    targets = [t for job in jobs for one in job["static_configs"] for t in one["targets"]]
    assert {target.partition(":")[0] for target in targets} <= set(compose()["services"])
    if (promtool := shutil.which("promtool")) is not None:
        words = [promtool, "check", "config", str(EXAMPLE / "prometheus.yml")]
        subprocess.run(words, check=True, capture_output=True)
    for file in ("datasource", "dashboards"):
        assert yaml.safe_load((EXAMPLE / "grafana" / f"{file}.yaml").read_text("utf-8"))


@contextmanager
def running(line: str, folder: Path) -> Iterator[None]:
    """What runs until we are done; it is there once it has said so."""
    program, *words = shlex.split(line.removesuffix("&"))
    if program == "nats-server":
        assert PROGRAM is not None
        broker = subprocess.Popen([PROGRAM, *words], cwd=folder, stderr=subprocess.DEVNULL)
        try:
            yield
        finally:
            broker.kill()
            broker.wait()
        return
    assert program == "rookery"
    words = [str(folder / word) if word.endswith(".toml") else word for word in words]
    process = Warm(*words, env=environment())
    assert process.stdout is not None
    try:
        said = b""
        while b" listens on " not in said:
            said = process.stdout.readline()
            assert said, f"{line} ends"
        yield
    finally:
        process.terminate()
        process.wait(PATIENCE)
        process.stdout.close()


def once(line: str) -> None:
    """What is done at some time; the parts of a cluster find each other in their own time."""
    program, *words = shlex.split(line)
    if program == "curl":
        until = time.monotonic() + PATIENCE
        while True:
            try:
                with urlopen(words[-1], timeout=PATIENCE) as answer:
                    assert answer.status == HTTPStatus.OK
                    return
            except OSError:
                assert time.monotonic() < until, f"{line} never succeeds"
                time.sleep(0.05)
    assert program == "rookery"
    done = [sys.executable, "-m", "rookery", *words]
    subprocess.run(done, check=True, capture_output=True, env=environment(), timeout=PATIENCE)


@needs_broker
@needs_postgres
def test_the_commands_of_the_page_work(tmp_path: Path) -> None:
    folder, ports = tmp_path / "cluster", dict[str, str]()
    shutil.copytree(EXAMPLE, folder)
    hall = server().hall().hall  # one that nobody had before

    def other(text: str) -> str:
        text = PORT.sub(lambda found: ports.setdefault(found[1], str(spare_port())), text)
        return text.replace("postgresql://rookery@127.0.0.1:5432/rookery", server().address())

    for name in ("rookery.toml", "nats.conf"):
        file = folder / name
        text = other(file.read_text("utf-8"))
        file.write_text(text.replace("lease =", f'hall = "{hall}"\nlease =', 1))
    with ExitStack() as stack:
        for line in commands():
            if line.startswith(("pip ", "create")):
                continue
            if line.endswith("&"):
                stack.enter_context(running(other(line), folder))
            else:
                once(other(line))
        parts = [measured(int(ports[port])) for port in ("7360", "7370", "7350")]
    assert names_drawn() <= {name.partition("{")[0] for part in parts for name in part}

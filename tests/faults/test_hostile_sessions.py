"""Session files that somebody else made: shown as far as they are valid, in bounded memory, or refused in words."""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kbtui.domain.codec import encode
from tests.cli.conftest import Invoke, invoke  # noqa: F401
from tests.sessions.runs import answered

LINES = [encode(event) for event in answered()]
GOOD = "\n".join(LINES) + "\n"
MEMORY = 1 << 30
"""Bytes of address space for a process that reads a hostile file; an idle one takes a third of it."""


def changed(**values: Any) -> str:
    """A session whose first event holds other values."""
    return json.dumps(json.loads(LINES[0]) | values) + "\n" + "\n".join(LINES[1:]) + "\n"


def nested(depth: int) -> str:
    return "[" * depth + '"x"' + "]" * depth


def behind_args(value: str) -> str:
    return "\n".join(LINES[:4]) + "\n" + LINES[4].replace('"args":{', f'"args":{{"q":{value},', 1) + "\n"


VALID_AT_FIRST: dict[str, str | bytes] = {
    "cut off": GOOD[: len(GOOD) // 2],
    "an array nested 100,000 deep": LINES[0] + "\n" + nested(100_000) + "\n",
    "an object nested 100,000 deep": LINES[0] + "\n" + '{"a":' * 100_000 + "1" + "}" * 100_000 + "\n",
    "an argument nested 500 deep": behind_args(nested(500)),
    "an argument nested 50,000 deep": behind_args(nested(50_000)),
    "infinity": LINES[0] + "\n" + LINES[1].replace("0.93", "1e999") + "\n",
    "not a number": LINES[0] + "\n" + LINES[1].replace("0.93", "NaN") + "\n",
    "bytes that are no UTF-8": (LINES[0] + "\n").encode() + LINES[1].encode().replace(b"how", b"h\xe9w"),
    "two runs of one name": GOOD + GOOD,
    "a run with a hole": "\n".join([*LINES[:3], *LINES[4:]]) + "\n",
    "a question of ten million letters": changed(query="a" * 10_000_000),
    "another run's name made of escapes": changed(run_id="\u202e\x1b[2J"),
}
REFUSED: dict[str, str | bytes] = {
    "empty": b"",
    "empty lines": b"\n" * 1000,
    "NUL bytes": b"\0" * 100_000,
    "UTF-16": GOOD.encode("utf-16"),
    "half a surrogate pair": changed(query="\ud800"),
    "a number of 5,000 digits": LINES[0].replace('"v":1', '"v":' + "9" * 5000) + "\n",
    "a question that is a number": changed(query=5),
    "no question": changed(query=None),
    "a place that is a text": changed(seq="first"),
    "a place before the first": changed(seq=-1),
    "a place past every number": changed(seq=1e308),
    "a time that is none": changed(at="yesterday"),
    "a version to come": changed(v=99),
    "a kind that is a list": changed(kind=[]),
    "a name that is an object": changed(run_id={}),
    "sources that are a text": changed(sources="abc"),
}
WAYS = (
    ("replay", "--json"),
    ("replay", "--plain", "--speed", "max"),
    ("sessions", "show"),
    ("sessions", "export", "--format", "md"),
    ("sessions", "export", "--format", "html"),
    ("sessions", "export", "--format", "jsonl"),
)


def write(folder: Path, content: str | bytes) -> Path:
    path = folder / "foreign.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8", "surrogatepass"))
    return path


@pytest.mark.parametrize("content", VALID_AT_FIRST.values(), ids=VALID_AT_FIRST.keys())
def test_what_stands_before_the_first_wrong_line_is_shown(
    content: str | bytes,
    invoke: Invoke,  # noqa: F811
    tmp_path: Path,
) -> None:
    path = write(tmp_path, content)
    for way in WAYS:
        done = invoke(*way, str(path))
        assert done.exit_code == 0, (way, done.stderr[-500:])
        assert done.stdout
        assert "unexpected" not in done.stderr
        assert "Traceback" not in done.stderr
        assert "\x1b" not in done.stdout


@pytest.mark.parametrize("content", REFUSED.values(), ids=REFUSED.keys())
def test_a_file_whose_first_line_is_wrong_is_refused_in_words(
    content: str | bytes,
    invoke: Invoke,  # noqa: F811
    tmp_path: Path,
) -> None:
    path = write(tmp_path, content)
    for way in WAYS:
        done = invoke(*way, str(path))
        assert done.exit_code == 1, (way, done.stderr[-500:])
        assert done.stderr.startswith("kbtui: ")
        assert "\nhint: " in done.stderr
        assert "unexpected error" not in done.stderr
        assert len(done.stderr) < 2000


def pipe(path: Path) -> None:
    os.mkfifo(path)


def endless(path: Path) -> None:
    path.symlink_to("/dev/zero")


def folder(path: Path) -> None:
    path.mkdir()


def loop(path: Path) -> None:
    path.symlink_to(path)


@pytest.mark.parametrize("make", [pipe, endless, folder, loop])
def test_what_is_no_regular_file_is_no_session(
    home: Path,
    make: Callable[[Path], None],
    invoke: Invoke,  # noqa: F811
) -> None:
    sessions = home / "data/kbtui/sessions"
    sessions.mkdir(parents=True)
    make(sessions / "20261120-210301-abcd.jsonl")
    assert invoke("sessions", "list").exit_code == 0
    assert invoke("sessions", "stats").exit_code == 0
    for name in ("last", "20261120-210301-abcd", str(sessions / "20261120-210301-abcd.jsonl")):
        done = invoke("replay", "--json", name)
        assert done.exit_code == 1
        assert "\nhint: " in done.stderr


def test_a_line_of_100_mb_takes_little_memory(tmp_path: Path) -> None:
    path = tmp_path / "foreign.jsonl"
    path.write_text(LINES[0] + '\n{"a":"' + "x" * 100_000_000 + '"}\n')
    done = subprocess.run(
        [sys.executable, "-m", "kbtui", "replay", "--json", str(path)],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY)),
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "longer than" in done.stderr
    assert len(done.stdout.splitlines()) == 1

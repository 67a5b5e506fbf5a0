"""Commands of the settings that print the text of files: without a shell, within limits, named when they fail."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace

from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.cutting import Cut, Failure, cut_all
from kbtui.knowledge.reading.extraction import recipe
from kbtui.knowledge.reading.folder_worker import reading_rules, walk_folder
from kbtui.knowledge.reading.formats.commands import command_line
from kbtui.knowledge.reading.source import open_reader
from kbtui.settings.model import IndexSettings
from kbtui.text.file_formats import format_of
from tests.support.processes import wait_until_gone

TOOL = """
import os, sys, time
data = open(sys.argv[1], "rb").read() if len(sys.argv) > 1 else sys.stdin.buffer.read()
word = data.split()[0].decode()
if word == "fail":
    sys.exit("not a journal")
if word == "silent":
    sys.exit(0)
if word == "flood":
    while True:
        sys.stdout.write("flood " * 100_000)
if word == "hang":
    time.sleep(1000)
if word == "memory":
    print(len(b"x" * (8 << 30)))
if word == "write":
    with open(sys.argv[1] + ".copy", "w") as stream:
        stream.write("copy")
if word == "keys":
    print("key:", os.environ.get("OPENAI_API_KEY"), "pid:", os.getppid())
sys.stdout.write(data.decode().replace("%%", "\\f"))
"""


@pytest.fixture
def settings(tmp_path_factory: pytest.TempPathFactory) -> IndexSettings:
    tool = tmp_path_factory.mktemp("tool of mine") / "tool.py"
    tool.write_text(TOOL)
    return IndexSettings(
        commands={"*.rst2": f"{sys.executable} '{tool}' {{path}}", "*.pipe": f"{sys.executable} '{tool}'"}, command_s=5
    )


def cut(folder: Path, files: dict[str, bytes], settings: IndexSettings) -> dict[str, Cut | Failure]:
    for name, data in files.items():
        (folder / name).write_bytes(data)
    return {file.path: result for file, result in cut_all(walk_folder(folder, settings).files, settings, CancelToken())}


@pytest.mark.parametrize("name", ["a b; rm -rf $HOME.rst2", "-rf.rst2", "a.PIPE", "$(x) 'q'.rst2"])
def test_a_command_prints_the_text_of_a_file_whatever_its_name(
    tmp_path: Path, settings: IndexSettings, name: str
) -> None:
    found = cut(tmp_path, {name: b"The crane\n%%\nThe derrick was greased.\n"}, settings)
    assert isinstance(found[name], Cut)
    reader = open_reader(tmp_path, settings)
    lines = reader.lines(name)
    place = lines.index("The derrick was greased.") + 1
    assert reader.locator(name, place, place) == "p.2"


def test_without_the_setting_no_command_is_run(tmp_path: Path, settings: IndexSettings) -> None:
    found = cut(tmp_path, {"a.rst2": b"fail\n"}, IndexSettings())
    assert isinstance(found["a.rst2"], Cut)
    assert format_of("a.rst2") is None


@pytest.mark.parametrize(
    ("word", "reason"),
    [
        ("fail", "error: not a journal"),
        ("silent", "printed nothing"),
        ("flood", "printed more than 32 MB"),
        ("hang", "took longer than 1 s"),
        ("memory", "error: MemoryError"),
        ("write", "error: OSError: [Errno 27] File too large"),
    ],
)
def test_a_file_whose_command_fails_is_named_and_fails_alone(
    tmp_path: Path, settings: IndexSettings, word: str, reason: str
) -> None:
    if word == "hang":
        settings = replace(settings, command_s=1)
    found = cut(tmp_path, {"bad.rst2": word.encode(), "fine.md": b"# Fine\n"}, settings)
    bad = found["bad.rst2"]
    assert isinstance(bad, Failure)
    assert reason in bad.reason
    assert isinstance(found["fine.md"], Cut)
    assert not [copy for copy in tmp_path.glob("*.copy") if copy.stat().st_size]


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="the system does not list processes")  # noqa: PTH112
def test_what_a_command_has_started_ends_with_it(tmp_path: Path) -> None:
    fifo = tmp_path / "out"
    os.mkfifo(fifo)
    tool = tmp_path / "tool.sh"
    tool.write_text(f"sleep 1000 &\necho $! > {fifo}\nsleep 1000\n")
    settings = IndexSettings(commands={"*.rst2": f"sh {tool} {{path}}"}, command_s=1)
    reading = os.open(fifo, os.O_RDWR | os.O_NONBLOCK)
    try:
        found = cut(tmp_path, {"bad.rst2": b"x"}, settings)
        assert isinstance(found["bad.rst2"], Failure)
        pid = int(os.read(reading, 20))
    finally:
        os.close(reading)
    wait_until_gone(pid)


def test_a_command_knows_no_keys(tmp_path: Path, settings: IndexSettings, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-secret")
    cut(tmp_path, {"a.rst2": b"keys"}, settings)
    assert open_reader(tmp_path, settings).lines("a.rst2")[0].startswith("key: None")


def test_a_command_goes_before_kbtuis_own_formats_and_matches_paths_with_a_slash() -> None:
    commands = {"*.pdf": "mine", "old/*.txt": "mine {path}", "*.none": "  "}
    assert (form := format_of("a/B.PDF", commands)) is not None
    assert form.command == "mine"
    assert format_of("old/a.txt", commands) is not None
    assert format_of("new/a.txt", commands) is None
    assert format_of("a.none", commands) is None


def test_a_changed_command_has_its_files_read_again(tmp_path: Path, settings: IndexSettings) -> None:
    other = IndexSettings(commands={"*.rst2": f"{sys.executable} -c 'print(7)' {{path}}"})
    assert recipe(reading_rules(settings)) != recipe(reading_rules(other)) != recipe(reading_rules(IndexSettings()))
    (tmp_path / "a.rst2").write_text("first")
    assert open_reader(tmp_path, settings).lines("a.rst2") == ["first"]
    assert open_reader(tmp_path, other).lines("a.rst2") == ["7"]


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("mytool 'x", "its command cannot be taken apart: No closing quotation"),
        ("''", "cannot be started"),
        ("no-such-tool-here {path}", "no-such-tool-here cannot be started: No such file or directory"),
    ],
)
def test_a_command_that_cannot_be_run_is_named_with_the_setting(tmp_path: Path, command: str, reason: str) -> None:
    (tmp_path / "a.rst2").write_text("x")
    with pytest.raises(KnowledgeBaseError) as error:
        open_reader(tmp_path, IndexSettings(commands={"*.rst2": command})).lines("a.rst2")
    assert reason in error.value.message
    assert error.value.hint == "look at index.commands in your settings"


def test_a_path_is_one_argument() -> None:
    assert command_line("tool --in={path} -q", Path("/a b/c;d")) == ["tool", "--in=/a b/c;d", "-q"]

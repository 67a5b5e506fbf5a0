"""Tables and patterns that are kept between runs: made again whenever what is kept cannot be relied on."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from kbtui import build_cache


@pytest.fixture(autouse=True)
def as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("_file", None), ("_entries", {}), ("_fresh", set())):
        monkeypatch.setattr(build_cache, name, value)


class Table:
    """Counts how often it is made."""

    def __init__(self, value: Any = None) -> None:
        self.made = 0
        self.value = {"words": ("a", ["b", 1.5, None, True]), "set": frozenset({"x"})} if value is None else value

    def __call__(self) -> Any:
        self.made += 1
        return self.value


def next_run(folder: Path) -> None:
    """Ends this run and begins another."""
    build_cache._write()
    build_cache._entries = {}
    build_cache.open_in(folder)


def test_a_table_is_made_in_the_first_run_and_read_in_the_second(tmp_path: Path) -> None:
    table = Table()
    build_cache.open_in(tmp_path)
    assert build_cache.kept("t", "1", table) == table.value
    next_run(tmp_path)
    assert build_cache.kept("t", "1", table) == table.value
    assert table.made == 1
    assert (tmp_path / "compiled").stat().st_mode & 0o077 == 0


def test_a_table_of_files_that_have_changed_is_made_anew(tmp_path: Path) -> None:
    table = Table()
    build_cache.open_in(tmp_path)
    build_cache.kept("t", "1", table)
    next_run(tmp_path)
    table.value = ["other"]
    assert build_cache.kept("t", "2", table) == ["other"]
    next_run(tmp_path)
    assert build_cache.kept("t", "2", Table([])) == ["other"]


@pytest.mark.parametrize(
    "broken",
    [b"", b"kbtui 0.0.0 of another version\n1234{", lambda data: data[:-1], lambda data: data[:-9] + b"\xff" * 9],
    ids=["empty", "another version", "cut short", "overwritten"],
)
def test_a_file_that_is_broken_is_made_anew(broken: Any, tmp_path: Path) -> None:
    table = Table()
    build_cache.open_in(tmp_path)
    build_cache.kept("t", "1", table)
    build_cache._write()
    file = tmp_path / "compiled"
    file.write_bytes(broken(file.read_bytes()) if callable(broken) else broken)
    next_run(tmp_path)
    assert build_cache.kept("t", "1", table) == table.value
    next_run(tmp_path)
    assert build_cache.kept("t", "1", table) == table.value
    assert table.made == 2


def test_an_entry_that_is_broken_is_made_anew(tmp_path: Path) -> None:
    build_cache.open_in(tmp_path)
    build_cache._entries["t"] = ("1", b"no table")
    build_cache._entries["re 0 a(b)"] = ("", b"no code")
    assert build_cache.kept("t", "1", Table(["good"])) == ["good"]
    assert build_cache.pattern("a(b)").fullmatch("ab")[1] == "b"  # type: ignore[index]


def test_code_of_a_pattern_that_python_refuses_is_compiled_anew(tmp_path: Path) -> None:
    import marshal

    build_cache.open_in(tmp_path)
    build_cache._entries["re 0 ab"] = ("", marshal.dumps((32, b"\x07\x00\x00\x00" * 8, 0, {})))
    assert build_cache.pattern("ab").fullmatch("ab")


def test_what_another_process_wrote_meanwhile_stays(tmp_path: Path) -> None:
    build_cache.open_in(tmp_path)
    build_cache.kept("mine", "1", Table(["m"]))
    mine = build_cache._entries, set(build_cache._fresh)
    build_cache.open_in(tmp_path)
    build_cache.kept("theirs", "1", Table(["t"]))
    build_cache._write()
    build_cache._entries, build_cache._fresh = mine
    next_run(tmp_path)
    assert {"mine", "theirs"} <= set(build_cache._entries)


def test_a_folder_that_cannot_be_written_costs_nothing_but_time(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    build_cache.open_in(tmp_path / "file" / "folder")
    assert build_cache.kept("t", "1", Table(["a"])) == ["a"]
    build_cache._write()


def test_nothing_is_kept_until_the_command_line_opens_it() -> None:
    table = Table()
    build_cache.kept("t", "1", table)
    assert build_cache.pattern("a|b", re.I) is re.compile("a|b", re.I)
    assert (table.made, build_cache._entries) == (1, {})


@pytest.mark.parametrize(
    ("text", "flags"),
    [
        (r"(?P<year>\d{4})-(?P<month>\d\d)|(x)", 0),
        (r"(?i)straße | [々-〇\u3400-\U0003134f]+ # comment", re.X),
        (r"(?<![a-z])(?:a|(b))(?(1)c|d)(?=\b|$)", re.I | re.M),
        (r"(?>a+)b|\bfoo\b.*?", re.S),
    ],
)
def test_a_kept_pattern_is_the_pattern(text: str, flags: int, tmp_path: Path) -> None:
    build_cache.open_in(tmp_path)
    build_cache.pattern(text, flags)
    next_run(tmp_path)
    known, plain = build_cache.pattern(text, flags), re.compile(text, flags)
    assert not build_cache._fresh
    assert (known.pattern, known.flags, known.groups, dict(known.groupindex)) == (
        plain.pattern,
        plain.flags,
        plain.groups,
        dict(plain.groupindex),
    )
    for sample in ("2024-05 x X", "STRASSE Straße ſ々中𠀀", "ad bc\nxbc Ad", "aab foo fooo"):
        found = [[m.span(), m.groups(), m.lastgroup] for m in known.finditer(sample)]
        assert found == [[m.span(), m.groups(), m.lastgroup] for m in plain.finditer(sample)]


def test_the_stamp_of_a_room_tells_of_each_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build_cache, "__file__", str(tmp_path / "build_cache.py"))
    (tmp_path / "room").mkdir()
    words = tmp_path / "room" / "words.toml"
    words.write_text("a")
    stamp = build_cache.stamp_of.__wrapped__
    first = stamp("room")
    (tmp_path / "room" / "__pycache__").mkdir()
    assert stamp("room") == first
    words.write_text("ab")
    assert stamp("room") != first


def test_the_words_of_questions_are_the_same_whether_kept_or_read(tmp_path: Path) -> None:
    from kbtui.nl2sql import lexicon
    from kbtui.question import phrases

    def read() -> tuple[Any, ...]:
        words = lexicon.lexicon.__wrapped__()
        tables = [dict(table) for table in (words.english, words.stems, words.chinese, words.codes)]
        files = ("en", "zh")
        phrases._lines.cache_clear()
        index = phrases._lines_by_word.__wrapped__(files)
        return (*tables, dict(words.near), words.kinds, words.main, index, phrases._known.__wrapped__(files))

    plain = read()
    build_cache.open_in(tmp_path)
    made = read()
    next_run(tmp_path)
    kept = read()
    assert not build_cache._fresh
    assert plain == made == kept

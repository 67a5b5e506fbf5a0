"""docs/security.md speaks of modules and tests that exist, and nothing is unpickled."""

from __future__ import annotations

import re
from pathlib import Path

PROJECT = Path(__file__).parents[2]
PAGE = PROJECT / "docs/security.md"


def rows() -> list[list[str]]:
    lines = [line for line in PAGE.read_text("utf-8").split("\n") if line.startswith("| ")]
    return [line.strip("|").split(" | ") for line in lines[1:]]


def test_every_module_and_test_of_the_page_exists() -> None:
    named = re.findall(r"`((?:kbtui|tests)/[\w/.]+)`", PAGE.read_text("utf-8"))
    assert len(named) > 30
    assert [name for name in named if not (PROJECT / name).exists()] == []


def test_every_promise_names_what_enforces_it_and_what_tests_it() -> None:
    assert len(rows()) > 10
    for row in rows():
        assert len(row) == 3, row
        assert "`tests/" in row[2], row[0]


def test_every_file_of_attacks_is_on_the_page() -> None:
    page = PAGE.read_text("utf-8")
    attacks = {path.name for path in (PROJECT / "tests/faults").glob("test_hostile_*.py")}
    assert {name for name in attacks if name not in page} == set()


def test_nothing_is_unpickled() -> None:
    loads = re.compile(
        r"\b(?:pickle|marshal|shelve|dill|joblib|cloudpickle|diskcache)\b\.?(?:load|open)?|allow_pickle=True"
    )
    found = {
        str(path.relative_to(PROJECT))
        for path in (PROJECT / "kbtui").rglob("*.py")
        if any(loads.search(line.split("#")[0]) and "import" in line for line in path.read_text("utf-8").split("\n"))
    }
    assert found == set()

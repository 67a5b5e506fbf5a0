"""The question sets over other people's folders are whole, without repetitions and without anything private."""

from __future__ import annotations

import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path, PurePosixPath
from typing import Any

import pytest
import whole_answers

DATA = Path(whole_answers.__file__).parent / "data"
ASKED = sorted(DATA.glob("asked_*"))
POINTED = sorted(DATA.glob("pointed_*"))
KINDS = {
    *("comparison", "date", "default", "definition", "effect", "error", "how_to"),
    *("identifier", "limit", "list", "number", "who", "why", "yes_no"),
}
LONGEST_RANGE = 50  # more lines than a list that is asked for has; a slip of the pen in a number makes more
# a mailbox at a real domain, an address of a machine, a path below somebody's home, a number to ring
PRIVATE = re.compile(r"[\w.+-]+@[\w-]+\.\w{2,}|\d+\.\d+\.\d+\.\d+|/(?:home|root|Users)/\w|\+\d[\d ()-]{7,}")


def read(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


def words(question: str) -> str:
    return " ".join(re.findall(r"\w+", question.lower()))


def named(folder: Path) -> list[str]:
    return [line.split("  ")[1] for line in (folder / "folders.sha256").read_text().splitlines()]


@pytest.fixture(params=POINTED, ids=lambda folder: folder.name)
def pointed(request: pytest.FixtureRequest) -> list[dict[str, Any]]:
    return read(request.param)


def test_the_sets_are_there() -> None:
    assert (len(ASKED), len(POINTED)) == (23, 4)


@pytest.mark.parametrize("sets", [ASKED, POINTED], ids=["asked", "pointed"])
def test_no_question_stands_twice_in_one_folder(sets: list[Path]) -> None:
    asked = Counter(
        (item.get("folder") or item["corpus"], words(item["question"])) for each in sets for item in read(each)
    )
    assert [question for question, count in asked.items() if count > 1] == []


@pytest.mark.parametrize("folder", [*ASKED, *POINTED], ids=lambda folder: folder.name)
def test_no_question_holds_anything_private(folder: Path) -> None:
    assert [item["question"] for item in read(folder) if PRIVATE.search(item["question"])] == []


def test_a_question_with_lines_has_the_fields_of_the_format_and_a_known_kind(pointed: list[dict[str, Any]]) -> None:
    fields = ["folder", "path", "kind", "question", "lines", "value"]
    assert all([*item] == fields and item["kind"] in KINDS for item in pointed)
    assert all(item[name] == item[name].strip() != "" for item in pointed for name in ("question", "value"))


def test_ranges_of_lines_begin_at_one_stay_short_and_do_not_overlap(pointed: list[dict[str, Any]]) -> None:
    for item in pointed:
        ranges = sorted(item["lines"])
        assert ranges, item
        assert all(1 <= first <= last < first + LONGEST_RANGE for first, last in ranges), item
        assert all(before[1] < after[0] for before, after in pairwise(ranges)), item


def test_paths_stay_inside_their_folder(pointed: list[dict[str, Any]]) -> None:
    paths = [PurePosixPath(item["path"]) for item in pointed]
    assert [path for path in paths if path.is_absolute() or ".." in path.parts] == []


@pytest.mark.parametrize("folder", POINTED, ids=lambda folder: folder.name)
def test_each_folder_asked_of_is_fetched_and_checked(folder: Path) -> None:
    script = (folder / "fetch.sh").read_text(encoding="utf-8")
    assert {item["folder"] for item in read(folder)} == set(named(folder))
    assert [name for name in named(folder) if f'"$T/{name}' not in script] == []
    assert 'as_pointed "$T"' in script

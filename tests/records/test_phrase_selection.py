"""Questions about the files or entries that have a phrase on a line."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest

from kbtui.records.asking import RecordsReader, TableAnswer
from kbtui.records.collection import Collection
from tests.records.folders import linked

PLUGINS = {
    **{
        f"plugins/{name}.sh": f"# A plugin for {name}.\n# Author: {author}\necho 'graph_category {category}'\n"
        for name, author, category in (
            ("uptime", "Ada Moor", "system"),
            ("ntp", "Ada Moor", "time"),
            ("load", "Ben Moor", "system"),
            ("cpu", "Ada Berg", "system"),
            ("disk", "Cy Lund", "disk"),
            ("drift", "Cy Lund", "time"),
        )
    },
    "CHANGELOG.md": (
        "# Changes\n\n## 2.1.0\n\n2024-05-01\n\n- Faster (#589)\n\n## 2.0.1\n\n2024-03-01\n\n- Mended (#41)\n\n"
        "## 2.0.0\n\n2024-01-09\n\n- New (#589)\n\n## 1.9.0\n\n2023-05-02\n\n- Older (#12)\n"
    ),
}


class _Source:
    def lines(self, path: str) -> list[str]:
        return PLUGINS[path].split("\n")


def _holding(texts: Sequence[str]) -> frozenset[str]:
    return frozenset(path for path, text in PLUGINS.items() if all(word in text.lower() for word in texts))


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(linked(PLUGINS), "shed"), lambda: date(2026, 11, 20), _Source(), _holding)  # type: ignore[arg-type]


def titles(answer: object) -> list[object]:
    assert isinstance(answer, TableAnswer)
    return [row.cells[0] for row in answer.result.rows]


@pytest.mark.parametrize(
    ("question", "found"),
    [
        ("how many plugins has ada moor done", [2]),
        ("plugins by Cy Lund", ["disk.sh", "drift.sh"]),
        ("what all ends up under the graph category time", ["drift.sh", "ntp.sh"]),
        ("which versions mention issue 589", ["2.0.0", "2.1.0"]),
        ("589 在哪几个版本里处理过", ["2.0.0", "2.1.0"]),
    ],
)
def test_a_set_is_what_has_the_phrase_on_a_line(reader: RecordsReader, question: str, found: list[object]) -> None:
    assert sorted(titles(reader.read(question)), key=str) == found


@pytest.mark.parametrize(
    "question",
    [
        "how many plugins has ada done",
        "how many plugins has moor ada done",
        "how many authors has ada moor",
        "which plugins are not by ada moor",
        "what is graph category time",
    ],
)
def test_other_words_than_a_phrase_are_not_counted(reader: RecordsReader, question: str) -> None:
    assert reader.read(question) is None


def test_the_answer_says_that_it_goes_by_words_and_cites_the_lines(reader: RecordsReader) -> None:
    answer = reader.read("plugins by Cy Lund")
    assert isinstance(answer, TableAnswer)
    assert answer.reading.says == "files with “cy lund” on a line, by words alone"
    assert [fact.line for row in answer.result.rows for fact in row.proofs if fact is not None] == [2, 2]

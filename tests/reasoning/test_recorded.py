"""Answers out of the tables of a folder, in words."""

from __future__ import annotations

from datetime import date
from typing import cast

import pytest

from kbtui.domain.answer import WrittenAnswer
from kbtui.knowledge.reading.source import SourceReader
from kbtui.reasoning.offline.phrases import relation_intro
from kbtui.reasoning.recorded import asked_in_words, told
from kbtui.records.asking import RecordsReader
from kbtui.records.collection import Collection
from kbtui.records.relating import answer_relations
from tests.records.folders import Source, files, links

SOURCE = cast(SourceReader, Source())


@pytest.fixture(scope="module")
def reader() -> RecordsReader:
    return RecordsReader(Collection(links()), lambda: date(2026, 11, 20))


def answer(reader: RecordsReader, question: str) -> WrittenAnswer:
    found = reader.answer(question)
    assert found is not None
    return told(found, SOURCE, question)


def body(written: WrittenAnswer) -> list[str]:
    return [line for line in written.markdown.partition("\n\n---\n")[0].split("\n") if line]


def test_a_count_says_its_figure_first_then_what_it_counts(reader: RecordsReader) -> None:
    written = answer(reader, "How many tickets are open?")
    assert body(written) == [
        "**2** — Number of tickets whose status is “open” (of 4).",
        "BIKE-3: Bell rings twice [1], BIKE-5: Brake squeals [2].",
    ]


def test_every_thing_is_cited_by_the_line_that_states_it_verbatim(reader: RecordsReader) -> None:
    for citation in answer(reader, "Which ponds are in Easton?").citations:
        line = files()[citation.path or ""].split("\n")[(citation.start_line or 0) - 1]
        assert citation.quote == line == "| Town | Easton |"


def test_the_first_of_an_order_tells_by_what_it_is_first(reader: RecordsReader) -> None:
    assert body(answer(reader, "Which pond is the deepest?")) == ["Tarn Pond [1] — maximum depth: 31 m"]


def test_more_that_is_asked_of_the_first_is_told_from_its_row(reader: RecordsReader) -> None:
    (line,) = body(answer(reader, "Which pond is the deepest, and where is it?"))
    assert line.startswith("Tarn Pond — maximum depth: 31 m; ") and "town: Easton" in line


def test_the_answer_is_in_the_language_of_the_question(reader: RecordsReader) -> None:
    assert body(answer(reader, "有多少个提案还是 provisional？"))[0].endswith("共 4 个）。")


def test_what_is_reached_through_others_says_through_which() -> None:
    question = "What does BIKE-3 block, directly or through others?"
    found = answer_relations(links(), question)
    assert found is not None
    written = told(found, SOURCE, question)
    assert asked_in_words(found) == "BIKE-3 blocks"
    assert body(written) == [
        "BIKE-3 blocks:",
        "- **BIKE-5** — Brake squeals [1]",
        "- **BIKE-8** — Chain slips (through BIKE-5) [2]",
    ]


def test_a_value_stands_in_one_line() -> None:
    question = "When did warm pools become stable?"
    found = answer_relations(links(), question)
    assert found is not None
    assert body(told(found, SOURCE, question)) == ["Warm pools, milestone stable: **v1.4** [1]"]


def test_a_relation_that_ends_in_of_is_said_with_one_of_from_the_other_end() -> None:
    intro = relation_intro("duplicate-of", "SHOP-2", reverse=True, language="en")
    assert intro == "SHOP-2 is the duplicate of:"

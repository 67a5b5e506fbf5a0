"""The first message of a run: what the tables and a first search say, as a chat model reads it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from kbtui.agent.loop.look import look
from kbtui.agent.loop.shelf import Shelf
from kbtui.agent.loop.state import LoopContext
from kbtui.agent.state import RecordsAnswer
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, SubQuestion
from kbtui.domain.tooling import ToolOutput
from kbtui.reasoning.llm.context import estimate_tokens
from kbtui.settings.model import ModelSettings


class Client:
    def name(self, _size: str) -> str:
        return "scripted"


class Grader:
    def grade(self, _question: SubQuestion, hits: list[Hit]) -> list[float]:
        return [0.5] * len(hits)


class Router:
    """Reads every question as the same parts."""

    def __init__(self, parts: tuple[str, ...], read_as: tuple[tuple[str, str], ...]) -> None:
        self.parts, self.read_as = parts, read_as

    def route(self, query: str, _hint: RetrievalHint) -> Routing:
        parts = tuple(SubQuestion(semantic_intent=part) for part in self.parts or (query,))
        plan = RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=parts)
        return Routing(plan=plan, read_as=self.read_as)


def first_message(
    query: str,
    records: Callable[[str], RecordsAnswer | None] = lambda _query: None,
    parts: tuple[str, ...] = (),
    read_as: tuple[tuple[str, str], ...] = (),
) -> str:
    context = LoopContext(
        client=cast(Any, Client()),
        router=cast(Any, Router(parts, read_as)),
        grader=cast(Any, Grader()),
        writer=cast(Any, None),
        tools=(),
        call_tool=lambda _name, _args: ToolOutput(),
        emit=lambda _event: None,
        cancel=CancelToken(),
        settings=ModelSettings(),
        checker=cast(Any, None),
        source=None,
        nonce="9f3c21aa70be",
        card="Today is 2026-11-28.",
        records=records,
    )
    return look({"query": query}, context)["talk"].turns[0].text


def table_answer(count: int, markdown: str = "**71** — Number of notes.", **more: Any) -> RecordsAnswer:
    hits = tuple(
        Hit(path=f"notes/{n}.md", start_line=4, end_line=4, text="Status: Withdrawn", note=f"Note {n}: a title")
        for n in range(1, count + 1)
    )
    answer = WrittenAnswer(markdown=f"{markdown}\n\n---\n[1] notes/1.md:L4", outcome="answered")
    return RecordsAnswer(answer=answer, hits=hits, says="notes that are withdrawn", sql="SELECT 1", **more)


def test_a_count_carries_eight_of_its_lines_and_says_how_many_more_there_are() -> None:
    text = first_message("how many notes are withdrawn?", lambda _query: table_answer(71, is_count=True))
    assert text.count("Status: Withdrawn") == 8
    assert "63 further lines are counted in it and not shown; list_documents gives them." in text
    assert estimate_tokens(text) < 500
    # A list is asked for line by line.
    assert first_message("which?", lambda _query: table_answer(30)).count("Status: Withdrawn") == 30


def test_names_of_documents_stand_in_a_prompt_as_they_are_written() -> None:
    answer = table_answer(1, "- PEP 756: Add PyUnicode\\_Export()\n- PEP 844: \\`\\`public\\`\\` builtins")
    text = first_message("which?", lambda _query: answer)
    assert "PEP 756: Add PyUnicode_Export()" in text
    assert "PEP 844: ``public`` builtins" in text


def test_a_ranking_says_that_ties_are_in_it() -> None:
    assert "nothing else ties with them" in first_message("which?", lambda _query: table_answer(1, has_ties=True))
    assert "ties with" not in first_message("which?", lambda _query: table_answer(1))


def test_the_tables_are_asked_with_the_words_that_a_misspelt_question_means() -> None:
    asked: list[str] = []

    def records(query: str) -> RecordsAnswer | None:
        asked.append(query)
        return table_answer(3) if "recent" in query else None

    meant = ("three most recent notes",)
    text = first_message("three most resent notes", records, meant, (("resent", "recent"),))
    assert "The tables of the folder say" in text
    assert asked == ["three most resent notes", "three most recent notes"]
    # Without a misspelling a part is only another way to say it.
    assert "The tables of the folder say" not in first_message("three most resent notes", records, meant)


def test_parts_are_listed_only_in_the_words_of_the_question() -> None:
    query = "Who set the team up, and when was it closed?"
    own = ("Who set the team up", "when was it closed?")
    assert "Its parts:\n- Who set the team up\n- when was it closed?" in first_message(query, parts=own)
    assert "Its parts" not in first_message(query, parts=("Who set the team up", "when was Who set closed?"))


# Passages with little between them


class Source:
    def __init__(self, text: list[str]) -> None:
        self.text = text

    def lines(self, _path: str) -> list[str]:
        return self.text


LINES = [f"Line {number} of the rules." for number in range(1, 101)]


def passage(first: int, last: int, path: str = "rules.md") -> Hit:
    return Hit(path=path, start_line=first, end_line=last, text="\n".join(LINES[first - 1 : last]))


def given(*hits: Hit, text: list[str] | None = None) -> list[tuple[int, int]]:
    shelf = Shelf(nonce="9f3c21aa70be")
    shelf.passages(hits, 4000, Source(text or LINES))
    for hit in shelf.given.values():
        assert hit.text == "\n".join((text or LINES)[hit.start_line - 1 : hit.end_line])
    return [(hit.start_line, hit.end_line) for hit in shelf.given.values()]


def test_a_hole_of_a_few_lines_between_two_passages_is_filled() -> None:
    assert given(passage(60, 80), passage(20, 53)) == [(60, 80), (20, 59)]
    assert given(passage(60, 80), passage(20, 40)) == [(60, 80), (20, 40)]
    assert given(passage(60, 80), passage(20, 53, "other.md")) == [(60, 80), (20, 53)]


def test_a_hole_of_long_lines_stays() -> None:
    text = [*LINES[:55], "x" * 5_000, *LINES[56:]]
    assert given(passage(60, 80), passage(20, 53), text=text) == [(60, 80), (20, 53)]

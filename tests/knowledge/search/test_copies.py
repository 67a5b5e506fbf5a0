"""Passages that repeat better ones are left out; versions that differ stay."""

from __future__ import annotations

from kbtui.domain.evidence import Hit
from kbtui.knowledge.search.copies import without_copies

TEXT = (
    "If the optional writeback parameter is set to true, all entries accessed are also cached in memory until the end."
)


def hit(path: str, text: str, score: float = 1.0) -> Hit:
    return Hit(path=path, start_line=1, end_line=1, text=text, score=score, tool="t")


def kept(*hits: Hit) -> list[str]:
    return [one.path for one in without_copies(hits, len(hits))]


def test_a_page_beside_its_source_counts_once_in_spite_of_its_markup() -> None:
    page, source = hit("html/shelve.html", TEXT), hit("src/shelve.rst.txt", TEXT.replace("memory", ":term:`memory`"))
    assert kept(page, source) == ["html/shelve.html"]
    assert kept(source, page) == ["src/shelve.rst.txt"]


def test_a_passage_that_lies_across_two_of_another_form_is_a_copy() -> None:
    words = TEXT.split()
    halves = [hit("a/manual.txt", " ".join(words[:11])), hit("a/manual.txt", " ".join(words[11:]))]
    assert kept(*halves, hit("a/manual.pdf", TEXT)) == ["a/manual.txt"] * 2


def test_versions_of_a_text_stay_where_one_word_or_figure_differs() -> None:
    old, new = (
        "The notice period of a contract is 14 days for each side.",
        "The notice period of a contract is 30 days for each side.",
    )
    assert kept(hit("policy-2023.md", old), hit("policy-2024.md", new)) == ["policy-2023.md", "policy-2024.md"]
    assert kept(hit("a/policy.md", old), hit("b/policy.md", new)) == ["a/policy.md", "b/policy.md"]


def test_the_same_passage_in_another_file_counts_once_and_short_ones_always_stay() -> None:
    assert kept(hit("a.md", TEXT), hit("b.md", TEXT)) == ["a.md"]
    assert kept(hit("a.md", "Status: done"), hit("b.md", "Status: done")) == ["a.md", "b.md"]


def test_no_more_passages_are_compared_than_are_wanted() -> None:
    hits = [hit("a.md", TEXT), hit("b.md", TEXT), hit("c.md", "The tide turns at noon."), hit("d.md", "x")]
    assert [one.path for one in without_copies(hits, 2)] == ["a.md", "c.md"]

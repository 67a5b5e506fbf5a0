"""The sentences, list items, table rows and lines of code that an answer may be made of.

They come from the passages that were found and, since what answers often stands a page away from what was found, from
the whole of the best documents.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from kbtui.domain.document import DocumentKind
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.reasoning.offline.answering.signs import section_kinds
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.quotable import Unit, document_kind, unit_of
from kbtui.text.sentences import Sentence, sentences
from kbtui.text.tokenise import tokens

WHOLE_DOCUMENTS: Final = 3
PASSAGES: Final = 30
_MOST_LINES: Final = 2500
"""Of a document that is read whole; of a longer one `_AROUND` lines on each side of its passages are."""

_AROUND: Final = 150

_MARKED: Final = re.compile(r"[`\[<|_]|  |^\s*\.\.")
"""What mark-up that hides or joins words begins with, and a gap between words, of which one space is shown."""

_FEWEST_ITEMS: Final = 3
"""Headings below one that are taken for a list."""
_MOST_SECTIONS: Final = 0.4
"""Share of such headings that may name the kind of a section (``Summary``, ``Usage``), which is part of a document and
no item of a list."""
_VALUE_COLUMNS: Final = frozenset(("", "value", "值"))
_TO_ANCHOR: Final = re.compile(r"\W*\[[^\]]*\]\(#[^)]*\)\W*")
"""An entry of a table of contents."""

DATA_KINDS: Final = ("csv", "json", "yaml", "toml")
"""Documents whose fields are their text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A document that was found.

    Attributes:
        rank: From 0, by the best score that search gave to one of its passages.
        score: That score.
        grade: The best that the grader gave.
        passages: Evidence from it, with its place among all evidence, best first.
    """

    path: str
    title: str
    rank: int
    score: float
    grade: float
    passages: tuple[tuple[int, Evidence], ...]
    is_whole: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A unit in its document.

    Attributes:
        section: Number of its section among those read of the document.
        first: It is the first of its section.
        depth: Where in the document it stands, 0 to 1.
        passage: The best passage that it lies in, by its place among the evidence.
        items: Of an outline the headings that it is made of, which are shown in its place.
    """

    unit: Unit
    tokens: tuple[str, ...]
    document: int
    section: int
    first: bool
    depth: float
    passage: int | None
    items: tuple[Unit, ...] = ()


def documents_of(evidence: Sequence[Evidence]) -> list[Found]:
    """The documents of the first `PASSAGES` pieces of evidence, best first; what states a relation is no passage."""
    grouped: dict[str, list[tuple[int, Evidence]]] = {}
    passages = [item for item in evidence if not item.hit.note][:PASSAGES]
    for place, item in enumerate(passages):
        grouped.setdefault(item.hit.path, []).append((place, item))
    best = {path: max(_search_score(item.hit) for _, item in items) for path, items in grouped.items()}
    ranked = sorted(grouped, key=lambda path: (-best[path], grouped[path][0][0]))
    return [
        Found(
            path=path,
            title=grouped[path][0][1].hit.title,
            rank=rank,
            score=best[path],
            grade=max(item.score for _, item in grouped[path]),
            passages=tuple(grouped[path]),
            is_whole=rank < WHOLE_DOCUMENTS,
        )
        for rank, path in enumerate(ranked)
    ]


def title_words(document: Found) -> tuple[str, ...]:
    """The tokens of a document's title and of its file's name."""
    stem = document.path.rsplit("/", 1)[-1].rsplit(".", 1)[0]
    return (*tokens(document.title), *tokens(stem.replace("-", " ").replace("_", " ")))


def own_names(document: Found) -> frozenset[str]:
    """The words of a document's title and path, by which a question may name it."""
    base = document.path.rsplit("/", 1)[-1].lower()
    return frozenset((*title_words(document), document.path.lower(), base))


def _search_score(hit: Hit) -> float:
    """The score of `hybrid_search`; other tools have scales of their own."""
    return hit.score if hit.tool == "hybrid_search" else min(0.3, max(0.0, hit.score))


def candidates_of(
    documents: Sequence[Found], citations: Citations, cancel: CancelToken, *, outlines: bool = False
) -> list[Candidate]:
    """The candidates of ``documents``, each line once, by document and line.

    Args:
        outlines: With the headings below each heading as one more candidate, the last of its section: where a list is
            asked for, each item of it may have a section of its own.
    """
    found: list[Candidate] = []
    for document in documents:
        cancel.check()
        found += _of_document(document, citations, outlines and document.is_whole)
    return found


def saying_more(candidates: Sequence[Candidate], question: str) -> list[Candidate]:
    """The candidates but for those that say only what the question says, such as a link to the page that answers it."""
    asked = frozenset(tokens(question))
    return [one for one in candidates if _says_more(one, asked)]


def states_field(unit: Unit) -> bool:
    """Whether a unit is a field of its document: a line of a file of data, a row of an info box (``Type | Weapon``)."""
    if unit.kind == "table_row" and len(unit.columns) == 2:
        return unit.columns[1].strip().lower() in _VALUE_COLUMNS
    return unit.kind == "field"


def _says_more(candidate: Candidate, asked: frozenset[str]) -> bool:
    """True when a candidate holds more than the tokens of a question as it would be shown."""
    text = candidate.unit.text
    if text.rstrip().endswith((":", "：")):
        return True
    is_plain = text.isprintable()
    marked = _MARKED.search(text)
    if is_plain and marked is None:
        return not asked.issuperset(candidate.tokens)
    # The words before the first mark are shown as they are, and most often say it.
    before = text[: marked.start()].rpartition(" ")[0] if is_plain and marked else ""
    is_new = not frozenset(candidate.tokens).difference(asked).isdisjoint(tokens(before))
    return is_new or not asked.issuperset(tokens(readable(text)))


def _of_document(document: Found, citations: Citations, outlines: bool) -> Iterable[Candidate]:
    length, ranges = _ranges(document, citations)
    at = section = 0
    seen: set[tuple[int, str]] = set()
    for excerpt, heading in ranges:
        section += 1
        first = True
        text = "\n".join([*excerpt.lead, *excerpt.lines])
        kind = document_kind(excerpt.path, text)
        read = read_sentences(text, excerpt.start_line - len(excerpt.lead), kind)
        below = _below([one for one in read if one.kind == "heading"]) if outlines else {}
        for sentence in read:
            items: tuple[Unit, ...] = ()
            passage = None
            if sentence.kind == "heading":
                named = [unit_of(one, excerpt, -1, at, heading) for one in below.get(sentence, ())]
                items = tuple(replace(unit, kind="list_item") for unit in named)
            elif _is_said(sentence, excerpt, kind, links=outlines) and (sentence.start_line, sentence.text) not in seen:
                seen.add((sentence.start_line, sentence.text))
                passage = _passage(document, sentence)
            else:
                continue
            if sentence.kind != "heading" or items:
                unit = unit_of(sentence, excerpt, passage if passage is not None else -1, at, heading)
                if items:
                    unit = replace(items[0], text="; ".join(item.text for item in items))
                yield Candidate(
                    unit=unit,
                    tokens=tuple(tokens(unit.text)),
                    document=document.rank,
                    section=section,
                    first=first,
                    depth=min(1.0, sentence.start_line / max(length, 1)),
                    passage=passage,
                    items=items,
                )
                first = False
                at += 1
            if sentence.kind == "heading":
                heading, first = sentence.text, True
                section += 1


def _is_said(sentence: Sentence, excerpt: Excerpt, kind: DocumentKind | None, *, links: bool) -> bool:
    """True for what stands among the lines that are read and is text.

    What a document states about itself (a field at its head) answers other questions than its text does. The header of
    a table says nothing without its rows, nor an entry of the table of contents without its section.

    Args:
        links: With items that only lead to another page, which answer where a list is asked for.
    """
    is_read = excerpt.start_line <= sentence.start_line and sentence.end_line <= excerpt.end_line
    if sentence.kind == "table_row":
        return is_read and not sentence.level
    if sentence.kind == "list_item" and (_TO_ANCHOR.fullmatch(sentence.text) or (sentence.is_link and not links)):
        return False
    return is_read and (sentence.kind != "field" or kind in DATA_KINDS)


def _below(headings: Sequence[Sentence]) -> dict[Sentence, list[Sentence]]:
    """The headings right below each heading that has several, by the first of them."""
    every: list[list[Sentence]] = []
    above: list[tuple[int, list[Sentence]]] = [(0, [])]
    for heading in headings:
        while above[-1][0] >= heading.level > 0:
            above.pop()
        above[-1][1].append(heading)
        every.append([])
        above.append((heading.level, every[-1]))
    return {below[0]: below for below in every if len(below) >= _FEWEST_ITEMS and not _are_sections(below)}


def _are_sections(headings: Sequence[Sentence]) -> bool:
    """Whether headings are parts of any document (``Summary``, ``Usage``, ``History``), not items of a list."""
    kinds = sum(any(section_kinds(heading.text)) for heading in headings)
    return kinds > _MOST_SECTIONS * len(headings)


def _ranges(document: Found, citations: Citations) -> tuple[int, list[tuple[Excerpt, str]]]:
    """Number of lines of a document, and what is read of it, each with the heading that it stands under."""
    hits = sorted((item.hit for _, item in document.passages), key=lambda hit: hit.start_line)
    whole = citations.excerpt(replace(hits[0], start_line=1, end_line=10**9, text=""), whole=False)
    length = whole.end_line
    # A passage may begin and end inside of a line.
    gone = any(hit.text not in "\n".join(whole.lines[hit.start_line - 1 : hit.end_line]) for hit in hits)
    if document.is_whole and whole.text and len(whole.lines) <= _MOST_LINES:
        return length, [(replace(whole, stale=gone), "")]
    if not document.is_whole or not whole.text:
        excerpts = [(citations.excerpt(hit), hit.heading_path[-1] if hit.heading_path else hit.title) for hit in hits]
        return length, excerpts
    joined: list[tuple[int, int]] = []
    for hit in hits:
        start, end = max(1, hit.start_line - _AROUND), min(length, hit.end_line + _AROUND)
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    wide = [replace(hits[0], start_line=start, end_line=end, text="") for start, end in joined]
    return length, [(citations.excerpt(hit), "") for hit in wide]


def _passage(document: Found, sentence: Sentence) -> int | None:
    """The best passage that holds a sentence."""
    return next(
        (
            place
            for place, item in document.passages
            if item.hit.start_line <= sentence.end_line and sentence.start_line <= item.hit.end_line
        ),
        None,
    )


@lru_cache(maxsize=128)
def read_sentences(text: str, first_line: int, kind: DocumentKind | None) -> tuple[Sentence, ...]:
    """`sentences`, kept: a folder is often asked several questions about the same documents."""
    return tuple(sentences(text, first_line, kind))

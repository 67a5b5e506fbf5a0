"""Questions with what the program finds for them, for the benchmarks of grading and answering.

A retrieval set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``) is written out as a folder and goes through the
real index and `hybrid_search`. What is found is kept deep enough that a question's gold documents can be hidden
afterwards: the rest is what the same search finds in a folder without them, but for word statistics.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.structs import replace
from retrieval import lines, load, write

DEPTH = 40
SHOWN = 10
"""Passages of a question that are graded: what a search brings back by itself."""


@dataclass(frozen=True)
class Case:
    """A question, what was found for it (best first), and which of that is from a gold document."""

    question: dict[str, Any]
    keywords: str
    hits: tuple[Any, ...]
    gold: tuple[bool, ...]

    @property
    def answerable(self) -> bool:
        return self.question.get("answerable") is not False

    def present(self) -> tuple[list[Any], list[bool]]:
        """What is found with the gold in the folder."""
        return list(self.hits[:SHOWN]), list(self.gold[:SHOWN])

    def removed(self) -> list[Any]:
        """What is found without the gold, ranked anew: a rank that tells of a better passage would give it away."""
        rest = [hit for hit, is_gold in zip(self.hits, self.gold, strict=True) if not is_gold]
        return [
            replace(hit, signals={**hit.signals, **ranks})
            for hit, ranks in zip(rest[:SHOWN], _ranks(rest), strict=False)
        ]


@dataclass(frozen=True)
class Folder:
    """A set as a folder with its index.

    Attributes:
        ids: Document ids by path.
        relevant: Gold document ids by question id, of all documents of the set.
        is_extractive: The answers of the set stand in its documents, word for word.
    """

    root: Path
    knowledge: Any
    ids: dict[str, str]
    questions: list[dict[str, Any]]
    relevant: dict[str, set[str]]
    is_extractive: bool


def open_folder(
    folder: Path,
    scratch: Path,
    limit: int | None = None,
    withhold: Callable[[dict[str, Any]], bool] | None = None,
) -> Folder:
    """Write the set out and index it; ``scratch`` also holds the cache.

    Questions marked ``"answerable": false`` have no gold and stay in; others without gold are left out.

    Args:
        withhold: Says which documents are left out of the folder.
    """
    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.settings.model import Settings

    documents, questions, relevant = load(folder)
    everything = [json_line for json_line in _questions(folder) if json_line["text"].strip()]
    known = {question["id"] for question in questions}
    asked = [q for q in everything if q["id"] in known or q.get("answerable") is False]
    is_extractive = _is_extractive(documents, asked)
    root = scratch / (f"{folder.name}-withheld" if withhold else folder.name)
    ids = write([document for document in documents if withhold is None or not withhold(document)], root)
    knowledge = KnowledgeBase(root, Settings())
    knowledge.complete(lambda _: None, CancelToken())
    knowledge.warm()
    return Folder(root, knowledge, ids, spread(asked, limit), relevant, is_extractive)


def _ranks(hits: Sequence[Any]) -> list[dict[str, float]]:
    """Each hit's rank on each side, counted among these hits."""
    sides = {name for hit in hits for name in hit.signals if name.startswith("rank_")}
    order = {side: sorted(hit.signals[side] for hit in hits if side in hit.signals) for side in sides}
    return [{side: order[side].index(hit.signals[side]) + 1.0 for side in sides if side in hit.signals} for hit in hits]


def spread(questions: Sequence[dict[str, Any]], limit: int | None) -> list[dict[str, Any]]:
    """At most ``limit`` questions from all over the list: neighbours ask about the same document."""
    if not limit or limit >= len(questions):
        return list(questions)
    return [questions[int(at * len(questions) / limit)] for at in range(limit)]


def cases_of(opened: Folder) -> list[Case]:
    """Every question with what `hybrid_search` finds for it."""
    from kbtui.question.keywords import search_keywords

    found = []
    for question in opened.questions:
        keywords = search_keywords(question["text"]) or question["text"]
        hits, _ = opened.knowledge.hybrid.search(question["text"], keywords, DEPTH)
        gold = opened.relevant.get(question["id"], set())
        found.append(Case(question, keywords, tuple(hits), tuple(opened.ids[hit.path] in gold for hit in hits)))
    return found


def _is_extractive(documents: Sequence[dict[str, Any]], questions: Sequence[dict[str, Any]]) -> bool:
    whole = "\n".join(document["text"] for document in documents)
    answers = [question["answers"][0] for question in questions[:100] if question.get("answers")]
    return bool(answers) and sum(answer in whole for answer in answers) >= 0.9 * len(answers)


def _questions(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in lines(folder / "queries.jsonl")]

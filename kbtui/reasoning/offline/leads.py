"""How the document that is about the very thing asked begins: who asks what something is wants that before details.

The passage that speaks most of a thing is often a page about something else; the opening of the page that bears its
name says what it is, and need not have been found itself.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.question.normalise import has_han
from kbtui.reasoning.citing import Citations
from kbtui.reasoning.offline.extract import INTRODUCES
from kbtui.reasoning.offline.features import has_term, question_terms
from kbtui.reasoning.offline.quotable import Run, Unit, document_kind, unit_of
from kbtui.text.sentences import sentences
from kbtui.text.tokenise import tokens

MOST = 3
"""Sentences of an opening."""

_LINES_READ = 80
_SHORTEST = 5
"""Tokens of a sentence that something can begin with; a signature or a date is shorter."""

_MOST_OF_QUESTION = 0.7
_LEAST_OF_TITLE = 0.34
"""Share of a title that the question names; a longer title is about something more particular."""

_ASKS = re.compile(
    r"^(?:what(?:'s|\ is|\ are|\ was|\ were)|define|explain|describe|why)\b|^how\ do(?:es)?\b.*\bwork"
    r"|是什么|什么是|是啥|为什么|为何|介绍",
    re.I | re.X,
)
_READ = ("markdown", "rst", "text", "html", None)


def about(question: SubQuestion, evidence: Sequence[Evidence]) -> list[Evidence]:
    """The evidence from documents whose titles name what the question asks about, the most particular titles first.

    Nothing when it does not ask what something is, how it works or why it is so.
    """
    if not _ASKS.search(question.semantic_intent):
        return []
    found: list[tuple[float, Evidence]] = []
    for item in evidence:
        title = frozenset(tokens(item.hit.title))
        terms = question_terms(question, has_han(item.hit.title))
        if not title or has_term(terms, sorted(title)) < _MOST_OF_QUESTION or document_kind(item.hit.path) not in _READ:
            continue
        forms = frozenset(form for term in terms.terms for form in term.forms)
        named = len(title & forms) / len(title)
        if named >= _LEAST_OF_TITLE:
            found.append((named, item))
    return [item for _, item in sorted(found, key=lambda pair: (-pair[0], -pair[1].score))]


def lead_runs(subject: Sequence[Evidence], citations: Citations, cancel: CancelToken) -> list[Run]:
    """The first sentences of the first document of ``subject``, from its introduction where it has one."""
    if not subject:
        return []
    cancel.check()
    hit = replace(subject[0].hit, start_line=1, end_line=_LINES_READ, text="")
    excerpt = citations.excerpt(hit, whole=False)
    if len(excerpt.lines) < 2:
        return []
    heading = ""
    first: list[Unit] = []
    introduced: list[Unit] = []
    for index, sentence in enumerate(sentences(excerpt.text, 1, document_kind(excerpt.path))):
        if sentence.kind == "heading":
            if introduced:
                break
            heading = sentence.text
        elif sentence.kind == "sentence" and (first or len(tokens(sentence.text)) >= _SHORTEST):
            unit = unit_of(sentence, excerpt, -1, index, heading)
            first.append(unit)
            if INTRODUCES.match(heading):
                introduced.append(unit)
    units = (introduced or first)[:MOST]
    # What only leads up to a list or a block that is not shown is no end.
    while units and units[-1].text.rstrip().endswith((":", "：")):
        units.pop()
    together = all(second.start_line <= first.end_line + 1 for first, second in pairwise(units))
    return [Run(tuple(units))] if units and together else [Run((unit,)) for unit in units]

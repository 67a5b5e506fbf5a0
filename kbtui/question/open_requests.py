"""Open requests, which no single statement answers: the cause of a change, a report, a comparison to be explained."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.question.cues import OPEN_REQUESTS, read_cues
from kbtui.question.model import Cue, Question, TokenSpan

Intent = Literal["change", "report", "compare"]
Direction = Literal["", "up", "down"]

_UNAMBIGUOUS_WEIGHT: Final = 0.9
_AMBIGUOUS_OPERATORS: Final = frozenset(
    ("growth", "versus", "wh", "list", "trend", "exists", "truth", "schema", "order")
)
"""Operators of single statements that share words with open requests."""


class OpenRequest(Struct, frozen=True, kw_only=True):
    """An open request as its words alone define it.

    Attributes:
        intent: ``change`` asks for the cause of a change, ``compare`` for the differences between parts.
        direction: The direction of the change; empty if none is given.
        plain: The question without the words of the request: its subject and period.
        is_unambiguous: Its words ask for nothing else; otherwise the question may be about documents.
        is_year_over_year: It is compared with the year before.
    """

    intent: Intent
    plain: Question
    direction: Direction = ""
    is_unambiguous: bool = True
    is_year_over_year: bool = False


def find_open_request(question: Question) -> OpenRequest | None:
    """The open request that a question is; None for any other.

    By the operators of ``words/open_en.toml`` and ``words/open_zh.toml``: ``why``, ``report``, ``compare``, ``moved``
    (which way), ``explain``, ``level`` (so many) and ``filler``.
    """
    cues = read_cues(question.tokens, question.numbers, OPEN_REQUESTS, mends=False)
    cues_by_op = {op: [cue for cue in cues if cue.op == op] for op in ("why", "report", "compare", "moved", "explain")}
    wants_explanation = any(cues_by_op[op] for op in ("why", "report", "explain"))
    if cues_by_op["why"] and (cues_by_op["moved"] or any("moved" in cue.args for cue in cues_by_op["why"])):
        intent: Intent = "change"
    elif cues_by_op["compare"] and wants_explanation:
        intent = "compare"
    elif cues_by_op["why"] or cues_by_op["report"]:
        intent = "report"
    else:
        return None
    weights = [cue.weight for op in ("why", "report", "compare") for cue in cues_by_op[op]]
    directions = [str(cue.args["direction"]) for cue in cues_by_op["moved"]]
    direction = next((way for way in directions if way), "")
    return OpenRequest(
        intent=intent,
        plain=_without_open_words(question, cues),
        direction="up" if direction == "up" else "down" if direction == "down" else "",
        is_unambiguous=max(weights, default=0.0) >= _UNAMBIGUOUS_WEIGHT
        and not (cues_by_op["why"] and intent == "report"),
        is_year_over_year=any(cue.op == "growth" and cue.args.get("kind") == "change_year" for cue in question.cues),
    )


def _without_open_words(question: Question, cues: tuple[Cue, ...]) -> Question:
    open_tokens = {at for cue in cues for at in range(*cue.span)}
    open_tokens |= {at for cue in question.cues if cue.op in _AMBIGUOUS_OPERATORS for at in range(*cue.span)}
    period_tokens = {at for period in question.periods for at in range(*period.span)}
    tokens = tuple(
        replace(token, content=token.content and (at in period_tokens or at not in open_tokens))
        for at, token in enumerate(question.tokens)
    )
    other_cues = (
        cue
        for cue in question.cues
        if cue.op == "bucket" or (cue.op not in _AMBIGUOUS_OPERATORS and not _overlaps_any(cue.span, cues))
    )
    return replace(question, tokens=tokens, cues=tuple(other_cues))


def _overlaps_any(span: TokenSpan, cues: tuple[Cue, ...]) -> bool:
    return any(span.overlaps(cue.span) for cue in cues)

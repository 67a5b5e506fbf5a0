"""Requests that no one statement answers: why something moved, a report, a comparison that is to be explained."""

from __future__ import annotations

from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.question.cues import OPEN_REQUESTS, read_cues
from kbtui.question.model import Cue, Question, TokenSpan

Intent = Literal["change", "report", "compare"]
Direction = Literal["", "up", "down"]

_STRONG: Final = 0.9
_READ_AGAIN: Final = frozenset(("growth", "versus", "wh", "list", "trend", "exists", "truth", "schema", "order"))
"""Operators of single statements that the words of an open request look like."""


class OpenQuestion(Struct, frozen=True, kw_only=True):
    """What of an open request its words alone say.

    Attributes:
        intent: ``change`` for why something moved, ``compare`` for what sets the parts of something apart.
        direction: The way it is said to have moved.
        plain: The question without its open words: what it is about, and when.
        strong: Nothing else is asked in such words; else they may also be asked of documents.
        yearly: The year before is what it is compared with.
    """

    intent: Intent
    plain: Question
    direction: Direction = ""
    strong: bool = True
    yearly: bool = False


def open_question(question: Question) -> OpenQuestion | None:
    """The open request that a question is; None for any other.

    By the operators of ``words/open_en.toml`` and ``words/open_zh.toml``: ``why``, ``report``, ``compare``, ``moved``
    (which way), ``explain``, ``level`` (so many) and ``filler``.
    """
    cues = read_cues(question.tokens, question.numbers, OPEN_REQUESTS, mends=False)
    said = {op: [cue for cue in cues if cue.op == op] for op in ("why", "report", "compare", "moved", "explain")}
    explained = any(said[op] for op in ("why", "report", "explain"))
    if said["why"] and (said["moved"] or any("moved" in cue.args for cue in said["why"])):
        intent: Intent = "change"
    elif said["compare"] and explained:
        intent = "compare"
    elif said["why"] or said["report"]:
        intent = "report"
    else:
        return None
    weights = [cue.weight for op in ("why", "report", "compare") for cue in said[op]]
    directions = [str(cue.args["direction"]) for cue in said["moved"]]
    direction = next((way for way in directions if way), "")
    return OpenQuestion(
        intent=intent,
        plain=_plain(question, cues),
        direction="up" if direction == "up" else "down" if direction == "down" else "",
        strong=max(weights, default=0.0) >= _STRONG and not (said["why"] and intent == "report"),
        yearly=any(cue.op == "growth" and cue.args.get("kind") == "change_year" for cue in question.cues),
    )


def _plain(question: Question, cues: tuple[Cue, ...]) -> Question:
    neutral = {at for cue in cues for at in range(*cue.span)}
    neutral |= {at for cue in question.cues if cue.op in _READ_AGAIN for at in range(*cue.span)}
    dated = {at for period in question.periods for at in range(*period.span)}
    tokens = tuple(
        replace(token, content=token.content and (at in dated or at not in neutral))
        for at, token in enumerate(question.tokens)
    )
    kept = (
        cue
        for cue in question.cues
        if cue.op == "bucket" or (cue.op not in _READ_AGAIN and not _touches(cue.span, cues))
    )
    return replace(question, tokens=tokens, cues=tuple(kept))


def _touches(span: TokenSpan, cues: tuple[Cue, ...]) -> bool:
    return any(span.overlaps(cue.span) for cue in cues)

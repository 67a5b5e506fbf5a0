"""What a question ranks by, how many of the first it wants, and what it sorts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.query import Query
from kbtui.text.inflection import lemma

Made = tuple[Draft, Query]
"""A statement, and the draft with the mentions that it reads."""

RANKING: Final = ("most", "top", "common")
_BEHIND: Final = 4
"""Tokens at most between an operator that sorts and what it sorts by."""
_RANKED: Final = ("group", "subject", "shown")
"""Roles of the things that are ranked."""


def ranking_of(scene: Scene, draft: Draft) -> tuple[Draft, bool, int | None] | None:
    """What a superlative or ``top 5`` asks for: the direction and how many; None without one."""
    cues = draft.free(scene.cues(*RANKING))
    # "First find the site with the most incidents": a superlative says more than "first" without a number.
    cue = min(cues, key=lambda i: _generality(scene, i), default=None)
    operator = scene.operator(cue)
    if cue is None or operator is None:
        return _by_figure(scene, draft)
    direction = operator.args.get("direction", "desc")
    same = [i for i in cues if (c := scene[i].cue) is not None and c.args.get("direction", "desc") == direction]
    # "Biggest spenders first" sorts them all.
    sorting = scene.cues("order")
    ranked = draft.using("operator", *same, *sorting, worth=0.2)
    # "Top 3 products with the most orders" has its number beside the other superlative.
    number, most = (None, 1) if operator.args.get("one") else _limit(scene, ranked, (cue, *same))
    every = operator.op == "top" or sorting or _tops_many(scene, cue)
    limit = most if number is not None else None if every else 1
    return ranked.using("limit", number), direction == "desc", limit


def _tops_many(scene: Scene, cue: int) -> bool:
    """Whether several are wanted though no number says how many: ``top countries``."""
    tokens, at = scene.lattice.question.tokens, scene[cue].span
    behind = tokens[at.last].norm if at.last < len(tokens) else ""
    return tokens[at.first].norm == "top" and behind.isascii() and lemma(behind) != behind


def _by_figure(scene: Scene, draft: Draft) -> tuple[Draft, bool, int | None] | None:
    """The ranking that the words of a figure ask for themselves: ``best selling`` is the most units."""
    at = next((i for i in by_rank(scene, draft)), None)
    if at is None:
        return None
    sorting = scene.cues("order")
    number, most = _limit(scene, draft, (at,))
    limit = most if number is not None else None if sorting else 1
    return draft.using("operator", *sorting, worth=0.2).using("limit", number), scene[at].order == "desc", limit


def by_rank(scene: Scene, draft: Draft) -> list[int]:
    """Mentions in use as figures whose words rank."""
    used = [index for index, role in draft.used if role in ("measure", "subject")]
    return [index for index in used if scene[index].order and not scene[index].comparative]


def _limit(scene: Scene, draft: Draft, beside: Iterable[int]) -> tuple[int | None, int]:
    """The number near an operator, or right before the things that are ranked: ``three branches with the most``."""
    numbers = [i for i in draft.free(scene.cover.indexes("number")) if is_limit(scene, i)]
    near = (nearest(scene.cover, i, numbers, most=3) for i in beside) if numbers else ()
    number = next((i for i in near if i is not None), None)
    if number is None and numbers:
        starts = {scene[i].span.first for i, role in draft.used if role in _RANKED}
        number = next((i for i in numbers if scene[i].span.last in starts), None)
    mention = None if number is None else scene[number].number
    return number, 1 if mention is None else int(mention.value)


def _generality(scene: Scene, index: int) -> tuple[bool, bool, int]:
    operator = scene[index].cue
    assert operator is not None
    return operator.op == "top", "concept" in operator.args, index


def is_limit(scene: Scene, index: int) -> bool:
    """Whether a number may say how many rows are wanted."""
    number = scene[index].number
    return (
        number is not None and number.value.denominator == 1 and 0 < number.value <= 1000 and number.kind != "percent"
    )


def sorting_of(scene: Scene, draft: Draft) -> tuple[Draft, bool | None]:
    """The direction of ``sorted by`` and the like: True for descending, None where nothing asks.

    Of several such operators the one for descending counts: ``sort by`` alone is ascending.
    """
    cues = draft.free(scene.cues("order"))
    operators = [operator for cue in cues if (operator := scene[cue].cue) is not None]
    if not operators:
        return draft, None
    desc = any(operator.args.get("direction", "asc") == "desc" for operator in operators)
    return draft.using("operator", *cues), desc


def sort_key_of(scene: Scene, columns: Sequence[int]) -> int | None:
    """Which of the columns rows are sorted by: the one behind the last operator that has one behind it, else the first.

    "Names and ages, sorted" are sorted by name, "sort names in ascending order of age" by age.
    """
    for cue in reversed(scene.cues("order")):
        behind = next((i for i in columns if i > cue and gap(scene.cover, cue, i) <= _BEHIND), None)
        if behind is not None:
            return behind
    return columns[0] if columns else None


def growth_of(scene: Scene, draft: Draft) -> tuple[list[int], dict[str, Any]]:
    """The operators of growth, and what they say together: "which *grew* most *compared to last year*"."""
    cues = draft.free(scene.cues("growth"))
    args: dict[str, Any] = {}
    for operator in (scene[cue].cue for cue in cues):
        if operator is not None:
            # A change from year to year says more than a change.
            args |= {key: value for key, value in operator.args.items() if args.get(key) != "change_year"}
    return cues, args

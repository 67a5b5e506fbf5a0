"""Rankings that a question asks for: direction, limit and sort column."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from kbtui.nl2sql.cover import gap, nearest
from kbtui.nl2sql.draft import Draft, Scene
from kbtui.nl2sql.lexicon import is_kind
from kbtui.nl2sql.query import Agg, Expr, Query, Ref, refs_of
from kbtui.text.inflection import lemma

DraftQuery = tuple[Draft, Query]
"""A statement, and the draft with the mentions that it reads."""

RANKING: Final = ("most", "top", "common")
_MAX_GAP: Final = 4
"""Tokens between a sorting operator and its sort column, at most."""
_RANKED_ROLES: Final = ("group", "subject", "shown")
"""Roles of the mentions that may be ranked."""


def ranking_of(scene: Scene, draft: Draft) -> tuple[Draft, bool, int | None] | None:
    """The draft, whether the order descends, and the limit for a superlative or ``top 5``; None without one."""
    cues = draft.free(scene.cues(*RANKING))
    # “First find the site with the most incidents”: a superlative is more specific than “first” without a number.
    cue = min(cues, key=lambda i: _specificity(scene, i), default=None)
    operator = scene.operator(cue)
    if cue is None or operator is None:
        return _implied_ranking(scene, draft)
    direction = operator.args.get("direction", "desc")
    same_direction = [
        i for i in cues if (c := scene[i].cue) is not None and c.args.get("direction", "desc") == direction
    ]
    # “Biggest spenders first” sorts all of them.
    sorting = scene.cues("order")
    ranked_draft = draft.using("operator", *same_direction, *sorting, worth=0.2)
    # In “top 3 products with the most orders”, the number is near the other superlative.
    number, limit_value = (None, 1) if operator.args.get("one") else _limit(scene, ranked_draft, (cue, *same_direction))
    wants_all = operator.op == "top" or sorting or _wants_several(scene, cue)
    limit = limit_value if number is not None else None if wants_all else 1
    return ranked_draft.using("limit", number), direction == "desc", limit


def in_judged_order(scene: Scene, expr: Expr, *, desc: bool) -> bool:
    """Whether a ranking descends: by “best” and “worst” of figures of which less is better, the other way round.

    The worst delay is the longest, the best place the first; the worst by a count has the most of what is counted.
    """
    spans = {scene[cue].span for cue in scene.cues(*RANKING)}
    judges = any(cue.args.get("judges") for cue in scene.lattice.question.cues if cue.span in spans)
    if judges and isinstance(expr, Agg) and expr.fn == "count":
        return True
    infos = [scene.catalogue.column(ref) for ref in refs_of(expr)]
    is_bad = bool(infos) and all(info is not None and is_kind(info.concepts, "bad") for info in infos)
    return desc != (judges and is_bad)


def _wants_several(scene: Scene, cue: int) -> bool:
    """Whether several are wanted without a number: ``top countries``."""
    tokens, span = scene.lattice.question.tokens, scene[cue].span
    next_word = tokens[span.last].norm if span.last < len(tokens) else ""
    return tokens[span.first].norm == "top" and next_word.isascii() and lemma(next_word) != next_word


def _implied_ranking(scene: Scene, draft: Draft) -> tuple[Draft, bool, int | None] | None:
    """The ranking that the words of a figure imply: ``best selling`` means the most units."""
    figure_index = next((i for i in by_rank(scene, draft)), None)
    if figure_index is None:
        return None
    sorting = scene.cues("order")
    number, limit_value = _limit(scene, draft, (figure_index,))
    limit = limit_value if number is not None else None if sorting else 1
    return (
        draft.using("operator", *sorting, worth=0.2).using("limit", number),
        scene[figure_index].order == "desc",
        limit,
    )


def by_rank(scene: Scene, draft: Draft) -> list[int]:
    """Positions of used figure mentions whose words rank."""
    used = [index for index, role in draft.used if role in ("measure", "subject")]
    return [index for index in used if scene[index].order and not scene[index].comparative]


def ranks_parent(scene: Scene, index: int, table: str) -> bool:
    """Whether a superlative ranks the rows that a table refers to, not its own: rivers in the *largest state*.

    Args:
        index: The position of a column mention of a superlative.
        table: The table whose rows would be ranked.
    """
    mention = scene[index]
    if mention.ref is None or not scene.catalogue.ancestors(table).get(mention.ref.table):
        return False
    # The noun is part of the mention, or follows it.
    noun = max(mention.span.first + 1, mention.span.last - 1)
    return any(m.kind == "table" and m.ref == Ref(mention.ref.table, "*") for m in scene.lattice.at(noun))


def _limit(scene: Scene, draft: Draft, operators: Iterable[int]) -> tuple[int | None, int]:
    """The number near an operator or before the ranked mentions and its value or 1: ``three branches with most``."""
    numbers = [i for i in draft.free(scene.cover.indexes("number")) if is_limit(scene, i)]
    nearest_numbers = (nearest(scene.cover, i, numbers, most=3) for i in operators) if numbers else ()
    number = next((i for i in nearest_numbers if i is not None), None)
    if number is None and numbers:
        starts = {scene[i].span.first for i, role in draft.used if role in _RANKED_ROLES}
        number = next((i for i in numbers if scene[i].span.last in starts), None)
    mention = None if number is None else scene[number].number
    return number, 1 if mention is None else int(mention.value)


def _specificity(scene: Scene, index: int) -> tuple[bool, bool, int]:
    operator = scene[index].cue
    assert operator is not None
    return operator.op == "top", "concept" in operator.args, index


def is_limit(scene: Scene, index: int) -> bool:
    """Whether a number may be a limit."""
    number = scene[index].number
    return (
        number is not None and number.value.denominator == 1 and 0 < number.value <= 1000 and number.kind != "percent"
    )


def sorting_of(scene: Scene, draft: Draft) -> tuple[Draft, bool | None]:
    """The draft, and whether ``sorted by`` and the like ask for descending order; None without such an operator.

    Any operator for descending order decides, because ``sort by`` alone is ascending.
    """
    cues = draft.free(scene.cues("order"))
    operators = [operator for cue in cues if (operator := scene[cue].cue) is not None]
    if not operators:
        return draft, None
    desc = any(operator.args.get("direction", "asc") == "desc" for operator in operators)
    return draft.using("operator", *cues), desc


def sort_key_of(scene: Scene, columns: Sequence[int]) -> int | None:
    """The sort column: the one after the last operator that one follows, else the first.

    “Names and ages, sorted” is sorted by name, “sort names in ascending order of age” by age.
    """
    for cue in reversed(scene.cues("order")):
        following = next((i for i in columns if i > cue and gap(scene.cover, cue, i) <= _MAX_GAP), None)
        if following is not None:
            return following
    return columns[0] if columns else None


def growth_of(scene: Scene, draft: Draft) -> tuple[list[int], dict[str, Any]]:
    """The operators of growth and their combined arguments: “which *grew* most *compared to last year*”."""
    cues = draft.free(scene.cues("growth"))
    args: dict[str, Any] = {}
    for operator in (scene[cue].cue for cue in cues):
        if operator is not None:
            # A change from year to year is more specific than a change.
            args |= {key: value for key, value in operator.args.items() if args.get(key) != "change_year"}
    return cues, args

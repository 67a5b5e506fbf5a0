"""Support for a claim from the rows of computed results, in place of the lines of their text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.reasoning.checking.row_claims import heard
from kbtui.reasoning.checking.rows import Rows
from kbtui.reasoning.checking.standing import Claim, KnownTexts
from kbtui.reasoning.checking.support import RELATED, SUPPORTED, Support
from kbtui.reasoning.checking.weighing import Evidence


def support_by_rows(
    claim: Claim,
    cited: Sequence[int],
    rows: Mapping[int, Rows],
    passages: Mapping[int, Passage],
    known: KnownTexts,
) -> tuple[Support, Support | None] | None:
    """Support from the results that a claim cites, and from one result that it does not cite, if one supports it.

    Args:
        claim: The claim.
        cited: Numbers of the sources it cites, without repetition.
        rows: Results by the number of their source.
        passages: All sources, results included, by number.
        known: Further texts whose names the claim may repeat.

    Returns:
        None if the claim rests, or may rest, on lines.
    """
    beside = [passages[n] for n in cited if n not in rows]
    if not rows or (cited and len(beside) == len(cited)):
        return None

    def support(numbers: Sequence[int], *, is_cited: bool) -> Support:
        grounds = [passage.whole for passage in beside]
        results = [rows[n] for n in numbers]
        result = heard(claim, results, known.question, grounds, known.values, is_cited=is_cited)
        sources = [*(passages[n] for n in numbers), *beside]
        # A sentence that rows refute keeps its mark, so that the reader can see the rows.
        return Support(
            claim=claim,
            windows=tuple(Window(passage=source, first=0, last=0) for source in sources if source.units),
            values={},
            missing=result.wrong,
            evidence=Evidence(is_refuted=bool(result.wrong)),
            score=RELATED if result.wrong else 1.0,
        )

    own = support([n for n in cited if n in rows], is_cited=True) if cited else None
    if own is not None and own.score >= SUPPORTED:
        return own, None
    candidates = (support([n], is_cited=False) for n in rows if n not in cited)
    other = next((candidate for candidate in candidates if candidate.score >= SUPPORTED), None)
    if other is None and (own is None or beside):
        return None
    return own or Support(claim=claim, windows=(), values={}, missing=()), other

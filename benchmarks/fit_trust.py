"""Fits how far a chat model is trusted by its drafts, and when a sentence is close to the words of its lines.

    python benchmarks/fit_trust.py --texts TEXTS [DIR] [--write]

``DIR`` holds drafts of a strong and of a careless reader with labelled sentences (``data/drafts_1`` where none is
named; passages are read below ``TEXTS``). Fitted are

    drafts    how much likelier each outcome of a draft is with the careless reader, as a logarithm
    lines     of the careless reader's sentences that their lines seem to support, which ones are false: a logistic
              regression whose intercept is set so that `CAUGHT` of the false ones are not close

``--write`` puts the figures where the checker reads them. ``drafts.py`` measures what they do to drafts of a play that
they were not fitted on.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any

import numpy as np
from _drafts import Draft, drafts_in, label_of

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import open_embedder
from kbtui.reasoning.checking import AnswerChecker, checker
from kbtui.reasoning.checking.closeness import features
from kbtui.reasoning.checking.verdicts import Verdict
from kbtui.reasoning.citing import Citations
from kbtui.settings.model import Settings

CAUGHT = 0.9
CAUTION = 0.5
"""How much the evidence of a draft counts: a good model that words its lines freely is doubted, too (``claims_3``)."""

UNANSWERED = 0.5
"""How much a draft with doubts counts besides, where the model was not asked to mend them."""

PENALTY = 2.0
DATA = Path(__file__).parent / "data" / "drafts_1"
TABLE = Path(__file__).parent.parent / "kbtui" / "reasoning" / "checking" / "trust.toml"
FEATURES = ("new", "firm", "one_line", "of_line", "number", "item")

Row = tuple[dict[str, float], bool]
"""The features of a sentence, and whether it is false."""


@dataclass(frozen=True)
class Judged:
    """A draft and how it was judged without trust or distrust.

    Attributes:
        verdicts: With whether each is an item, and its label (None if it has none).
    """

    draft: Draft
    verdicts: tuple[tuple[Verdict, bool, bool | None], ...]

    @property
    def is_doubted(self) -> bool:
        return any(not verdict.is_supported for verdict, _, _ in self.verdicts)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--texts", type=Path, default=Path())
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    figures = fitted(list(judged(drafts_in(arguments.folder, arguments.texts))))
    for section, values in figures.items():
        print(section, {name: round(value, 2) for name, value in values.items()})
    if arguments.write:
        TABLE.write_text(written(TABLE.read_text("utf-8"), figures), "utf-8")


def judged(drafts: Iterator[Draft]) -> Iterator[Judged]:
    """The verdicts on each draft."""
    embedder = open_embedder(Settings().embedding)
    check = AnswerChecker(lambda: embedder)
    for draft in drafts:
        with kept_verdicts() as kept:
            answer = draft.text, draft.sources, Citations(None), CancelToken(), draft.question
            parsed = checker.draft(draft.text, frozenset(source.n for source in draft.sources), lambda _place: False)
            check.check(*answer)
        labels = [label_of(piece.text, draft.labels) for piece in parsed.pieces]
        yield Judged(draft, tuple((verdict, item, label) for (verdict, item), label in zip(kept, labels, strict=True)))


@contextmanager
def kept_verdicts() -> Iterator[list[tuple[Verdict, bool]]]:
    """The verdicts of what is checked meanwhile."""
    kept: list[tuple[Verdict, bool]] = []
    apply = checker.apply_trust
    checker.apply_trust = lambda _trust, verdicts, _question: kept.extend(verdicts)
    try:
        yield kept
    finally:
        checker.apply_trust = apply


def fitted(rows: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """The figures of `trust.toml`, fitted on some drafts."""
    lines = [
        (features(verdict.support, row.draft.question, item), not label)
        for row in rows
        if row.draft.reader == "careless"
        for verdict, item, label in row.verdicts
        if label is not None and verdict.is_claim and verdict.is_supported
        if verdict.support is not None and verdict.support.values
    ]
    return {"drafts": weights_of_outcomes(rows), "lines": weights_of_lines(lines)}


def weights_of_outcomes(rows: Sequence[Judged]) -> dict[str, float]:
    counts = Counter((row.draft.reader, row.draft.is_redo, row.is_doubted) for row in rows)

    def share(reader: str, is_redo: bool, is_doubted: bool) -> float:
        own, other = counts[reader, is_redo, is_doubted], counts[reader, is_redo, not is_doubted]
        return (own + 1) / (own + other + 2)

    def evidence(is_redo: bool, is_doubted: bool) -> float:
        return CAUTION * log(share("careless", is_redo, is_doubted) / share("strong", is_redo, is_doubted))

    first = evidence(False, True)
    return {
        "clean": evidence(False, False),
        "doubted": UNANSWERED * first,
        "mended": first + evidence(True, False),
        "repeated": first + evidence(True, True),
    }


def weights_of_lines(rows: Sequence[Row]) -> dict[str, float]:
    values = np.array([[1.0, *(row[name] for name in FEATURES)] for row, _ in rows])
    is_false = np.array([float(false) for _, false in rows])
    weights = logistic(values, is_false)
    odds = values[:, 1:] @ weights[1:]
    intercept = -float(np.quantile(odds[is_false == 1.0], 1.0 - CAUGHT, method="lower"))
    return {"intercept": intercept, **dict(zip(FEATURES, map(float, weights[1:]), strict=True))}


def logistic(values: Any, wanted: Any) -> Any:
    """Weights of a logistic regression with a ridge on all but the intercept, by Newton's method."""
    weights = np.zeros(values.shape[1])
    ridge = np.diag([1e-6] + [PENALTY] * (values.shape[1] - 1))
    for _ in range(50):
        chance = 1.0 / (1.0 + np.exp(-values @ weights))
        gradient = values.T @ (chance - wanted) + ridge @ weights
        curvature = (values * (chance * (1.0 - chance))[:, None]).T @ values + ridge
        weights -= np.linalg.solve(curvature, gradient)
    return weights


def written(text: str, figures: dict[str, dict[str, float]]) -> str:
    """The table with other figures; comments and patterns stay."""
    section, lines = "", []
    for line in text.split("\n"):
        section = line.strip("[]") if line.startswith("[") else section
        match = re.match(r"(\w+) = -?[\d.]+( *)(#.*)?$", line)
        if match and section in figures:
            line = f"{f'{match[1]} = {figures[section][match[1]]:.4f}':<38}{match[3] or ''}".rstrip()
        lines.append(line)
    return "\n".join(lines)


if __name__ == "__main__":
    main()

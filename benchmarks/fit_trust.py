"""Fits how far a chat model is trusted by its drafts, and when a sentence is close to the words of its lines.

    python benchmarks/fit_trust.py --texts TEXTS [DIR...] [--write]

Each ``DIR`` holds drafts of a strong or of a careless reader with labelled sentences (`SETS` where none is named;
passages are read below ``TEXTS``). Fitted are

    first, redone   how much likelier each outcome of a draft is with the careless reader, as a logarithm
    lines, rows     of the careless reader's sentences that their lines, or rows, seem to support, which ones are
                    false: a logistic regression
    doubts          of those that they do not, how many are false

``--write`` puts the figures where the checker reads them. ``drafts.py`` measures what they do to drafts of a play that
they were not fitted on.
"""

from __future__ import annotations

import argparse
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from math import log
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np
from _drafts import Draft, drafts_in, label_of

from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import open_embedder
from kbtui.reasoning.checking import AnswerChecker, checker, closeness, trust, verdicts
from kbtui.reasoning.checking.closeness import features
from kbtui.reasoning.checking.trust import Outcome
from kbtui.reasoning.checking.verdicts import Verdict, chances, outcome_of
from kbtui.reasoning.citing import Citations
from kbtui.settings.model import Settings

CAUTION = 0.5
"""How much the evidence of a draft counts: a good model that words its lines freely is doubted, too (``claims_3``)."""

PENALTY = 2.0
SETS = tuple(Path(__file__).parent / "data" / name for name in ("drafts_1", "loop_4", "loop_5"))
TABLE = Path(__file__).parent.parent / "kbtui" / "reasoning" / "checking" / "trust.toml"
FEATURES = {
    "lines": ("new", "firm", "one_line", "of_line", "dropped", "number", "item"),
    "rows": ("new", "drawn", "read_off", "bound"),
}

OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

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

    def outcome(self) -> Outcome | None:
        """What it shows of its model, by the figures in use."""
        own = [verdict for verdict, _, _ in self.verdicts]
        return outcome_of(own, chances(own, [item for _, item, _ in self.verdicts], self.draft.question))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=SETS, metavar="DIR")
    parser.add_argument("--texts", type=Path, default=Path())
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    figures = fitted(list(judged(drafts_of(arguments.folders, arguments.texts))))
    for section, values in figures.items():
        print(section, {name: round(value, 2) for name, value in values.items()})
    if arguments.write:
        TABLE.write_text(written(TABLE.read_text("utf-8"), figures), "utf-8")


def drafts_of(folders: Sequence[Path], texts: Path) -> Iterator[Draft]:
    """The drafts of some sets."""
    for folder in folders:
        yield from drafts_in(folder, texts)


def judged(drafts: Iterator[Draft]) -> Iterator[Judged]:
    """The verdicts on each draft."""
    embedder = open_embedder(Settings().embedding)
    check = AnswerChecker(lambda: embedder)
    for draft in drafts:
        with kept_verdicts() as kept:
            parsed = checker.draft(draft.text, frozenset(source.n for source in draft.sources), lambda _place: False)
            check.check(
                draft.text, draft.sources, Citations(None), CancelToken(), draft.question, chance=lambda _outcome: 0.5
            )
        labels = [label_of(piece.text, draft.labels) for piece in parsed.pieces]
        is_item = [piece.kind != "sentence" for piece in parsed.pieces]
        yield Judged(draft, tuple(zip(kept, is_item, labels, strict=True)))


@contextmanager
def kept_verdicts() -> Iterator[list[Verdict]]:
    """The verdicts of what is checked meanwhile."""
    kept: list[Verdict] = []
    apply = checker.apply_trust
    checker.apply_trust = lambda _chance, verdicts, _chances: kept.extend(verdicts)
    try:
        yield kept
    finally:
        checker.apply_trust = apply


def fitted(rows: Sequence[Judged]) -> dict[str, dict[str, float]]:
    """The figures of `trust.toml`, fitted on some drafts."""
    said: dict[str, list[Row]] = {"lines": [], "rows": []}
    doubted: list[bool] = []
    for row in rows:
        for verdict, item, label in row.verdicts if row.draft.reader == "careless" else ():
            if label is not None and not verdict.is_supported:
                doubted.append(label)
            elif label is not None and verdict.is_claim and verdict.support is not None:
                kind = "lines" if verdict.support.values else "rows"
                said[kind].append((features(verdict.support, row.draft.question, item), not label))
    false, true = doubted.count(False), doubted.count(True)
    sentences = {kind: weights_of_sentences(found, FEATURES[kind]) for kind, found in said.items()}
    figures = {"doubts": {"intercept": log((false + 1) / (true + 1))}, **sentences}
    with used(figures):
        return {**weights_of_outcomes(rows), **figures}


@contextmanager
def used(figures: Mapping[str, Any]) -> Iterator[None]:
    """The checker judges by these figures, where they are given."""
    shipped = trust.figures
    both = {**shipped(), **figures}
    modules = (trust, closeness, verdicts)
    for module in modules:
        module.figures = lambda: both  # type: ignore[attr-defined]
    try:
        yield
    finally:
        for module in modules:
            module.figures = shipped  # type: ignore[attr-defined]


def weights_of_outcomes(rows: Sequence[Judged]) -> dict[str, dict[str, float]]:
    counts = Counter((row.draft.reader, row.draft.is_redo, row.outcome()) for row in rows)

    def share(reader: str, is_redo: bool, outcome: Outcome) -> float:
        return (counts[reader, is_redo, outcome] + 1) / (sum(counts[reader, is_redo, each] for each in OUTCOMES) + 3)

    return {
        section: {
            each: CAUTION * log(share("careless", is_redo, each) / share("strong", is_redo, each)) for each in OUTCOMES
        }
        for section, is_redo in (("first", False), ("redone", True))
    }


def weights_of_sentences(rows: Sequence[Row], names: Sequence[str]) -> dict[str, float]:
    values = np.array([[1.0, *(row[name] for name in names)] for row, _ in rows])
    weights = logistic(values, np.array([float(false) for _, false in rows]))
    return dict(zip(("intercept", *names), map(float, weights), strict=True))


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

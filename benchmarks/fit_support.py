"""Fits what the features of support are worth, on one half of the documents, and says how well they do on the other.

    python benchmarks/fit_support.py DIR... [--limit N] [--write] [--json] [--keep FILE]

The sets are those of ``citations.py``, which also tells the halves apart, by document. True sentences are positives;
negatives are everything else there: other lines, other documents, claims that their article does not or only partly
support, and sentences with one number or name changed. Every kind of case of a set counts the same. ``TRUE`` is what
all positives together weigh beside all negatives: a reader who finds a true sentence marked stops believing marks.

``--write`` puts the coefficients where the checker reads them.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from citations import cases_of, half, limited, open_model, seen
from grading import area, share
from scipy.optimize import minimize

from kbtui.reasoning.checking.support import FACTS, HEADS, SUPPORTED, UNNAMED, WITHOUT_FACT, WORDS, coefficients

TRUE = 1.5
PENALTY = 0.0003
COEFFICIENTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "checking" / "support.toml"

HELPS = {"coverage", "single", "pairs", "run", "cosine"}
EITHER = {"intercept", "short", "verbatim"}
# Whatever a set suggests, what is left must not help by being there.

BOUNDS = {"short": (-3.0, 0.0)}
"""The sets hold whole sentences; what they suggest of items of two words is a guess."""

Model = dict[str, dict[str, float]]
WEIGHTS = {"claims: partly": 0.5, "corrupted: name, of the passage": 3.0}
"""Of kinds of cases beside 1 of the others: where a part is supported, is not said; the hardest error counts most."""


@dataclass(frozen=True)
class Row:
    origin: str
    kind: str
    half: str
    script: str
    values: dict[str, float]


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--limit", type=int, help="only N cases of each kind of a set")
    parser.add_argument("--keep", type=Path, help="keep the features here, to fit again faster")
    options = parser.parse_args(argv)
    rows = rows_of(options.folders, options.limit, options.keep)
    models: dict[str, Model] = {script: {**heads} for script, heads in coefficients().items()}
    figures = {}
    for script in models:
        own = [row for row in rows if row.script == script]
        fitted = [row for row in own if row.half == "fitted"]
        if len({is_true(row) for row in fitted}) == 2:
            models[script] = fit(fitted)
        figures |= {f"{name} ({script})": found for name, found in measure(own, models[script]).items()}
    if options.write:
        COEFFICIENTS.write_text(as_toml(models), encoding="utf-8")
    if options.json:
        print(json.dumps({"figures": figures, "coefficients": models}))
    else:
        print(as_toml(models))
        for name, values in figures.items():
            print(f"{name:>24}: " + "  ".join(f"{key} {value}" for key, value in values.items()))
    return 0


def rows_of(folders: Sequence[Path], limit: int | None, keep: Path | None) -> list[Row]:
    if keep is not None and keep.exists():
        found: list[Row] = pickle.loads(keep.read_bytes())
        return found
    embedder = open_model()
    rows = []
    for folder in folders:
        for one in seen(limited(cases_of(folder), limit), embedder, plain=False, always=True):
            if one.support.values:
                script = "han" if one.claim.chinese else "latin"
                kind = f"{one.case.group}: {one.case.kind}"
                rows.append(Row(folder.name, kind, half(one.case.document), script, dict(one.support.values)))
    if keep is not None:
        keep.write_bytes(pickle.dumps(rows))
    return rows


def is_true(row: Row) -> bool:
    return row.kind.partition(": ")[2].startswith("true")


def fit(rows: Sequence[Row]) -> Model:
    """Two logistic regressions, fitted together so that their product is the chance of a true sentence."""
    counts: dict[tuple[str, str], int] = {}
    for row in rows:
        counts[row.origin, row.kind] = counts.get((row.origin, row.kind), 0) + 1
    y = np.array([is_true(row) for row in rows])
    w = np.array([WEIGHTS.get(row.kind, 1.0) / counts[row.origin, row.kind] for row in rows])
    w[y] *= TRUE / w[y].sum()
    w[~y] /= w[~y].sum()
    w /= w.sum()
    first, second = (columns(rows, names) for names in (WORDS, FACTS))
    size = first.shape[1]

    def loss(theta: Any) -> tuple[float, Any]:
        words, places = logistic(first @ theta[:size]), logistic(second @ theta[size:])
        chance = np.clip(words * places, 1e-9, 1 - 1e-9)
        value = -(w * np.log(np.where(y, chance, 1 - chance))).sum() + PENALTY / 2 * (theta**2).sum()
        slope = w * np.where(y, -1 / chance, 1 / (1 - chance))
        parts = (first.T @ (slope * words * (1 - words) * places), second.T @ (slope * places * (1 - places) * words))
        return float(value), np.concatenate(parts) + PENALTY * theta

    named = [*("intercept", *WORDS), *("intercept", *FACTS)]
    bounds = [
        BOUNDS.get(name, (None, None) if name in EITHER else (0, None) if name in HELPS else (None, 0))
        for name in named
    ]
    start = np.zeros(len(named))
    start[size] = 3.0
    found = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 3000}).x.tolist()
    values = iter(found)
    return {head: {name: next(values) for name in ("intercept", *names)} for head, names in HEADS.items()}


def columns(rows: Sequence[Row], names: Sequence[str]) -> Any:
    return np.array([[1.0, *(row.values[name] for name in names)] for row in rows]).reshape(-1, len(names) + 1)


def logistic(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def scores(rows: Sequence[Row], model: Model) -> Any:
    """As `support.Scorer.score` gives them."""
    found = np.ones(len(rows))
    for head, names in HEADS.items():
        found *= logistic(columns(rows, names) @ np.array([model[head][name] for name in ("intercept", *names)]))
    lacking = np.array([row.values["missing"] > 0 or row.values["missing_name"] >= UNNAMED for row in rows])
    return np.where(lacking, WITHOUT_FACT * found, found)


def measure(rows: Sequence[Row], model: dict[str, float]) -> dict[str, dict[str, Any]]:
    """For each set and half: AUROC of each kind of untrue cases, and what is marked."""
    found: dict[str, dict[str, Any]] = {}
    for origin, part in sorted({(row.origin, row.half) for row in rows}):
        own = [row for row in rows if (row.origin, row.half) == (origin, part)]
        figures: dict[str, Any] = {}
        for kind in dict.fromkeys(row.kind for row in own):
            values = scores([row for row in own if row.kind == kind], model)
            group, _, rest = kind.partition(": ")
            if group == "corrupted":
                figures[f"\n    {rest}"] = share(value < SUPPORTED for value in values)
            elif not rest.startswith("true"):
                true = scores([row for row in own if row.kind == f"{group}: true"], model)
                figures[f"\n    {group} against {rest}"] = area(true.tolist(), values.tolist())
        true = scores([row for row in own if is_true(row)], model)
        figures["\n    all true marked"] = share(value < SUPPORTED for value in true)
        found[f"{origin}, {part}"] = figures
    return found


MEANINGS = {
    "intercept": "where every sentence starts, in log-odds",
    "coverage": "share of its words that the lines hold, rare ones counting more",
    "single": "the same of the best single unit",
    "pairs": "share of its neighbouring words that are neighbours there",
    "run": "longest run of words that both have, as a share of the sentence",
    "cosine": "likeness by the embedding model; coverage where it is not asked",
    "lonely": "how little of the rest of the sentence stands beside its number",
    "missing_first": "how surely its first word is a name that is nowhere",
    "missing_first_verbatim": "the same times verbatim",
    "apart_number_verbatim": "share of the words beside a number that never stand beside it there, times verbatim",
    "apart_name": "the same of names",
    "apart_name_verbatim": "the same times verbatim",
    "missing": "numbers, identifiers and quotations the lines lack; two and more being 1",
    "missing_name": "share of a name that is nowhere in the passage, less for what the whole folder is about",
    "missing_weak": "numbers in words that the lines lack, identifiers that only stand elsewhere",
    "verbatim": "how nearly the sentence is one of the lines",
    "missing_any": "1 where a number, identifier or quotation is missing",
    "rival_number": "how much better another number of the lines fits the place of one",
    "rival_number_verbatim": "the same times verbatim",
    "rival_name_verbatim": "the same of names",
    "rival_weak_verbatim": "the same of words that may be no name",
    "exchanged": "how much better two facts would fit in each other's place",
    "displaced_number_verbatim": "how much better what is said around a number fits elsewhere, times verbatim",
    "displaced_name_verbatim": "the same of names",
    "negation": "1 where one denies and the other does not",
    "short": "one by the number of words",
}


def as_toml(models: dict[str, Model]) -> str:
    lines = [
        "# What the features of support (support.WORDS, support.FACTS) are worth, in log-odds; each is 0 to 1.",
        "# Written by benchmarks/fit_support.py. Two tables for each script of the sentence; the score is the product",
        "# of both probabilities.",
        "",
    ]
    for script, model in models.items():
        for head, names in HEADS.items():
            lines.append(f"[{script}.{head}]")
            lines += [f"{f'{name} = {model[head][name]:.4f}':<38}# {MEANINGS[name]}" for name in ("intercept", *names)]
            lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

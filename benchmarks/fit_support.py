"""Fits what the features of support are worth, and says how well they do on documents they were not fitted on.

    python benchmarks/fit_support.py DIR... [--limit N] [--draws N] [--write] [--json] [--keep FILE]

The sets are those of ``citations.py``. Their documents are cut in five parts: what is measured of each is by
coefficients fitted on the other four, what kbtui gets is fitted on all. Three things are learned apart:

    words    do the lines speak of the same? True sentences against other lines, other documents, and claims that their
             article does not or only partly support. Every kind of case of a set counts the same.
    uncited  the same of one place that the answer does not cite: true sentences against invented ones
             (``uncited.py``) whose facts are no wrong ones, each beside the place that says most of it
    facts    is this number, this name a wrong one? Of sentences with one fact changed that fact alone, against every
             fact of the true ones. What people said in their own words counts `PEOPLE` times.

``--draws`` changes the sentences in so many ways. ``--head`` fits one model alone and leaves the others as they are.

``LEAN`` is by how much the thresholds then favour true sentences: a reader who finds one marked stops believing marks.

``--write`` puts the coefficients where the checker reads them, and those of the five fits where ``citations.py`` does.
"""

from __future__ import annotations

import argparse
import json
import pickle
import sys
import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
from citations import BEYOND, FOLDS, FOLDS_FILE, Case, drawn, fold_of, open_model, rarity_of, seen
from grading import area, share
from scipy.optimize import minimize
from uncited import REPEATED, limited, uncited

from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking.facts import Fact, facts, ground
from kbtui.reasoning.checking.standing import KnownTexts
from kbtui.reasoning.checking.support import Scorer, claim_of, coefficients, features_of

PEOPLE = 10.0
LEAN = {"words": 1.5, "uncited": 0.5, "number": -0.7, "name": -1.4, "first": -1.0}
EVEN = 0.6
"""How far sets of different size count alike: 0 is by their facts, 1 is each the same."""

PENALTY = 0.0005
COEFFICIENTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "checking" / "support.toml"

# Whatever a set suggests: what is a sign of right must not be held against a fact, and the other way round.
HELPS = {"coverage", "single", "pairs", "run", "cosine"}
EXCUSES = {"company", "known", "titled", "often", "together", "weak"}
EITHER = {"intercept", "short", "verbatim", "telling", "outside", "parted", "likely"}
BOUNDS = {
    "words short": (-3.0, 0.0),
    "uncited short": (-3.0, 0.0),
    "uncited negation": (None, -5.0),
    "number absent": (5.0, None),
    "number redated": (3.0, None),
    "number measure": (4.0, None),
}
"""What the sets cannot say: they hold whole sentences and no item of two words, and no number has another measure. A
number that is nowhere is one that was made up, and a sentence that denies what a line says does not rest on it."""

WEIGHTS = {"claims: partly": 0.5}
"""Of kinds of cases beside 1 of the others: which part of a claim is supported is not said."""

Model = dict[str, dict[str, float]]


@dataclass(frozen=True)
class Row:
    """A sentence: its features, and (kind, features, is it the changed one) of each of its facts."""

    origin: str
    kind: str
    fold: int
    script: str
    values: dict[str, float]
    facts: list[tuple[str, dict[str, float], bool]]
    lacks: bool
    draw: int = 0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--limit", type=int, help="only N cases of each kind of a set")
    parser.add_argument("--draws", type=int, default=3, help="ways to change a sentence")
    parser.add_argument("--head", choices=list(HEADS), help="fit this model alone")
    parser.add_argument("--keep", type=Path, help="keep the features here, to fit again faster")
    options = parser.parse_args(argv)
    rows = rows_of(options.folders, options.limit, options.draws, options.keep, options.head)
    heads = [options.head] if options.head else list(HEADS)
    shipped: dict[str, Any] = {script: dict(models) for script, models in coefficients().items()}
    known = tomllib.loads(FOLDS_FILE.read_text("utf-8")) if FOLDS_FILE.exists() else {}
    folds: list[dict[str, Model]] = [dict(known.get(f"fold{number}", {})) for number in range(FOLDS)]
    figures: dict[str, dict[str, Any]] = {}
    for script in shipped:
        own = [row for row in rows if row.script == script]
        shipped[script] |= fitted(own, heads)
        for number, fold in enumerate(folds):
            unseen = fitted([row for row in own if row.fold != number], heads)
            fold[script] = {**shipped[script], **fold.get(script, {}), **unseen}
        judged = scores_unseen(own, [fold[script] for fold in folds])
        figures |= {f"{name} ({script})": found for name, found in measure(own, judged).items()}
    if options.write:
        COEFFICIENTS.write_text(as_toml(shipped), encoding="utf-8")
        names = sorted({row.origin for row in rows})
        FOLDS_FILE.write_text(folds_as_toml(names, folds), encoding="utf-8")
    if options.json:
        print(json.dumps({"figures": figures, "coefficients": shipped}))
    else:
        print(as_toml(shipped))
        for name, values in figures.items():
            print(f"{name:>24}: " + "  ".join(f"{key} {value}" for key, value in values.items()))
    return 0


def fitted(rows: Sequence[Row], heads: Sequence[str]) -> Model:
    """The models of a script that there is something to learn of."""
    return {head: found for head in heads if (found := fit(rows, head)) is not None}


def rows_of(
    folders: Sequence[Path], limit: int | None, draws: int, keep: Path | None, head: str | None = None
) -> list[Row]:
    if keep is not None and keep.exists():
        found: list[Row] = pickle.loads(keep.read_bytes())
        return found
    embedder = open_model()
    rows = []
    for folder in folders if head in (None, "uncited") else ():
        rows += uncited_rows(folder, limit, embedder)
        print(f"{folder.name}, uncited: {len(rows)} sentences so far", file=sys.stderr)
    for folder, draw in product(folders, range(draws)) if head != "uncited" else ():
        for one in seen(drawn(folder, draw, limit), embedder, plain=False, always=True):
            if not one.support.values or one.claim.chinese != one.support.windows[0].passage.chinese:
                continue
            rows.append(
                Row(
                    folder.name,
                    f"{one.case.group}: {one.case.kind}",
                    fold_of(one.case.document),
                    one.claim.script,
                    dict(one.support.values),
                    [(at.kind, dict(at.values), is_changed(at.fact, one.case)) for at in one.support.facts],
                    one.support.values["missing"] > 0,
                    draw,
                )
            )
        print(f"{folder.name}, draw {draw}: {len(rows)} sentences so far", file=sys.stderr)
    if keep is not None:
        keep.write_bytes(pickle.dumps(rows))
    return rows


def uncited_rows(folder: Path, limit: int | None, embedder: Any) -> list[Row]:
    """The sentences of ``uncited.py``, each beside the place that bears it out best, where no fact is a wrong one."""
    cases = drawn(folder, 0)
    scorer = Scorer(lambda: embedder, rarity_of(cases))
    rows = []
    for one in limited(list(uncited(cases)), limit):
        claim = claim_of(one.text, one.text)
        weights = scorer.weights([claim], one.sources)
        known = KnownTexts(question=ground(one.question) if one.question else None, cited=(one.sources[-1].whole,))
        places = [scorer.windows(claim, [passage], weights, most=1) for passage in one.sources]
        ready = [scorer.prepare(claim, windows, weights, known, always=True) for windows in places]
        right = [each for each in ready if each.values and not each.lacks and each.wrong < 0]
        right = [each for each in right if claim.chinese == each.windows[0].passage.chinese]
        scorer.encode([text for each in right for text in each.texts], CancelToken())
        best = max(map(scorer.judge, right), key=lambda support: support.score, default=None)
        if best is not None and one.kind != REPEATED:
            kind = f"uncited: {one.kind}"
            rows.append(Row(folder.name, kind, fold_of(one.document), claim.script, dict(best.values), [], lacks=False))
    return rows


def is_changed(fact: Fact, case: Case) -> bool:
    """The fact is the one that was put in the place of another."""
    return bool(case.wrong) and any(
        one.kind == fact.kind and set(one.value.split()) & set(fact.value.split()) for one in changed_facts(case.wrong)
    )


@cache
def changed_facts(text: str) -> tuple[Fact, ...]:
    # Behind another word a name is no first word.
    return tuple(facts(f"is {text}"))


def is_uncited(row: Row) -> bool:
    """Of a sentence that cites nothing."""
    return row.kind.startswith("uncited: ")


def is_true(row: Row) -> bool:
    return row.kind.partition(": ")[2].startswith("true")


def is_swapped(row: Row) -> bool:
    """One fact of the sentence was changed; its lines are the right ones."""
    return row.kind.startswith(("corrupted: n",))


def is_beyond(row: Row) -> bool:
    """Neither true nor changed."""
    return row.kind.endswith(BEYOND)


def examples(rows: Sequence[Row], head: str) -> tuple[list[dict[str, float]], Any, Any]:
    """Features, what they are examples of, and weights."""
    if head in ("words", "uncited"):
        own = [row for row in rows if is_uncited(row) == (head == "uncited")]
        own = [row for row in own if not is_swapped(row) and not is_beyond(row)]
        counts = Counter((row.origin, row.kind) for row in own)
        y = np.array([is_true(row) for row in own], dtype=bool)
        w = np.array([WEIGHTS.get(row.kind, 1.0) / counts[row.origin, row.kind] for row in own])
        return [row.values for row in own], y, w
    found = [
        (values, changed, row)
        for row in rows
        if row.kind.startswith("corrupted: ") and (is_true(row) or is_swapped(row))
        for kind, values, changed in row.facts
        if kind == head and (changed or is_true(row))
    ]
    sizes = Counter(row.origin for _, _, row in found)
    w = np.array([(PEOPLE if "people" in row.kind else 1.0) / sizes[row.origin] ** EVEN for _, _, row in found])
    return [values for values, _, _ in found], np.array([changed for _, changed, _ in found], dtype=bool), w


def fit(rows: Sequence[Row], head: str) -> dict[str, float] | None:
    """A logistic regression with signs that are known beforehand; None where there is nothing to learn from."""
    values, y, w = examples(rows, head)
    if not values or y.all() or not y.any():
        return None
    names = ("intercept", *features_of(head))
    x = columns(values, features_of(head))
    w[y] /= w[y].sum()
    w[~y] /= w[~y].sum()
    w /= w.sum()

    def loss(theta: Any) -> tuple[float, Any]:
        chance = np.clip(logistic(x @ theta), 1e-9, 1 - 1e-9)
        value = -(w * np.log(np.where(y, chance, 1 - chance))).sum() + PENALTY / 2 * (theta[1:] ** 2).sum()
        return float(value), x.T @ (w * (chance - y)) + PENALTY * np.array([0.0, *theta[1:]])

    start = np.zeros(len(names))
    bounds = [bound(name, head) for name in names]
    theta = minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 3000}).x.tolist()
    theta[0] += LEAN[head]
    return dict(zip(names, theta, strict=True))


def bound(name: str, head: str) -> tuple[float | None, float | None]:
    if f"{head} {name}" in BOUNDS:
        return BOUNDS[f"{head} {name}"]
    if name in EITHER:
        return None, None
    says_yes = name in HELPS if head in ("words", "uncited") else name not in EXCUSES
    return (0, None) if says_yes else (None, 0)


def columns(values: Sequence[dict[str, float]], names: Sequence[str]) -> Any:
    return np.array([[1.0, *(one[name] for name in names)] for one in values]).reshape(-1, len(names) + 1)


def logistic(values: Any) -> Any:
    return 1 / (1 + np.exp(-np.clip(values, -30, 30)))


def scores(rows: Sequence[Row], model: Model) -> Any:
    """As `support` gives them: the half from .5 on holds, and within each half the better is higher."""
    features = columns([row.values for row in rows], features_of("words"))
    cites_nothing = np.array([is_uncited(row) for row in rows], dtype=bool)
    words = np.where(cites_nothing, features @ weights(model, "uncited"), features @ weights(model, "words"))
    worst = np.full(len(rows), -6.0)
    for at, row in enumerate(rows):
        for kind, values, _ in row.facts:
            odds = model[kind]["intercept"] + sum(model[kind][name] * values[name] for name in features_of(kind))
            worst[at] = max(worst[at], odds)
    holds = (logistic(words) * logistic(-worst) >= 0.5) & ~np.array([row.lacks for row in rows], dtype=bool)
    return 0.5 * logistic((words - 0.7 * worst) / 2) + 0.5 * holds


def scores_unseen(rows: Sequence[Row], models: Sequence[Model]) -> Any:
    """The same of each row by the model that was fitted without its fold."""
    found = np.zeros(len(rows))
    for number, model in enumerate(models):
        at = [index for index, row in enumerate(rows) if row.fold == number]
        if at:
            found[at] = scores([rows[index] for index in at], model)
    return found


def weights(model: Model, head: str) -> Any:
    return np.array([model[head][name] for name in ("intercept", *features_of(head))])


def measure(rows: Sequence[Row], judged: Any) -> dict[str, dict[str, Any]]:
    """For each set: AUROC of each kind of untrue cases, and what is marked."""
    found: dict[str, dict[str, Any]] = {}
    for origin in sorted({row.origin for row in rows}):
        at = [index for index, row in enumerate(rows) if row.origin == origin]
        own, value = [rows[index] for index in at], judged[at]
        figures: dict[str, Any] = {}
        kinds = np.array([row.kind for row in own])
        for kind in dict.fromkeys(row.kind for row in own):
            group, _, rest = kind.partition(": ")
            if group in ("corrupted", "uncited"):
                figures[f"\n    {kind}"] = share((value[kinds == kind] < 0.5).tolist())
            elif not rest.startswith("true"):
                true = value[kinds == f"{group}: true"]
                figures[f"\n    {group} against {rest}"] = area(true.tolist(), value[kinds == kind].tolist())
        changed = np.array([row.kind.startswith("corrupted") and not is_beyond(row) for row in own])
        true = np.array([is_true(row) for row in own])
        counts = np.array([1 / (1 + max(row.draw for row in own)) if is_swapped(row) else 1.0 for row in own])
        for name, those in (("corrupted", changed & ~true), ("true", changed & true)):
            weight = counts[those]
            marked = float((weight * (value[those] < 0.5)).sum() / max(1e-9, weight.sum()))
            figures[f"\n    {name} marked"] = round(marked, 4)
        found[origin] = figures
    return found


HEADS = tuple(coefficients()["latin"])
"""The models by name: of words, and of each kind of fact."""

WORD_MEANINGS = {
    "intercept": "where every sentence starts, in log-odds",
    "coverage": "share of its words that the lines hold, rare ones counting more",
    "single": "the same of the best single unit",
    "pairs": "share of its neighbouring words that are neighbours there",
    "run": "longest run of words that both have, as a share of the sentence",
    "cosine": "likeness by the embedding model; coverage where it is not asked",
    "missing": "identifiers and quotations the passages lack; two and more being 1",
    "negation": "1 where one denies and the other does not",
    "short": "one by the number of words",
}
FACT_MEANINGS = {
    "intercept": "where every fact starts, in log-odds of being wrong",
    "absent": "it is nowhere in the passages",
    "absent_word": "the same of one in words",
    "absent_known": "the same, but what was said before or another passage has it",
    "absent_verbatim": "absent, times verbatim",
    "partly_absent": "a smaller part of the name is nowhere, or what the whole folder is about",
    "outside": "it stands in the passages, but not in the lines",
    "weak": "it is written in words, which may be style",
    "telling": "it has four digits or more",
    "together": "another number right beside it stands with it there too",
    "parted": "another number right beside it never stands with it there",
    "redated": "the number beside it stands there beside another of its shape instead",
    "measure": "it counts something else there",
    "known": "the question or what was said before has it",
    "titled": "title, headings or path have it",
    "often": "how many units have it",
    "company": "share of the rest of the sentence that stands where it stands",
    "company_far": "1 where that is nothing, 0 from .15 on",
    "better_company": "how much more of the rest stands where it does not",
    "misfit": "share of the words right around it that are not around it there",
    "misfit_verbatim": "the same times verbatim",
    "rival": "how much better another fact of its kind fits its place",
    "rival_verbatim": "the same times verbatim",
    "displaced_verbatim": "how much better the words around it fit elsewhere, times verbatim",
    "apart": "share of the two words beside it that never stand beside it there",
    "apart_verbatim": "the same times verbatim",
    "verbatim": "how nearly the sentence is one of the lines",
    "likely": "how surely the first word of a sentence is a name; what else is said of it is weighed with this",
}


def as_toml(models: dict[str, Model]) -> str:
    lines = [
        "# What the features of support are worth, in log-odds; each is 0 to 1. For each script of the",
        "# sentence: do the lines speak of the same (words; uncited of lines that the answer does not cite), and",
        "# is a fact of this kind a wrong one?",
        "# Written by benchmarks/fit_support.py.",
        "",
    ]
    for script, model in models.items():
        for head, names in ((head, features_of(head)) for head in HEADS):
            meanings = WORD_MEANINGS if head in ("words", "uncited") else FACT_MEANINGS
            lines.append(f"[{script}.{head}]")
            lines += [f"{f'{name} = {model[head][name]:.4f}':<38}# {meanings[name]}" for name in ("intercept", *names)]
            lines.append("")
    return "\n".join(lines)


def folds_as_toml(names: Sequence[str], folds: Sequence[dict[str, Model]]) -> str:
    lines = [
        "# Coefficients as in kbtui's support.toml, each fold's fitted without its documents (citations.fold_of).",
        "# Written by benchmarks/fit_support.py.",
        f"sets = {json.dumps(list(names))}",
        "",
    ]
    for number, models in enumerate(folds):
        for script, model in models.items():
            for head, values in model.items():
                lines.append(f"[fold{number}.{script}.{head}]")
                lines += [f"{name} = {value:.4f}" for name, value in values.items()]
                lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

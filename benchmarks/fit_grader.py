"""Fits the evidence grader's coefficients on retrieval sets with gold labels, and says how well they separate.

    python benchmarks/fit_grader.py DIR... [--limit N] [--keep FOLDER] [--write] [--json]

Each ``DIR`` is a retrieval set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``), written out as a folder and
searched by `hybrid_search`, so that the grader sees in fitting what it sees in use. Passages of gold documents are
positives. Negatives are hard: the other passages of the same search; the best passages of a question whose gold was
taken away; those of questions that nothing here answers (``"answerable": false``), though their subject is here; and
a few of questions of other sets. Every set counts the same, and so does every question of a set. Passages that have a
cosine are also shown without one, as they are before the vectors are made.

Then the log-odds are stretched and moved (Platt 1999), so that the best score of a question's ten passages is the
chance that the folder holds its answer, where half of the folders do. Only sets with one gold document a question take
part in that: elsewhere other passages still answer when the gold is gone.

The figures are of sets that the coefficients were not fitted on: each set is graded by what the other ones of its
script gave. ``--write`` fits on all of them and puts the coefficients where the grader reads them.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _cases import SHOWN, Folder, cases_of, open_folder, spread
from grading import area, calibration_error, share
from scipy.optimize import minimize

from kbtui.domain.routing import SubQuestion
from kbtui.question.normalise import has_han
from kbtui.reasoning.offline.features import NAMES
from kbtui.reasoning.offline.grader import OfflineGrader

FOREIGN = 40
"""Questions of other sets that are asked in each folder."""

POSITIVE = 3.0
"""Weight of a question's gold passages beside that of the others: its set marks one passage, though more may help."""

BARE = 0.3
"""Weight of a passage that is shown without its cosine."""

PENALTY = {"latin": 0.003, "han": 0.0003}
"""Of the squares of the coefficients: features that say nearly the same share what they are worth.

With a tenth of it the Chinese set that is hard gains .004 AUROC held out and the other loses nothing; of the English
ones one gains .01 and one loses .017.
"""

COEFFICIENTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "offline" / "coefficients.toml"

# What must not help by being absent, or hurt by being present, whatever a small set suggests: a passage with a name
# the question gives is never worse for it.
SIGNS = {
    "coverage": 1,
    "window": 1,
    "order": 1,
    "frequency": 1,
    "characters": 1,
    "dense": 1,
    "plain": 1,
    "title": 1,
    "cosine": 1,
    "both": 1,
    "names_missing": -1,
    "named": 1,
}
FEWEST_QUESTIONS = 30
"""A set says something of a script's figures from so many questions on."""


@dataclass(frozen=True)
class Graded:
    """The passages of one script that were found for a question, as the grader sees them; none where nothing was.

    Attributes:
        question: Tells the lists of one question apart from those of others.
        single: Its set has one gold document a question: taking that away takes the answer away.
        kind: ``present``, ``removed``, ``unanswerable`` or ``foreign``.
        values: One row a passage, one column a feature.
    """

    origin: str
    single: bool
    question: str
    kind: str
    script: str
    values: Any
    gold: Any


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--limit", type=int, default=300, help="questions of each set, from all over it")
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    lists: list[Graded] = []
    for folder in options.folders:
        with tempfile.TemporaryDirectory() as scratch:
            opened = open_folder(folder, options.keep or Path(scratch), options.limit)
            lists += lists_of(folder.name, opened, foreign_to(folder, options.folders))
    figures = {f"{name} ({script})": measure(held, fitted(rest)) for name, script, held, rest in turns(lists)}
    models = {script: fitted([one for one in lists if one.script == script]) for script in ("latin", "han")}
    if options.write:
        COEFFICIENTS.write_text(as_toml(models), encoding="utf-8")
    if options.json:
        print(json.dumps({"figures": figures, "coefficients": models}))
    else:
        print(as_toml(models))
        for name, values in figures.items():
            print(f"{name:>24}: " + "  ".join(f"{key} {value}" for key, value in values.items()))
    return 0


def foreign_to(folder: Path, folders: Sequence[Path]) -> list[str]:
    """Some questions of the other sets."""
    from retrieval import lines

    found = []
    for other in folders:
        if other != folder:
            texts = [json.loads(line)["text"] for line in lines(other / "queries.jsonl")]
            rows = spread([{"text": text} for text in texts if text.strip()], FOREIGN // (len(folders) - 1) + 1)
            found += [row["text"] for row in rows]
    return found


def lists_of(name: str, opened: Folder, foreign: Sequence[str]) -> list[Graded]:
    """What the grader sees for each question of a set."""
    grader = OfflineGrader(lambda: opened.knowledge.embedder, lambda terms: opened.knowledge.index.rarity(terms))
    found: list[Graded] = []
    asked = [opened.relevant[question["id"]] for question in opened.questions if question["id"] in opened.relevant]
    single = sum(len(gold) == 1 for gold in asked) >= 0.99 * len(asked)

    def add(kind: str, text: str, hits: Sequence[Any], gold: Sequence[bool]) -> None:
        seen = grader.seen(SubQuestion(semantic_intent=text), hits)
        if not hits:
            script = "han" if has_han(text) else "latin"
            found.append(Graded(name, single, text, kind, script, np.empty((0, len(NAMES))), np.empty(0, dtype=bool)))
        for script in ("latin", "han"):
            own = [
                ([values[name] for name in NAMES], is_gold)
                for (of, values, _), is_gold in zip(seen, gold, strict=True)
                if of == script
            ]
            if own:
                values = np.array([row for row, _ in own])
                found.append(
                    Graded(name, single, text, kind, script, values, np.array([is_gold for _, is_gold in own]))
                )

    for case in cases_of(opened):
        text = case.question["text"]
        hits, gold = case.present()
        if not case.answerable:
            add("unanswerable", text, hits, [False] * len(hits))
            continue
        add("present", text, hits, gold)
        rest = case.removed()
        add("removed", text, rest, [False] * len(rest))
    from kbtui.question.keywords import search_keywords

    for text in foreign:
        hits, _ = opened.knowledge.hybrid.search(text, search_keywords(text) or text, SHOWN)
        add("foreign", text, hits, [False] * len(hits))
    return found


def turns(lists: Sequence[Graded]) -> list[tuple[str, str, list[Graded], list[Graded]]]:
    """Each set with enough questions in a script, and the other sets of that script."""
    found = []
    for script in ("latin", "han"):
        own = [one for one in lists if one.script == script]
        for origin in dict.fromkeys(one.origin for one in own):
            held = [one for one in own if one.origin == origin]
            rest = [one for one in own if one.origin != origin]
            if sum(one.kind == "present" for one in held) >= FEWEST_QUESTIONS and any(one.gold.any() for one in rest):
                found.append((origin, script, held, rest))
    return found


def fitted(lists: Sequence[Graded]) -> dict[str, float]:
    """Coefficients that rank, and whose best score is a probability."""
    return calibrated(fit(lists), lists)


def calibrated(model: dict[str, float], lists: Sequence[Graded]) -> dict[str, float]:
    """The coefficients times one number, and another one added to where passages start."""
    odds, labels, weights = [], [], []
    for origin in {one.origin for one in lists if one.single}:
        best = best_scores([one for one in lists if one.origin == origin], model)
        for kind in ("present", "removed"):
            scores = np.array([score for score in best[kind] if 0 < score < 1])
            odds.append(np.log(scores / (1 - scores)))
            labels.append(np.full(len(scores), kind == "present"))
            weights.append(np.full(len(scores), 1 / max(1, len(scores))))
    if not odds:
        return model
    x, y, w = np.concatenate(odds), np.concatenate(labels), np.concatenate(weights)

    def loss(theta: Any) -> float:
        chance = 1 / (1 + np.exp(-np.clip(theta[0] * x + theta[1], -30, 30)))
        return float(-(w * np.where(y, np.log(chance), np.log(1 - chance))).sum() / w.sum())

    stretch, shift = minimize(loss, np.array([1.0, 0.0]), method="Nelder-Mead").x.tolist()
    return {name: stretch * value + (shift if name == "intercept" else 0.0) for name, value in model.items()}


def fit(lists: Sequence[Graded]) -> dict[str, float]:
    """Logistic regression with an L2 penalty for one script, each coefficient on the side that `SIGNS` allows."""
    penalty = PENALTY[lists[0].script]
    in_set = {origin: sum(one.origin == origin for one in lists) for origin in {one.origin for one in lists}}
    rows, labels, weights = [], [], []
    for one in lists:
        if not len(one.gold):
            continue
        own = 1.0 / in_set[one.origin]
        weight = np.where(one.gold, POSITIVE / max(1, one.gold.sum()), 1.0 / len(one.gold)) * own
        rows.append(one.values)
        labels.append(one.gold)
        weights.append(weight)
        bare = without_cosine(one.values)
        if (bare != one.values).any():
            rows.append(bare)
            labels.append(one.gold)
            weights.append(BARE * weight)
    x, y, w = np.vstack(rows), np.concatenate(labels), np.concatenate(weights)
    x = np.hstack([np.ones((len(x), 1)), x])
    w /= w.sum()

    def loss(theta: Any) -> tuple[float, Any]:
        chance = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))
        value = -(w * np.where(y, np.log(chance), np.log(1 - chance))).sum() + penalty / 2 * (theta[1:] ** 2).sum()
        slope = x.T @ (w * (chance - y))
        slope[1:] += penalty * theta[1:]
        return float(value), slope

    sides = {1: (0.0, None), -1: (None, 0.0), 0: (None, None)}
    bounds = [(None, None), *(sides[SIGNS.get(name, 0)] for name in NAMES)]
    found = minimize(loss, np.zeros(len(NAMES) + 1), jac=True, bounds=bounds, method="L-BFGS-B").x.tolist()
    return dict(zip(("intercept", *NAMES), found, strict=True))


def without_cosine(values: Any) -> Any:
    """The same passages as they look before there are vectors."""
    bare = values.copy()
    bare[:, NAMES.index("cosine")] = 0.0
    bare[:, NAMES.index("both")] = 0.0
    bare[:, NAMES.index("no_cosine")] = 1.0
    return bare


def graded(values: Any, model: dict[str, float]) -> Any:
    total = model["intercept"] + values @ np.array([model[name] for name in NAMES])
    return 1 / (1 + np.exp(-total))


def measure(lists: Sequence[Graded], model: dict[str, float]) -> dict[str, Any]:
    """Figures of one set: best scores with the gold there, taken away, and of questions without any."""
    best, bare = best_scores(lists, model), best_scores(lists, model, bare=True)
    both = np.array(best["present"] + best["removed"])
    truth = np.array([True] * len(best["present"]) + [False] * len(best["removed"]))
    return {
        "n": len(best["present"]),
        "auroc": area(best["present"], best["removed"]),
        "no cosine": area(bare["present"], bare["removed"]),
        "unanswerable": area(best["present"], best["unanswerable"]),
        "ece": calibration_error(both, truth),
        "present >= .7": share(score >= 0.7 for score in best["present"]),
        "present < .3": share(score < 0.3 for score in best["present"]),
        "removed >= .7": share(score >= 0.7 for score in best["removed"]),
        "removed < .3": share(score < 0.3 for score in best["removed"]),
        "foreign < .3": share(score < 0.3 for score in best["foreign"]),
    }


def best_scores(lists: Sequence[Graded], model: dict[str, float], *, bare: bool = False) -> dict[str, list[float]]:
    """The best score of each question, by kind; 0 where nothing was found."""
    best: dict[str, dict[str, float]] = {"present": {}, "removed": {}, "unanswerable": {}, "foreign": {}}
    for one in lists:
        scores = graded(without_cosine(one.values) if bare else one.values, model)
        known = best[one.kind].get(one.question, 0.0)
        best[one.kind][one.question] = max(known, float(scores.max(initial=0.0)))
    return {kind: list(found.values()) for kind, found in best.items()}


MEANINGS = {
    "intercept": "where every passage starts, in log-odds",
    "coverage": "share of the question's terms that are there, rare ones counting more",
    "window": "the same inside the best 40 tokens",
    "order": "neighbours of the question near to each other",
    "frequency": "BM25 as a share of the most it could be",
    "characters": "Chinese: share of the characters that stand beside the same neighbour",
    "dense": "Chinese: share of the characters inside the best 45",
    "plain": "Chinese: share of all tokens, single characters and function words too",
    "title": "share of the terms in title, headings and file name",
    "cosine": "likeness by the embedding model",
    "no_cosine": "1 where there is none: Chinese, or vectors not made yet",
    "both": "coverage times cosine",
    "names_missing": "share of the literal names of the question that are nowhere",
    "named": "share of them that are there",
    "thin": "one by the number of terms: a single one is soon found",
    "length": "number of terms, twelve and more being 1",
}


def as_toml(models: dict[str, dict[str, float]]) -> str:
    lines = [
        "# What the grader's features are worth, in log-odds; each feature lies between 0 and 1 (features.NAMES).",
        "# Written by benchmarks/fit_grader.py. One table for each script of the passage.",
        "",
    ]
    for script, model in models.items():
        lines.append(f"[{script}]")
        lines += [f"{f'{name} = {value:.4f}':<26}# {MEANINGS[name]}" for name, value in model.items()]
        lines.append("")
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

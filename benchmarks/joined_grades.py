"""What becomes of a chat model's grades beside the offline ones: the gain of a good model, the harm of an obedient one.

    python benchmarks/joined_grades.py DIR... [--json] [--limit N] [--keep FOLDER]

Each ``DIR`` is a retrieval set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``), searched and graded offline as
in ``grading.py``; the model is simulated, since what matters is how its grades are joined:

    perfect    .95 for passages of gold documents, .05 for others
    noisy      logistic of a normal around +2 for gold and -1 for others, standard deviation 1.2
    talked     perfect, but one passage without gold talks it into a 1
    always 1   whatever it is shown

For each, over the ten best passages: AUROC of passages (gold against others), the share of questions whose gold is kept
(best score at least .3) and answered at once (mean of the best three kept at least .7), and the same two shares over
the ten best passages without gold, where the right thing is to keep nothing.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from _cases import cases_of, open_folder
from _common import machine, over_sets, set_parser
from grading import area, grader, share

from kbtui.domain.evidence import DROP_THRESHOLD, GENERATE_THRESHOLD
from kbtui.reasoning.llm.joining import join_grades

BEST_OF = 3

Model = Callable[[Sequence[bool], random.Random], Sequence[float]]


def perfect(gold: Sequence[bool], _chance: random.Random) -> list[float]:
    return [0.95 if is_gold else 0.05 for is_gold in gold]


def noisy(gold: Sequence[bool], chance: random.Random) -> list[float]:
    return [1 / (1 + math.exp(-chance.gauss(2.0 if is_gold else -1.0, 1.2))) for is_gold in gold]


def talked(gold: Sequence[bool], chance: random.Random) -> list[float]:
    grades = perfect(gold, chance)
    if others := [at for at, is_gold in enumerate(gold) if not is_gold]:
        grades[chance.choice(others)] = 1.0
    return grades


def always_one(gold: Sequence[bool], _chance: random.Random) -> list[float]:
    return [1.0] * len(gold)


MODELS: dict[str, Model | None] = {
    "no model": None,
    "perfect": perfect,
    "noisy": noisy,
    "talked": talked,
    "always 1": always_one,
}


def main() -> None:
    over_sets(set_parser(__doc__, "only N questions, from all over the set").parse_args(), evaluate, print_table)


def evaluate(folder: Path, scratch: Path, limit: int | None) -> dict[str, Any]:
    """All models on one set."""
    opened = open_folder(folder, scratch, limit)
    grade = grader(opened)
    graded = []
    for case in cases_of(opened):
        if case.answerable:
            hits, gold = case.present()
            rest = case.removed()
            graded.append((list(grade(case, hits)) if hits else [], gold, list(grade(case, rest)) if rest else []))
    rows = [{"name": name, **_figures(graded, model)} for name, model in MODELS.items()]
    return {"set": folder.name, "questions": len(graded), "models": rows, **machine()}


def _figures(graded: Sequence[tuple[list[float], list[bool], list[float]]], model: Model | None) -> dict[str, Any]:
    chance = random.Random(1)
    scores: list[float] = []
    labels: list[bool] = []
    found, junk = [], []
    for own, gold, rest in graded:
        both = join_grades(own, model(gold, chance)) if model else own
        scores += both
        labels += gold
        if any(gold):
            found.append((max(s for s, is_gold in zip(both, gold, strict=True) if is_gold), _level(both)))
        none = join_grades(rest, model([False] * len(rest), chance)) if model else rest
        junk.append((max(none, default=0.0), _level(none)))
    return {
        "passage": area(
            [s for s, is_gold in zip(scores, labels, strict=True) if is_gold],
            [s for s, is_gold in zip(scores, labels, strict=True) if not is_gold],
        ),
        "gold kept": share(best >= DROP_THRESHOLD for best, _ in found),
        "gold answered": share(level >= GENERATE_THRESHOLD for _, level in found),
        "junk kept": share(best >= DROP_THRESHOLD for best, _ in junk),
        "junk answered": share(level >= GENERATE_THRESHOLD for _, level in junk),
    }


def _level(scores: Sequence[float]) -> float:
    best = sorted((score for score in scores if score >= DROP_THRESHOLD), reverse=True)[:BEST_OF]
    return sum(best) / len(best) if best else 0.0


def print_table(result: dict[str, Any]) -> None:
    print(f"{result['set']}: {result['questions']} questions")
    columns = [name for name in result["models"][0] if name != "name"]
    print(f"  {'':<10}" + "".join(f"{name:>15}" for name in columns))
    for row in result["models"]:
        cells = (row[name] for name in columns)
        print(f"  {row['name']:<10}" + "".join(f"{'-' if cell is None else f'{cell:.3f}':>15}" for cell in cells))


if __name__ == "__main__":
    main()

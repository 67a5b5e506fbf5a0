"""Fit when a question is a follow-up: the weights of `kbtui.nl2sql.follow_up_detection`.

    python benchmarks/fit_follow_ups.py DIR... [--write]

Follow-ups are those of ``data/conversations*.jsonl``, each behind the statement before it; of ``conversations_2`` only
the half to tune with. Questions that stand alone
are its own ones and, of each database in DIR (as `delivered.py` has them), a few behind the statement of another
question. Each database is held out in turn; the weights are fitted on all of them.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

from conversations import DATA, TODAY, Source, rows_of_file

from kbtui.nl2sql.edits import edits
from kbtui.nl2sql.follow_up_detection import MIN_PROBABILITY, WEIGHTS_FILE, features, probability
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.linking import link
from kbtui.question.reader import read

_OF_A_DATABASE = 14
_SHRINKAGE = 0.3


class Example(NamedTuple):
    """One question behind a statement."""

    group: str
    text: str
    values: dict[str, float]
    follows: bool


def example(group: str, source: Source, before: str, text: str, *, follows: bool) -> Example | None:
    """The features of a question behind a statement; None where that cannot be read back."""
    previous = source.query(before)
    if previous is None:
        return None
    lattice = link(read(text, today=TODAY), source.catalogue)
    values = features(lattice.question, edits(previous, lattice), candidates(lattice))
    return Example(group, text, values, follows)


def examples(folders: list[Path]) -> Iterator[Example]:
    """All of them, those of a set by its name."""
    for folder in folders:
        sources: dict[str, Source] = {}
        for row in (row for file in DATA for row in rows_of_file(file)):
            if row["set"] == folder.name and not (row["id"].startswith("d") and row["half"] == "held"):
                source = sources.setdefault(row["db"], Source(folder, row["db"]))
                follows = row["kind"] != "standalone"
                found = example(
                    f"{folder.name}/{source.name}", source, row["turns"][-1]["sql"], row["text"], follows=follows
                )
                yield from (found,) if found is not None else ()
        yield from _alone(folder, sources)


def _alone(folder: Path, sources: dict[str, Source]) -> Iterator[Example]:
    chance = random.Random(5)
    by_database: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows_of_file(folder / "questions.jsonl"):
        if row.get("gold_sql"):
            by_database[row["db"]].append(row)
    for database, rows in by_database.items():
        source = sources.setdefault(database, Source(folder, database))
        chance.shuffle(rows)
        for row, before in list(pairwise(rows))[:_OF_A_DATABASE]:
            found = example(f"{folder.name}/{source.name}", source, before["gold_sql"], row["question"], follows=False)
            yield from (found,) if found is not None else ()


def fitted(found: list[Example]) -> dict[str, float]:
    """Weights of a logistic regression, shrunk a little."""
    import numpy as np

    names = sorted({name for each in found for name in each.values})
    rows = np.array([[each.values.get(name, 0.0) for name in names] for each in found])
    right = np.array([float(each.follows) for each in found])
    weights = np.zeros(len(names))
    for _ in range(60):
        chances = 1 / (1 + np.exp(-np.clip(rows @ weights, -30, 30)))
        slope = rows.T @ (right - chances) - _SHRINKAGE * weights
        curve = (rows * (chances * (1 - chances))[:, None]).T @ rows + _SHRINKAGE * np.eye(len(names))
        weights += np.linalg.solve(curve, slope)
    return {name: round(float(weight), 3) for name, weight in zip(names, weights, strict=True)}


def report(found: list[Example]) -> None:
    """What weights say of the databases they were not fitted on."""
    right = changed = 0
    for group in dict.fromkeys(each.group for each in found):
        weights = fitted([each for each in found if each.group != group])
        for each in (each for each in found if each.group == group):
            taken = probability(each.values, weights) >= MIN_PROBABILITY
            right += taken and each.follows
            changed += taken and not each.follows
            if taken != each.follows:
                print(f"{'missed' if each.follows else 'changed':8} {group}: {each.text}")
    follow_ups = sum(each.follows for each in found)
    print(f"follow-ups {right}/{follow_ups}, questions changed {changed}/{len(found) - follow_ups}")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--write", action="store_true", help="put the weights into the package")
    arguments = parser.parse_args()
    found = list(examples([folder.resolve() for folder in arguments.folders]))
    report(found)
    if arguments.write:
        weights = fitted(found)
        WEIGHTS_FILE.write_text(json.dumps(weights, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())

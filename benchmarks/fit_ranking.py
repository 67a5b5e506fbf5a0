"""Fit the weights by which hybrid_search ranks (``kbtui/knowledge/ranking.toml``), and show what each reason adds.

    python benchmarks/fit_ranking.py DIR... [--keep FOLDER] [--json]

Each DIR is a retrieval set as `retrieval.py` takes it. The weights are found on all sets but one and measured on that
one, in turns; the table shows nDCG@10 so measured, with every reason and with each one left out. The last line is
fitted on all sets, and is what belongs into the file.

All weights in steps of .02 are tried. Those are taken whose nDCG@10 and recall@20 are the highest in sum, on the mean
with their neighbours: a peak of one point is an accident of few questions. Sets count alike, whatever their number of
questions. Chinese questions, of which the bundled model knows nothing, say nothing of a weight for meaning: leave
Chinese sets out.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
from _common import machine
from retrieval import load, write

from kbtui.knowledge.ranking import fitted_weights

REASONS = ("vector", "lexical", "phrase")
STEPS = 50


@dataclass
class Question:
    """Candidates of one question: shares ``(n, 3)``, the document of each, and which documents are gold."""

    shares: np.ndarray
    documents: list[str]
    gold: set[str]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        sets = {folder.name: collected(folder, arguments.keep or Path(scratch)) for folder in arguments.folders}
    variants = {"all three": REASONS} | {
        f"without {left}": tuple(reason for reason in REASONS if reason != left) for left in REASONS
    }
    # Of every set, for every triple of weights.
    known = {name: measured(questions, every_weight()) for name, questions in sets.items()}
    table = {
        label: {
            held: round(
                float(known[held][best([known[name] for name in sets if name != held] or [known[held]], used)][0]), 4
            )
            for held in sets
        }
        for label, used in variants.items()
    }
    weights = every_weight()[best(list(known.values()), REASONS)]
    result = {
        "ndcg@10": table,
        "weights": {reason: round(float(weight), 3) for reason, weight in zip(REASONS, weights, strict=True)},
        **machine(),
    }
    if arguments.json:
        print(json.dumps(result))
        return
    print(f"{'nDCG@10, held out':<20}" + "".join(f"{name:>18}" for name in sets))
    for label, row in table.items():
        print(f"{label:<20}" + "".join(f"{row[name]:>18.4f}" for name in sets))
    print("weights", result["weights"])


def collected(folder: Path, scratch: Path) -> list[Question]:
    """What the real index says of each candidate of each question."""
    from kbtui.domain.ports import CancelToken
    from kbtui.knowledge.base import KnowledgeBase
    from kbtui.knowledge.hybrid import DEPTH
    from kbtui.knowledge.terms import query_terms
    from kbtui.reasoning.offline.keywords import search_keywords
    from kbtui.settings.model import Settings

    os.environ["XDG_CACHE_HOME"] = str(scratch / "cache")
    documents, questions, relevant = load(folder)
    root = scratch / folder.name
    ids = write(documents, root)
    knowledge = KnowledgeBase(root, Settings())
    knowledge.complete(lambda _: None, CancelToken())
    found = []
    for question in questions:
        text = question["text"]
        keywords = search_keywords(text) or text
        ranked = knowledge.index.ranked(knowledge.vectors.vector_of(text), query_terms(keywords), DEPTH, 2 * DEPTH)
        shares = [tuple(share_of(reason, one.signals) for reason in REASONS) for _, one in ranked]
        if ranked:
            found.append(
                Question(
                    shares=np.array(shares),
                    documents=[ids[chunk.path] for chunk, _ in ranked],
                    gold=relevant[question["id"]],
                )
            )
    return found


def share_of(reason: str, signals: Mapping[str, float]) -> float:
    """What a reason adds, in units of its fitted weight: of the vector more than the cosine, where it leads clearly."""
    return signals.get(f"part_{reason}", 0.0) / fitted_weights()[reason]


def every_weight() -> np.ndarray:
    """Every triple of weights in steps of 1 / `STEPS` that sum to 1 ``(n, 3)``."""
    rows = product(range(STEPS + 1), repeat=len(REASONS))
    return np.array([row for row in rows if sum(row) == STEPS]) / STEPS


def measured(questions: list[Question], weights: np.ndarray) -> np.ndarray:
    """nDCG@10 and recall@20 ``(n, 2)`` for each of n weights; a document ranks as its best candidate does."""
    total = np.zeros((len(weights), 2))
    for question in questions:
        names = sorted(set(question.documents))
        place = {name: number for number, name in enumerate(names)}
        order = np.argsort([place[name] for name in question.documents], kind="stable")
        begins = np.searchsorted([place[question.documents[at]] for at in order], range(len(names)))
        worth = np.maximum.reduceat(question.shares[order] @ weights.T, begins, axis=0)
        ideal = sum(1 / np.log2(rank + 2) for rank in range(min(10, len(question.gold))))
        for name in question.gold & place.keys():
            rank = (worth > worth[place[name]]).sum(axis=0)
            total[:, 0] += (rank < 10) / np.log2(rank + 2) / ideal
            total[:, 1] += (rank < 20) / len(question.gold)
    return total / len(questions)


def best(sets: list[np.ndarray], used: Sequence[str]) -> int:
    """Which of `every_weight` is the best of those with these reasons alone, by the mean with its neighbours."""
    triples = np.round(every_weight() * STEPS).astype(int)
    number = {tuple(triple): at for at, triple in enumerate(triples.tolist())}
    value = np.sum([one.sum(axis=1) for one in sets], axis=0)
    places = [REASONS.index(reason) for reason in used]
    moves = [move for move in product((-1, 0, 1), repeat=len(used)) if sum(move) == 0]

    def smooth(triple: list[int]) -> float:
        around = []
        for move in moves:
            other = list(triple)
            for place, step in zip(places, move, strict=True):
                other[place] += step
            if tuple(other) in number:
                around.append(value[number[tuple(other)]])
        return float(np.mean(around))

    allowed = [at for at, triple in enumerate(triples.tolist()) if sum(triple[place] for place in places) == STEPS]
    return max(allowed, key=lambda at: smooth(triples[at].tolist()))


if __name__ == "__main__":
    main()

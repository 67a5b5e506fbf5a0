"""Fit the weights by which hybrid_search ranks (``kbtui/knowledge/ranking.toml``), and show what each reason adds.

    python benchmarks/fit_ranking.py DIR... [--keep FOLDER] [--json]

Each DIR is a retrieval set as `retrieval.py` takes it. The weights are found on all sets but one and measured on that
one, in turns; the table shows nDCG@10 so measured, with every reason and with each one left out. The last line is
fitted on all sets, and is what belongs into the file.

The fit is listwise: of the candidates of a question the softmax of the scores should fall on those of gold documents
(ListNet, Cao et al., ICML 2007). Sets count alike, whatever their number of questions. Chinese questions, of which the
bundled model knows nothing, have no part in the fit of a weight for meaning: leave Chinese sets out, or see that they
change nothing.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine
from retrieval import load, scores, write

REASONS = ("vector", "lexical", "phrase")
STEPS = 300


@dataclass
class Question:
    """Candidates of one question: shares ``(n, 3)``, the document of each, and which documents are gold."""

    name: str
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
    table = {
        label: {
            held: measured(sets[held], fitted([sets[name] for name in sets if name != held] or [sets[held]], used))
            for held in sets
        }
        for label, used in variants.items()
    }
    weights = fitted(list(sets.values()), REASONS)
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
    from kbtui.settings.paths import models_dir

    os.environ.setdefault("KBTUI_MODELS_DIR", str(models_dir()))
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
        shares = [
            (one.candidate.cosine or 0.0, one.signals.get("bm25_share", 0.0), one.signals.get("phrase", 0.0))
            for _, one in ranked
        ]
        if ranked:
            found.append(
                Question(
                    name=question["id"],
                    shares=np.array(shares),
                    documents=[ids[chunk.path] for chunk, _ in ranked],
                    gold=relevant[question["id"]],
                )
            )
    return found


def fitted(sets: list[list[Question]], used: tuple[str, ...]) -> np.ndarray:
    """Weights of the reasons that are used, scaled to sum to 1; the sum itself says how peaked the softmax is."""
    columns = [REASONS.index(reason) for reason in used]
    data = []
    for questions in sets:
        for question in questions:
            gold = np.array([name in question.gold for name in question.documents])
            if gold.any():
                data.append((question.shares[:, columns], gold, 1 / len(questions)))
    weights = np.ones(len(columns))
    step, mean, square = 0.5, np.zeros(len(columns)), np.zeros(len(columns))
    for turn in range(1, STEPS + 1):
        gradient = 0.002 * weights
        for shares, gold, share in data:
            worth = shares @ weights
            chance = np.exp(worth - worth.max())
            right = chance * gold
            gradient += share * (shares.T @ (chance / chance.sum() - right / right.sum()))
        mean = 0.9 * mean + 0.1 * gradient
        square = 0.99 * square + 0.01 * gradient**2
        weights -= step * (mean / (1 - 0.9**turn)) / (np.sqrt(square / (1 - 0.99**turn)) + 1e-9)
        step *= 0.99
    found = np.zeros(len(REASONS))
    found[columns] = np.maximum(weights, 0.0)
    return found / found.sum()


def measured(questions: list[Question], weights: np.ndarray) -> float:
    """nDCG@10 of the documents in the order of their best candidates."""
    runs: dict[str, list[str]] = {}
    for question in questions:
        order = np.argsort(-(question.shares @ weights), kind="stable")
        runs[question.name] = list(dict.fromkeys(question.documents[place] for place in order))
    found: dict[str, Any] = scores(runs, {question.name: question.gold for question in questions})
    return float(found["ndcg@10"])


if __name__ == "__main__":
    main()

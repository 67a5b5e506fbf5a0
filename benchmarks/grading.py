"""What the evidence score is worth: does it tell a folder that holds the answer from one that does not?

    python benchmarks/grading.py DIR... [--json] [--limit N] [--keep FOLDER]

Each ``DIR`` is a retrieval set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``), written out as a folder and
searched by `hybrid_search` as the program does. Each question is graded twice: over the ten best passages, and over the
ten best of those that are not from its gold documents, which is what a folder without them gives. A question's score is
its best passage's.

    present/removed   AUROC of that score, gold in the folder against gold taken away
    answerable/not    AUROC, answerable questions against those marked ``"answerable": false``, whose subject is there
    passage           AUROC of single passages, gold document against any other
    ece               mean distance between score and share with the gold in the folder, ten bins (Naeini et al. 2015)

Beside the grader, over the same passages: the idf-weighted share of the question's words in a passage, and the cosine
of the embedding model. ``--limit`` takes questions from all over the set.
"""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from _cases import Case, Folder, cases_of, open_folder
from _common import machine, over_sets, percentile, set_parser
from sklearn.metrics import roc_auc_score

Grade = Callable[[Case, Sequence[Any]], Sequence[float]]
TIMED = 30
"""Passages in one timed grading."""


def main() -> None:
    over_sets(set_parser(__doc__, "only N questions, from all over the set").parse_args(), evaluate, print_table)


def evaluate(folder: Path, scratch: Path, limit: int | None) -> dict[str, Any]:
    """All systems on one set."""
    opened = open_folder(folder, scratch, limit)
    cases = cases_of(opened)
    systems = {
        "grader": grader(opened),
        "idf-coverage": idf_coverage(opened.knowledge.index.chunks()),
        "cosine": cosine(opened.knowledge.embedder),
    }
    rows = []
    for name, grade in systems.items():
        # A cosine is no probability; only what is one can be calibrated.
        rows.append({"name": name, **figures(cases, grade, calibrated=name == "grader")})
    return {
        "set": folder.name,
        "questions": len(cases),
        "systems": rows,
        "grading_ms": timing(cases, systems["grader"]),
        **machine(),
    }


def grader(opened: Folder) -> Grade:
    """The program's own grader, as it is wired."""
    from kbtui.bootstrap import KnowledgeBackend
    from kbtui.domain.routing import SubQuestion
    from kbtui.settings.model import Settings

    found = KnowledgeBackend(opened.root, Settings()).reasoner().grader

    def grade(case: Case, hits: Sequence[Any]) -> Sequence[float]:
        return found.grade(SubQuestion(semantic_intent=case.question["text"], search_keywords=case.keywords), hits)

    return grade


def idf_coverage(chunks: Sequence[Any]) -> Grade:
    """Share of the question's tokens in the passage, each worth how rare it is among the folder's passages."""
    from kbtui.text.tokenise import tokens

    held: Counter[str] = Counter()
    for chunk in chunks:
        held.update(set(tokens(chunk.text)))

    def grade(case: Case, hits: Sequence[Any]) -> Sequence[float]:
        asked = {token: math.log(1 + len(chunks) / (1 + held[token])) for token in tokens(case.question["text"])}
        whole = sum(asked.values()) or 1.0
        return [sum(asked.get(token, 0.0) for token in set(tokens(hit.text))) / whole for hit in hits]

    return grade


def cosine(embedder: Any) -> Grade:
    """Cosine of question and passage."""
    vectors: dict[str, Any] = {}

    def grade(case: Case, hits: Sequence[Any]) -> Sequence[float]:
        text = case.question["text"]
        if text not in vectors:
            vectors[text] = embedder.query(text)
        fresh = [hit.text for hit in hits if hit.text not in vectors]
        if fresh:
            vectors.update(zip(fresh, embedder.encode(fresh), strict=True))
        return [float(vectors[hit.text] @ vectors[text]) for hit in hits]

    return grade


def figures(cases: Sequence[Case], grade: Grade, *, calibrated: bool) -> dict[str, Any]:
    """The figures of one system."""
    present: list[float] = []
    removed: list[float] = []
    unanswerable: list[float] = []
    passages: list[float] = []
    labels: list[bool] = []
    for case in cases:
        hits, gold = case.present()
        scores = list(grade(case, hits)) if hits else []
        if not case.answerable:
            unanswerable.append(max(scores, default=0.0))
            continue
        passages += scores
        labels += gold
        present.append(max(scores, default=0.0))
        rest = case.removed()
        removed.append(max(grade(case, rest), default=0.0) if rest else 0.0)
    result: dict[str, Any] = {
        "present/removed": area(present, removed),
        "answerable/not": area(present, unanswerable) if unanswerable else None,
        "passage": area(
            [s for s, g in zip(passages, labels, strict=True) if g],
            [s for s, g in zip(passages, labels, strict=True) if not g],
        ),
    }
    if calibrated:
        pooled = np.array(present + removed)
        truth = np.array([True] * len(present) + [False] * len(removed))
        result |= {
            "ece": calibration_error(pooled, truth),
            "present >= .7": share(score >= 0.7 for score in present),
            "present < .3": share(score < 0.3 for score in present),
            "removed >= .7": share(score >= 0.7 for score in removed),
            "removed < .3": share(score < 0.3 for score in removed),
            "unanswerable >= .7": share(score >= 0.7 for score in unanswerable),
            "unanswerable < .3": share(score < 0.3 for score in unanswerable),
            "reliability": reliability(pooled, truth),
        }
    return result


def area(positive: Sequence[float], negative: Sequence[float]) -> float | None:
    """Area under the ROC curve."""
    if not positive or not negative:
        return None
    return round(float(roc_auc_score([1] * len(positive) + [0] * len(negative), [*positive, *negative])), 4)


def share(found: Any) -> float | None:
    values = list(found)
    return round(sum(values) / len(values), 3) if values else None


def calibration_error(scores: Any, truth: Any) -> float:
    """Expected calibration error over ten bins of equal width."""
    error = 0.0
    for row in reliability(scores, truth):
        error += abs(row["score"] - row["share"]) * row["n"] / len(scores)
    return round(error, 4)


def reliability(scores: Any, truth: Any) -> list[dict[str, Any]]:
    """For each tenth of the scale: how many, their mean score, and the share that has the gold."""
    rows = []
    bins = np.minimum((scores * 10).astype(int), 9)
    for low in range(10):
        inside = bins == low
        if inside.any():
            rows.append(
                {
                    "from": low / 10,
                    "n": int(inside.sum()),
                    "score": round(float(scores[inside].mean()), 3),
                    "share": round(float(truth[inside].mean()), 3),
                }
            )
    return rows


def timing(cases: Sequence[Case], grade: Grade) -> dict[str, float]:
    """Milliseconds to grade thirty passages, first time and again."""
    first, again = [], []
    for case in cases[:100]:
        hits = case.hits[:TIMED]
        for taken in (first, again):
            start = time.perf_counter()
            grade(case, hits)
            taken.append((time.perf_counter() - start) * 1000)
    return {
        "passages": TIMED,
        "p50": round(percentile(first, 50), 1),
        "p95": round(percentile(first, 95), 1),
        "warm_p50": round(percentile(again, 50), 1),
        "warm_p95": round(percentile(again, 95), 1),
    }


def print_table(result: dict[str, Any]) -> None:
    print(f"{result['set']}: {result['questions']} questions")
    columns = ("present/removed", "answerable/not", "passage")
    print(f"  {'':<14}" + "".join(f"{name:>17}" for name in columns))
    for row in result["systems"]:
        cells = (row[name] for name in columns)
        print(f"  {row['name']:<14}" + "".join(f"{'-' if cell is None else f'{cell:.4f}':>17}" for cell in cells))
    own = result["systems"][0]
    shares = [name for name in own if ">=" in name or "<" in name]
    print("  " + " · ".join(f"{name} {own[name]}" for name in shares if own[name] is not None))
    print(
        f"  ece {own['ece']}; score → share with the gold (n): "
        + ", ".join(f"{row['score']:.2f} → {row['share']:.2f} ({row['n']})" for row in own["reliability"])
    )
    taken = result["grading_ms"]
    print(
        f"  {taken['passages']} passages graded in p50 {taken['p50']} ms, p95 {taken['p95']} ms; "
        f"again {taken['warm_p50']} ms, {taken['warm_p95']} ms",
        flush=True,
    )


if __name__ == "__main__":
    main()

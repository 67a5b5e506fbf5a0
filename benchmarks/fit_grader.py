"""Fits the evidence grader's coefficients on retrieval sets with gold labels, and says how well they separate.

    python benchmarks/fit_grader.py DIR… [--write] [--json]

Each ``DIR`` is a retrieval set (``corpus.jsonl``, ``queries.jsonl``, ``qrels.tsv``). For each question the ten best
passages by BM25 and by cosine are graded: gold ones are positives; the others are negatives,
as are all passages of a question marked ``"answerable": false``, of a question of another set, and of a question whose
gold was taken away. Questions are split by the parity of a hash: even ones fit, odd ones measure.
``--write`` puts the coefficients where the grader reads them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rank_bm25 import BM25Okapi
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import brier_score_loss, roc_auc_score

from kbtui.domain.evidence import Hit
from kbtui.domain.routing import SubQuestion
from kbtui.knowledge.embedding import open_embedder
from kbtui.reasoning.offline.features import NAMES, features, prepared, question_terms, vector
from kbtui.reasoning.offline.normalise import has_han
from kbtui.settings.model import EmbeddingSettings
from kbtui.text.tokenise import tokens

DEPTH = 10
MOST_QUESTIONS = 300
FOREIGN_QUESTIONS = 40

# Sets mark one passage a question as gold, though others help too (positives without a label); and a question that
# the folder answers is more usual than these sets, half of whose questions it does not, would have it.
POSITIVE_WEIGHT = 6.0
COEFFICIENTS = Path(__file__).parent.parent / "kbtui" / "reasoning" / "offline" / "coefficients.toml"

# What must not help by being absent, or hurt by being present, whatever a small set suggests: a passage with a name
# the question gives is never worse for it.
_SIGNS = {
    "coverage": 1,
    "window": 1,
    "order": 1,
    "title": 1,
    "cosine": 1,
    "names_missing": -1,
    "named": 1,
    "both": 1,
    "thin": -1,
}


@dataclass
class Example:
    """One graded passage."""

    script: str
    values: list[float]
    gold: bool
    question: str
    held: bool
    weight: float = 1.0


def read_jsonl(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").split("\n") if line.strip()]


def foreign_to(folder: Path, folders: list[Path]) -> list[dict[str, Any]]:
    """Some questions of each other set."""
    found = []
    for other in folders:
        if other != folder:
            rows = [row for row in read_jsonl(other / "queries.jsonl") if row["text"].strip()]
            rows.sort(key=lambda row: hashlib.sha256(row["text"].encode()).hexdigest())
            found += [{**row, "from_set": f"{other.name}:"} for row in rows[:FOREIGN_QUESTIONS]]
    return found


def examples_of(folder: Path, foreign: list[dict[str, Any]], embedder: Any) -> list[Example]:
    """Examples of one retrieval set.

    Args:
        foreign: Questions of other sets, which nothing here answers.
    """
    corpus = read_jsonl(folder / "corpus.jsonl")
    queries = [row for row in read_jsonl(folder / "queries.jsonl") if row["text"].strip()]
    queries.sort(key=lambda row: hashlib.sha256(row["text"].encode()).hexdigest())
    unanswerable = [row for row in queries if row.get("answerable") is False][: MOST_QUESTIONS // 2]
    queries = [row for row in queries if row.get("answerable") is not False][:MOST_QUESTIONS] + unanswerable + foreign
    gold: dict[str, set[str]] = {}
    for line in (folder / "qrels.tsv").read_text(encoding="utf-8").split("\n"):
        if line.strip():
            query, document, relevance = line.split("\t")
            if int(relevance) > 0:
                gold.setdefault(query, set()).add(document)
    texts = [row["text"] for row in corpus]
    bm25 = BM25Okapi([tokens(f"{row.get('title', '')} {row['text']}") for row in corpus])
    is_han = has_han("".join(texts[:20])) and sum(has_han(text) for text in texts) > len(texts) / 2
    vectors = None if is_han else embedder.encode(texts)
    found: list[Example] = []
    for row in queries:
        text, query_id = row["text"], str(row["id"])
        lexical = bm25.get_scores(tokens(text))
        chosen = dict.fromkeys(np.argsort(-lexical)[:DEPTH].tolist())
        cosines = None
        if vectors is not None:
            cosines = vectors @ embedder.query(text)
            chosen |= dict.fromkeys(np.argsort(-cosines)[:DEPTH].tolist())

        def merged(index: int, lexical: Any = lexical, cosines: Any = cosines) -> float:
            return float(lexical[index] / (lexical.max() or 1.0) + (cosines[index] if cosines is not None else 0.0))

        order = sorted(chosen, key=lambda index: -merged(index))[: DEPTH + 5]
        relevant = gold.get(query_id, set()) if "from_set" not in row else set()
        held = int(hashlib.sha256(text.encode()).hexdigest(), 16) % 2 == 1
        name = f"{folder.name}/{row.get('from_set', '')}{query_id}"
        terms: dict[bool, Any] = {}
        for index in order:
            title = corpus[index].get("title", "")
            passage = prepared(Hit(path=f"doc-{index}.md", start_line=1, end_line=1, text=texts[index], title=title))
            if passage.is_han not in terms:
                terms[passage.is_han] = question_terms(SubQuestion(semantic_intent=text), passage.is_han)
            cosine = float(cosines[index]) if cosines is not None and not passage.is_han else None
            is_gold = str(corpus[index]["id"]) in relevant
            script = "han" if passage.is_han else "latin"
            values = vector(features(terms[passage.is_han], passage, cosine))
            found.append(Example(script, values, is_gold, name, held))
            if not is_gold and relevant:
                found.append(Example(script, values, False, f"{name}/gold removed", held))
            if cosine is not None and not held:
                # The same passage as it looks when no cosine could be computed.
                bare = vector(features(terms[passage.is_han], passage, None))
                found.append(Example(script, bare, is_gold, name, held, weight=0.3))
    return found


def fit(examples: list[Example], dropped: frozenset[str] = frozenset()) -> dict[str, float]:
    """Logistic regression; features whose sign came out wrong are dropped and the rest fitted again."""
    kept = [i for i, name in enumerate(NAMES) if name not in dropped]
    x = np.array([[e.values[i] for i in kept] for e in examples])
    y = np.array([e.gold for e in examples])
    model = LogisticRegression(C=1.0, max_iter=2000).fit(
        x, y, sample_weight=[e.weight * (POSITIVE_WEIGHT if e.gold else 1) for e in examples]
    )
    named = dict(zip((NAMES[i] for i in kept), model.coef_[0].tolist(), strict=True))
    wrong = frozenset(name for name, value in named.items() if _SIGNS.get(name, 0) * value < 0)
    if wrong:
        return fit(examples, dropped | wrong)
    return {"intercept": float(model.intercept_[0]), **{name: named.get(name, 0.0) for name in NAMES}}


def graded(example: Example, model: dict[str, float]) -> float:
    total = model["intercept"] + sum(model[n] * v for n, v in zip(NAMES, example.values, strict=True))
    return float(1 / (1 + np.exp(-total)))


def measure(examples: list[Example], model: dict[str, float]) -> dict[str, float]:
    """Figures of the held half (full weight examples only)."""
    held = [e for e in examples if e.held and e.weight == 1.0]
    scores = np.array([graded(e, model) for e in held])
    labels = np.array([e.gold for e in held])
    best: dict[str, tuple[float, bool]] = {}
    for example, score in zip(held, scores, strict=True):
        top, answerable = best.get(example.question, (0.0, False))
        best[example.question] = (max(top, float(score)), answerable or example.gold)
    answerable = [score for score, yes in best.values() if yes]
    removed = [score for question, (score, _) in best.items() if question.endswith("/gold removed")]
    without = [s for question, (s, yes) in best.items() if not yes and not question.endswith("/gold removed")]
    return {
        "n": len(held),
        "auroc": round(float(roc_auc_score(labels, scores)), 4),
        "brier": round(float(brier_score_loss(labels, scores)), 4),
        "best_over_0.7": round(float(np.mean([s >= 0.7 for s in answerable])), 4) if answerable else 0.0,
        "best_over_0.3": round(float(np.mean([s >= 0.3 for s in answerable])), 4) if answerable else 0.0,
        "unanswerable_under_0.3": round(float(np.mean([s < 0.3 for s in without])), 4) if without else 0.0,
        "gold_removed_under_0.3": round(float(np.mean([s < 0.3 for s in removed])), 4) if removed else 0.0,
        "ece": round(expected_calibration_error(scores, labels), 4),
    }


def expected_calibration_error(scores: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]) -> float:
    """Mean distance between score and share of gold over ten bins (Naeini et al. 2015)."""
    error = 0.0
    for low in np.arange(0, 1, 0.1):
        inside = (scores >= low) & (scores < low + 0.1)
        if inside.any():
            error += abs(scores[inside].mean() - labels[inside].mean()) * inside.mean()
    return float(error)


def as_toml(models: dict[str, dict[str, float]]) -> str:
    lines = ["# Written by benchmarks/fit_grader.py. One table for each script of the passage; see features.NAMES.", ""]
    for script, model in models.items():
        lines += [f"[{script}]", *(f"{name} = {value:.4f}" for name, value in model.items()), ""]
    return "\n".join(lines)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    embedder = open_embedder(EmbeddingSettings())
    by_set = {
        folder.name: examples_of(folder, foreign_to(folder, options.folders), embedder) for folder in options.folders
    }
    everything = [example for found in by_set.values() for example in found]
    models, figures = {}, {}
    for script in ("latin", "han"):
        own = [e for e in everything if e.script == script]
        if not own:
            continue
        models[script] = fit([e for e in own if not e.held])
        figures[script] = measure(own, models[script])
    for name, found in by_set.items():
        script = max(("latin", "han"), key=lambda s: sum(e.script == s for e in found))
        figures[name] = measure([e for e in found if e.script == script], models[script])
    if options.write:
        COEFFICIENTS.write_text(as_toml(models), encoding="utf-8")
    if options.json:
        print(json.dumps({"figures": figures, "coefficients": models}))
    else:
        print(as_toml(models))
        for name, values in figures.items():
            print(f"{name:>16}: " + "  ".join(f"{key} {value}" for key, value in values.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Fits the classifier of anaphors: the weights of ``kbtui/question/words/anaphora.toml``.

    python benchmarks/fit_anaphora.py [--whole QUERIES.jsonl ...] [--write]

Learnt from ``data/anaphora.jsonl``, the half ``tune`` of ``data/followups.jsonl`` and whole questions (``{"text"}`` a
line), of which no word points anywhere. Told are the shares right on the other rows of ``followups.jsonl``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from sklearn.feature_extraction import DictVectorizer
from sklearn.linear_model import LogisticRegression

from kbtui.question.anaphora import anaphor_class, anaphor_features
from kbtui.question.noun_phrases import tagged_words

DATA = Path(__file__).parent / "data"
WEIGHTS = Path(__file__).parents[1] / "kbtui" / "question" / "words" / "anaphora.toml"
POINTING = ("pronoun", "backref", "chain", "ellipsis")
Row = tuple[frozenset[str], bool, float]


def rows_of(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def occurrences(text: str, points: bool, weight: float = 1.0) -> Iterator[Row]:
    """The features of each possible anaphor; in a follow-up the first one is an anaphor."""
    words = tagged_words(text)
    for at, word in enumerate(words):
        if anaphor_class(word):
            yield anaphor_features(words, at), points, weight
            if points:
                return


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--whole", type=Path, nargs="*", default=[])
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    train = [
        row for one in rows_of(DATA / "anaphora.jsonl") for row in occurrences(str(one["text"]), bool(one["points"]))
    ]
    held: list[Row] = []
    for one in rows_of(DATA / "followups.jsonl"):
        if one["kind"] in (*POINTING, "standalone"):
            found = occurrences(str(one["text"]), one["kind"] != "standalone")
            (train if one["half"] == "tune" else held).extend(found)
    for path in options.whole:
        found = [row for one in rows_of(path) for row in occurrences(str(one["text"]), False)]
        train += [(names, points, 100 / max(len(found), 100)) for names, points, _ in found]
    maker = DictVectorizer(sparse=False)
    seen = maker.fit_transform([dict.fromkeys(names, 1.0) for names, _, _ in train])
    labels, weights = np.array([points for _, points, _ in train]), np.array([weight for _, _, weight in train])
    balance = weights[~labels].sum() / weights[labels].sum()
    model = LogisticRegression(C=1.5, l1_ratio=1, solver="liblinear", max_iter=2000).fit(
        seen, labels, np.where(labels, weights * balance, weights)
    )
    for name, rows in (("learnt from", train), ("held out", held)):
        right = model.predict(maker.transform([dict.fromkeys(names, 1.0) for names, _, _ in rows])) == [
            p for _, p, _ in rows
        ]
        print(f"{name:12} {right.sum()} of {len(rows)}")
    table = {"bias": float(model.intercept_[0])} | dict(zip(maker.feature_names_, model.coef_[0], strict=True))
    if options.write:
        lines = [
            f"{json.dumps(name, ensure_ascii=False)} = {value:.2f}"
            for name, value in table.items()
            if abs(value) >= 0.05
        ]
        head = "# Weights of the classifier of anaphors (anaphora.py); made by benchmarks/fit_anaphora.py."
        WEIGHTS.write_text("\n".join([head, "", "[weights]", *lines, ""]), "utf-8")


if __name__ == "__main__":
    main()

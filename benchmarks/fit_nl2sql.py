"""Fits the weights by which readings of a question are ranked (kbtui/data/nl2sql/weights.json), on half A only.

    python benchmarks/fit_nl2sql.py DIR [--write]

Every candidate of every question is run, in both wordings; a conditional logit over the candidates' features says how
probably each brings the gold rows, beside the others and beside none of them.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from _sets import half_of, load
from nl2sql import Databases, _brings

from kbtui.data.nl2sql.ranking import measured
from kbtui.data.nl2sql.writer import OfflineSqlWriter
from kbtui.errors import DataSourceError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    databases = Databases(arguments.folder / "databases")
    writer = OfflineSqlWriter(ask=databases.ask)
    groups: list[list[dict[str, float]]] = []
    labels: list[list[bool]] = []
    questions = [q for q in load(arguments.folder) if half_of(q["db"]) == "A"][: arguments.limit]
    for item in questions:
        schema = databases.schema(item["db"])
        model = writer.model(schema)
        rows, good = [], []
        for wording in {item["question"], item.get("synonyms") or item["question"]}:
            _, candidates = writer.candidates(wording, model)
            for candidate in candidates:
                sql = writer.sql(candidate.query, model)
                if sql is None:
                    continue
                try:
                    found = databases.ask(item["db"], sql)
                except DataSourceError:
                    continue
                rows.append(measured(candidate.features, found[:2]))
                good.append(_brings(databases, item["db"], sql, item["gold_rows"], item.get("ordered", False)))
            if rows:
                groups.append(rows)
                labels.append(good)
            rows, good = [], []
    weights = fit(groups, labels)
    possible = sum(map(any, labels))
    print(f"questions {len(labels)}, with a right candidate {possible / max(1, len(labels)):.3f}")
    if arguments.write:
        target = Path(__file__).parent.parent / "kbtui" / "data" / "nl2sql" / "weights.json"
        target.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


def fit(groups: list[list[dict[str, float]]], labels: list[list[bool]], ridge: float = 20.0) -> dict[str, float]:
    """Weights of a conditional logit in which one more choice is that no candidate is meant.

    Several candidates of a question may be right: expectation shares the question among them, then Newton's method
    finds the weights (Dempster, Laird and Rubin, 1977). Features are brought to one scale before they are held small.
    """
    names = sorted({name for rows in groups for row in rows for name in row})
    sizes = np.array([len(rows) + 1 for rows in groups])
    starts = np.concatenate([[0], sizes.cumsum()[:-1]])
    owner = np.repeat(np.arange(len(groups)), sizes)
    table = np.array([[row.get(name, 0.0) for name in names] for rows in groups for row in (*rows, {})])
    # The last choice of each question, and the last feature, is "none of them".
    none = np.zeros(len(table))
    none[starts + sizes - 1] = 1.0
    real = none == 0
    scale, middle = table[real].std(0) + 1e-9, table[real].mean(0)
    x = np.column_stack([np.where(real[:, None], (table - middle) / scale, 0.0), none])
    right = np.array([one for some in labels for one in (*some, not any(some))], float)
    theta = np.zeros(x.shape[1])
    held = np.full(x.shape[1], ridge)
    held[-1] = 1e-3

    def shares(theta: np.ndarray, among: np.ndarray) -> np.ndarray:
        worth = np.where(among > 0, x @ theta, -np.inf)
        part = np.exp(worth - np.maximum.reduceat(worth, starts)[owner])
        return part / np.add.reduceat(part, starts)[owner]

    for _ in range(25):
        wanted = shares(theta, right)
        for _ in range(3):
            p = shares(theta, np.ones(len(x)))
            expected = np.add.reduceat(x * p[:, None], starts)
            gradient = x.T @ (p - wanted) + held * theta
            hessian = (x * p[:, None]).T @ x - expected.T @ expected + np.diag(held)
            theta -= np.linalg.solve(hessian, gradient)
    raw = theta[:-1] / scale
    weights = {name: round(float(value), 4) for name, value in zip(names, raw, strict=True)}
    return {**weights, "none": round(float(theta[-1] + middle @ raw), 4)}


if __name__ == "__main__":
    main()

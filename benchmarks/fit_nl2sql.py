"""Fits the weights by which readings of a question are ranked (kbtui/data/nl2sql/weights.json), on half A only.

    python benchmarks/fit_nl2sql.py DIR [--write]

Every candidate of every question is run; a logistic regression (L2, Newton's method) over the candidates' features
says how probably one brings the gold rows. Each question weighs the same, however many candidates it has.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np
from nl2sql import Databases, _brings, half_of, load

from kbtui.data.nl2sql.writer import OfflineSqlWriter, measured
from kbtui.errors import DataSourceError


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--limit", type=int)
    arguments = parser.parse_args()
    databases = Databases(arguments.folder / "databases")
    writer = OfflineSqlWriter(ask=databases.ask)
    rows: list[dict[str, float]] = []
    labels: list[float] = []
    shares: list[float] = []
    possible = 0
    questions = [q for q in load(arguments.folder) if half_of(q["db"]) == "A"][: arguments.limit]
    for item in questions:
        schema = databases.schema(item["db"])
        model = writer.model(schema)
        _, candidates = writer.candidates(item["question"], model)
        good_any = False
        for candidate in candidates:
            sql = writer.sql(candidate.query, model)
            if sql is None:
                continue
            try:
                found = databases.ask(item["db"], sql)
            except DataSourceError:
                continue
            features = measured(candidate.features, found[:2])
            good = _brings(databases, item["db"], sql, item["gold_rows"], item.get("ordered", False))
            good_any |= good
            rows.append(features)
            labels.append(float(good))
            shares.append(1.0 / len(candidates))
        possible += good_any
    names = sorted({name for row in rows for name in row})
    x = np.array([[row.get(name, 0.0) for name in names] + [1.0] for row in rows])
    y, weight = np.array(labels), np.array(shares)
    theta = np.zeros(x.shape[1])
    ridge = np.full(x.shape[1], 0.5)
    ridge[-1] = 1e-3
    for _ in range(40):
        p = 1 / (1 + np.exp(-np.clip(x @ theta, -30, 30)))
        gradient = x.T @ (weight * (p - y)) + ridge * theta
        hessian = (x * (weight * p * (1 - p))[:, None]).T @ x + np.diag(ridge)
        step = np.linalg.solve(hessian, gradient)
        theta -= step
        if np.abs(step).max() < 1e-6:
            break
    weights = {name: round(float(value), 4) for name, value in zip([*names, "bias"], theta, strict=True)}
    share = possible / max(1, len(questions))
    print(f"questions {len(questions)}, with a right candidate {share:.3f}, candidates {len(rows)}")
    if arguments.write:
        target = Path(__file__).parent.parent / "kbtui" / "data" / "nl2sql" / "weights.json"
        target.write_text(json.dumps(weights, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()

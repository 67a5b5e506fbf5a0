"""Fits the two passes of the ranker and the gate of questions over data (kbtui/nl2sql/models.npz).

    python benchmarks/fit_nl2sql.py DIR... --cache FOLDER [--every N] [--most N] [--again] [--oracle FILE] [--write]

DIR holds ``databases/*.sqlite``, ``questions.jsonl`` and perhaps ``unanswerable.jsonl``; its name is the source's. The
candidates of every question are built and run once and kept in the cache. What is reported is about databases that
neither ranker nor gate has seen: in folds by database, and with each source held out in turn; the threshold is chosen
inside what is learned from. ``--write`` fits on everything and reports on the folds that it needs for that. LightGBM is
needed to fit, not to run.
"""

from __future__ import annotations

import argparse
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from _fitting import INNER_FOLDS, Judged, Models, fit_models, folds_of, judged, scored, second_pass
from _pools import Pool, oracle, pools_of

from kbtui.nl2sql.gate import THRESHOLD

MODELS = Path(__file__).parent.parent / "kbtui" / "nl2sql" / "models.npz"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--cache", type=Path, required=True, help="where pools are kept")
    parser.add_argument("--every", type=int, default=1, help="every N-th question of a set of more than 1,000")
    parser.add_argument("--most", type=int, default=60, help="candidates of a question that are run")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--again", action="store_true", help="build the pools anew")
    parser.add_argument(
        "--oracle", type=Path, help="write there how often right rows are among the candidates, and misses"
    )
    parser.add_argument("--folds", type=int, default=9, help="of databases held out in turn; 0 for none")
    parser.add_argument("--precision", type=float, default=0.876, help="of the answers that the threshold lets through")
    parser.add_argument("--sources", action="store_true", help="hold out each source in turn, too")
    parser.add_argument("--write", action="store_true", help="fit on everything and write the models")
    parser.add_argument("--only-pools", action="store_true", help="stop after the pools")
    arguments = parser.parse_args()
    pools: list[Pool] = []
    report = ""
    for folder in arguments.folders:
        large = sum(1 for _ in next(folder.glob("questions*.jsonl")).open("rb")) > 1000
        every = arguments.every if large else 1
        pools += pools_of(
            folder, arguments.cache, every=every, most=arguments.most, workers=arguments.workers, again=arguments.again
        )
        report = "\n".join(oracle(pools))
        if arguments.oracle:
            arguments.oracle.write_text(report + "\n", "utf-8")
    print(report.split("\n\n")[0])
    if arguments.only_pools:
        return
    if arguments.folds > 1:
        print(f"\nfolds by database, {arguments.folds} of them")
        folds = folds_of(pools, arguments.folds)
        cases = [case for fold in folds for case in _held_out(fold, pools, arguments.precision)]
        print_table(pools, cases)
    if arguments.sources:
        for source in dict.fromkeys(pool.source for pool in pools):
            held = [pool for pool in pools if pool.source == source]
            if len(held) < len(pools):
                print(f"\n{source} held out")
                print_table(held, _held_out(held, pools, arguments.precision))
    if arguments.write:
        models = fit_models(pools, arguments.precision)
        write(models)
        print(f"\n{INNER_FOLDS} folds by database; the threshold is chosen on the same cases")
        print_table(pools, models.cases)


def _held_out(held: Sequence[Pool], pools: Sequence[Pool], precision: float) -> list[Judged]:
    """What the held-out questions get from models fitted on the databases of the rest."""
    databases = {pool.database for pool in held}
    models = fit_models([pool for pool in pools if pool.database not in databases], precision)
    cases = judged(held, models.ranker)
    second_pass(cases, models.reranker)
    scored(cases, models.gate)
    return cases


def print_table(pools: Sequence[Pool], cases: Sequence[Judged]) -> None:
    """Right and wrong answers by source, language and kind; shares of all answerable questions."""
    columns = ("n", "pool", "first", "right", "wrong", "precision", "offered", "unanswerable")
    print(f"{'':<28}" + "".join(f"{column:>13}" for column in columns))
    by_question = {id(case.pool): case for case in cases}
    groups: dict[str, list[Pool]] = defaultdict(list)
    for pool in pools:
        groups[pool.source].append(pool)
        groups[f"{pool.source} {pool.item['lang']}"].append(pool)
        if pool.item["kind"] not in ("question", "unanswerable"):
            groups[f"  {pool.item['kind']}"].append(pool)
    for name, some in sorted(groups.items()):
        asked = [pool for pool in some if pool.answerable]
        refused = [case for pool in some if not pool.answerable and (case := by_question.get(id(pool)))]
        answered = [case for pool in asked if (case := by_question.get(id(pool)))]
        given = [case for case in answered if _given(case)]
        n, right = max(1, len(asked)), sum(case.first for case in given)
        figures = [
            f"{len(asked)}",
            f"{sum(bool(pool.right.any()) for pool in asked) / n:.3f}",
            f"{sum(case.first for case in answered) / n:.3f}",
            f"{right / n:.3f}",
            f"{(len(given) - right) / n:.3f}",
            f"{right / len(given):.3f}" if given else "-",
            f"{sum(case.offered for case in answered) / n:.3f}",
            f"{sum(map(_given, refused))}/{sum(not pool.answerable for pool in some)}",
        ]
        print(f"{name:<28}" + "".join(f"{figure:>13}" for figure in figures))


def _given(case: Judged) -> bool:
    return case.probability >= THRESHOLD and not case.objected


def write(models: Models) -> None:
    """Write the models into the package."""
    arrays = {
        **models.ranker.trees.arrays("ranker"),
        **models.reranker.arrays("reranker"),
        **models.gate.trees.arrays("gate"),
        "gate_shift": np.array(models.gate.shift),
    }
    if models.ranker.linear is not None:
        arrays |= models.ranker.linear.arrays("ranker_linear")
    np.savez_compressed(MODELS, **arrays)
    print(f"{MODELS.name}: {MODELS.stat().st_size / 1024:.0f} kB")


if __name__ == "__main__":
    main()

"""Answers as they were given, read and scored by somebody: ``docs/answers.md``.

    python benchmarks/answers_page.py VERDICTS... --draw 40 > TO_READ.md
    python benchmarks/answers_page.py VERDICTS... --scores benchmarks/data/answers_read.tsv > docs/answers.md

``VERDICTS`` are written by ``whole_answers.py --out``, best with ``--weights``, so that every folder is answered by
models that have not learned from it. ``--draw`` takes questions at random, as many of each kind as it has of all, and
shows question and answer alone. A line of the scores has the question's id, 0, 1 or 2, and a remark, with tabs between:
2 is right and all that was asked, 1 right in part or hard to find in what is shown, 0 useless or wrong. A question that
its folder does not answer is scored by what is said of that.
"""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

Verdict = Mapping[str, Any]

HEAD = """# Forty answers, read aloud

Questions that were drawn at random from those of `benchmarks/data` and of the development set, by kind; each folder is
answered by models fitted without it, with no chat model. The scores are those of a reader who knows neither the code
nor the labels, but may open the folder: **2** right and all that was asked, **1** right in part or hard to find in
what is shown, **0** useless or wrong; where the folder does not tell, what is said of that is scored.
Made by `benchmarks/answers_page.py`.
"""


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("verdicts", nargs="+", type=Path)
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--draw", type=int, metavar="N")
    what.add_argument("--scores", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args(argv)
    every = [json.loads(line) for path in args.verdicts for line in path.read_text("utf-8").split("\n") if line]
    if args.draw:
        drawn = draw(every, args.draw, random.Random(args.seed))
        print("\n".join(shown(verdict) for verdict in drawn))
        return 0
    print(page({verdict["id"]: verdict for verdict in every}, read_scores(args.scores)))
    return 0


def draw(every: Sequence[Verdict], count: int, source: random.Random) -> list[Verdict]:
    """``count`` verdicts, of each kind its share, in random order."""
    by_kind = defaultdict(list)
    for verdict in every:
        by_kind[verdict["kind"]].append(verdict)
    wanted = {kind: count * len(own) / len(every) for kind, own in by_kind.items()}
    counts = Counter({kind: int(share) for kind, share in wanted.items()})
    for kind in sorted(wanted, key=lambda kind: counts[kind] - wanted[kind])[: count - counts.total()]:
        counts[kind] += 1
    drawn = [verdict for kind, own in sorted(by_kind.items()) for verdict in source.sample(own, counts[kind])]
    source.shuffle(drawn)
    return drawn


def read_scores(path: Path) -> dict[str, tuple[int, str]]:
    """Score and remark by the id of the question.

    Raises:
        ValueError: A score is not 0, 1 or 2.
    """
    scores = {}
    for line in filter(None, path.read_text("utf-8").split("\n")):
        name, score, remark = line.split("\t")
        if score not in ("0", "1", "2"):
            raise ValueError(f"{name}: a score is 0, 1 or 2, not {score}")
        scores[name] = (int(score), remark)
    return scores


def shown(verdict: Verdict) -> str:
    """Question and answer, the answer as a quotation."""
    answer = "\n".join(f"> {line}".rstrip() for line in verdict["markdown"].strip().split("\n"))
    return f"### {verdict['question']}\n`{verdict['corpus']}` · `{verdict['id']}`\n\n{answer}\n"


def page(every: Mapping[str, Verdict], scores: Mapping[str, tuple[int, str]]) -> str:
    """The page: how many of each score, then every answer."""
    counts = Counter(score for score, _ in scores.values())
    lines = [HEAD, "| score | answers |", "|---|---|"]
    lines += [f"| {score} | {counts[score]} of {len(scores)} |" for score in (2, 1, 0)]
    for name, (score, remark) in scores.items():
        lines += ["", f"{shown(every[name])}\n**{score}**{f': {remark}' if remark else ''}"]
    return "\n".join(lines)


if __name__ == "__main__":
    sys.exit(main())

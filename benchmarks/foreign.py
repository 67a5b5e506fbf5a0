"""Questions that a folder knows nothing of: are they told from those that it answers?

    python benchmarks/foreign.py DIR... [--folders NAME=DIR…] [--questions N] [--cache DIR] [--weights FILE] [--json]

Each ``DIR`` is a retrieval set (``corpus.jsonl``, ``queries.jsonl``) or a set of `whole_answers.py`, whose folders are
taken one by one. Every folder is asked N of its own answerable questions and N of the others', from all over them,
through the Engine with default settings and no chat model. Sets that are translations of one another (named alike but
for ``_en`` and ``_zh``) are not put to each other.

    own        refused (not found) and said to be not stated, of its own questions
    foreign    the same of the others'
    AUROC      of the chance that the folder is about what is asked; an answer of another kind, such as a list of
               files, counts as the highest chance
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from _cases import spread
from _common import machine
from retrieval import load, write
from sklearn.metrics import roc_auc_score
from whole_answers import folders, read_questions


@dataclass(frozen=True)
class Asked:
    """How one question was answered."""

    folder: str
    origin: str
    question: str
    outcome: str
    near: bool
    chance: float

    @property
    def is_own(self) -> bool:
        return self.folder == self.origin

    @property
    def refused(self) -> bool:
        return self.outcome in ("not_found", "declined")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--folders", nargs="*", default=[], action="extend", metavar="NAME=DIR")
    parser.add_argument("--questions", type=int, default=30, help="own ones of each folder, and as many foreign ones")
    parser.add_argument("--cache", type=Path, help="where indexes are kept; the user's own cache without it")
    parser.add_argument("--weights", type=Path, help="weights of the answers by folder instead of the program's")
    parser.add_argument("--show", action="store_true", help="print what went wrong, to standard error")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args()
    if args.cache:
        os.environ["XDG_CACHE_HOME"] = str(args.cache.resolve())
    with tempfile.TemporaryDirectory() as scratch:
        kept = args.cache / "sets" if args.cache else Path(scratch)
        roots, questions = sources(args.dirs, args.folders, kept)
        asked = ask_all(roots, questions, args.questions, args.weights)
    if args.show:
        for one in asked:
            if one.refused if one.is_own else not one.refused:
                print(f"{one.folder} ← {one.origin} {one.chance:.3f} {one.outcome}: {one.question}", file=sys.stderr)
    rows = [{"folder": name, **figures([one for one in asked if one.folder == name])} for name in sorted(roots)]
    rows.append({"folder": "all", **figures(asked)})
    print(json.dumps({"folders": rows, **machine()}) if args.json else table(rows))
    return 0


def sources(dirs: Sequence[Path], given: Sequence[str], kept: Path) -> tuple[dict[str, Path], dict[str, list[str]]]:
    """The folders, and the questions that each answers; the documents of retrieval sets are written below ``kept``."""
    roots: dict[str, Path] = {}
    questions: dict[str, list[str]] = {}
    sets = [base for base in dirs if (base / "corpus.jsonl").is_file()]
    for base in sets:
        documents, answered, _ = load(base)
        write(documents, kept / base.name)
        roots[base.name] = kept / base.name
        questions[base.name] = [one["text"] for one in answered if one["text"].strip()]
    answers = [base for base in dirs if base not in sets]
    rows = [row for row in read_questions(answers) if row["answerable"]]
    for name, root in folders(answers, {row["corpus"] for row in rows}, given).items():
        own = [row["question"] for row in rows if row["corpus"] == name]
        roots.setdefault(name, root)
        questions[name] = [*questions.get(name, ()), *own]
    return roots, questions


def ask_all(
    roots: Mapping[str, Path], questions: Mapping[str, Sequence[str]], count: int, weights: Path | None
) -> list[Asked]:
    """Ask every folder its own questions and those of others, folder by folder."""
    found = []
    for name in sorted(roots):
        ask = asker(name, roots[name], weights)
        others = [other for other in sorted(roots) if family(other) != family(name)]
        share = -(-count // max(len(others), 1))
        foreign = [(other, text) for other in others for text in _some(questions[other], share)]
        for origin, text in [*((name, text) for text in _some(questions[name], count)), *_some(foreign, count)]:
            found.append(ask(origin, text))
        print(f"{name}: asked", file=sys.stderr)
    return found


def family(name: str) -> str:
    """What translations of one set have in common."""
    return re.sub(r"_(?:en|zh)$", "", name)


def _some(rows: Sequence[Any], count: int) -> list[Any]:
    return spread(rows, count)  # type: ignore[arg-type]


def asker(name: str, root: Path, weights: Path | None) -> Callable[[str, str], Asked]:
    """Asks one folder, each question alone."""
    from whole_answers import is_near, models_of

    from kbtui.bootstrap import Engine
    from kbtui.domain.ports import CancelToken
    from kbtui.reasoning.offline import writer
    from kbtui.reasoning.offline.answering import Selection, selected
    from kbtui.reasoning.offline.answering.scorer import use_weights
    from kbtui.settings.model import Settings

    use_weights(*models_of(weights).get(name, (None, None)))
    engine = Engine(Settings(), kb=root, record=False)
    backend: Any = engine._backend
    backend.knowledge.complete(lambda _: None, CancelToken())
    engine.warm()
    seen: list[float] = []

    def recorded(*args: Any, **more: Any) -> Selection:
        found = selected(*args, **more)
        seen.append(found.chance)
        return found

    def ask(origin: str, question: str) -> Asked:
        seen.clear()
        engine.new_conversation()
        writer.selected = recorded  # type: ignore[attr-defined]
        try:
            answer = engine.answer_query(question)
        finally:
            writer.selected = selected  # type: ignore[attr-defined]
        refused = answer.outcome in ("not_found", "declined")
        chance = max(seen) if seen else 0.0 if refused else 1.0
        return Asked(name, origin, question, answer.outcome, is_near(answer), chance)

    return ask


def figures(asked: Sequence[Asked]) -> dict[str, Any]:
    """Shares from 0 to 1, by whether the questions are the folder's own."""
    own = [one for one in asked if one.is_own]
    foreign = [one for one in asked if not one.is_own]
    result: dict[str, Any] = {"own": len(own), "foreign": len(foreign)}
    for label, rows in (("own", own), ("foreign", foreign)):
        result[f"{label}_refused"] = round(float(np.mean([one.refused for one in rows])), 4) if rows else None
        result[f"{label}_near"] = round(float(np.mean([one.near for one in rows])), 4) if rows else None
    if own and foreign:
        chances = [one.chance for one in (*own, *foreign)]
        result["auroc"] = round(float(roc_auc_score([1] * len(own) + [0] * len(foreign), chances)), 4)
    return result


def table(rows: Sequence[Mapping[str, Any]]) -> str:
    names = ("own", "own_refused", "own_near", "foreign", "foreign_refused", "foreign_near", "auroc")
    lines_ = [f"{'':<20}" + "".join(f"{name:>16}" for name in names)]
    lines_ += [f"{row['folder']:<20}" + "".join(f"{row.get(name, '-')!s:>16}" for name in names) for row in rows]
    return "\n".join(lines_)


if __name__ == "__main__":
    sys.exit(main())

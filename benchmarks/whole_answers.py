"""Whole answers over folders, against facts that were labelled by hand.

    python benchmarks/whole_answers.py DIR... [--folders NAME=DIR…] [--cache DIR] [--corpus A,B] [--kind A,B]
                                       [--ids A,B] [--weights FILE] [--out FILE] [--show] [--json]

``DIR/questions.jsonl`` holds one question a line: ``id``, ``corpus`` (the folder that is asked), ``question``,
``lang``, ``kind``, ``answerable``, ``facts`` (each a list of wordings, one of which has to stand in the answer),
``gold_files`` (below the folder; any one is proof) and perhaps ``must_not``. The folder ``NAME`` is
``DIR/folders/NAME``, else ``DIR/../NAME/tree``, its ``corpora`` or itself; ``handbook`` is the sample handbook;
``--folders`` names others. Several ``DIR`` are asked as one, and no two may name a folder alike. Each question is asked
alone, through the Engine, with default settings and no chat model; indexes are kept in ``--cache``.
``--weights`` are those of ``fit_answers.py --folds``: each folder is answered by weights fitted without it.

    recall     share of the facts that the answer states, mean over the answerable questions; a refusal states none
    full       share of the answerable questions with all facts stated
    cited      share of them that cite a gold file
    must not   answers with a string that must not stand there
    declined   of the unanswerable questions: not found + said to be not stated, of all
    false      the same of the answerable ones
    words      median length of what is answered
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import sys
import time
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from _common import machine, percentile
from _facts import facts_stated, states, without_footer, word_count

if TYPE_CHECKING:
    from kbtui.domain.answer import Answer

Asks = Callable[[str, str], "Answer"]
"""A folder's name and a question to the answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How one question was answered.

    Attributes:
        stated: For each fact whether the answer states it.
        refused: It says that nothing was found.
        near: It says that the answer is not stated, and shows what comes nearest.
        violations: Strings of it that must not stand there.
    """

    id: str
    kind: str
    corpus: str
    lang: str
    question: str
    answerable: bool
    stated: tuple[bool, ...]
    refused: bool
    near: bool
    cited_gold: bool
    violations: tuple[str, ...]
    words: int
    seconds: float
    outcome: str
    markdown: str
    cited: tuple[tuple[str, int, int], ...]

    @property
    def recall(self) -> float:
        return sum(self.stated) / len(self.stated) if self.stated else 0.0

    @property
    def full(self) -> bool:
        return bool(self.stated) and all(self.stated)

    @property
    def declined(self) -> bool:
        return self.refused or self.near


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dirs", type=Path, nargs="+", metavar="DIR")
    parser.add_argument("--folders", nargs="*", default=[], action="extend", metavar="NAME=DIR")
    parser.add_argument("--cache", type=Path, help="where indexes are kept; the user's own cache without it")
    for name in ("corpus", "kind", "ids"):
        parser.add_argument(f"--{name}", default="", help="only these, with commas")
    parser.add_argument("--weights", type=Path, help="weights of the answers by folder instead of the program's")
    parser.add_argument("--out", type=Path, help="write a line for each question")
    parser.add_argument("--show", action="store_true", help="print the answers, to standard error")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    args = parser.parse_args(argv)
    questions = chosen(read_questions(args.dirs), args)
    if not questions:
        parser.error("no question is left")
    roots = folders(args.dirs, {question["corpus"] for question in questions}, args.folders)
    for name in sorted({question["corpus"] for question in questions} - roots.keys()):
        print(f"no folder {name}: its questions are left out", file=sys.stderr)
    if args.cache:
        os.environ["XDG_CACHE_HOME"] = str(args.cache.resolve())
    verdicts = ask_all([q for q in questions if q["corpus"] in roots], asker(roots, args.weights), show=args.show)
    if args.out:
        lines = (json.dumps(asdict(verdict), ensure_ascii=False) for verdict in verdicts)
        args.out.write_text("\n".join(lines) + "\n", "utf-8")
    if args.json:
        print(json.dumps(summary(verdicts) | machine(), ensure_ascii=False))
    else:
        print_table(verdicts)
    return 0


def read_questions(bases: Sequence[Path]) -> list[dict[str, Any]]:
    """The questions of all sets, one after the other."""
    texts = [(base / "questions.jsonl").read_text("utf-8") for base in bases]
    return [json.loads(line) for text in texts for line in text.split("\n") if line.strip()]


def chosen(questions: Sequence[dict[str, Any]], args: argparse.Namespace) -> list[dict[str, Any]]:
    """The questions that are asked for."""
    wanted = {"corpus": args.corpus, "kind": args.kind, "id": args.ids}
    return [q for q in questions if all(not names or q[key] in names.split(",") for key, names in wanted.items())]


def folders(bases: Sequence[Path], names: set[str], given: Sequence[str] = ()) -> dict[str, Path]:
    """The folder of each name that has one."""
    from kbtui import demo

    roots = {"handbook": Path(demo.__file__).parent / "handbook"}
    for name in names - roots.keys():
        for base in bases:
            beside = base.resolve().parent / name
            places = (base / "folders" / name, beside / "tree", beside / "corpora", beside)
            found = next((path for path in places if path.is_dir()), None)
            if found is not None:
                roots.setdefault(name, found)
    roots.update((name, Path(path)) for name, _, path in (entry.partition("=") for entry in given))
    return {name: path.resolve() for name, path in roots.items() if name in names and path.is_dir()}


def models_of(folds: Path | None) -> dict[str, tuple[Any, Any]]:
    """Weights and trees by the name of the folder that they leave out; empty without a file."""
    import numpy as np

    from kbtui.nl2sql.trees import trees_in

    if folds is None:
        return {}
    with np.load(folds.with_suffix(".npz")) as arrays:
        tables = tomllib.loads(folds.read_text("utf-8"))
        return {name: (weights, trees_in(arrays, name)) for name, weights in tables.items()}


def asker(roots: Mapping[str, Path], weights: Path | None = None) -> Asks:
    """Asks an engine for each folder, one at a time in memory; its index is brought up to date first.

    Args:
        weights: Tables of weights for each folder.
    """
    from kbtui.bootstrap import Engine
    from kbtui.domain.ports import CancelToken
    from kbtui.reasoning.offline.answering.scorer import use_weights
    from kbtui.settings.model import Settings

    by_folder = models_of(weights)
    opened: dict[str, Engine] = {}

    def ask(name: str, question: str) -> Answer:
        if name not in opened:
            opened.clear()
            use_weights(*by_folder.get(name, (None, None)))
            engine = Engine(Settings(), kb=roots[name], record=False)
            backend: Any = engine._backend
            backend.knowledge.complete(lambda _: None, CancelToken())
            engine.warm()
            opened[name] = engine
        opened[name].new_conversation()
        return opened[name].answer_query(question)

    return ask


def ask_all(questions: Sequence[dict[str, Any]], ask: Asks, *, show: bool = False) -> list[Verdict]:
    """Ask every question, folder by folder."""
    verdicts = []
    for question in sorted(questions, key=lambda one: str(one["corpus"])):
        start = time.perf_counter()
        answer = ask(question["corpus"], question["question"])
        verdict = verdict_of(question, answer, time.perf_counter() - start)
        verdicts.append(verdict)
        state = f"{sum(verdict.stated)}/{len(verdict.stated)}" if verdict.answerable else "unanswerable"
        state += " refused" * verdict.refused + " near" * verdict.near
        print(f"{verdict.id:<8} {state:<22} {verdict.seconds:5.1f} s  {question['question'][:80]}", file=sys.stderr)
        if show:
            print(f"\n{answer.markdown}\n", file=sys.stderr)
    return verdicts


def verdict_of(question: Mapping[str, Any], answer: Answer, seconds: float = 0.0) -> Verdict:
    """The verdict on one answer."""
    text = without_footer(answer.markdown)
    refused = answer.outcome in ("not_found", "declined")
    gold = set(question["gold_files"])
    paths = [citation.path for citation in answer.citations if citation.path]
    return Verdict(
        id=question["id"],
        kind=question["kind"],
        corpus=question["corpus"],
        lang=question["lang"],
        question=question["question"],
        answerable=question["answerable"],
        stated=tuple(stated and not refused for stated in facts_stated(text, question["facts"])),
        refused=refused,
        near=is_near(answer),
        cited_gold=any(path in gold or any(path.endswith(f"/{one}") for one in gold) for path in paths),
        violations=tuple(one for one in question.get("must_not") or () if not refused and states(text, one)),
        words=word_count(text),
        seconds=round(seconds, 2),
        outcome=answer.outcome,
        markdown=answer.markdown,
        cited=tuple((c.path, c.start_line or 0, c.end_line or 0) for c in answer.citations if c.path),
    )


def is_near(answer: Answer) -> bool:
    """True when no part of the question is answered and what is shown is said to be merely near."""
    from kbtui.reasoning.offline.phrases import phrase

    said, read_as = (
        tuple(phrase(name, language, words="") for language in ("en", "zh")) for name in ("not_stated", "spelling")
    )
    first, _, rest = answer.markdown.partition("\n\n")
    text = rest if first.lstrip("*").startswith(read_as) else answer.markdown
    return answer.outcome == "partial" and text.startswith(said)


def summary(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """The figures of all questions, with those of each kind."""
    kinds = list(dict.fromkeys(verdict.kind for verdict in verdicts))
    return {
        **figures(verdicts),
        "by_kind": {kind: figures([one for one in verdicts if one.kind == kind]) for kind in kinds},
        "by_corpus": {
            corpus: figures([one for one in verdicts if one.corpus == corpus])
            for corpus in dict.fromkeys(verdict.corpus for verdict in verdicts)
        },
    }


def figures(verdicts: Sequence[Verdict]) -> dict[str, Any]:
    """Shares from 0 to 1, None where there is nothing to take a share of."""
    yes = [verdict for verdict in verdicts if verdict.answerable]
    no = [verdict for verdict in verdicts if not verdict.answerable]
    words = [verdict.words for verdict in verdicts if not verdict.declined]
    seconds = [verdict.seconds for verdict in verdicts]
    return {
        "n": len(verdicts),
        "answerable": len(yes),
        "recall": _mean([verdict.recall for verdict in yes]),
        "full": _mean([verdict.full for verdict in yes]),
        "cited": _mean([verdict.cited_gold for verdict in yes]),
        "must_not": _mean([bool(verdict.violations) for verdict in verdicts]),
        "refused": _mean([verdict.refused for verdict in no]),
        "near": _mean([verdict.near for verdict in no]),
        "false_refusals": _mean([verdict.refused for verdict in yes]),
        "false_near": _mean([verdict.near for verdict in yes]),
        "words": statistics.median(words) if words else None,
        "p50_ms": round(1000 * percentile(seconds, 50)),
        "p95_ms": round(1000 * percentile(seconds, 95)),
    }


def _mean(values: Sequence[float]) -> float | None:
    return round(sum(values) / len(values), 4) if values else None


def print_table(verdicts: Sequence[Verdict]) -> None:
    """A row for each kind and one for each folder."""
    print(f"{'':<24}{'n':>4}  recall   full  cited  must not  declined     false  words   p50 ms   p95 ms")
    totals = summary(verdicts)
    for name, row in [*totals["by_kind"].items(), *totals["by_corpus"].items(), ("all", totals)]:
        no, yes = row["n"] - row["answerable"], row["answerable"]
        print(
            f"{name:<24}{row['n']:>4}{_share(row['recall'])}{_share(row['full'])}{_share(row['cited'])}"
            f"{_share(row['must_not']):>10}{_count(row, 'refused', 'near', no):>10}"
            f"{_count(row, 'false_refusals', 'false_near', yes):>10}{row['words'] or 0:>7.0f}"
            f"{row['p50_ms']:>9}{row['p95_ms']:>9}"
        )


def _share(value: float | None) -> str:
    return f"{'-':>7}" if value is None else f"{value:>7.3f}"


def _count(row: Mapping[str, Any], refused: str, near: str, total: int) -> str:
    """``3+2/9``: not found, not stated, of so many."""
    if not total:
        return "-"
    return f"{round((row[refused] or 0) * total)}+{round((row[near] or 0) * total)}/{total}"


if __name__ == "__main__":
    sys.exit(main())

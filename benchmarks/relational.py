"""Relational questions over a real knowledge base: is every right answer in the text, and is a right file cited?

``DIR`` holds ``tree/`` (the knowledge base) and ``relational.jsonl`` (``{text, lang, kind, answers, gold_files}``).
By default the whole product is asked, as a user would; ``--graph-only`` asks the relation graph alone, built in memory,
which tells apart what extraction and understanding lose from what the rest of the way loses.

found: share of questions with all right answers in the answer, as whole words. cited: share that are found and whose
citations name a right file.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Ask = Callable[[str], tuple[str, set[str]]]
"""A question to the answer's text and the paths it cites."""


@dataclass(frozen=True, slots=True)
class Outcome:
    kind: str
    lang: str
    found: bool
    cited: bool
    seconds: float


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dir", type=Path)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--limit", type=int, default=0, help="ask only the first N questions")
    parser.add_argument("--graph-only", action="store_true", help="ask the relation graph alone")
    parser.add_argument("--failures", action="store_true", help="print each question that failed, to standard error")
    args = parser.parse_args(argv)
    lines = (args.dir / "relational.jsonl").read_text(encoding="utf-8").split("\n")
    questions = [json.loads(line) for line in lines if line.strip()]
    questions = questions[: args.limit or None]
    ask = ask_graph(args.dir / "tree") if args.graph_only else ask_engine(args.dir / "tree")
    outcomes = [judge(question, ask, args.failures) for question in questions]
    if args.json:
        print(json.dumps(summary(outcomes)))
    else:
        print_table(outcomes)
    return 0


def ask_engine(tree: Path) -> Ask:
    """The whole product over ``tree``, offline, with the user's index."""
    from kbtui.bootstrap import Engine

    engine = Engine(kb=tree, record=False)

    def ask(question: str) -> tuple[str, set[str]]:
        answer = engine.answer_query(question)
        return answer.markdown, {citation.path for citation in answer.citations if citation.path}

    return ask


def ask_graph(tree: Path) -> Ask:
    """The relation graph alone, extracted from the files of ``tree`` in memory."""
    from kbtui.domain.document import FileRecord
    from kbtui.knowledge.reading.loaders import load
    from kbtui.knowledge.reading.walker import walk
    from kbtui.knowledge.relations import extract_relations, file_labels
    from kbtui.records.links import Links
    from kbtui.records.relating import answer_relations
    from kbtui.settings.model import IndexSettings

    documents = [load(file) for file in walk(tree, IndexSettings()).files]
    files = [
        FileRecord(path=d.path, kind=d.kind, title=d.title, language=d.language, labels=file_labels(d))
        for d in documents
    ]
    links = Links(files, [relation for document in documents for relation in extract_relations(document)])

    def ask(question: str) -> tuple[str, set[str]]:
        found = answer_relations(links, question)
        items = [step.item for step in found.steps] if found is not None else []
        return "\n".join(item.label for item in items), {item.hit.path for item in items}

    return ask


def judge(question: dict[str, Any], ask: Ask, show: bool) -> Outcome:
    started = time.perf_counter()
    text, paths = ask(question["text"])
    seconds = time.perf_counter() - started
    missing = [answer for answer in question["answers"] if not contains(text, answer)]
    cited = not missing and bool(paths & set(question["gold_files"]))
    if show and not cited:
        print(f"{question['text']}\n  missing {missing}\n  answer {text[:300]!r}", file=sys.stderr)
    return Outcome(question.get("kind", "all"), question.get("lang", ""), not missing, cited, seconds)


def contains(text: str, answer: str) -> bool:
    """Does the text hold the answer as whole words: ``PEP 5`` is not in ``PEP 509``."""
    words = r"[\s ]+".join(re.escape(word) for word in answer.split())
    return re.search(rf"(?<!\w){words}(?!\w)", text, re.IGNORECASE) is not None


def summary(outcomes: list[Outcome]) -> dict[str, float | int]:
    count = len(outcomes)
    return {
        "found": round(sum(outcome.found for outcome in outcomes) / count, 4) if count else 0.0,
        "cited": round(sum(outcome.cited for outcome in outcomes) / count, 4) if count else 0.0,
        "n": count,
    }


def print_table(outcomes: list[Outcome]) -> None:
    groups: dict[tuple[str, str], list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        groups[outcome.kind, outcome.lang].append(outcome)
        groups["all", ""].append(outcome)
    print(f"{'kind':<16}{'lang':<6}{'n':>5}{'found':>8}{'cited':>8}{'p95 ms':>9}")
    for (kind, lang), group in sorted(groups.items(), key=lambda pair: (pair[0][0] == "all", pair[0])):
        figures = summary(group)
        slow = sorted(outcome.seconds for outcome in group)[max(0, int(len(group) * 0.95) - 1)] * 1000
        print(f"{kind:<16}{lang:<6}{figures['n']:>5}{figures['found']:>8.3f}{figures['cited']:>8.3f}{slow:>9.1f}")


if __name__ == "__main__":
    raise SystemExit(main())

"""What further passes (REFINE, RE-RETRIEVE) gain over one, and what they cost.

    python benchmarks/passes.py DIR... [--json] [--limit N] [--keep FOLDER]

A retrieval set is written out as a folder and asked, through the Engine, with ``agent.max_iterations`` 1 and 3:

    single       its questions
    two parts    two of its questions about different documents as one: "… and …?", "…，另外…？"
    elsewhere    questions of the other sets given, which nothing here answers (when there are any)

A knowledge base with ``tree/`` and ``edges.tsv`` (peps) is asked bridge questions: "Who wrote the PEP that superseded
PEP 509?", gold from its headers.

    found      gold documents among the evidence that was kept
    cited      gold documents that the answer cites (bridge: gold names that it says)
    refused    share answered with "nothing found"
    passes     mean number of passes; ``ms`` mean and p95 time of a whole answer
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from _cases import Folder, open_folder, spread
from _common import machine, percentile

PASSES = (1, 3)
ELSEWHERE = 40


@dataclass(frozen=True)
class Asked:
    """A question, and what it should find: documents by path, or names to be said."""

    text: str
    gold: frozenset[str]
    says: tuple[str, ...] = ()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object a set")
    parser.add_argument("--limit", type=int, default=60, help="questions of each kind, from all over the set")
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    arguments = parser.parse_args()
    for folder in arguments.folders:
        with tempfile.TemporaryDirectory() as scratch:
            others = [other for other in arguments.folders if other != folder and (other / "queries.jsonl").is_file()]
            if (folder / "edges.tsv").is_file():
                root, kinds = folder / "tree", {"bridge": bridges(folder / "edges.tsv", arguments.limit)}
            else:
                opened = open_folder(folder, arguments.keep or Path(scratch))
                root, kinds = opened.root, of_set(opened, others, arguments.limit)
            result = {"set": folder.name, "kinds": measure(root, kinds), **machine()}
        if arguments.json:
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print_table(result)


def of_set(opened: Folder, others: Sequence[Path], limit: int) -> dict[str, list[Asked]]:
    """The questions of a retrieval set, alone and in pairs, and questions of other sets."""
    paths = {document: path for path, document in opened.ids.items()}
    asked = [
        Asked(question["text"], frozenset(paths[document] for document in opened.relevant[question["id"]]))
        for question in opened.questions
        if question.get("answerable") is not False
    ]
    half = len(asked) // 2
    pairs = [
        Asked(joined(one.text, other.text), one.gold | other.gold)
        for one, other in zip(asked[:half], asked[half:], strict=False)
        if not one.gold & other.gold
    ]
    from retrieval import lines

    foreign = [json.loads(line)["text"] for other in others for line in lines(other / "queries.jsonl")]
    kinds = {"single": asked, "two parts": pairs}
    if foreign:
        kinds["elsewhere"] = [Asked(text, frozenset()) for text in foreign]
    return {
        kind: [rows[row["at"]] for row in spread([{"at": at} for at in range(len(rows))], limit)]
        for kind, rows in kinds.items()
    }


def joined(first: str, second: str) -> str:
    """Two questions as one person asks them in one breath."""
    from kbtui.text.language import cjk_share

    first, second = first.rstrip("?？ 。."), second.rstrip("?？ 。.")
    if cjk_share(first) > 0.3:
        return f"{first}？另外，{second}？"
    keeps = second[:1].isupper() and second[1:2].isupper()
    return f"{first}, and {second if keeps else second[:1].lower() + second[1:]}?"


def bridges(edges: Path, limit: int) -> list[Asked]:
    """Questions whose answer is two relations away, English and Chinese in turn."""
    rows = [line.split("\t") for line in edges.read_text("utf-8").split("\n") if line.count("\t") == 2]
    authors: dict[str, list[str]] = {}
    for item, relation, value in rows:
        if relation == "author":
            authors.setdefault(item, []).append(value)
    successors: dict[str, list[str]] = {}
    for item, relation, value in rows:
        if relation == "superseded_by":
            successors.setdefault(item, []).append(value)
    found = []
    for at, (item, values) in enumerate(successors.items()):
        if len(values) == 1 and authors.get(values[0]):
            text = f"取代 {item} 的那个 PEP 是谁写的？" if at % 2 else f"Who wrote the PEP that superseded {item}?"
            found.append(Asked(text, frozenset(), tuple(authors[values[0]])))
    return found[:limit]


def measure(root: Path, kinds: dict[str, list[Asked]]) -> list[dict[str, Any]]:
    """One row for each kind and number of passes."""
    from kbtui.bootstrap import Engine
    from kbtui.settings.model import AgentSettings, Settings

    rows = []
    engines = {
        most: Engine(Settings(agent=AgentSettings(max_iterations=most)), kb=root, record=False) for most in PASSES
    }
    for engine in engines.values():
        engine.warm()
    for kind, asked in kinds.items():
        answers: dict[int, list[tuple[float, float, float, int, float]]] = {most: [] for most in PASSES}
        # In turn, so that a busy machine slows both alike.
        for question in asked:
            for most, engine in engines.items():
                answers[most].append(answered(engine, question))
        for most, found in answers.items():
            columns = list(zip(*found, strict=True)) or [()] * 5
            times = [one * 1000 for one in columns[4]]
            rows.append(
                {
                    "kind": kind,
                    "n": len(found),
                    "max_iterations": most,
                    "found": mean(columns[0]),
                    "cited": mean(columns[1]),
                    "refused": mean(columns[2]),
                    "passes": mean(columns[3]),
                    "ms": round(sum(times) / max(1, len(times)), 1),
                    "p95_ms": round(percentile(times, 95), 1) if times else 0.0,
                }
            )
    return rows


def answered(engine: Any, question: Asked) -> tuple[float, float, float, int, float]:
    """Share of the gold found and cited, refused or not, passes, seconds."""
    from kbtui.domain.events import EvidenceGraded

    kept: set[str] = set()

    def follow(event: Any) -> None:
        if isinstance(event, EvidenceGraded):
            kept.update(item.path for item in event.items if item.kept)

    start = time.perf_counter()
    answer = engine.answer_query(question.text, follow)
    taken = time.perf_counter() - start
    refused = float(answer.outcome == "not_found")
    if question.says:
        said = sum(name in answer.markdown for name in question.says) / len(question.says)
        return said, said, refused, answer.iterations, taken
    if not question.gold:
        return 0.0, 0.0, refused, answer.iterations, taken
    cited = {citation.path for citation in answer.citations}
    share = len(question.gold)
    return len(question.gold & kept) / share, len(question.gold & cited) / share, refused, answer.iterations, taken


def mean(values: Sequence[float]) -> float:
    return round(sum(values) / len(values), 4) if values else 0.0


def print_table(result: dict[str, Any]) -> None:
    print(result["set"])
    names = ["found", "cited", "refused", "passes", "ms", "p95_ms"]
    print(f"  {'kind':<12}{'n':>5}{'max':>5}" + "".join(f"{name:>10}" for name in names))
    for row in result["kinds"]:
        cells = "".join(f"{row[name]:>10.3f}" if name[-2:] != "ms" else f"{row[name]:>10.1f}" for name in names)
        print(f"  {row['kind']:<12}{row['n']:>5}{row['max_iterations']:>5}{cells}", flush=True)


if __name__ == "__main__":
    main()

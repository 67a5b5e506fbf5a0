"""How often the router (or the request classifier) picks the labelled type.

    python benchmarks/routing.py FILE.jsonl [--half NAME] [--show-wrong] [--json]
    python benchmarks/routing.py --decompose FILE.jsonl [--half NAME] [--show-wrong] [--json]

``FILE.jsonl`` holds ``{"text", "label"}`` a line; ``lang`` and ``half`` are used when there. The labels are those of
the router (``exact`` …) or those of the request classifier (``trivial``, ``data_query`` …), which is then asked, with
one source of data or without any (``--no-source``). A row's ``schema`` is a key of ``requests_schemas.json`` beside the
file, whose names and values that source then has; with ``--no-names`` it has none, as for a row without ``schema``.
With ``--decompose`` the file holds ``{"text", "parts"}``: how often a question is cut into as many parts as it has, and
how far the words of each part (as the lexical index sees them) are those of the sub-question closest to it (F1).
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, get_args

from kbtui.analysis.request_classifier import RequestClassifier
from kbtui.domain.events import RequestType
from kbtui.domain.ports import QueryRouter
from kbtui.domain.routing import QUERY_TYPES, RetrievalHint
from kbtui.errors import UsageError
from kbtui.reasoning.offline import offline_reasoner
from kbtui.text.tokenise import tokens

REQUEST_TYPES: tuple[str, ...] = get_args(RequestType)
Predict = Callable[[dict[str, Any]], str]


def routed(row: dict[str, Any]) -> str:
    """The query type of a row's text."""
    return offline_reasoner().router.route(str(row["text"]), RetrievalHint()).plan.query_type


def classified(sources: tuple[str, ...], schemas: Mapping[str, Mapping[str, Sequence[str]]]) -> Predict:
    """The request type of a row's text, where these sources of data are, with the row's schema."""

    @cache
    def classifier(schema: str) -> RequestClassifier:
        if schema not in schemas:
            return RequestClassifier(sources)
        names, values = (frozenset(schemas[schema][part]) for part in ("names", "values"))
        return RequestClassifier(sources, dict.fromkeys(sources, names), dict.fromkeys(sources, values))

    def predict(row: dict[str, Any]) -> str:
        return classifier(str(row.get("schema", ""))).classify(str(row["text"])).request_type

    return predict


def language_of(row: dict[str, Any]) -> str:
    """The row's own ``lang``, else by script: ``en``, ``zh`` or ``mixed``."""
    if row.get("lang"):
        return str(row["lang"])
    text = str(row["text"])
    if not re.search(r"[\u3400-\u9fff]", text):
        return "en"
    return "mixed" if re.search(r"[A-Za-z]{2,}", text) else "zh"


def read_rows(path: Path, wanted: str = "label") -> list[dict[str, Any]]:
    """The rows of a JSON-lines file.

    Raises:
        UsageError: The file cannot be read, or a line is no object with ``text`` and ``wanted``.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except OSError as error:
        raise UsageError(f"Cannot read {path}: {error.strerror}") from error
    rows = []
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
            row["text"], row[wanted]
        except (ValueError, KeyError, TypeError) as error:
            raise UsageError(f"{path}:{number} is no object with text and {wanted}") from error
        rows.append(row)
    return rows


def read_schemas(path: Path) -> dict[str, dict[str, list[str]]]:
    """By name, the ``names`` and ``values`` of the sources that rows of ``path`` are asked of."""
    beside = path.parent / "requests_schemas.json"
    return json.loads(beside.read_text(encoding="utf-8")) if beside.is_file() else {}


def measure(rows: list[dict[str, Any]], predict: Predict) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The figures, and the rows that went wrong with what was predicted."""
    by_type: dict[str, list[bool]] = defaultdict(list)
    by_language: dict[str, list[bool]] = defaultdict(list)
    confusion: dict[str, Counter[str]] = defaultdict(Counter)
    wrong, took = [], []
    for row in rows:
        begun = time.perf_counter()
        predicted = predict(row)
        took.append((time.perf_counter() - begun) * 1000)
        right = predicted == row["label"]
        by_type[row["label"]].append(right)
        by_language[language_of(row)].append(right)
        confusion[row["label"]][predicted] += 1
        if not right:
            wrong.append({**row, "predicted": predicted})
    took.sort()
    figures = {
        "n": len(rows),
        "accuracy": _share([flag for flags in by_type.values() for flag in flags]),
        "by_type": {name: _share(flags) for name, flags in sorted(by_type.items())},
        "by_language": {name: _share(flags) for name, flags in sorted(by_language.items())},
        "confusion": {name: dict(counts) for name, counts in sorted(confusion.items())},
        "p50_ms": round(took[len(took) // 2], 3) if took else 0.0,
        "p95_ms": round(took[int(len(took) * 0.95)], 3) if took else 0.0,
    }
    return figures, wrong


def measure_parts(rows: list[dict[str, Any]], router: QueryRouter) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The figures of cutting, and the questions cut into too many or too few parts, with what they became."""
    counts: dict[str, list[bool]] = defaultdict(list)
    overlaps: list[float] = []
    wrong = []
    for row in rows:
        plan = router.route(str(row["text"]), RetrievalHint()).plan
        cut = [question.semantic_intent for question in plan.sub_questions]
        right = len(cut) == len(row["parts"])
        for group in ("all", "simple" if len(row["parts"]) == 1 else "complex", language_of(row)):
            counts[group].append(right)
        found = [set(tokens(part)) for part in cut]
        for part in row["parts"]:
            wanted = set(tokens(part))
            overlaps.append(max((2 * len(wanted & words) / (len(wanted) + len(words)) for words in found), default=0.0))
        if not right:
            wrong.append({**row, "predicted": cut})
    return {
        "n": len(rows),
        "accuracy": _share(counts.pop("all")),
        "by_group": {name: _share(flags) for name, flags in sorted(counts.items())},
        "overlap": round(sum(overlaps) / len(overlaps), 4) if overlaps else 0.0,
    }, wrong


def _share(flags: list[bool]) -> float:
    return round(sum(flags) / len(flags), 4) if flags else 0.0


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", type=Path)
    parser.add_argument("--decompose", action="store_true", help="FILE holds the parts of questions")
    parser.add_argument("--half", default="all", metavar="NAME", help="tune, held, A, B: the rows of that half only")
    parser.add_argument("--show-wrong", action="store_true", help="list the questions that went wrong (tuning only)")
    parser.add_argument("--no-source", action="store_true", help="ask the request classifier without a source of data")
    parser.add_argument("--no-names", action="store_true", help="as if nothing were known of the structure of a source")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    try:
        rows = read_rows(options.file, "parts" if options.decompose else "label")
        if options.half != "all":
            rows = [row for row in rows if row.get("half") == options.half]
        labels = set() if options.decompose else {str(row["label"]) for row in rows}
        # Only the request classifier knows any of its labels, so one decides.
        is_request = bool(labels & set(REQUEST_TYPES))
        unknown = sorted(labels - set(REQUEST_TYPES if is_request else QUERY_TYPES))
        if unknown:
            who = "the request classifier" if is_request else "this router"
            raise UsageError(f"Labels {who} does not know: {', '.join(unknown)}")
    except UsageError as error:
        print(error, file=sys.stderr)
        return error.exit_code
    if options.decompose:
        figures, wrong = measure_parts(rows, offline_reasoner().router)
        if options.json:
            print(json.dumps(figures, ensure_ascii=False))
            return 0
        print(f"count right {figures['accuracy']:.3f} of {figures['n']}   overlap {figures['overlap']:.3f}")
        print("  ".join(f"{name} {value:.3f}" for name, value in figures["by_group"].items()))
        for row in wrong if options.show_wrong else ():
            print(f"{len(row['parts'])} -> {len(row['predicted'])}  {row['text']}")
            for part in row["predicted"]:
                print(f"          {part}")
        return 0
    schemas = {} if options.no_names else read_schemas(options.file)
    predict = classified(() if options.no_source else ("data",), schemas) if is_request else routed
    figures, wrong = measure(rows, predict)
    if options.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    print(
        f"accuracy {figures['accuracy']:.3f} of {figures['n']}   p50 {figures['p50_ms']} ms  p95 {figures['p95_ms']} ms"
    )
    for group in ("by_type", "by_language"):
        print("  ".join(f"{name} {value:.3f}" for name, value in figures[group].items()))
    for name, counts in figures["confusion"].items():
        print(f"{name:>19}: " + ", ".join(f"{other} {count}" for other, count in counts.items()))
    if options.show_wrong:
        for row in wrong:
            print(f"{row['label']:>19} -> {row['predicted']:<19} {row['text']}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

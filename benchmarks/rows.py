"""Does the checker leave true sentences about rows alone, and does it mark false ones?

    python benchmarks/rows.py [DIR] [--misses] [--json]

``DIR`` holds ``tables.jsonl`` (results of statements) and ``sentences.jsonl`` (one sentence each, which of the results
it cites, and whether they bear it out); ``data/rows_1`` where none is named. Each sentence is checked by itself, as
`AnswerChecker.check` is called in a run, without an embedding model. Printed are, of all sentences, of English and of
Chinese ones, the true ones that are marked and the false ones that are not.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.checking.rows import rows_of
from kbtui.reasoning.citing import Citations
from kbtui.text.language import has_cjk

DATA = Path(__file__).parent / "data" / "rows_1"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--misses", action="store_true", help="print what was judged wrongly; not of a frozen set")
    parser.add_argument("--json", action="store_true", help="the figures as one object")
    arguments = parser.parse_args()
    judged = list(checked(arguments.folder))
    figures = {
        name: figures_of([(row, result) for row, result in judged if has_cjk(row["text"]) in scripts])
        for name, scripts in (("all", (False, True)), ("English", (False,)), ("Chinese", (True,)))
    }
    if arguments.misses:
        for row, result in judged:
            if row["true"] == bool(result.doubts):
                print(row["id"], row["tables"], "true" if row["true"] else "false", row["text"])
                print("   ", [doubt.lacking for doubt in result.doubts])
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, row in figures.items():
        print(f"{name:<8} {row}")


def checked(folder: Path) -> Iterator[tuple[dict[str, Any], CheckedAnswer]]:
    """Every sentence of a set with what the checker made of it."""
    tables = {row["id"]: row for row in rows_in(folder / "tables.jsonl")}
    checker = AnswerChecker(lambda: None)
    for row in rows_in(folder / "sentences.jsonl"):
        sources = [source(n, tables[name]) for n, name in enumerate(row["tables"], start=1)]
        question = row.get("question") or "\n".join(tables[name]["question"] for name in row["tables"])
        yield row, checker.check(row["text"], sources, Citations(None), CancelToken(), question)


def source(n: int, table: dict[str, Any]) -> Source:
    lines = [" | ".join(map(str, row)) for row in (table["columns"], *table["rows"])]
    hit = Hit(path=table["id"], start_line=1, end_line=len(lines), text="\n".join(lines))
    return Source(n=n, hit=hit, rows=rows_of(table["columns"], table["rows"], f"{table['question']} {table['sql']}"))


def figures_of(judged: list[tuple[dict[str, Any], CheckedAnswer]]) -> dict[str, int]:
    right = [bool(result.doubts) for row, result in judged if row["true"]]
    wrong = [bool(result.doubts) for row, result in judged if not row["true"]]
    return {
        "true": len(right),
        "true marked": sum(right),
        "false": len(wrong),
        "false unmarked": len(wrong) - sum(wrong),
    }


def rows_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


if __name__ == "__main__":
    main()

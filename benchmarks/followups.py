"""How often a follow-up is put into words rightly, and how often a question that stands alone is changed.

    python benchmarks/followups.py [FILE.jsonl] [--half tune|held] [--show-wrong] [--json]
    python benchmarks/followups.py --alone QUESTIONS.jsonl [--half NAME] [--show-wrong] [--json]

A follow-up is right when its full form holds every one of its ``wanted`` words (any spelling of a group) and none of
``gone``. A question of kind ``standalone`` is right when it is left alone. With ``--alone`` every question of a file
(``{"text"}`` a line) is asked behind dialogues of the labelled set, and each that is changed counts as wrong.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import defaultdict
from pathlib import Path
from typing import Any

from kbtui.domain.conversation import Turn
from kbtui.question.followup import condense

DATA = Path(__file__).parent / "data" / "followups.jsonl"


def said_before(row: dict[str, Any]) -> tuple[Turn, ...]:
    """The turns of a dialogue; those that were follow-ups themselves are put into words first, as in a session."""
    turns: list[Turn] = []
    for said in row["turns"]:
        meant = condense(said["query"], turns)
        turns.append(
            Turn(
                query=said["query"],
                standalone=meant.standalone if meant else said["query"],
                answer=said["answer"],
                paths=tuple(said["paths"]),
            )
        )
    return tuple(turns)


def plain(text: str) -> str:
    """For comparing: lower case, without spaces, hyphens and backticks."""
    return re.sub(r"[\s`]+", "", text).casefold().replace("-", "")


def is_right(row: dict[str, Any], found: str | None) -> bool:
    """Whether ``found`` is what ``row`` wants."""
    if row["kind"] == "standalone":
        return found is None
    if found is None:
        return False
    text = plain(found)
    has_all = all(any(plain(word) in text for word in group) for group in row["wanted"])
    return has_all and not any(plain(word) in text for word in row["gone"])


def measure(rows: list[dict[str, Any]]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The figures, and the rows that went wrong with what came out."""
    by_kind: dict[str, list[bool]] = defaultdict(list)
    groups: dict[str, list[bool]] = defaultdict(list)
    wrong, took = [], []
    for row in rows:
        history = said_before(row)
        begun = time.perf_counter()
        found = condense(row["text"], history)
        took.append((time.perf_counter() - begun) * 1000)
        standalone = found.standalone if found else None
        right = is_right(row, standalone)
        by_kind[row["kind"]].append(right)
        group = "standalone" if row["kind"] == "standalone" else "follow-up"
        groups[group].append(right)
        groups[f"{group} {row['lang']}"].append(right)
        if not right:
            wrong.append({**row, "found": standalone})
    took.sort()
    return {
        "n": len(rows),
        "condensed_right": share(groups["follow-up"]),
        "standalone_changed": round(1 - share(groups["standalone"]), 3) if groups["standalone"] else 0.0,
        "groups": {name: f"{sum(values)}/{len(values)}" for name, values in sorted(groups.items())},
        "kinds": {name: f"{sum(values)}/{len(values)}" for name, values in sorted(by_kind.items())},
        "ms": {"median": round(took[len(took) // 2], 2), "max": round(took[-1], 2)},
    }, wrong


def alone(questions: list[dict[str, Any]], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Whole questions as standalone rows, each behind the turns of a dialogue in its own language."""
    by_language: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        by_language[row["lang"]].append(row)
    found = []
    for index, question in enumerate(questions):
        lang = "zh" if re.search(r"[\u3400-\u9fff]", question["text"]) else "en"
        before = by_language[lang][index % len(by_language[lang])]
        found.append({"lang": lang, "kind": "standalone", "turns": before["turns"], "text": question["text"]})
    return found


def rows_of(path: Path) -> list[dict[str, Any]]:
    """The rows of a JSON-lines file."""
    return [json.loads(line) for line in path.read_text("utf-8").split("\n") if line.strip()]


def share(values: list[bool]) -> float:
    return round(sum(values) / len(values), 3) if values else 0.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.add_argument("--alone", type=Path, metavar="QUESTIONS.jsonl", help="questions that all stand alone")
    parser.add_argument("--half", help="rows of this half alone")
    parser.add_argument("--show-wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    rows = rows_of(arguments.file)
    if arguments.alone:
        questions = rows_of(arguments.alone)
        rows = alone([row for row in questions if arguments.half in (None, row.get("half"))], rows)
    else:
        rows = [row for row in rows if arguments.half in (None, row["half"])]
    figures, wrong = measure(rows)
    if arguments.json:
        print(json.dumps(figures, ensure_ascii=False))
        return 0
    for name, value in figures.items():
        print(f"{name:20} {value}")
    for row in wrong if arguments.show_wrong else ():
        print(f"- {row['kind']}: {row['turns'][-1]['query']} / {row['text']}\n    got    {row['found']}")
        print(f"    wanted {row.get('wanted')} {row.get('gone') or ''}")
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""How requests of several parts, follow-ups and small talk are taken: cut, sent to tools, put in full, told apart.

    python benchmarks/parts.py [FILE.jsonl] [--half first|later] [--show-wrong] [--json]

A row of kind ``parts`` is cut right when it becomes as many sub-questions as it has parts, each with all the ``words``
of one of them; its tools are right when each part has the ``tool`` it wants (null for any), and neither the graph nor
the file tool without wanting it. ``follow_up`` and ``standalone`` are judged as in ``followups.py``; of ``small_talk``
the ``label`` says whether it is ``chitchat`` or a ``question``.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from followups import is_right, plain, said_before

from kbtui.domain.routing import RetrievalHint, Routing, SubQuestion
from kbtui.question.followup import condense
from kbtui.reasoning.offline.router import OfflineRouter

DATA = Path(__file__).parent / "data" / "routing_parts.jsonl"
PARTICULAR = ("graph_related", "local_file_qa")


def routed(text: str) -> Routing:
    """The routing of a question that stands alone."""
    return OfflineRouter().route(text, RetrievalHint())


def matched(parts: Sequence[dict[str, Any]], questions: Sequence[SubQuestion]) -> list[SubQuestion]:
    """The sub-question that holds the words of each part, none of them twice; empty where one has none."""
    left, found = list(questions), []
    for part in parts:
        words = [plain(word) for word in part["words"]]
        own = next((one for one in left if all(word in plain(one.semantic_intent) for word in words)), None)
        if own is None:
            return []
        left.remove(own)
        found.append(own)
    return found if not left else []


def has_tools(part: dict[str, Any], tools: Sequence[str]) -> bool:
    """Whether a part has the tool it wants and no particular one that it does not."""
    wanted = part["tool"]
    return wanted is None or (wanted in tools and not any(tool in tools for tool in PARTICULAR if tool != wanted))


def judged(row: dict[str, Any]) -> tuple[dict[str, bool], str]:
    """By figure, whether a row is right; and what came of it."""
    if row["kind"] == "parts":
        routing = routed(row["text"])
        questions = routing.plan.sub_questions
        own = matched(row["parts"], questions)
        tools = bool(own) and all(
            has_tools(part, routing.tools_of(one)) for part, one in zip(row["parts"], own, strict=True)
        )
        told = "; ".join(f"{one.semantic_intent} [{', '.join(routing.tools_of(one))}]" for one in questions)
        return {"parts": bool(own), "parts_and_tools": tools}, told
    if row["kind"] == "small_talk":
        query_type = routed(row["text"]).plan.query_type
        return {"small_talk": (query_type == "chitchat") == (row["label"] == "chitchat")}, query_type
    found = condense(row["text"], said_before(row))
    text = found.standalone if found else None
    return {row["kind"]: is_right(row, text)}, str(text)


def main(argv: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("file", nargs="?", type=Path, default=DATA)
    parser.add_argument("--half", default="all", metavar="NAME")
    parser.add_argument("--show-wrong", action="store_true")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(argv)
    figures: dict[str, list[bool]] = defaultdict(list)
    for line in options.file.read_text("utf-8").split("\n"):
        if not line:
            continue
        row = json.loads(line)
        if options.half not in ("all", row["half"]):
            continue
        found, told = judged(row)
        for name, right in found.items():
            figures[name].append(right)
        figures["all"].append(all(found.values()))
        if options.show_wrong and not all(found.values()):
            print(f"{row['text']}\n    {told}")
    result = {name: f"{sum(values)}/{len(values)}" for name, values in figures.items()}
    print(json.dumps(result) if options.json else "\n".join(f"{name:<16} {value}" for name, value in result.items()))
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""Does every citation lead to the text it quotes?

    python benchmarks/citations_resolve.py FOLDER… [--per-folder N] [--json]

Asks N questions of each folder (made from its own titles and labels, some in Chinese), and checks for every citation of
every answer that the file exists and that its lines hold the quoted text, character for character. Exits 1 if one does
not.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

from _common import machine, print_result, questions_from

from kbtui.bootstrap import Engine
from kbtui.domain.answer import Citation
from kbtui.settings.model import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--per-folder", type=int, default=100)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    counts = {"answers": 0, "answered": 0, "citations": 0, "resolved": 0}
    broken: list[dict[str, Any]] = []
    for folder in args.folders:
        engine = Engine(Settings(), folder, record=False)
        engine.answer_query("what is this about?")
        for question in questions_from(None, folder, args.per_folder):
            answer = engine.answer_query(question)
            counts["answers"] += 1
            counts["answered"] += answer.outcome in ("answered", "partial")
            for citation in answer.citations:
                counts["citations"] += 1
                if resolves(folder, citation):
                    counts["resolved"] += 1
                else:
                    broken.append({"folder": folder.name, "question": question, "citation": citation.label})
    result = counts | {"broken": broken[:20], "machine": machine()}
    print_result(result, as_json=args.json)
    sys.exit(1 if broken else 0)


def resolves(folder: Path, citation: Citation) -> bool:
    """The cited lines, read afresh from disk without any of kbtui's own code, equal the quote."""
    if citation.path is None or citation.start_line is None or citation.end_line is None or not citation.quote:
        return False
    try:
        text = (folder / citation.path).read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError):
        return False
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    return "\n".join(lines[citation.start_line - 1 : citation.end_line]) == citation.quote


if __name__ == "__main__":
    main()

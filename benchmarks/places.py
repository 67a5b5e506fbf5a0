"""Questions over a machine's own documentation: is the answer right, and does it stand where its citation says?

    python benchmarks/places.py FOLDER… [--questions FILE] [--show] [--json]

Asks each question once by `kbtui ask`, in a process of its own, and reads every cited place again without kbtui's own
code: lines of a file (unpacked where it is packed), a page of a PDF.

    answered    answers that hold a fact of the question
    placed      of these, those with a cited place where such a fact stands
    cited       citations, and of how many at least 0.8 of the words of the quote stand in the place that they name
    seconds     until the answer was printed: of the first question (it may index the folders), and of the others
"""

from __future__ import annotations

import argparse
import bz2
import gzip
import html
import json
import lzma
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

import pypdfium2
from _common import machine, print_result

QUESTIONS: Final = Path(__file__).parent / "data" / "usr_share_doc_1" / "questions.jsonl"
_OPENERS: Final = {".gz": gzip.decompress, ".bz2": bz2.decompress, ".xz": lzma.decompress}
_WORDS_THERE: Final = 0.8


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument("--questions", type=Path, default=QUESTIONS)
    parser.add_argument("--show", action="store_true", help="print each answer with its citations")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    rows, seconds = [], []
    for line in args.questions.read_text("utf-8").splitlines():
        asked = json.loads(line)
        started = time.monotonic()
        answer = ask(args.folders, asked["question"])
        seconds.append(time.monotonic() - started)
        rows.append(judged(asked, answer, args.folders))
        if args.show:
            print(f"{asked['id']} {seconds[-1]:.1f} s {rows[-1]}\n{answer.get('markdown', '')}\n", file=sys.stderr)
    result = {
        "questions": len(rows),
        "answered": sum(row["answered"] for row in rows),
        "placed": sum(row["answered"] and row["placed"] for row in rows),
        "cited": [sum(row["there"] for row in rows), sum(row["citations"] for row in rows)],
        "seconds": {"first": round(seconds[0], 1), "median of others": round(statistics.median(seconds[1:]), 1)},
        "missed": [row["id"] for row in rows if not (row["answered"] and row["placed"])],
        "machine": machine(),
    }
    print_result(result, as_json=args.json)


def ask(folders: Iterable[Path], question: str) -> dict[str, Any]:
    """The last completed answer of `kbtui ask`, as its event; empty where there is none."""
    chosen = [word for folder in folders for word in ("--kb", str(folder))]
    command = [sys.executable, "-m", "kbtui", "ask", *chosen, "--no-session", "--json", question]
    printed = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    events = [json.loads(line) for line in printed.splitlines()]
    return next((event for event in reversed(events) if event["kind"] == "answer_completed"), {})


def judged(asked: dict[str, Any], answer: dict[str, Any], folders: list[Path]) -> dict[str, Any]:
    """Whether an answer holds a fact, and how many of its citations say where that and their quotes stand."""
    facts = [plain(fact) for fact in asked["facts"]]
    places = [(citation, plain(place_text(citation, folders))) for citation in answer.get("citations", ())]
    return {
        "id": asked["id"],
        "answered": any(fact in plain(answer.get("markdown", "")) for fact in facts),
        "placed": any(fact in text for _, text in places for fact in facts),
        "citations": len(places),
        "there": sum(holds(text, citation["quote"] or "") for citation, text in places),
        "labels": [f"{citation['path']} {citation['locator'] or citation['start_line']}" for citation, _ in places],
    }


def place_text(citation: dict[str, Any], folders: list[Path]) -> str:
    """What stands at the place of a citation; empty where that is no place."""
    path = str(citation["path"])
    if len(folders) > 1:
        name, _, path = path.partition("/")
        folders = [folder for folder in folders if folder.name == name]
    file = folders[0] / path
    data = file.read_bytes()
    if (unpack := _OPENERS.get(file.suffix)) is not None:
        data = unpack(data)
    if pages := re.fullmatch(r"p\.(\d+)(?:-(\d+))?", citation["locator"] or ""):
        first, last = int(pages[1]), int(pages[2] or pages[1])
        document = pypdfium2.PdfDocument(data)
        return " ".join(document[number - 1].get_textpage().get_text_bounded() for number in range(first, last + 1))
    lines = data.decode("utf-8", "replace").split("\n")
    return "\n".join(lines[citation["start_line"] - 1 : citation["end_line"]])


def plain(text: str) -> str:
    """A text without tags and Markdown's marks, in lower case, with single spaces."""
    text = html.unescape(re.sub(r"<[^>]*>", "", text)).replace("\u00ad", "").replace("\ufffe", "-")
    return re.sub(r"\s+", " ", re.sub(r"[*`\\|]|(?<=\w)-\s+(?=\w)", "", text)).lower()


def holds(text: str, quote: str) -> bool:
    """Whether most words of a quote stand in a text."""
    words = re.findall(r"\w+", plain(quote))
    there = set(re.findall(r"\w+", text))
    return bool(words) and sum(word in there for word in words) >= _WORDS_THERE * len(words)


if __name__ == "__main__":
    main()

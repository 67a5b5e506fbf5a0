"""What the benchmarks share: percentiles, the machine's name, questions for a folder, and printing."""

from __future__ import annotations

import argparse
import json
import os
import platform
import random
import sys
import tempfile
from collections.abc import Callable, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any


def percentile(values: Sequence[float], share: float) -> float:
    """The nearest-rank percentile; ``share`` from 0 to 100."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, max(0, round(share / 100 * len(ordered) + 0.5) - 1))]


def machine() -> dict[str, Any]:
    """Processor, cores, Python, the versions that matter, and the command as it was given."""
    names = ("kbtui", "textual", "lancedb", "onnxruntime", "torch", "langgraph")
    return {
        "cpu": _cpu(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "versions": {name: version(name) for name in names},
        "command": " ".join(["python", *sys.argv]),
    }


def set_parser(description: str | None, limit: str, *, least: str = "+") -> argparse.ArgumentParser:
    """The arguments of a benchmark over retrieval sets.

    Args:
        limit: Which N questions are taken.
        least: How many sets have to be given, as argparse has it.
    """
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs=least, type=Path, metavar="DIR")
    parser.add_argument("--json", action="store_true", help="one object a set")
    parser.add_argument("--limit", type=int, help=limit)
    parser.add_argument("--keep", type=Path, help="keep documents and index here, to run again faster")
    return parser


def over_sets(
    arguments: argparse.Namespace,
    evaluate: Callable[[Path, Path, int | None], dict[str, Any]],
    print_table: Callable[[dict[str, Any]], None],
) -> None:
    """Evaluate each set, given its folder, where to work and the limit, and print what came out."""
    for folder in arguments.folders:
        with tempfile.TemporaryDirectory() as scratch:
            result = evaluate(folder, arguments.keep or Path(scratch), arguments.limit)
        if arguments.json:
            print(json.dumps(result, ensure_ascii=False), flush=True)
        else:
            print_table(result)


def questions_from(file: Path | None, folder: Path, count: int = 60) -> list[str]:
    """The questions of a file, or ``count`` from the folder's titles, labels and passages (the same each time)."""
    if file is not None:
        lines = [line for line in file.read_text("utf-8").split("\n") if line.strip()]
        return [json.loads(line)["text"] if line.startswith("{") else line for line in lines]
    from kbtui.bootstrap import KnowledgeBackend
    from kbtui.settings.model import Settings
    from kbtui.text.tokenise import content_words

    index = KnowledgeBackend(folder.resolve(), Settings()).knowledge.index
    records = index.files()
    chance = random.Random(7)
    topics = [
        record.labels[0] if record.labels and chance.random() < 0.5 else record.title
        for record in chance.sample(records, min(count, len(records)))
    ]
    if len(topics) < count:
        # A folder of few long files: the rest from what its passages speak of.
        chunks = sorted(index.chunks(), key=lambda chunk: (chunk.path, chunk.start_line))
        for chunk in chance.sample(chunks, min(count - len(topics), len(chunks))):
            words = [word for word in dict.fromkeys(content_words(chunk.text)) if len(word) > 3]
            topics.append(" ".join(chance.sample(words, min(3, len(words)))) or chunk.title)
    templates = (
        "what is {}?",
        "how does {} work?",
        "why was {} decided?",
        "which documents mention {}?",
        "find files about {}",
        "{} 是什么？",
        "compare {} and {other}",
    )
    return [chance.choice(templates).format(topic, other=chance.choice(topics)) for topic in topics]


def print_result(result: dict[str, Any], *, as_json: bool) -> None:
    """One JSON object, or ``key: value`` lines."""
    if as_json:
        print(json.dumps(result, ensure_ascii=False))
        return
    width = max(len(key) for key in result)
    for key, value in result.items():
        print(f"{key:<{width}}  {value}")


def _cpu() -> str:
    try:
        for line in Path("/proc/cpuinfo").read_text("utf-8").split("\n"):
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor() or platform.machine()

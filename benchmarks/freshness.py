"""How soon a folder can be asked: the first answer on one never indexed, and the next after one edit among many files.

    python benchmarks/freshness.py FOLDER [--files N] [--rounds N] [--json]

*First answer* is ``kbtui ask`` from process start to its first ``answer_completed`` (from the files its words stand in,
where the folder is large), *complete answer* to the one over all files, with an empty cache but for the exported model.
The peer in the same run is ripgrep, counting one word of the question in every file. *After one edit* is what a
question waits for before it is answered (`KnowledgeBase.ensure_fresh`) in a folder of N files, made by recombining the
paragraphs of FOLDER: the walk, what changed read, cut and committed, its words searchable. Vectors are left out of all,
as they are of what users wait for. Beside them in the same run: reading every file of the folder once and nothing else.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from _common import machine, print_result

from kbtui.domain.events import Event, Progress
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.search.ripgrep import find_ripgrep
from kbtui.settings.model import Settings

PARAGRAPHS_A_FILE = 12
QUESTION = "what is a protocol?"
"""Of a word that documents of many kinds hold."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=10_000, help="files of the folder that is made")
    parser.add_argument("--rounds", type=int, default=7, help="edits to time; the median is told")
    parser.add_argument("--first", type=int, default=3, help="first answers to time")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    with tempfile.TemporaryDirectory() as scratch:
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        first = [first_answer(args.folder, Path(scratch) / f"first{number}") for number in range(args.first)]
        read_s, ripgrep_s = reading(args.folder), searching(args.folder)
        made = made_folder(args.folder, Path(scratch) / "kb", args.files)
        edits = after_edits(made, args.rounds)
    result: dict[str, Any] = {
        "folder": args.folder.name,
        "first_answer_s": round(statistics.median(seconds for seconds, _ in first), 2) if first else None,
        "complete_answer_s": round(statistics.median(seconds for _, seconds in first), 2) if first else None,
        "reading_every_file_s": round(read_s, 3),
        "ripgrep_s": round(ripgrep_s, 3) if ripgrep_s is not None else None,
        **edits,
        "load": os.getloadavg()[0],
        "machine": machine(),
    }
    print_result(result, as_json=args.json)


def first_answer(folder: Path, cache: Path) -> tuple[float, float]:
    """Seconds from the start of a process that asks a folder never indexed to its first answer, and to its last."""
    command = [sys.executable, "-m", "kbtui", "ask", "--kb", str(folder), "--no-session", "--json", "--", QUESTION]
    started = time.perf_counter()
    with subprocess.Popen(
        command, env=os.environ | {"XDG_CACHE_HOME": str(cache)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdout is not None
        timed = ((time.perf_counter() - started, json.loads(line)["kind"]) for line in process.stdout)
        at = [seconds for seconds, kind in timed if kind == "answer_completed"]
    if process.returncode not in (0, 3):
        raise SystemExit(f"kbtui ask ended with {process.returncode}")
    return at[0], at[-1]


def searching(folder: Path) -> float | None:
    """Seconds in which ripgrep counts a word in every file; None where there is no ripgrep."""
    rg = find_ripgrep()
    if rg is None:
        return None
    started = time.perf_counter()
    subprocess.run(
        [str(rg), "--no-config", "--ignore-case", "--count", "--", QUESTION.split()[-1].rstrip("?"), str(folder)],
        stdout=subprocess.DEVNULL,
        check=False,
    )
    return time.perf_counter() - started


def reading(folder: Path) -> float:
    """Seconds to read every file once."""
    started = time.perf_counter()
    for path in folder.rglob("*"):
        if path.is_file():
            path.read_bytes()
    return time.perf_counter() - started


def made_folder(source: Path, target: Path, count: int) -> Path:
    """``count`` files of paragraphs drawn from those of ``source``, the same each time, last changed an hour ago."""
    chance = random.Random(7)
    texts = [path.read_text("utf-8", "replace") for path in sorted(source.rglob("*")) if path.suffix in SUFFIXES]
    paragraphs = [part.strip() for text in texts for part in text.split("\n\n") if len(part.strip()) > 80]
    hour_ago = time.time() - 3600
    for number in range(count):
        path = target / f"part{number % 100:02}" / f"note-{number:05}.md"
        path.parent.mkdir(parents=True, exist_ok=True)
        body = "\n\n".join(chance.choices(paragraphs, k=PARAGRAPHS_A_FILE))
        path.write_text(f"# Note {number}\n\n{body}\n", "utf-8")
        os.utime(path, (hour_ago, hour_ago))
    return target


def after_edits(folder: Path, rounds: int) -> dict[str, Any]:
    """What indexing the text of a folder takes, and `edited`."""
    knowledge = KnowledgeBase(folder, Settings())
    started = time.perf_counter()
    report = knowledge.ensure_fresh(lambda _: None, CancelToken())
    assert report is not None
    text_s = time.perf_counter() - started
    indexed = {"files": report.files, "chunks": report.chunks, "text_indexed_s": round(text_s, 2)}
    return indexed | edited(folder, knowledge, rounds)


def edited(folder: Path, knowledge: KnowledgeBase, rounds: int) -> dict[str, Any]:
    """Seconds until one edit is searchable, in a process that has the index open and in one that opens it."""
    files = sorted(folder.rglob("*.md"))
    opened: list[float] = []
    opening: list[float] = []
    stages: dict[str, float] = {}
    for number in range(2 * rounds):
        path = files[number * 37 % len(files)]
        path.write_text(path.read_text("utf-8") + f"\nThe password of day {number} is ocelot{number}.\n", "utf-8")
        base = knowledge if number % 2 else KnowledgeBase(folder, Settings())
        knowledge.refresh()
        clock = Stages()
        started = time.perf_counter()
        base.ensure_fresh(clock, CancelToken())
        (opened if number % 2 else opening).append(time.perf_counter() - started)
        stages = clock.ended()
        assert base.lexical.search(f"ocelot{number}", 1)[0].path == path.relative_to(folder).as_posix()
    return {
        "after_one_edit_s": round(statistics.median(opened), 3),
        "after_one_edit_when_opened_s": round(statistics.median(opening), 3),
        "stages_of_the_last_s": stages,
    }


class Stages:
    """An ``Emit`` that notes when each stage began."""

    def __init__(self) -> None:
        self._began: dict[str, float] = {"check": time.perf_counter()}

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress):
            self._began.setdefault(event.stage, time.perf_counter())

    def ended(self) -> dict[str, float]:
        """Seconds of each stage."""
        times = [*self._began.values(), time.perf_counter()]
        return {name: round(times[place + 1] - times[place], 3) for place, name in enumerate(self._began)}


SUFFIXES = (".md", ".rst", ".txt")


if __name__ == "__main__":
    main()

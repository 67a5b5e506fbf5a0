"""How long a command takes from the start of its process to its end, beside what no Python program can do without.

    python benchmarks/cold.py FOLDER [--questions FILE] [--rounds N] [--no-index] [--json]
    python benchmarks/cold.py FOLDER --data FILE --questions FILE [--rounds N] [--json]

Each round runs every command once, so all meet the same moments of the machine: ``kbtui ask``, ``kbtui search`` and
``kbtui --help``, a bare Python, a Python that imports LanceDB and nothing else, and ripgrep for a word of the question
over the same folder. Wall time needs a quiet machine; processor time and the ratio of the two sorts do not. FOLDER is
indexed first. Questions are one a line, or JSON lines with a ``text``; without a file they are made from the folder.

With ``--data``, ``kbtui ask --data FILE`` beside a Python that imports what that command loads of other libraries, its
worker's too; each round in a new home folder, once while that is empty and once more. Modules are compiled before the
first round counts, as those of an installed package are.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from _common import machine, print_result, questions_from

from kbtui.knowledge.search.ripgrep import find_ripgrep

KBTUI = (sys.executable, "-m", "kbtui")
LIBRARIES = (
    "click, duckdb, msgspec, numpy, pydantic.fields, pydantic.main, rapidfuzz.process, rich.cells, "
    "snowballstemmer, sqlglot.dialects.duckdb"
)
"""What a question over a file of data loads, without the standard library."""


@dataclass
class Timed:
    """What the runs of one command took."""

    wall_ms: list[float] = field(default_factory=list)
    cpu_ms: list[float] = field(default_factory=list)
    peak_mb: float = 0.0
    codes: set[int] = field(default_factory=set)

    def run(self, command: Sequence[str], env: Mapping[str, str]) -> None:
        """Run ``command`` to its end once more."""
        started = time.perf_counter()
        quiet = subprocess.DEVNULL
        child = subprocess.Popen(command, stdin=quiet, stdout=quiet, stderr=quiet, env=env)
        _, status, usage = os.wait4(child.pid, 0)
        self.wall_ms.append((time.perf_counter() - started) * 1000)
        child.returncode = os.waitstatus_to_exitcode(status)
        self.cpu_ms.append((usage.ru_utime + usage.ru_stime) * 1000)
        self.peak_mb = max(self.peak_mb, usage.ru_maxrss / 1024)
        self.codes.add(child.returncode)

    def summary(self) -> dict[str, Any]:
        return {
            "median_ms": round(statistics.median(self.wall_ms), 1),
            "least_ms": round(min(self.wall_ms), 1),
            "most_ms": round(max(self.wall_ms), 1),
            "cpu_ms": round(statistics.median(self.cpu_ms), 1),
            "peak_mb": round(self.peak_mb, 1),
            "exit_codes": sorted(self.codes),
        }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--data", type=Path, help="a file of data that the questions are about")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--no-index", action="store_true", help="time the index as it is")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    questions = questions_from(args.questions, args.folder, args.rounds)
    commands = of_data if args.data else of_folder
    if not args.no_index and not args.data:
        subprocess.run(
            [*KBTUI, "index", str(args.folder)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True
        )
    timed: dict[str, Timed] = {}
    with tempfile.TemporaryDirectory() as compiled:
        env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
        env["PYTHONPYCACHEPREFIX"] = compiled
        # The first round fills the caches of the system and is not counted.
        for number in range(args.rounds + 1):
            if args.data:
                env = {name: value for name, value in env.items() if not name.startswith("XDG_")}
                env["HOME"] = tempfile.mkdtemp(dir=compiled)
            for name, command in commands(args, questions[number % len(questions)]).items():
                (timed.setdefault(name, Timed()) if number else Timed()).run(command, env)

    summaries = {name: runs.summary() for name, runs in timed.items()}
    base = "import libraries" if args.data else "import lancedb"
    libraries = summaries[base]
    result = {
        "folder": args.folder.name,
        "rounds": args.rounds,
        "commands": summaries,
        **{
            f"{asked} over {base}{unit}".replace(" ", "_"): round(summaries[asked][key] / libraries[key], 2)
            for asked in summaries
            if asked.startswith("kbtui ask")
            for key, unit in (("median_ms", ""), ("cpu_ms", " cpu"))
        },
        "load": round(os.getloadavg()[0], 1),
        "machine": machine(),
    }
    if args.json:
        print_result(result, as_json=True)
        return
    print(f"{'command':<16}{'median ms':>10}{'least ms':>10}{'most ms':>10}{'cpu ms':>10}{'peak MB':>10}")
    for name, row in summaries.items():
        print(
            f"{name:<16}{row['median_ms']:>10}{row['least_ms']:>10}{row['most_ms']:>10}{row['cpu_ms']:>10}{row['peak_mb']:>10}"
        )
    rest = {key: value for key, value in result.items() if key != "commands"}
    print_result(rest, as_json=False)


def of_folder(args: argparse.Namespace, question: str) -> dict[str, Sequence[str]]:
    """What is timed over a folder."""
    folder, rg = str(args.folder), find_ripgrep()
    commands: dict[str, Sequence[str]] = {
        "kbtui ask": (*KBTUI, "ask", "--kb", folder, "--no-session", "--", question),
        "kbtui search": (*KBTUI, "search", "--kb", folder, "--", question),
        "kbtui --help": (*KBTUI, "--help"),
        "import lancedb": (sys.executable, "-c", "import lancedb"),
        "python": (sys.executable, "-c", "pass"),
    }
    if rg:
        commands["ripgrep"] = (str(rg), "--no-config", "-i", "-F", "-c", "--", question.split()[-1], folder)
    return commands


def of_data(args: argparse.Namespace, question: str) -> dict[str, Sequence[str]]:
    """What is timed over a file of data; the folder had better be empty."""
    data = ("--kb", str(args.folder), "--data", str(args.data), "--no-session")
    return {
        "kbtui ask first": (*KBTUI, "ask", *data, "--", question),
        "kbtui ask": (*KBTUI, "ask", *data, "--", question),
        "import libraries": (sys.executable, "-c", f"import {LIBRARIES}"),
        "kbtui --help": (*KBTUI, "--help"),
        "python": (sys.executable, "-c", "pass"),
    }


if __name__ == "__main__":
    main()

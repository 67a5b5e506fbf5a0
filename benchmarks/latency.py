"""How long a whole offline answer takes, warm and cold, against raw ripgrep over the same folder in the same run.

    python benchmarks/latency.py FOLDER [--questions FILE] [--repeat N] [--json]

FOLDER is indexed first if it is not. Questions are one a line, or JSON lines with a ``text``; without a file, questions
are made from the folder's own titles and labels, so any folder will do. *Warm* is `Engine.answer_query` in one process
after one question; *cold* is ``kbtui ask`` from process start to exit.
"""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys
import time
from pathlib import Path

from _common import machine, percentile, print_result, questions_from

from kbtui.bootstrap import Engine
from kbtui.knowledge.ripgrep import find_ripgrep
from kbtui.settings.model import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--repeat", type=int, default=3, help="rounds over all questions")
    parser.add_argument("--cold", type=int, default=3, help="cold processes to time")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    engine = Engine(Settings(), args.folder, record=False)
    engine.answer_query("what is this about?")
    questions = questions_from(args.questions, args.folder)
    warm: list[tuple[float, str]] = []
    for _ in range(args.repeat):
        for question in questions:
            started = time.perf_counter()
            engine.answer_query(question)
            warm.append(((time.perf_counter() - started) * 1000, question))
    warm_ms = [ms for ms, _ in warm]

    rg = find_ripgrep()
    baseline = []
    for question in questions if rg else []:
        started = time.perf_counter()
        command = [str(rg), "--no-config", "--ignore-case", "--fixed-strings", "--count", "--", question.split()[-1]]
        subprocess.run([*command, str(args.folder)], stdout=subprocess.DEVNULL, check=False)
        baseline.append((time.perf_counter() - started) * 1000)

    cold = []
    for question in questions[: args.cold]:
        started = time.perf_counter()
        command = [sys.executable, "-m", "kbtui", "ask", "--kb", str(args.folder), "--no-session", "--", question]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        cold.append((time.perf_counter() - started) * 1000)

    slowest = max(warm)
    result = {
        "folder": args.folder.name,
        "questions": len(questions),
        "files": engine.file_count(),
        "warm_p50_ms": round(percentile(warm_ms, 50), 1),
        "warm_p95_ms": round(percentile(warm_ms, 95), 1),
        "warm_p99_ms": round(percentile(warm_ms, 99), 1),
        "slowest": {"ms": round(slowest[0], 1), "question": slowest[1]},
        "cold_median_ms": round(statistics.median(cold), 1) if cold else None,
        "ripgrep_p50_ms": round(percentile(baseline, 50), 1) if baseline else None,
        "warm_p50_over_ripgrep_p50": round(percentile(warm_ms, 50) / percentile(baseline, 50), 2) if baseline else None,
        "machine": machine(),
    }
    print_result(result, as_json=args.json)


if __name__ == "__main__":
    main()

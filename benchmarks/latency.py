"""How long answers and searches take, against ripgrep and raw LanceDB over the same data in the same run.

    python benchmarks/latency.py FOLDER [--questions FILE] [--repeat N] [--json]
    python benchmarks/latency.py FOLDER --data FILE --questions FILE [--repeat N] [--json]
    python benchmarks/latency.py FOLDER --sizes 1000,10000,100000,1000000 [--scratch DIR] [--json]

Whole answers over FOLDER, which is indexed first if it is not. Questions are one a line, or JSON lines with a ``text``;
without a file, questions are made from the folder's own titles and labels, so any folder will do. *Warm* is
`Engine.answer_query` in one process after `Engine.warm` and one question, with garbage collected as seldom as by the
screen (Python's own thresholds stop one answer in three for 0.1 to 0.2 s); *cold* is ``kbtui ask`` from process start
to exit.

With ``--data`` the questions are about a file or a database, each in a conversation that has just begun; `cold` times
its processes. ``warm_p95_cpu_ms`` is processor time of this process, which a busy machine changes least.

With ``--sizes`` each search alone, at these numbers of chunks made of FOLDER's sentences (``_scale`` says how), and the
memory that asking and building take.
"""

from __future__ import annotations

import argparse
import gc
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from _common import machine, percentile, print_result, questions_from
from _scale import measured

from kbtui.bootstrap import Engine, KnowledgeBackend
from kbtui.cli.screen import GC_THRESHOLDS
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.search.ripgrep import find_ripgrep
from kbtui.settings.model import Settings

VECTORS = "synthetic: unit vectors around those of real passages"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--data", help="a file or database that the questions are about; FOLDER had better be empty")
    parser.add_argument("--repeat", type=int, default=3, help="rounds over all questions")
    parser.add_argument("--cold", type=int, default=3, help="cold processes to time")
    parser.add_argument("--sizes", help="numbers of chunks to time searches at, with commas between")
    parser.add_argument("--scratch", type=Path, help="where the indexes of --sizes are made: 5 GB for a million chunks")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.sizes:
        at_sizes(args.folder, [int(size) for size in args.sizes.split(",")], args.scratch, as_json=args.json)
    else:
        whole_answers(args)


def at_sizes(folder: Path, sizes: list[int], scratch: Path | None, *, as_json: bool) -> None:
    """Searches over indexes of these sizes, told one by one as they are done unless as JSON."""
    results = []
    with tempfile.TemporaryDirectory(dir=scratch) as place:
        for result in measured(folder.resolve(), sizes, Path(place)):
            results.append(result)
            if not as_json:
                print_result(result, as_json=False)
                print(flush=True)
    about = {"folder": folder.name, "vectors": VECTORS, "load": os.getloadavg()[0], "machine": machine()}
    if as_json:
        print_result(about | {"sizes": results}, as_json=True)
    else:
        print_result(about, as_json=False)


def whole_answers(args: argparse.Namespace) -> None:
    """`Engine.answer_query` and ``kbtui ask`` over a folder."""
    if not args.data:
        knowledge = KnowledgeBackend(args.folder.resolve(), Settings()).knowledge
        knowledge.complete(lambda _: None, CancelToken())
    engine = Engine(Settings(), args.folder, sources=[args.data] if args.data else [], record=False)
    gc.set_threshold(*GC_THRESHOLDS)
    engine.warm()
    engine.answer_query("what is this about?")
    questions = questions_from(args.questions, args.folder)
    warm: list[tuple[float, str]] = []
    cpu_ms: list[float] = []
    for _ in range(args.repeat):
        for question in questions:
            if args.data:
                engine.new_conversation()
            started, worked = time.perf_counter(), time.process_time()
            engine.answer_query(question)
            warm.append(((time.perf_counter() - started) * 1000, question))
            cpu_ms.append((time.process_time() - worked) * 1000)
    warm_ms = [ms for ms, _ in warm]

    rg = find_ripgrep()
    baseline = []
    for question in questions if rg and not args.data else []:
        started = time.perf_counter()
        command = [str(rg), "--no-config", "--ignore-case", "--fixed-strings", "--count", "--", question.split()[-1]]
        subprocess.run([*command, str(args.folder)], stdout=subprocess.DEVNULL, check=False)
        baseline.append((time.perf_counter() - started) * 1000)

    cold = []
    for question in questions[: 0 if args.data else args.cold]:
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
        "warm_p50_cpu_ms": round(percentile(cpu_ms, 50), 1),
        "warm_p95_cpu_ms": round(percentile(cpu_ms, 95), 1),
        "slowest": {"ms": round(slowest[0], 1), "question": slowest[1]},
        "cold_median_ms": round(statistics.median(cold), 1) if cold else None,
        "ripgrep_p50_ms": round(percentile(baseline, 50), 1) if baseline else None,
        "warm_p50_over_ripgrep_p50": round(percentile(warm_ms, 50) / percentile(baseline, 50), 2) if baseline else None,
        "machine": machine(),
    }
    print_result(result, as_json=args.json)


if __name__ == "__main__":
    main()

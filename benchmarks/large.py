"""A folder of many files, from the first question on: how soon, how fast, and in how much memory.

    python benchmarks/large.py FOLDER [--files N] [--questions N] [--scratch DIR] [--json]

N files are made of the paragraphs of FOLDER (`freshness.made_folder`). Then, each in a process of its own, a question
on the folder, never indexed before (first and complete answer, the most memory of one process), vectors made up around
real ones (`_scale.vectors_near`: to embed a million passages takes hours), whole warm answers, and an update after one
edit. *First answer* is that from the files in which the words of the question stand.
"""

from __future__ import annotations

import argparse
import contextlib
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from _common import machine, percentile, print_result, questions_from
from _scale import BATCH, CENTRES, WINDOWS_A_CHUNK, peak_mb, vectors_near
from freshness import QUESTION, edited, made_folder

from kbtui.bootstrap import Engine
from kbtui.cli.screen import GC_THRESHOLDS
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.store import index_tables as tables
from kbtui.knowledge.store.index_view import TextView
from kbtui.knowledge.store.vector_writer import VectorWriter, choose_vectors
from kbtui.settings.model import Settings


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--files", type=int, default=20_000)
    parser.add_argument("--questions", type=int, default=30)
    parser.add_argument("--scratch", type=Path, help="where folder and index are made: 4 GB for 100,000 files")
    parser.add_argument("--step", choices=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    if args.step:
        print(json.dumps(STEPS[args.step](args.folder, args.questions) | {"peak_mb": peak_mb()}))
        return
    with tempfile.TemporaryDirectory(dir=args.scratch) as scratch:
        made = made_folder(args.folder, Path(scratch) / "kb", args.files)
        os.environ["XDG_CACHE_HOME"] = f"{scratch}/cache"
        megabytes = sum(path.stat().st_size for path in made.rglob("*.md")) / 1e6
        result: dict[str, Any] = {"files": args.files, "text_mb": round(megabytes, 1), "never_indexed": first(made)}
        for step in STEPS:
            command = [sys.executable, __file__, str(made), "--step", step, "--questions", str(args.questions)]
            done = subprocess.run(command, stdout=subprocess.PIPE, check=True)
            result[step] = json.loads(done.stdout)
        cache = [path.lstat().st_size for path in Path(scratch, "cache").rglob("*") if path.is_file()]
        result["cache_mb"] = round(sum(cache) / 1e6, 1)
    result |= {"load": os.getloadavg()[0], "machine": machine()}
    print_result(result, as_json=args.json)


def first(folder: Path) -> dict[str, Any]:
    """A question on a folder that was never indexed."""
    command = [sys.executable, "-m", "kbtui", "ask", "--kb", str(folder), "--no-session", "--json", "--", QUESTION]
    started = time.perf_counter()
    at: dict[str, list[float]] = {}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        assert process.stdout is not None
        for line in process.stdout:
            at.setdefault(json.loads(line)["kind"], []).append(time.perf_counter() - started)
        _, _, usage = os.wait4(process.pid, 0)
    answers = at["answer_completed"]
    return {
        "first_answer_s": round(answers[0], 2),
        "complete_answer_s": round(answers[-1], 2),
        "cpu_s": round(usage.ru_utime + usage.ru_stime, 1),
        "peak_mb": usage.ru_maxrss // 1024,
    }


def make_vectors(folder: Path, _: int) -> dict[str, Any]:
    """Vectors for every text of the index."""
    knowledge = KnowledgeBase(folder, Settings())
    directory = knowledge.index.directory
    text = tables.current_generation(directory)
    assert text is not None
    view = TextView(text)
    keys = np.unique(view.keys)
    sample = view.chunks_at(view.ordered_rows[0][:: max(1, len(view.keys) // CENTRES)][:CENTRES])
    near = vectors_near(knowledge.embedder.encode([chunk.text for chunk in sample]))
    writer = VectorWriter(choose_vectors(directory, knowledge.embedder, rebuild=False).path)
    times: dict[str, float] = {}
    with timed(times, "written"):
        for start in range(0, len(keys), BATCH):
            made = near(len(keys[start : start + BATCH]))
            windows = [np.repeat(vector[None], WINDOWS_A_CHUNK, axis=0) for vector in made]
            writer.append(keys[start : start + BATCH], made, windows)
    with timed(times, "indexed"):
        writer.tidy(keys)
        writer.seal()
    return {"passages": len(view.keys), **{name: round(seconds, 2) for name, seconds in times.items()}}


@contextlib.contextmanager
def timed(times: dict[str, float], name: str) -> Iterator[None]:
    """Notes the seconds of a block as ``name_s``, and those of the processor."""
    started, worked = time.perf_counter(), time.process_time()
    yield
    times |= {f"{name}_s": time.perf_counter() - started, f"{name}_cpu_s": time.process_time() - worked}


def warm_answers(folder: Path, count: int) -> dict[str, Any]:
    """Whole answers in a process that has everything loaded."""
    engine = Engine(Settings(), folder, record=False)
    gc.set_threshold(*GC_THRESHOLDS)
    started = time.perf_counter()
    engine.warm()
    warmed_s = time.perf_counter() - started
    engine.answer_query("what is this about?")
    first_s = time.perf_counter() - started
    times, cpu = [], []
    for question in questions_from(None, folder, count):
        started, worked = time.perf_counter(), time.process_time()
        engine.answer_query(question)
        times.append(time.perf_counter() - started)
        cpu.append(time.process_time() - worked)
    spread = {f"p{share}_s": round(percentile(times, share), 3) for share in (50, 95)}
    spread |= {f"p{share}_cpu_s": round(percentile(cpu, share), 3) for share in (50, 95)}
    return {
        "warmed_s": round(warmed_s, 2),
        "warmed_and_first_s": round(first_s, 2),
        **spread,
        "max_s": round(max(times), 2),
    }


def after_edit(folder: Path, _: int) -> dict[str, Any]:
    """One edit, until it is searchable."""
    knowledge = KnowledgeBase(folder, Settings())
    knowledge.ensure_fresh(lambda _: None, CancelToken())
    return edited(folder, knowledge, 3)


STEPS = {"make_vectors": make_vectors, "warm_answers": warm_answers, "after_edit": after_edit}


if __name__ == "__main__":
    main()

"""What kbtui itself takes for a question that a chat model answers at once, beside the same question without a model.

    python benchmarks/overhead.py FOLDER [--questions FILE] [--count N] [--repeat N] [--json]

The model is the scripted server of the tests, in a process of its own on loopback: it plans, grades and writes from
what it is sent. Its time, from a request that is read to the last byte of the reply, is taken off that of the run; what
is left is kbtui's own: prompts, HTTP, searches, checking of citations. Each question is asked offline and with the
model in turn, warm, in one process; only simple ones count: one sub-question, and one pass both ways. FOLDER is
indexed first if it is not. Wall time needs a quiet machine; processor time and ratios do so less.
"""

from __future__ import annotations

import argparse
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
from _common import machine, percentile, print_result, questions_from

from kbtui.bootstrap import Engine, KnowledgeBackend
from kbtui.domain.events import Event, QueryRouted, RunCompleted
from kbtui.domain.ports import CancelToken
from kbtui.settings.model import ModelSettings, Settings

ROOT = Path(__file__).resolve().parent.parent
STAGES = 3
"""Calls of a simple question: route, grade, write."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Timed:
    """One run: its wall time and the part of it in which the server was busy, and processor time, in ms."""

    question: str
    wall_ms: float
    server_ms: float
    cpu_ms: float
    calls: int
    passes: int
    parts: int

    @property
    def own_ms(self) -> float:
        return self.wall_ms - self.server_ms


class Server:
    """The scripted model as a process."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "tests.support.model_server", "--behaviour", "perfect"]
        self._process = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        self._http = httpx.Client(trust_env=False)

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self._http.close()
        self._process.terminate()
        self._process.wait()

    def busy_ms(self, start: float, end: float) -> float:
        """How long it was busy between two readings of ``time.monotonic``, which is the same clock in all processes."""
        total, until = 0.0, start
        for came, done in sorted(self._http.get(f"{self.url}/busy").json()["busy"]):
            total += max(0.0, min(done, end) - max(came, until))
            until = max(until, min(done, end))
        return total * 1000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--count", type=int, default=30, help="questions made from the folder")
    parser.add_argument("--repeat", type=int, default=3, help="rounds over all questions")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    KnowledgeBackend(args.folder.resolve(), Settings()).knowledge.complete(lambda _: None, CancelToken())
    questions = questions_from(args.questions, args.folder, args.count)
    with Server() as server:
        print_result(measured(args.folder, questions, args.repeat, server), as_json=args.json)


def measured(folder: Path, questions: Sequence[str], repeat: int, server: Server) -> dict[str, Any]:
    """All rounds, as the object that is printed."""
    offline = Engine(Settings(), folder, record=False)
    model = ModelSettings(name="openai:scripted", base_url=f"{server.url}/v1", mode="pipeline")
    helped = Engine(Settings(model=model), folder, record=False)
    pairs: list[tuple[Timed, Timed]] = []
    for round_ in range(repeat + 1):
        for question in questions[: None if round_ else 3]:
            pair = timed(offline, question, server), timed(helped, question, server)
            if round_:
                pairs.append(pair)
    simple = [(off, on) for off, on in pairs if off.parts == 1 and off.passes == on.passes == 1 and on.calls == STAGES]
    if not simple:
        raise SystemExit("No question was answered by the model in one pass; give others with --questions.")
    own, alone = [on.own_ms for _, on in simple], [off.wall_ms for off, _ in simple]
    slowest = max((on for _, on in simple), key=lambda run: run.own_ms)
    return {
        "folder": folder.name,
        "questions": len({on.question for _, on in simple}),
        "left_out": len(questions) - len({on.question for _, on in simple}),
        "runs": len(simple),
        "own_p50_ms": round(percentile(own, 50), 1),
        "own_p95_ms": round(percentile(own, 95), 1),
        "offline_p50_ms": round(percentile(alone, 50), 1),
        "offline_p95_ms": round(percentile(alone, 95), 1),
        "ratio_p50": round(percentile(own, 50) / percentile(alone, 50), 2),
        "ratio_p95": round(percentile(own, 95) / percentile(alone, 95), 2),
        "ratio_of_pairs": round(statistics.median(on.own_ms / off.wall_ms for off, on in simple), 2),
        "more_p50_ms": round(percentile([on.own_ms - off.wall_ms for off, on in simple], 50), 1),
        "more_p95_ms": round(percentile([on.own_ms - off.wall_ms for off, on in simple], 95), 1),
        "own_cpu_p50_ms": round(percentile([on.cpu_ms for _, on in simple], 50), 1),
        "offline_cpu_p50_ms": round(percentile([off.cpu_ms for off, _ in simple], 50), 1),
        "server_p50_ms": round(percentile([on.server_ms for _, on in simple], 50), 1),
        "slowest": {"ms": round(slowest.own_ms, 1), "question": slowest.question},
        "load": round(os.getloadavg()[0], 1),
        "machine": machine(),
    }


def timed(engine: Engine, question: str, server: Server) -> Timed:
    """One question, asked and timed."""
    events: list[Event] = []
    cpu, start = time.process_time(), time.monotonic()
    engine.answer_query(question, events.append)
    end = time.monotonic()
    used = time.process_time() - cpu
    done = events[-1]
    assert isinstance(done, RunCompleted)
    return Timed(
        question=question,
        wall_ms=(end - start) * 1000,
        server_ms=server.busy_ms(start, end),
        cpu_ms=used * 1000,
        calls=done.llm_calls,
        passes=done.iterations,
        parts=max((len(e.routing_plan.sub_questions) for e in events if isinstance(e, QueryRouted)), default=0),
    )


if __name__ == "__main__":
    main()

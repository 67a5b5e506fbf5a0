"""How long a program waits for the first answer of ``kbtui mcp``, as the protocol's own client finds it.

    python benchmarks/mcp_start.py FOLDER [--questions FILE] [--rounds N] [--json]

Each round starts a server over standard streams for one question (one a line of FILE, or made from the folder):

- ``connected``: from the start of the process until it has told which tools there are,
- ``ready``: until it has loaded what answers need, as the first call to come back shows,
- ``first``: the first question, asked then; ``second``: another one after it,
- ``hurried``: in a server of its own, from the start of the process to the answer of a question that is asked at once.

FOLDER is indexed before. Wall time; it needs a quiet machine.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from _common import machine, percentile, print_result, questions_from
from mcp import Client, StdioServerParameters

KBTUI = ("-P", "-m", "kbtui")


async def measured(folder: Path, question: str, another: str) -> dict[str, float]:
    """One round, in milliseconds."""
    server = StdioServerParameters(
        command=sys.executable, args=[*KBTUI, "mcp", str(folder), "--no-session"], env=dict(os.environ)
    )
    times: dict[str, float] = {}
    started = time.perf_counter()

    def note(name: str) -> None:
        nonlocal started
        times[name] = (time.perf_counter() - started) * 1000

    async with Client(server) as client:
        await client.list_tools()
        note("connected")
        # Refused, but not before everything is loaded.
        await client.call_tool("read", {"path": "/"})
        note("ready")
        for name, text in (("first", question), ("second", another)):
            started = time.perf_counter()
            answer = await client.call_tool("ask", {"question": text})
            note(name)
            assert not answer.is_error, answer
    started = time.perf_counter()
    async with Client(server) as client:
        await client.call_tool("ask", {"question": question})
        note("hurried")
    return times


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--questions", type=Path)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()

    subprocess.run([sys.executable, *KBTUI, "index", str(args.folder)], stdout=subprocess.DEVNULL, check=True)
    questions = questions_from(args.questions, args.folder, args.rounds + 1)
    rounds = [
        asyncio.run(measured(args.folder, question, another)) for question, another in itertools.pairwise(questions)
    ]
    result: dict[str, Any] = {"folder": str(args.folder), "rounds": len(rounds), "machine": machine()}
    for name in ("connected", "ready", "first", "second", "hurried"):
        values = [times[name] for times in rounds]
        result[f"{name}_ms"] = {
            "median": round(statistics.median(values), 1),
            "p95": round(percentile(values, 95), 1),
            "most": round(max(values), 1),
        }
    print_result(result, as_json=args.json)


if __name__ == "__main__":
    main()

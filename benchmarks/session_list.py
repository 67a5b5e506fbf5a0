"""How soon the sessions screen shows thousands of sessions, beside listing their files and asking for their times.

    python benchmarks/session_list.py [--sessions N] [--rounds N] [--json]

N sessions are recorded into a folder of their own. *First list* fills the cache of summaries; *list* is what the screen
and the prompt ask for afterwards; *open* is from the key to rows on the screen; *search* is one word of the questions
and answers, with the rows that are left. ``list_ratio`` and ``open_ratio`` are over the baseline of the same run: the
names and times of the files from the operating system, nothing read.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import statistics
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from _common import machine, print_result

from kbtui.domain.answer import Citation
from kbtui.domain.codec import encode
from kbtui.domain.events import AnswerCompleted, Event, RunCompleted, RunStarted, ToolFinished, ToolStarted, stamped
from kbtui.sessions import cache
from kbtui.sessions.store import SessionStore

WORDS = ("deploy", "rollback", "window", "queue", "worker", "index", "handover", "region", "retry", "回滚", "值班")
ANSWER_WORDS = 250


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("--sessions", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=7, help="of each figure; the median is told")
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as scratch:
        for name in ("CACHE", "DATA", "STATE", "CONFIG"):
            os.environ[f"XDG_{name}_HOME"] = f"{scratch}/{name.lower()}"
        cache._SETTLED_NS = 0  # else files that were made just now would be read each time
        store = SessionStore()
        store.folder.mkdir(parents=True)
        size = record(store, args.sessions)
        first_s = timed(store.list)
        stats_s = median(args.rounds, lambda: [entry.stat() for entry in os.scandir(store.folder)])
        list_s = median(args.rounds, lambda: SessionStore().list())
        search_s = median(args.rounds, lambda: store.search(store.list(), ["rollback", "handover"])) - list_s
        open_s = asyncio.run(opening(Path(scratch), args.sessions, args.rounds))
    result: dict[str, Any] = {
        "sessions": args.sessions,
        "megabytes": round(size / 1e6, 1),
        "first_list_ms": round(first_s * 1000),
        "stat_of_all_ms": round(stats_s * 1000, 1),
        "list_ms": round(list_s * 1000, 1),
        "search_ms": round(search_s * 1000, 1),
        "open_ms": round(open_s * 1000, 1),
        "list_ratio": round(list_s / stats_s, 2),
        "open_ratio": round(open_s / stats_s, 2),
        **machine(),
    }
    print_result(result, as_json=args.json)


def record(store: SessionStore, count: int) -> int:
    """Write the sessions, one question each, over months and some folders; the bytes that they take."""
    chance = random.Random(7)
    size = 0
    for number in range(count):
        start = datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=30 * number)
        text = "".join(encode(event) + "\n" for event in run(chance, f"/folders/{number % 7}", start))
        store.path_of(f"{start:%Y%m%d-%H%M%S}-{number:05}").write_text(text, encoding="utf-8")
        size += len(text.encode())
    return size


def run(chance: random.Random, kb: str, start: datetime) -> list[Event]:
    """A question, twelve searches and a cited answer of the usual length."""
    words = [chance.choice(WORDS) for _ in range(ANSWER_WORDS)]
    source = Citation(n=1, path="runbooks/rollback.md", start_line=3, end_line=9, quote=" ".join(words[:40]))
    facts: list[Event] = [RunStarted(query=f"how does the {words[0]} of {words[1]} work?", kb=kb, session_id="s")]
    for call in range(12):
        facts.append(ToolStarted(call_id=f"c{call}", tool="hybrid_search", sub_question=" ".join(words[:6])))
        facts.append(ToolFinished(call_id=f"c{call}", tool="hybrid_search", ok=True, result_count=10))
    facts.append(AnswerCompleted(markdown=" ".join(words) + " [1]", outcome="answered", citations=(source,)))
    facts.append(RunCompleted(duration_ms=200))
    return [
        stamped(fact, run_id=f"r{start:%d%H%M}", seq=seq, at=(start + timedelta(seconds=seq / 100)).isoformat())
        for seq, fact in enumerate(facts)
    ]


async def opening(kb: Path, count: int, rounds: int) -> float:
    """Seconds from asking for the screen until its rows are drawn; the median."""
    from kbtui.errors import KnowledgeBaseError
    from kbtui.settings.model import Settings
    from kbtui.ui.app import KbtuiApp
    from kbtui.ui.screens.sessions import SessionsScreen
    from kbtui.ui.widgets.rows import RowList

    def nothing() -> Any:
        raise KnowledgeBaseError("No folder is asked here.")

    taken = []
    app = KbtuiApp(nothing, Settings(), kb=kb, suggestions=("a question",))
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause(1)
        for _ in range(rounds):
            start = time.perf_counter()
            app.action_sessions()
            while True:
                screen = app.screen
                if isinstance(screen, SessionsScreen):
                    rows = screen.query("#session-list")
                    if rows and len(rows.first(RowList)._rows) >= count and rows.first(RowList)._option_render_cache:
                        break
                await asyncio.sleep(0.001)
            taken.append(time.perf_counter() - start)
            await pilot.pause(0.2)
            app.pop_screen()
            await pilot.pause(0.2)
    return statistics.median(taken)


def timed(act: Callable[[], object]) -> float:
    start = time.perf_counter()
    act()
    return time.perf_counter() - start


def median(rounds: int, act: Callable[[], object]) -> float:
    return statistics.median(timed(act) for _ in range(rounds))


if __name__ == "__main__":
    main()

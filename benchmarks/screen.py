"""How soon the screen answers: its first frame, Enter, other sizes, long replays, long answers, many passages.

    python benchmarks/screen.py [FOLDER] [--rounds N] [--json]

All in a pseudo-terminal: *first frame* over that of a bare Textual app with widgets of the same kinds in the same run;
*enter* is from the key to the first change of the screen, *resize* from another size to the last thing drawn for it,
beside a bare Textual app with the widgets of the first frame, and no answers.
*Replay* plays 10,000 recorded events as fast as it goes, *scroll* is a turn of the wheel in an answer
of 2,000 lines, *rows* a step in a list of 500 passages, each from the key to the last thing drawn for it. The echo of
keys while a folder is indexed is measured by ``keys.py``, the list of sessions by ``session_list.py``.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from _common import machine, percentile, print_result
from _terminal import Terminal
from first_frame import BARE, first_frames

from kbtui.domain.answer import Citation
from kbtui.domain.codec import encode
from kbtui.domain.events import (
    AnswerCompleted,
    AnswerDelta,
    Event,
    EvidenceGraded,
    EvidenceItem,
    RunCompleted,
    RunStarted,
    stamped,
)

_DEMO = Path(__file__).parent.parent / "kbtui/demo/handbook"
_QUESTION = "When should I roll back a deploy?"
_EVENTS = 10_000
_LINES = 2_000
_PASSAGES = 500
_WHEEL, _DOWN = "\x1b[<65;100;20M", "\x1b[B"
_SIZES = ((100, 30), (200, 50), (80, 24), (120, 36))
_QUIET_S = 0.15
"""Without anything drawn, after which a size counts as drawn."""
Resizes = dict[tuple[int, int], list[float]]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=_DEMO)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    # A checkout would be compiled at each start.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as home:
        env = {**os.environ, "HOME": home, "TERM": "xterm-256color", "HF_HUB_OFFLINE": "1"}
        for name in ("CACHE", "DATA", "STATE", "CONFIG"):
            env[f"XDG_{name}_HOME"] = f"{home}/{name.lower()}"
        frames = first_frames(args.folder, env, args.rounds)
        enter, resize = in_terminal(args.folder, env, args.rounds)
        bare = bare_in_terminal(env, args.rounds)
        replay_s = replaying(env, Path(home))
        scroll = pressing(env, Path(home), long_answer(), (), _WHEEL, args.rounds * 2)
        rows = pressing(env, Path(home), many_passages(), ("\t", "\t"), _DOWN, args.rounds * 2)
    result = {
        "bare_ms": round(frames["bare"].wall_s * 1000),
        "kbtui_ms": round(frames["kbtui"].wall_s * 1000),
        "first_frame_ratio": round(frames["kbtui"].wall_s / frames["bare"].wall_s, 2),
        "first_frame_cpu_ratio": round(frames["kbtui"].cpu_s / frames["bare"].cpu_s, 2),
        **_times("enter", enter),
        **_times("resize", [time_s for times in resize.values() for time_s in times]),
        **{f"resize_{cols}x{rows}_p50_ms": round(percentile(s, 50) * 1000, 1) for (cols, rows), s in resize.items()},
        **_times("bare_resize", [time_s for times in bare.values() for time_s in times]),
        "replay_10k_s": round(replay_s, 2),
        **_times("scroll", scroll),
        **_times("rows", rows),
        "rounds": args.rounds,
        **machine(),
    }
    print_result(result, as_json=args.json)


def _times(name: str, seconds: list[float]) -> dict[str, float]:
    return {
        f"{name}_p50_ms": round(percentile(seconds, 50) * 1000, 1),
        f"{name}_p95_ms": round(percentile(seconds, 95) * 1000, 1),
    }


def in_terminal(folder: Path, env: dict[str, str], rounds: int) -> tuple[list[float], Resizes]:
    """Seconds from Enter to the first change, and those of other sizes with the answers on the screen."""
    terminal = Terminal([sys.executable, "-m", "kbtui", str(folder)], env)
    enter = []
    try:
        terminal.until("ask about")
        terminal.until("offline · ready", "files · offline")
        for _ in range(rounds):
            terminal.child.send(_QUESTION)
            terminal.settle()
            before = terminal.rows()
            start = time.perf_counter()
            terminal.child.send("\r")
            while terminal.rows() == before:
                terminal.read(1.0)
            enter.append(time.perf_counter() - start)
            terminal.until("done ·")
            terminal.settle(0.5)
        return enter, resizing(terminal, rounds)
    finally:
        terminal.child.close(force=True)


def bare_in_terminal(env: dict[str, str], rounds: int) -> Resizes:
    """Seconds that a bare app takes for other sizes."""
    terminal = Terminal([sys.executable, "-c", BARE], env)
    try:
        terminal.until("sk about")
        terminal.settle(0.5)
        return resizing(terminal, rounds)
    finally:
        terminal.child.close(force=True)


def resizing(terminal: Terminal, rounds: int) -> Resizes:
    """Seconds from another size to the last thing drawn for it, by the size."""
    times: Resizes = {size: [] for size in _SIZES}
    for _ in range(max(1, rounds // 2)):
        for size, seconds in times.items():
            start = time.perf_counter()
            terminal.resize(*size)
            seconds.append(terminal.drawn_s(start, _QUIET_S))
    return times


# Recordings -----------------------------------------------------------------------------------------------------------


def stamped_run(facts: list[Event]) -> tuple[Event, ...]:
    """The facts of one run with numbers and times."""
    start = datetime(2026, 1, 1, tzinfo=UTC)
    return tuple(
        stamped(fact, run_id="r1", seq=seq, at=(start + timedelta(milliseconds=5 * seq)).isoformat())
        for seq, fact in enumerate(facts)
    )


def long_answer() -> tuple[Event, ...]:
    """A run with an answer of 2,000 lines."""
    source = Citation(n=1, path="notes.md", start_line=1, end_line=2, quote="a line")
    lines = "\n".join(f"- Line {number} of an answer that goes on for long. [1]" for number in range(_LINES))
    return stamped_run(
        [
            RunStarted(query="a long one", kb="/kb", session_id="s"),
            AnswerCompleted(markdown=lines, outcome="answered", citations=(source,)),
            RunCompleted(duration_ms=10),
        ]
    )


def many_passages() -> tuple[Event, ...]:
    """A run with 500 graded passages."""
    items = tuple(
        EvidenceItem(
            evidence_id=f"e{number}",
            path=f"folder/file-{number}.md",
            start_line=number + 1,
            end_line=number + 4,
            score=1 - number / _PASSAGES,
            kept=number < 40,
            tool="hybrid_search",
            sub_question="a broad one",
        )
        for number in range(_PASSAGES)
    )
    return stamped_run(
        [
            RunStarted(query="a broad one", kb="/kb", session_id="s"),
            EvidenceGraded(items=items, average=0.9, action="GENERATE"),
            AnswerCompleted(markdown="One line.", outcome="answered"),
            RunCompleted(duration_ms=10),
        ]
    )


def long_run() -> tuple[Event, ...]:
    """A run of 10,000 events, nearly all of them pieces of its answer."""
    words = ("deploy ", "rollback ", "window. ", "queue ", "worker,\n\n")
    deltas = [AnswerDelta(text=words[number % len(words)]) for number in range(_EVENTS - 3)]
    text = "".join(delta.text for delta in deltas)
    started = RunStarted(query="a long one", kb="/kb", session_id="s")
    return stamped_run(
        [started, *deltas, AnswerCompleted(markdown=text, outcome="answered"), RunCompleted(duration_ms=10)]
    )


def replayed(
    events: tuple[Event, ...], env: dict[str, str], home: Path, *, rows: int = 36, cols: int = 120
) -> Terminal:
    """A terminal in which a session of these events is played as fast as it goes, from its start."""
    session = home / "session.jsonl"
    session.write_text("".join(encode(event) + "\n" for event in events), encoding="utf-8")
    return Terminal(
        [sys.executable, "-m", "kbtui", "replay", "--speed", "max", str(session)], env, rows=rows, cols=cols
    )


def replaying(env: dict[str, str], home: Path) -> float:
    """Seconds for which 10,000 events are played: until the position says that the end is reached."""
    terminal = replayed(long_run(), env, home)
    try:
        terminal.until("replay ·")
        start = time.perf_counter()
        terminal.until(f"{_EVENTS:,}/{_EVENTS:,}", f"{_EVENTS}/{_EVENTS}")
        return time.perf_counter() - start
    finally:
        terminal.child.close(force=True)


def pressing(
    env: dict[str, str], home: Path, events: tuple[Event, ...], before: tuple[str, ...], key: str, presses: int
) -> list[float]:
    """Seconds from a key to the last thing drawn for it, for each press; ``before`` are the keys that lead there."""
    terminal = replayed(events, env, home, rows=50, cols=200)
    times: list[float] = []
    try:
        terminal.until(f"{len(events)}/{len(events)}")
        terminal.settle(3.0)
        for one in before:
            terminal.child.send(one)
            terminal.settle(1.0)
        for _ in range(presses):
            start = time.perf_counter()
            terminal.child.send(key)
            times.append(terminal.drawn_s(start, _QUIET_S))
    finally:
        terminal.child.close(force=True)
    return times


if __name__ == "__main__":
    main()

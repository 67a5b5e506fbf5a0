"""Does the trust in a model leave a good model's sentences alone, and mark what a bad one invents?

    python benchmarks/drafts.py [DIR...] --texts TEXTS [--alone] [--held-out] [--json]

Each ``DIR`` holds drafts of a strong or of a careless reader with labelled sentences (`fit_trust.SETS` where none is
named; passages are read below ``TEXTS``). The drafts of one reader in one play are a session: what one shows counts for
the next. Shown is the draft that was not sent back: the first one where nothing was doubted, else the one after it.

    plain     sentences are marked by their lines alone
    trusted   the same, and by how far the model is trusted
    alone     the same, as if each question were the first that the model is asked (``--alone``)

``--held-out`` judges each play by figures that were fitted on the other ones (``fit_trust.py``). Drafts do not react:
what goes back to a model only because it is not known yet has no second draft here, and is marked at once.
"""

from __future__ import annotations

import argparse
import json
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from fit_trust import SETS, Judged, drafts_of, fitted, judged, used

from kbtui.reasoning.checking.trust import Record
from kbtui.reasoning.checking.verdicts import apply_trust, chances

Shown = tuple[str, bool, bool, bool]
"""The reader of a sentence, whether it is about rows, whether it is true, whether it is marked."""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="*", type=Path, default=SETS, metavar="DIR")
    parser.add_argument("--texts", type=Path, default=Path())
    parser.add_argument("--alone", action="store_true", help="as if each question were the first one")
    parser.add_argument("--held-out", action="store_true", help="by figures fitted on the other plays")
    parser.add_argument("--json", action="store_true", help="the figures as one object")
    arguments = parser.parse_args()
    rows = list(judged(drafts_of(arguments.folders, arguments.texts)))
    known = rows if set(arguments.folders) == set(SETS) else list(judged(drafts_of(SETS, arguments.texts)))
    sessions: dict[tuple[str, str], list[Judged]] = defaultdict(list)
    for row in rows:
        sessions[row.draft.play, row.draft.reader].append(row)
    shown: dict[str, list[Shown]] = defaultdict(list)
    for (play, _), session in sessions.items():
        # The two lanes of one play, such as play4a and play4b, are held out together.
        others = [row for row in known if row.draft.play.rstrip("ab") != play.rstrip("ab")]
        with used(fitted(others) if arguments.held_out else {}):
            trusted = list(sentences(session, alone=arguments.alone))
        shown["plain"] += sentences(session, by_lines=True)
        shown["trusted"] += trusted
        shown[play] += trusted
    figures = {name: figures_of(those) for name, those in shown.items()}
    if arguments.json:
        print(json.dumps(figures))
        return
    for name, parts in figures.items():
        for part, figure in parts.items():
            print(f"{name:<8} {part:<24} {figure}")


def sentences(session: Sequence[Judged], *, alone: bool = False, by_lines: bool = False) -> Iterator[Shown]:
    """The labelled sentences of a session as they are shown."""
    record = Record()
    for row, following in zip(session, [*session[1:], None], strict=True):
        if alone and not row.draft.is_redo:
            record = Record()
        outcome = row.outcome()
        record = record.after(outcome, was_sent_back=row.draft.is_redo)
        if following is not None and following.draft.is_redo and outcome == "doubted":
            continue
        copies = [replace(verdict) for verdict, _, _ in row.verdicts]
        if not by_lines:
            of_false = chances(copies, [item for _, item, _ in row.verdicts], row.draft.question)
            apply_trust(record.chance(), copies, of_false)
        for verdict, (before, _, label) in zip(copies, row.verdicts, strict=True):
            if label is not None and (before.is_claim or not before.is_supported):
                is_about_rows = before.support is not None and not before.support.values
                yield row.draft.reader, is_about_rows, label, not verdict.is_supported


def figures_of(shown: Sequence[Shown]) -> dict[str, Any]:
    """How many true sentences of each reader are marked, and how many false ones are not."""
    figures = {}
    for reader in ("strong", "careless"):
        for is_true in (True, False):
            marks = [marked for who, _, true, marked in shown if who == reader and true == is_true]
            if marks:
                wrong = sum(marks) if is_true else len(marks) - sum(marks)
                name = f"{reader} {'true marked' if is_true else 'false unmarked'}"
                figures[name] = {"n": len(marks), "wrong": wrong, "share": round(wrong / len(marks), 3)}
    return figures


if __name__ == "__main__":
    main()

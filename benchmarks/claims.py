"""Does the checker leave alone what is true and mark what is invented, in the forms a chat model writes?

    python benchmarks/claims.py [DIR] [--texts TEXTS] [--half dev|held|fresh] [--misses] [--json]

``DIR`` holds ``claims.jsonl`` (answers of one statement each, with what they are) and ``passages.jsonl`` (what the
model was given); ``data/claims_1`` where none is named. Passages of a set without this file are read from folders below
``TEXTS`` (``FOLDER:PATH:FIRST-LAST``). Each answer is checked by itself, as `AnswerChecker.check` is
called in a run, with the embedding model. Of the answers

    supported   the share that is marked (false marks), and the share that ends on a citation of its own passage
    invented    the share that is marked; where one row of a table is invented, that row and no other
    absence     the share that is marked though the passages do say nothing of it
    advice      the share that is marked, and the share that is told to be advice

``given``: citations that statements without a mark of their own were given, at the mean. Rules and coefficients are
made by reading the misses of ``dev``; of ``held`` only the totals are looked at.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.embedding import open_embedder
from kbtui.reasoning.checking import AnswerChecker, CheckedAnswer, Source
from kbtui.reasoning.citing import Citations
from kbtui.settings.model import Settings

TITLE = re.compile(r"# \S|Title: ")
DATA = Path(__file__).parent / "data" / "claims_1"


@dataclass(frozen=True)
class Judged:
    """An answer of the set and what the checker made of it.

    Attributes:
        wrong: It was not judged as its label says.
        cited: Paths that the statement rests on in the end.
    """

    row: dict[str, Any]
    checked: CheckedAnswer
    wrong: bool
    cited: tuple[str, ...]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=DATA, metavar="DIR")
    parser.add_argument("--half", help="only this half")
    parser.add_argument("--texts", type=Path, default=Path(), help="folder of the folders that passages are read from")
    parser.add_argument("--misses", action="store_true", help="print what was judged wrongly, of the dev half alone")
    parser.add_argument("--all-misses", action="store_true", help="print those of every half: a set already read")
    parser.add_argument("--json", action="store_true", help="the figures as one object")
    arguments = parser.parse_args()
    embedder = open_embedder(Settings().embedding)
    checker = AnswerChecker(lambda: embedder)
    found = [
        one
        for one in judged(arguments.folder, checker, arguments.texts)
        if arguments.half is None or one.row.get("half", "dev") == arguments.half
    ]
    if arguments.misses or arguments.all_misses:
        for one in found:
            if one.wrong and (arguments.all_misses or one.row.get("half", "dev") == "dev"):
                print(f"{one.row['id']} {one.row['label']}/{one.row['kind']}: {one.row['note']}")
                print(f"    {one.checked.markdown!r}\n    {one.checked.corrections}")
    figures = {half: figures_of([one for one in found if one.row.get("half", "dev") == half]) for half in halves(found)}
    if arguments.json:
        print(json.dumps(figures))
        return
    for half, rows in figures.items():
        print(half)
        for name, row in rows.items():
            print(f"  {name:<24} {row}")


def judged(folder: Path, checker: AnswerChecker, texts: Path = Path()) -> Iterator[Judged]:
    """Every answer of a set, checked.

    Args:
        folder: Of the set.
        texts: Folder of the folders that passages are read from, where the set holds none.
    """
    kept = folder / "passages.jsonl"
    passages = {row["path"]: passage_of(row) for row in rows_of(kept)} if kept.exists() else {}
    for row in rows_of(folder / "claims.jsonl"):
        sources = [
            Source(n=n, hit=passages.get(path) or read_passage(path, texts))
            for n, path in enumerate(row["passages"], start=1)
        ]
        citations = Citations(None)
        checked = checker.check(row["answer"], sources, citations, CancelToken(), row["question"])
        cited = tuple(citation.path for citation in citations.all if f"[{citation.n}]" in checked.markdown)
        yield Judged(row, checked, is_wrong(row, checked), cited)


def passage_of(row: dict[str, Any]) -> Hit:
    return Hit(**{key: row[key] for key in ("path", "start_line", "end_line", "text")})


def read_passage(place: str, texts: Path) -> Hit:
    """The lines of a file, with the title of its document: ``FOLDER:PATH:FIRST-LAST``."""
    folder, path, span = place.split(":")
    first, last = map(int, span.split("-"))
    root = texts / folder / "tree" if (texts / folder / "tree").exists() else texts / folder
    lines = (root / path).read_text("utf-8").split("\n")
    title = next((line.lstrip("# ").removeprefix("Title:").strip() for line in lines[:12] if TITLE.match(line)), "")
    text = "\n".join(lines[first - 1 : last])
    return Hit(path=path, start_line=first, end_line=last, text=text, title=title)


def is_wrong(row: dict[str, Any], checked: CheckedAnswer) -> bool:
    """Whether the statement was judged otherwise than its label says."""
    if row["label"] != "invented":
        return bool(checked.unsupported)
    target = row.get("target", "")
    return not checked.unsupported if not target else [target in text for text in checked.unsupported] != [True]


def figures_of(those: Sequence[Judged]) -> dict[str, dict[str, Any]]:
    """The figures by label, and by label and kind."""
    rows: dict[str, dict[str, Any]] = {}
    for label in ("supported", "invented", "absence", "advice"):
        own = [one for one in those if one.row["label"] == label]
        if not own:
            continue
        rows[label] = row_of(own, label)
        for kind in dict.fromkeys(one.row["kind"] for one in own):
            if label in ("supported", "invented"):
                part = [one for one in own if one.row["kind"] == kind]
                rows[f"  {label} {kind}"] = row_of(part, label)
    return rows


def own_path(row: dict[str, Any]) -> str:
    """The path of the passage that an answer cites."""
    return str(row["passages"][0]).split(":")[1] if ":" in row["passages"][0] else str(row["passages"][0])


def row_of(own: Sequence[Judged], label: str) -> dict[str, Any]:
    wrong = sum(one.wrong for one in own)
    row: dict[str, Any] = {"n": len(own), "wrong": wrong, "share": round(wrong / len(own), 3)}
    if label == "supported":
        row["own passage"] = round(sum(own_path(one.row) in one.cited for one in own) / len(own), 3)
    uncited = [one for one in own if one.row["kind"] == "uncited"]
    if uncited:
        row["given"] = round(sum(len(one.cited) for one in uncited) / len(uncited), 2)
    if label == "advice":
        row["told"] = sum(bool(one.checked.advice) for one in own)
    return row


def halves(those: Sequence[Judged]) -> list[str]:
    return list(dict.fromkeys(one.row.get("half", "dev") for one in those))


def rows_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]


if __name__ == "__main__":
    main()

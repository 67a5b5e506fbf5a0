"""Whole drafts of readers who played the model, with labelled sentences, and what the checker makes of them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kbtui.domain.evidence import Hit
from kbtui.reasoning.checking import Source
from kbtui.reasoning.checking.rows import rows_of

TITLE = re.compile(r"# \S|Title: |title: ")
PLAIN = re.compile(r"[\W_]+|\[\d+\]")


@dataclass(frozen=True)
class Draft:
    """A draft of a set.

    Attributes:
        reader: ``strong`` or ``careless``.
        play: Drafts of one play and reader are one session.
        is_redo: It was written after sentences had been sent back.
        text: Markdown with numbered marks.
        labels: Each labelled sentence, and whether its sources bear it out.
    """

    name: str
    reader: str
    play: str
    is_redo: bool
    question: str
    text: str
    labels: tuple[tuple[str, bool], ...]
    sources: tuple[Source, ...]


def drafts_in(folder: Path, texts: Path) -> Iterator[Draft]:
    """The drafts of a set.

    Args:
        texts: Folder of the folders that passages are read from.
    """
    from kbtui.agent.loop.ids import ids_to_numbers

    kept = folder / "tables.jsonl"
    tables = {row["id"]: row for row in rows_in(kept)} if kept.exists() else {}
    for row in (row for file in sorted(folder.glob("*drafts.jsonl")) for row in rows_in(file)):
        if "sentences" in row:
            text = " ".join(sentence["text"] for sentence in row["sentences"])
            labels = [(sentence["text"], sentence["true"]) for sentence in row["sentences"]]
            sources = [fresh_source(n, at, tables, texts) for n, at in enumerate(row["sources"], start=1)]
        else:
            text, labels = ids_to_numbers(row["draft"]), row["labels"]
            sources = [played_source(source, texts) for source in row["sources"]]
        yield Draft(
            name=row["id"],
            reader=row["reader"],
            play=row.get("play", folder.name),
            is_redo=row.get("redo", False),
            question=row["question"],
            text=text,
            labels=tuple((plain(sentence), is_true) for sentence, is_true in labels),
            sources=tuple(sources),
        )


def plain(text: str) -> str:
    """A sentence without marks, markup and space, by which it is found again."""
    return PLAIN.sub("", re.sub(r"\[\d+\]", "", text)).lower()


def label_of(text: str, labels: Sequence[tuple[str, bool]]) -> bool | None:
    """The label of a sentence; None if it has none."""
    own = plain(text)
    return next((is_true for sentence, is_true in labels if own and (own in sentence or sentence in own)), None)


def fresh_source(n: int, at: str, tables: Mapping[str, dict[str, Any]], texts: Path) -> Source:
    if at.startswith("@"):
        table = tables[at[1:]]
        return result(n, [" | ".join(row) for row in (table["columns"], *table["rows"])], table["sql"])
    path, first, text, title = lines_at(at, texts)
    return Source(n=n, hit=Hit(path=path, start_line=first, end_line=first + text.count("\n"), text=text, title=title))


def played_source(row: dict[str, Any], texts: Path) -> Source:
    if "result" in row:
        has_rows = row["result"].startswith(("sql", "rows"))
        return result(row["n"], row["text"].split("\n"), row["behind"], has_rows=has_rows)
    if "at" in row:
        path, first, text, _ = lines_at(row["at"], texts)
    else:
        path, first, text = row["path"], row["start"], row["text"]
    headings = tuple(filter(None, (*row.get("section", "").split(" > "), row.get("states", ""))))
    hit = Hit(
        path=path,
        start_line=first,
        end_line=first + text.count("\n"),
        text=text,
        title=row.get("title", ""),
        heading_path=headings,
        note=row.get("states", ""),
    )
    return Source(n=row["n"], hit=hit)


def result(n: int, lines: Sequence[str], behind: str, *, has_rows: bool = True) -> Source:
    """A computed result; its rows are compared where its lines are rows."""
    text = "\n".join([*lines, *([" ".join(behind.split())] if behind else [])])
    kept = [line for line in lines if line.strip() and not line.startswith("(")]
    cells = [line.split(" | ") for line in kept if (" | " in line) == (" | " in kept[0])]
    is_table = has_rows and len(cells) > 1 and all(len(row) == len(cells[0]) for row in cells)
    rows = rows_of(cells[0], cells[1:], behind) if is_table else None
    hit = Hit(path=f"result {n}", start_line=1, end_line=text.count("\n") + 1, text=text, tool="sql")
    return Source(n=n, hit=hit, rows=rows)


def lines_at(place: str, texts: Path) -> tuple[str, int, str, str]:
    """Path, first line, text and title of ``FOLDER:PATH:FIRST-LAST``."""
    folder, path, span = place.split(":")
    first, last = map(int, span.split("-"))
    root = texts / folder / "tree" if (texts / folder / "tree").exists() else texts / folder
    lines = (root / path).read_text("utf-8", "replace").split("\n")
    title = next((line.lstrip("# ").split("itle: ")[-1].strip() for line in lines[:12] if TITLE.match(line)), "")
    return path, first, "\n".join(lines[first - 1 : last]), title


def rows_in(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text("utf-8").split("\n") if line.strip()]

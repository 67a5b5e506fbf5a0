"""Runs of quoted units as Markdown blocks, each closed by its citation mark."""

from __future__ import annotations

from collections.abc import Sequence

from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.reasoning.offline.cleaning import block_safe, code_block, readable
from kbtui.reasoning.offline.quotable import Run, Unit, document_kind, is_page

LONGEST_UNIT = 700
"""Characters of one quoted unit; what is longer is cut at a word, the quote stays whole."""


def rendered(runs: Sequence[Run], citations: Citations) -> list[str]:
    """One Markdown block for each run; list items and table rows in a row become one list."""
    blocks: list[str] = []
    bullets: list[str] = []
    about = ""

    def close() -> None:
        if bullets:
            blocks.append("\n".join(bullets))
            bullets.clear()

    for run in runs:
        if run.about != about:
            close()
            about = run.about
            blocks.append(f"**{readable(about)}**")
        mark = f"[{citations.number(run.excerpt, run.start_line, run.end_line)}]"
        kind = run.units[0].kind
        if kind == "code":
            close()
            blocks.append(f"{code_block(_code(run), _language(run.excerpt))}\n\n{mark}")
        elif kind in ("list_item", "table_row", "field"):
            text = _row(run.units[0]) if kind == "table_row" else run.units[0].text
            bullets.append(f"- {_shortened(readable(text))} {mark}")
        else:
            close()
            text = " ".join(_shortened(readable(unit.text)) for unit in run.units)
            blocks.append(f"{block_safe(text)} {mark}")
    close()
    return blocks


def _code(run: Run) -> str:
    """The cited lines themselves, as code is shown as it stands; of a page without their tags."""
    if is_page(run.excerpt):
        return "\n".join(unit.text for unit in run.units)
    offset = run.excerpt.start_line
    return "\n".join(run.excerpt.lines[run.start_line - offset : run.end_line - offset + 1])


def _row(unit: Unit) -> str:
    """A table row as a line to be read: what it is about, then what it says of that, by the names of its columns."""
    cells = [cell for cell in (part.strip() for part in unit.text.split(" | ")) if cell]
    if len(cells) < 2:
        return unit.text
    first, *others = cells
    if len(cells) > 2 and len(unit.columns) == len(cells):
        others = [f"{column} {cell}" for column, cell in zip(unit.columns[1:], others, strict=True)]
    return f"{first}: {'; '.join(others)}"


def _language(excerpt: Excerpt) -> str:
    return excerpt.path.rsplit(".", 1)[-1].lower() if document_kind(excerpt.path) == "code" else ""


def _shortened(text: str) -> str:
    if len(text) <= LONGEST_UNIT:
        return text
    cut = text[:LONGEST_UNIT].rsplit(" ", 1)[0]
    # A cut inside of code would leave an open backtick behind.
    return f"{cut}`…" if cut.count("`") % 2 else f"{cut}…"

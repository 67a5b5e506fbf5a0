"""An answer on standard output: Markdown as it is into a pipe, set for reading on a terminal."""

from __future__ import annotations

import re
import sys

from kbtui.cli import console
from kbtui.controller.view_state import RunView
from kbtui.domain.answer import Citation
from kbtui.text.terminal import clean, one_line

_FOOTER = re.compile(r"\n+(?:-{3,}|\*{3,}|_{3,})[ \t]*\n(?=(?:[ \t]*\[\d+\][^\n]*\n*)+\Z)")
"""The rule above the footnotes, when nothing but footnotes follows it."""


def print_answer(view: RunView) -> None:
    """Print the answer of a run, if it has one."""
    if not view.markdown:
        return
    markdown = clean(view.markdown).rstrip("\n")
    if not console.interactive(sys.stdout):
        console.print_line(markdown)
        return
    from rich.markdown import Markdown
    from rich.text import Text

    out = console.out()
    out.print(Markdown(body(markdown) if view.citations else markdown, hyperlinks=False))
    if view.citations:
        out.print()
    for citation in view.citations:
        line = Text(f"[{citation.n}] ", style="bold")
        line.append(where(citation), style="cyan")
        if citation.stale:
            line.append("  changed since it was indexed", style="yellow")
        out.print(line, soft_wrap=True)


def body(markdown: str) -> str:
    """The answer without its footnotes."""
    found = _FOOTER.search(markdown)
    return markdown[: found.start()] if found else markdown


def where(citation: Citation) -> str:
    """A source as terminals make it clickable: ``path:line`` with the last line behind it, or what else it is."""
    if citation.kind != "file":
        return one_line(citation.label)
    start, end = citation.start_line or 1, citation.end_line
    path = one_line(citation.path or "")
    return f"{path}:{start}" if end is None or end <= start else f"{path}:{start}-{end}"

"""An answer on standard output: Markdown as it is into a pipe, set for reading on a terminal."""

from __future__ import annotations

import sys

from kbtui.cli import console
from kbtui.controller.export import UNSUPPORTED_LEGEND, body, has_unsupported
from kbtui.controller.view_state import RunView
from kbtui.domain.answer import Citation
from kbtui.settings.secrets import without_known_secrets
from kbtui.text.language import has_cjk
from kbtui.text.terminal import clean, one_line


def print_answer(view: RunView) -> None:
    if not view.markdown:
        return
    if not console.interactive(sys.stdout):
        console.print_line(without_known_secrets(clean(view.markdown)).rstrip("\n"))
        if view.tables:
            from kbtui.cli.data_parts import print_tables_as_markdown

            print_tables_as_markdown(view)
        if has_unsupported(view):
            console.print_line(f"\n{UNSUPPORTED_LEGEND}")
        if view.offered:
            console.print_line("\n" + "\n".join(offered_lines(view)))
        for citation in view.citations:
            if citation.stale:
                console.warn(f"[{citation.n}] {where(citation)} changed since it was indexed")
        return
    from rich.markdown import Markdown
    from rich.text import Text

    out = console.out()
    text = without_known_secrets(body(view))
    if view.tables or view.charts:
        from kbtui.cli.data_parts import print_parts
        from kbtui.controller.table_text import without_tables

        out.print(Markdown(without_tables(text, view.tables), hyperlinks=False))
        print_parts(view, out)
    else:
        out.print(Markdown(text, hyperlinks=False))
    if view.citations:
        out.print()
    for citation in view.citations:
        line = Text(f"[{citation.n}] ", style="bold")
        line.append(where(citation), style="cyan")
        if citation.kind == "sql" and citation.sql:
            line.append(f"  {one_line(citation.sql)}", style="dim")
        if citation.stale:
            line.append("  changed since it was indexed", style="yellow")
        out.print(line, soft_wrap=True)
    if has_unsupported(view):
        out.print(Text(f"\n{UNSUPPORTED_LEGEND}", style="yellow"))
    if view.offered:
        out.print(Text("\n" + "\n".join(offered_lines(view))), soft_wrap=True)


def offered_lines(view: RunView) -> list[str]:
    """The readings that were offered, numbered, and how one of them is taken."""
    is_beside = view.outcome == "answered"
    if has_cjk(view.query):
        title = f"{'其他' if is_beside else '最接近的'}理解（同一问题加 --reading N 即选择其中一个）："
    else:
        title = f"{'Other' if is_beside else 'Nearest'} readings (the same question with --reading N takes one):"
    lines = [f"{reading.n}. {one_line(reading.says)}" for reading in view.offered]
    return [title, "", *lines]


def where(citation: Citation) -> str:
    """A source as terminals make it clickable: ``path:line`` with the last line behind it, or what else it is."""
    if citation.kind != "file":
        return one_line(citation.label)
    start, end = citation.start_line or 1, citation.end_line
    path = one_line(citation.path or "")
    return f"{path}:{start}" if end is None or end <= start else f"{path}:{start}-{end}"

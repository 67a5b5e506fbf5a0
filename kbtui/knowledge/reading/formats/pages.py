"""Converts HTML of books, mails and drawings to Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kbtui.knowledge.reading.formats.packages import local_name, row, rule

_BLOCK_WORDS: Final = """
address article aside blockquote body caption dd div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6
header hr li main nav ol p pre section table tbody td tfoot th thead tr ul
"""
_BLOCKS: Final = frozenset(_BLOCK_WORDS.split())
_SKIPPED: Final = frozenset({"script", "style", "head", "template", "noscript", "svg"})


def markdown_of(markup: str | bytes) -> str:
    """The text of a page as Markdown, with its headings, lists, tables and code; empty where it cannot be parsed."""
    from lxml import etree, html

    if not markup.strip():
        return ""
    try:
        raw = markup.encode("utf-8", "replace") if isinstance(markup, str) else markup
        encoding = "utf-8" if isinstance(markup, str) else None
        tree = html.document_fromstring(raw, parser=html.HTMLParser(encoding=encoding, huge_tree=False))
    except (etree.LxmlError, ValueError, AssertionError):
        return ""
    writer = _Writer()
    writer.walk(tree)
    return writer.text()


class _Writer:
    """Writes Markdown for the start, text and end of each element, without recursion, so that any depth is safe."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._line: list[str] = []
        self._prefix = ""
        self._lists: list[str] = []
        self._counts: list[int] = []
        self._code = 0
        self._rows: list[list[str]] | None = None
        self._tables = 0

    def text(self) -> str:
        self._end_line()
        while self._lines and not self._lines[-1]:
            self._lines.pop()
        return "\n".join(self._lines)

    def walk(self, tree: Any) -> None:
        from lxml import etree

        skipped: Any = None
        for event, element in etree.iterwalk(tree, events=("start", "end", "comment", "pi")):
            name = local_name(element)
            if event == "start" and skipped is None:
                if name in _SKIPPED:
                    skipped = element
                else:
                    self._start(name)
                    self._add_text(element.text)
            elif event == "end" and (skipped is None or skipped is element):
                if skipped is None:
                    self._end(name)
                skipped = None
                self._add_text(element.tail)
            elif event in ("comment", "pi") and skipped is None:
                self._add_text(element.tail)

    def _add_text(self, text: str | None) -> None:
        if not text:
            return
        if self._code:
            first, *rest = text.split("\n")
            self._line.append(first)
            for line in rest:
                self._add_line("".join(self._line))
                self._line = [line]
        else:
            self._line.append(text)

    def _start(self, name: str) -> None:
        if name == "br":
            self._end_line()
        if name not in _BLOCKS:
            return
        if self._rows is not None and name not in ("td", "th", "tr", "table"):
            self._line.append(" ")
            return
        self._end_line()
        match name:
            case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
                self._blank()
                self._prefix = "#" * int(name[1]) + " "
            case "ul" | "ol":
                self._start_list(name)
            case "li":
                self._prefix = self._item_marker()
            case "pre":
                self._blank()
                self._add_line("```")
                self._code += 1
            case "table":
                self._tables += 1
                if self._tables == 1:
                    self._blank()
                    self._rows = []
            case "tr":
                if self._rows is not None:
                    self._rows.append([])
            case "p" | "blockquote" | "div" | "section":
                if not self._prefix and not self._lists:
                    self._blank()

    def _start_list(self, name: str) -> None:
        if not self._lists:
            self._blank()
        self._lists.append(name)
        self._counts.append(0)

    def _item_marker(self) -> str:
        if not self._lists:
            return "- "
        self._counts[-1] += 1
        depth = "  " * min(len(self._lists) - 1, 8)
        return f"{depth}{self._counts[-1]}. " if self._lists[-1] == "ol" else f"{depth}- "

    def _end(self, name: str) -> None:
        if name not in _BLOCKS:
            return
        if self._rows is not None:
            self._end_in_table(name)
            return
        if name == "pre" and self._code:
            self._code -= 1
            if "".join(self._line).strip():
                self._add_line("".join(self._line))
            self._line = []
            self._add_line("```")
            return
        self._end_line()
        if name in ("ul", "ol") and self._lists:
            self._lists.pop()
            self._counts.pop()
        if name[0] == "h" and name[1:].isdigit():
            self._prefix = ""
            self._blank()

    def _end_in_table(self, name: str) -> None:
        assert self._rows is not None
        if name in ("td", "th"):
            if not self._rows:
                self._rows.append([])
            self._rows[-1].append(" ".join("".join(self._line).split()))
            self._line = []
        elif name == "table":
            self._tables -= 1
            if self._tables == 0:
                rows, self._rows, self._line = self._rows, None, []
                self._write_table([cells for cells in rows if any(cells)])

    def _write_table(self, rows: Sequence[list[str]]) -> None:
        if all(len(cells) == 1 for cells in rows):
            for cells in rows:  # a table used for layout
                self._add_line(cells[0])
                self._blank()
            return
        for index, cells in enumerate(rows):
            self._add_line(row(cells))
            if index == 0:
                self._add_line(rule(len(cells)))
        self._blank()

    def _end_line(self) -> None:
        text = "".join(self._line) if self._code else " ".join("".join(self._line).split())
        self._line = []
        if text:
            self._add_line(self._prefix + text)
            self._prefix = ""

    def _add_line(self, line: str) -> None:
        self._lines.append(line.rstrip())

    def _blank(self) -> None:
        if self._lines and self._lines[-1]:
            self._lines.append("")

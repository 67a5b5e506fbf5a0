"""POD, the documentation of Perl, as Markdown, converted line by line, so that line numbers are those of the file."""

from __future__ import annotations

import html
import re
from functools import partial
from typing import Final

from kbtui.knowledge.reading.formats.markups import LineConverter, extract_lines


class _Pod(LineConverter):
    _COMMAND: Final = re.compile(r"=([a-z]+\d?)\b\s*(.*)$")
    _ITEM_SIGN: Final = re.compile(r"(?:[*o+-]|(\d{1,3})\.?)$")
    _WIDE: Final = re.compile(r"([A-Z])<(<+)\s+(.*?)\s+>\2")
    _NARROW: Final = re.compile(r"([A-Z])<([^<>]*)>")
    _OPEN: Final = re.compile(r"(?<![A-Za-z])([BCFILS])<+(?=[^<>]*$)")
    """A code that a later line closes."""
    _NESTING: Final = 4
    """Codes within codes that are resolved."""

    def __init__(self) -> None:
        self._item = ""
        self._is_name = False
        self._open = ""

    def _ends_literal(self, line: str) -> bool:
        return self._COMMAND.match(line) is not None and line.split()[0] in ("=end", "=cut", "=pod")

    def _literal_line(self, line: str) -> str:
        if self._ends_literal(line):
            self.literal = ""
        return ""

    def _text_line(self, line: str) -> str:
        if match := self._COMMAND.match(line):
            return self._command(match[1], match[2].strip())
        if not line.strip() or line[0].isspace():
            return line
        if self._open and ">" in line:
            inside, _, rest = line.partition(">")
            line = f"{inside.partition('|')[0] if self._open == 'L' else inside}{rest}"
            self._open = ""
        if match := self._OPEN.search(line):
            self._open = match[1]
        text = self._OPEN.sub("", self._inline(line))
        if self._is_name:
            self.title, self._is_name = text, False
        sign, self._item = self._item, ""
        return f"{sign}{text}"

    def _command(self, name: str, rest: str) -> str:
        """A command paragraph as a line of Markdown; empty for one without text of its own."""
        if name.startswith("head"):
            self._is_name = rest == "NAME"
            return f"{'#' * (int(name[4:] or 1) + 1)} {self._inline(rest)}"
        if name == "begin":
            self.literal = "=end"
        if name != "item":
            return ""
        if sign := self._ITEM_SIGN.match(rest):
            # The text of such an item is the paragraph below.
            self._item = f"{sign[1]}. " if sign[1] else "- "
            return ""
        return f"- {self._inline(rest)}" if rest else ""

    def _inline(self, text: str) -> str:
        text = self._WIDE.sub(lambda match: self._code(match[1], match[3]), text)
        for _ in range(self._NESTING):
            shorter = self._NARROW.sub(lambda match: self._code(match[1], match[2]), text)
            if shorter == text:
                break
            text = shorter
        return text

    def _code(self, code: str, text: str) -> str:
        """A formatting code as Markdown."""
        match code:
            case "C" | "F":
                return f"`{text}`" if "`" not in text else text
            case "E":
                return {"lt": "&lt;", "gt": "&gt;", "verbar": "|", "sol": "/"}.get(text) or html.unescape(f"&{text};")
            case "L":
                label, _, target = text.rpartition("|")
                page, _, section = (target, "", "") if "://" in target else target.partition("/")
                return label or " ".join(part for part in (page, section.strip('"')) if part)
            case "X" | "Z":
                return ""
            case _:
                return text


extract_pod: Final = partial(extract_lines, _Pod)
"""The text of a POD file, as Markdown."""

"""The blocks of a document: headings, paragraphs, list items, code, table rows, fields.

One scanner reads Markdown, reStructuredText and plain text line by line, because what people keep in a folder is
rarely purely one of them, and because sentences, headings and chunks must agree on where a block begins. It is no
renderer: it only has to say which lines belong together. It never fails; what it does not know is prose.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import Literal

from msgspec import Struct
from rich.cells import cell_len

from kbtui.text.fields import front_matter, header_block
from kbtui.text.outlines import outline_heads, outline_level
from kbtui.text.tables import interrupts, table

Dialect = Literal["markdown", "rst", "text", "any"]
BlockKind = Literal["heading", "prose", "list_item", "code", "table_row", "field", "rule"]


class Block(Struct, frozen=True):
    """Lines that belong together.

    Attributes:
        kind: ``rule`` is furniture: separators, comments, anchors, directives without text.
        start: Index of the first line.
        end: Index of the last line, inclusive.
        indent: Columns before the first character.
        text: Heading text without mark-up; else empty.
        level: Of a heading, 1 for the outermost.
    """

    kind: BlockKind
    start: int
    end: int
    indent: int = 0
    text: str = ""
    level: int = 0


_FENCE = re.compile(r"\s*(?:[-*+]\s+|\d+[.)]\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)")
_ATX = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$")
_WIKI_HEADING = re.compile(r"(={1,6})[ \t]+(\S.*?)(?:[ \t]+=+)?(?:[ \t]+#\S+)?[ \t]*$")
_WIKI_HEADING_LINE = re.compile(r"={1,6}[ \t]+[^\s=]")
_ADORNMENT = re.compile(r"([!-/:-@\[-`{-~])\1{2,}\s*$")
_ITEM = re.compile(
    r"(\s*)(?:(?:[-*+•◦‣·]|\d{1,9}[.)]|[A-Za-z][)]|#\.|\([A-Za-z0-9]{1,3}\))(?:\s+|$)"
    r"|(?:\d{1,3}、|[一二三四五六七八九十]{1,3}、|（[\d一二三四五六七八九十]{1,3}）)\s*)"
)
_INTERRUPTS = re.compile(r"\s*(?:[-*+•◦‣·]\s+|1[.)]\s+|\d{1,3}、|（[\d一二三四五六七八九十]{1,3}）)\S")
_RST_FIELD = re.compile(r"\s*:[^\s:`][^:`]{0,60}:(?:\s|$)")
_DIRECTIVE = re.compile(r"\s*\.\.(?:\s+|$)")
_DIRECTIVE_NAME = re.compile(r"\s*\.\.\s+(?:\|[^|]+\|\s+)?([\w:+.-]+?)::(?:\s+(.*))?$")
_FOOTNOTE = re.compile(r"\s*\.\.\s+\[[^\]]+\]\s|\s*\[[^\]\n]{1,80}\]:\s")
_LINK_TARGET = re.compile(r"\s*\[[^\]\n^][^\]\n]{0,79}\]:\s+<?\S+>?(?:\s+[\"'(].*)?\s*$")
_QUOTE = re.compile(r"^(?:\s{0,3}>\s?)+")
_CODE_WORDS = """
code code-block sourcecode literalinclude parsed-literal math csv-table graphviz mermaid doctest testcode testsetup
testoutput prompt console ipython raw highlight productionlist
"""
_CODE_DIRECTIVES = frozenset(_CODE_WORDS.split())
_FURNITURE_WORDS = """
include image figure toctree contents module currentmodule automodule autoclass autofunction autodata
autoexception automethod autosummary index role default-role default-domain program sectnum target-notes rst-class
"""
_FURNITURE_DIRECTIVES = frozenset(_FURNITURE_WORDS.split())
_CODE_LIKE = re.compile(
    r"^\s*(?:>>> |\$ |\w+\(|@\w|(?:def|class|import|from|return|if|for|fn|let|func|var)\b)|[{};=]\s*$"
)


def blocks(lines: Sequence[str], dialect: Dialect = "any", whole: bool = True) -> list[Block]:
    """The blocks of ``lines`` in order; they do not overlap, and every line with text is in one.

    Args:
        lines: A document or a passage of one, without line ends.
        dialect: What may be assumed: ``#`` is no heading in reStructuredText, ``::`` no literal block in Markdown.
        whole: The lines are a document from its first line on, not a passage cut out of one.
    """
    return _Scanner(_plain_lines(lines, dialect), dialect, whole).scan()


@lru_cache(maxsize=2)
def document_blocks(text: str, dialect: Dialect) -> tuple[Block, ...]:
    """The blocks of a whole document; kept, because what reads a document and what cuts it ask one after the other."""
    lines = text.split("\n")
    return tuple(_Scanner(lines if ">" not in text else _plain_lines(lines, dialect), dialect, whole=True).scan())


def _plain_lines(lines: Sequence[str], dialect: Dialect) -> Sequence[str]:
    return lines if dialect == "rst" else unquoted(lines)


def unquoted(lines: Sequence[str]) -> Sequence[str]:
    """``lines`` without the ``>`` that Markdown and mail put before what they quote; as many lines."""
    if not any(line.lstrip().startswith(">") for line in lines):
        return lines
    return [line if line.lstrip().startswith(">>>") else _QUOTE.sub("", line) for line in lines]


def _indent(line: str) -> int:
    return (
        len(line.expandtabs(4)) - len(line.lstrip().expandtabs(4)) if "\t" in line else len(line) - len(line.lstrip())
    )


class _Scanner:
    def __init__(self, lines: Sequence[str], dialect: Dialect, whole: bool) -> None:
        self.lines = lines
        self.count = len(lines)
        self.hashes = dialect != "rst"
        self.literals = dialect != "markdown"
        self.dialect = dialect
        self.whole = whole
        self.blocks: list[Block] = []
        self.styles: list[str] = []
        # Text of list items is indented; only what is indented further can be code.
        self.item_indent = 0
        # Delimiters that are missing up to the end, and are not searched for again further down.
        self.missing: set[str] = set()
        # ``== Title`` of wikis and AsciiDoc; one such line alone is an assignment or a result.
        self.wiki = dialect == "text" and sum(_WIKI_HEADING_LINE.match(line) is not None for line in lines) > 1
        self.outline = outline_heads(lines) if dialect == "text" and whole else frozenset()

    def scan(self) -> list[Block]:
        index = self._header(0)
        while index < self.count:
            if self.lines[index].strip():
                index = self._block(index)
                if len(self.blocks) == 1 and self.blocks[0].kind == "heading":
                    index = self._header(index)
            else:
                index += 1
        return self.blocks

    def _add(self, kind: BlockKind, start: int, stop: int, text: str = "", level: int = 0) -> int:
        """Add the lines ``start`` up to ``stop`` (exclusive) as a block; returns ``stop``."""
        while stop > start + 1 and not self.lines[stop - 1].strip():
            stop -= 1
        self.blocks.append(Block(kind, start, stop - 1, _indent(self.lines[start]), text, level))
        return stop

    def _header(self, index: int) -> int:
        """Front matter or header fields from the line ``index`` on, blank lines before them skipped."""
        matter = front_matter(self.lines) if index == 0 else None
        first = index
        while first < self.count and not self.lines[first].strip():
            first += 1
        header = matter or header_block(self.lines, first)
        if header is None or (matter is None and self._underlined(header.start)):
            return index
        position = header.start
        for field in header.fields:
            if field.start > position:
                self._add_rule(position, field.start)
            position = self._add("field", field.start, field.end + 1)
        if position <= header.end:
            self._add_rule(position, header.end + 1)
        return header.end + 1

    def _add_rule(self, start: int, stop: int) -> None:
        while start < stop and not self.lines[start].strip():
            start += 1
        if start < stop:
            self._add("rule", start, stop)

    def _block(self, index: int) -> int:
        """Add the block that starts at ``index``; returns the index after it."""
        line = self.lines[index]
        stripped = line.strip()
        first = stripped[0]
        if first in "`~-*+0123456789" and (fence := _FENCE.match(line)):
            return self._fenced(index, fence[1], fence[2].strip())
        if first == "#" and self.hashes and (match := _ATX.match(line)):
            self.item_indent = 0
            return self._add("heading", index, index + 1, (match[2] or "").strip(), len(match[1]))
        if first == "=" and self.wiki and (match := _WIKI_HEADING.match(line)):
            self.item_indent = 0
            return self._add("heading", index, index + 1, match[2].replace("'''", "").strip(), len(match[1]))
        if index in self.outline:
            self.item_indent = 0
            return self._add("heading", index, index + 1, stripped, outline_level(stripped))
        if (stop := self._underlined(index)) or (stop := self._table(index)):
            return stop
        if first in "!-/:-@[-`{-~#$%&'()*+,.=^_\"|" and _ADORNMENT.match(stripped):
            return self._add("rule", index, index + 1)
        if stripped.startswith("<!--"):
            return self._comment(index)
        if first == "." and _DIRECTIVE.match(line) and self.dialect != "markdown":
            return self._explicit(index)
        if first == "[" and _FOOTNOTE.match(line):
            if _LINK_TARGET.match(line):
                return self._add("rule", index, index + 1)
            return self._add("list_item", index, self._deeper(index, blank=False))
        if first == ":" and _RST_FIELD.match(line):
            return self._add("field", index, self._deeper(index, blank=False))
        if stripped.startswith(">>> "):
            return self._add("code", index, self._until_blank(index))
        if match := _ITEM.match(line):
            return self._item(index, match)
        return self._paragraph(index)

    def _fenced(self, index: int, fence: str, info: str) -> int:
        closing = re.compile(rf"\s*{re.escape(fence[0])}{{{len(fence)},}}\s*$")
        for stop in range(index + 1, self.count if fence not in self.missing else 0):
            if closing.match(self.lines[stop]):
                return self._add("code", index, stop + 1)
        self.missing.add(fence)
        # A passage may begin after its opening fence; then this fence closes a block that began before the passage.
        if not self.whole and not info:
            return self._add("rule", index, index + 1)
        return self._add("code", index, self.count)

    def _comment(self, index: int) -> int:
        for stop in range(index, self.count if "-->" not in self.missing else index):
            if "-->" in self.lines[stop]:
                return self._add("rule", index, stop + 1)
        self.missing.add("-->")
        return self._add("rule", index, index + 1)

    def _underlined(self, index: int) -> int:
        """Add a heading with a line under it (and over it); 0 when there is none at ``index``."""
        lines = self.lines
        line = lines[index]
        over = _ADORNMENT.match(line)
        at = index + 1 if over else index
        if at + 1 >= self.count:
            return 0
        under = _ADORNMENT.match(lines[at + 1])
        if not under or _ADORNMENT.match(lines[at]) or (over and over[1] != under[1]):
            return 0
        text = lines[at].strip()
        length = len(lines[at + 1].strip())
        if not text or len(text) > 200 or length < min(cell_len(text), 4):
            return 0
        if over:
            if self.dialect == "markdown" or abs(len(line.strip()) - length) > 2:
                return 0
        else:
            if line[0].isspace() or (self.dialect == "markdown" and under[1] not in "=-"):
                return 0
            # A list item or the last line of a paragraph above a rule is no heading.
            if under[1] == "-" and _ITEM.match(line) and length != cell_len(text):
                return 0
        if self.dialect == "markdown":
            level = 1 if under[1] == "=" else 2
        else:
            style = under[1] * (2 if over else 1)
            if style not in self.styles:
                self.styles.append(style)
            level = self.styles.index(style) + 1
        self.item_indent = 0
        return self._add("heading", index, at + 2, text, level)

    def _table(self, index: int) -> int:
        """Add the rows and rules of the table at ``index``; 0 when there is none."""
        stop = 0
        for part in table(self.lines, index, self.missing):
            kind: BlockKind = "table_row" if part.is_row else "rule"
            stop = self._add(kind, part.start, part.stop, level=int(part.is_head))
        return stop

    def _explicit(self, index: int) -> int:
        """reStructuredText's ``..``: footnotes are items, code directives are code, comments and links furniture."""
        line = self.lines[index]
        if _FOOTNOTE.match(line):
            return self._add("list_item", index, self._deeper(index, blank=False))
        directive = _DIRECTIVE_NAME.match(line)
        if directive is None:
            return self._add("rule", index, self._deeper(index, blank=False))
        if directive[1] in _CODE_DIRECTIVES:
            return self._add("code", index, self._deeper(index, blank=True))
        stop = index + 1
        while stop < self.count and _RST_FIELD.match(self.lines[stop]) and _indent(self.lines[stop]) > _indent(line):
            stop += 1
        if directive[1] in _FURNITURE_DIRECTIVES:
            return self._add("rule", index, stop)
        if directive[2] and stop == index + 1:
            return self._add("prose", index, self._deeper(index, blank=False))
        return self._add("rule", index, stop)

    def _deeper(self, index: int, blank: bool) -> int:
        """The index after the lines below ``index`` that are indented further; ``blank`` lines may stand between."""
        base = _indent(self.lines[index])
        stop = index + 1
        while stop < self.count:
            line = self.lines[stop]
            if not line.strip():
                if not blank:
                    break
            elif _indent(line) <= base:
                break
            stop += 1
        while stop > index + 1 and not self.lines[stop - 1].strip():
            stop -= 1
        return stop

    def _until_blank(self, index: int) -> int:
        while index < self.count and self.lines[index].strip():
            index += 1
        return index

    def _item(self, index: int, match: re.Match[str]) -> int:
        content = len(match[0].expandtabs(4))
        self.item_indent = content
        stop = index + 1
        while stop < self.count and self.lines[stop].strip():
            line = self.lines[stop]
            if _ITEM.match(line) or self._starts_other(stop) or (self.hashes and _ATX.match(line)):
                break
            stop += 1
        self._add("list_item", index, stop)
        return self._literal(stop, content)

    def _starts_other(self, index: int) -> bool:
        """True when a fence, a table or explicit mark-up begins here, whatever stood before."""
        line = self.lines[index]
        first = line.lstrip()[0]
        if first in "`~" and _FENCE.match(line):
            return True
        if first == "." and self.dialect != "markdown" and _DIRECTIVE_NAME.match(line):
            return True
        return interrupts(self.lines, index)

    def _paragraph(self, index: int) -> int:
        lines = self.lines
        base = _indent(lines[index])
        if base == 0:
            self.item_indent = 0
        if base >= self.item_indent + 4 and (stop := self._indented_code(index)):
            return stop
        deepest = base
        stop = index + 1
        while stop < self.count and (bare := lines[stop].lstrip()):
            line = lines[stop]
            indent = len(line) - len(bare) if "\t" not in line else _indent(line)
            # The next term of a definition list; nothing else that ends a paragraph begins with a letter.
            if (indent <= base and deepest >= base + 2) or (not bare[0].isalpha() and self._ends_paragraph(stop)):
                break
            deepest = max(deepest, indent)
            stop += 1
        self._add("prose", index, stop)
        return self._literal(stop, _indent(lines[stop - 1]))

    def _ends_paragraph(self, index: int) -> bool:
        """True when the line, which begins with no letter, begins something else than more of a paragraph."""
        line = self.lines[index]
        return bool(
            self._starts_other(index)
            or (self.hashes and _ATX.match(line))
            or (self.wiki and _WIKI_HEADING.match(line))
            or (self.dialect != "rst" and _INTERRUPTS.match(line))
            or _ADORNMENT.match(line)
        )

    def _indented_code(self, index: int) -> int:
        """Add an indented block as code where that is what indentation means; 0 where it is a quotation."""
        base = _indent(self.lines[index])
        stop = index
        end = index
        while stop < self.count and (not self.lines[stop].strip() or _indent(self.lines[stop]) >= base):
            stop += 1
            if self.lines[stop - 1].strip():
                end = stop
        body = [line for line in self.lines[index:end] if line.strip()]
        code = sum(1 for line in body if _CODE_LIKE.search(line))
        if self.dialect != "markdown" and code * 3 < len(body):
            return 0
        return self._add("code", index, end)

    def _literal(self, index: int, indent: int) -> int:
        """Add the literal block that a closing ``::`` announced, if it did; returns where to go on."""
        if not self.literals or not self.lines[index - 1].rstrip().endswith("::"):
            return index
        first = index
        while first < self.count and not self.lines[first].strip():
            first += 1
        if first == self.count or _indent(self.lines[first]) <= indent:
            return index
        stop = first
        while stop < self.count and (not self.lines[stop].strip() or _indent(self.lines[stop]) > indent):
            stop += 1
        return self._add("code", first, stop)

"""The blocks of an HTML page, or of an XML page of a manual: headings, paragraphs, list items, code, table rows.

A fragment of a page is read as well as a whole one, because a passage rarely begins where an element does. The scanner
takes time linear in the length of the markup and never fails; a tag that it does not know is read by where it stands.
"""

from __future__ import annotations

import html
import re
from typing import Final, Literal

from msgspec import Struct, structs

from kbtui.text.markup import is_block_tag

PageBlockKind = Literal["heading", "prose", "list_item", "code", "table_row"]

TAG: Final = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<![A-Za-z][^<>]*>"
    r"|<(?P<end>/?)(?P<name>[A-Za-z][\w:.-]*)(?P<attributes>\s[^<>]*)?/?>",
    re.S,
)
_HIDDEN: Final = frozenset(("script", "style", "template", "nav"))
_RAW: Final = frozenset(("script", "style"))
"""Elements that hold no others: what looks like a tag in them is text."""
_NAVIGATION: Final = re.compile(
    r"\b(?:class|id|role|summary)\s*=\s*[\"']?[^\"'<>]*"
    r"\b(?:nav|navbar|navheader|navfooter|navigation|breadcrumbs?|sphinxsidebar|related|toc"
    r"|footer|contentinfo|page-metadata|post-meta|entry-meta|byline)\b",
    re.I,
)
"""Containers of what pages have around their text: ways to other pages, who wrote a page, what made it."""
_CONTAINERS: Final = frozenset(("div", "table", "ul", "ol", "dl", "aside", "header", "footer"))
_HEADINGS: Final = {**{f"h{level}": level for level in range(1, 7)}, "title": 1, "subtitle": 2}
_ITEMS: Final = frozenset(("li", "item", "listitem"))
_CODE: Final = frozenset(("pre", "programlisting", "screen", "listing"))
_ROWS: Final = frozenset(("tr", "row"))
_TERMS: Final = frozenset(("dt", "term"))
_CELLS: Final = frozenset(("td", "th", "entry"))
_LINK: Final = re.compile(r"\bhref\s*=\s*[\"']?[^\"'\s>#]*(?P<inside>#)?", re.I)
LETTER: Final = re.compile(r"[^\W\d_]")
_RULE: Final = re.compile(r"(?<!\S)[=*#~_-]{4,}(?!\S)")
"""A line drawn with signs, as texts have under their titles."""
_XML: Final = re.compile(r"\s*<\?xml\b|(?:[^<]|<(?!html\b)){0,500}<html\b[^<>]*\bxmlns\s*=", re.I)
"""The beginning of a page in XML."""
_SECTION_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*\.")
_ADMONITIONS: Final = frozenset(
    ("note", "notes", "tip", "hint", "important", "warning", "caution", "danger", "注意", "提示", "警告")
)
"""Titles of boxes, which begin no section."""
_ANCHOR_MARKS: Final = ("¶", "#", "§", "🔗")
"""What a link to a heading itself is shown as."""
_MAX_TERM: Final = 200
"""Characters of terms that one explanation begins with."""
_LINK_SHARE: Final = 0.9
"""Share of a block's letters in links into pages from which it is an entry of a table of contents."""


def is_admonition(title: str) -> bool:
    """Whether a heading is the title of a box of its section: ``Note``."""
    return title.strip(" :：!").lower() in _ADMONITIONS


class PageBlock(Struct, frozen=True, kw_only=True):
    """One block.

    Attributes:
        text: What a reader sees, with the line ends of the markup; code keeps its spaces.
        start_line: Line of its first character that is no space.
        level: Of a heading, 1 for the outermost; of a row of a table, 1 where it names the columns.
        cells: Of a row of a table.
        cell_lines: First line of each cell.
        is_named_row: Of a row of a table, whether its first cell is a header cell that names the others.
        has_breaks: Whether lines are broken on purpose.
        is_link: Of a cell or an item of a list, whether all of it is a link to another page.
        term: What a paragraph that begins with a term explains.
    """

    kind: PageBlockKind
    text: str
    start_line: int
    level: int = 0
    cells: tuple[str, ...] = ()
    cell_lines: tuple[int, ...] = ()
    is_named_row: bool = False
    has_breaks: bool = False
    is_link: bool = False
    term: str = ""


def page_blocks(markup: str, first_line: int = 1) -> list[PageBlock]:
    """The blocks of a page in order, without navigation and tables of contents.

    Args:
        markup: HTML or XML with ``\\n`` line ends, whole or a fragment.
        first_line: Number of its first line.
    """
    scanner = _Scanner(first_line)
    is_xml = _XML.match(markup) is not None
    position = 0
    while (tag := TAG.search(markup, position)) is not None:
        scanner.append(markup[position : tag.start()])
        position = tag.end()
        name = (tag["name"] or "").lower()
        if not tag["end"] and _is_hidden(name, tag["attributes"] or ""):
            scanner.flush()
            position = position if _is_empty(tag[0], is_xml) else end_of(name, markup, position)
        elif name == "br":
            scanner.break_line()
        elif name == "a":
            target = None if tag["end"] else _LINK.search(tag["attributes"] or "")
            scanner.enter_link(target and target["inside"] is not None)
        elif name and is_block_tag(name, markup, tag.start(), tag.end()):
            scanner.cross(name, is_end=bool(tag["end"]))
        scanner.append("\n" * markup.count("\n", tag.start(), position))
    scanner.append(markup[position:])
    return scanner.finished()


def _join_paragraphs(first: PageBlock, mark: str, second: PageBlock) -> PageBlock:
    """One paragraph of two, with as many line ends between them as the markup has."""
    between = "\n" * max(0, second.start_line - first.start_line - first.text.count("\n"))
    return structs.replace(first, text=f"{first.text}{mark}{between}{second.text}")


def _is_hidden(name: str, attributes: str) -> bool:
    """Whether an element is no text of its page: a script, or the way to other pages."""
    return name in _HIDDEN or (name in _CONTAINERS and _NAVIGATION.search(attributes) is not None)


def _is_empty(tag: str, is_xml: bool) -> bool:
    """Whether a tag is an element without contents: ``<script src="…"/>``, which only XML ends there."""
    return is_xml and tag.endswith("/>")


def end_of(name: str, markup: str, position: int) -> int:
    """The offset after the end of an element that begins before it; the end of the markup where it does not end."""
    open_elements = 1
    for tag in re.compile(rf"<(/?){name}\b[^<>]*>", re.I).finditer(markup, position):
        open_elements += -1 if tag[1] else name not in _RAW
        if open_elements == 0:
            return tag.end()
    return len(markup)


class _Scanner:
    """Collects text between block-level tags, and what its blocks are."""

    def __init__(self, first_line: int) -> None:
        self.blocks: list[PageBlock] = []
        self._link: Literal["none", "page", "inside"] = "none"
        self._term: PageBlock | None = None
        self._in_term = False
        self._line = first_line
        self._parts: list[str] = []
        self._start = first_line
        self._letters = self._link_letters = self._inside_letters = 0
        self._heading = 0
        self._items = self._code = 0
        self._broken = True
        self._has_breaks = False
        self._row: list[PageBlock] | None = None
        self._row_is_layout = self._row_has_names = self._row_begins_with_name = False

    def append(self, text: str) -> None:
        """Add text between two tags, or the line ends inside of one."""
        if self._link != "none" and text.strip() in _ANCHOR_MARKS:
            text = "\n" * text.count("\n")
        if not text:
            return
        letters = len(LETTER.findall(text))
        self._letters += letters
        if self._link != "none":
            self._link_letters += letters
        if self._link == "inside":
            self._inside_letters += letters
        if not self._parts:
            self._start = self._line
        self._parts.append(text)
        self._line += text.count("\n")
        if not text.isspace():
            self._broken = False

    def enter_link(self, is_inside: bool | None) -> None:
        """Read ``<a>``: into a place of a page, to a page, or its end (None)."""
        self._link = "none" if is_inside is None else "inside" if is_inside else "page"

    def break_line(self) -> None:
        """Read ``<br>``: a second one without text between begins a paragraph, a single one is a space."""
        if self._broken and not self._code:
            self.flush()
        self.append(" ")
        self._broken = self._has_breaks = True

    def cross(self, name: str, *, is_end: bool) -> None:
        """Read the tag of a block-level element."""
        if name in _CELLS:
            self._cell(name)
            return
        if self._row is not None and not is_end and name not in _ROWS:
            self._lay_out()
        if name in _ROWS or name in ("table", "informaltable"):
            self.end_row()
            self._row = [] if name in _ROWS and not is_end else None
            return
        self.flush()
        if name in _TERMS:
            self._in_term = not is_end
        step = -1 if is_end else 1
        if name in _HEADINGS:
            self._heading = 0 if is_end else _HEADINGS[name]
        elif name in _ITEMS:
            self._items = max(0, self._items + step)
        elif name in _CODE:
            self._code = max(0, self._code + step)

    def flush(self) -> None:
        """End the block that is open."""
        block = self._taken()
        if block is None:
            return
        if self._in_term and block.kind == "prose":
            if self._term is not None and len(self._term.text) > _MAX_TERM:
                self.blocks.append(self._term)
                self._term = None
            self._term = block if self._term is None else _join_paragraphs(self._term, ", ", block)
            return
        self._add(block)

    def _add(self, block: PageBlock) -> None:
        """Add a block; the paragraph that explains a term begins with it."""
        term, self._term = self._term, None
        if term is not None and block.kind == "prose" and not block.has_breaks:
            block = structs.replace(_join_paragraphs(term, ": ", block), term=term.text)
        elif term is not None:
            self.blocks.append(term)
        self.blocks.append(block)

    def end_row(self) -> None:
        """End the block and the row of a table that are open."""
        if self._row is None or self._row_is_layout:
            self.flush()
        else:
            self._take_cell()
            self._row = [cell for cell in self._row if not _SECTION_NUMBER.fullmatch(cell.text)]
            cells = tuple(cell.text for cell in self._row)
            is_navigation = sum(cell.is_link for cell in self._row) > len(cells) / 2
            if len(cells) > 1 and not is_navigation:
                level = int(self._row_has_names)
                row = PageBlock(
                    kind="table_row",
                    text=" | ".join(cells),
                    start_line=self._row[0].start_line,
                    level=level,
                    cells=cells,
                    is_named_row=self._row_begins_with_name and not level,
                    cell_lines=tuple(cell.start_line for cell in self._row),
                )
                self._add(row)
            elif cells and not is_navigation:
                self._add(self._row[0])
        self._row = None
        self._row_is_layout = self._row_has_names = self._row_begins_with_name = False

    def finished(self) -> list[PageBlock]:
        """All blocks, after the end of the markup."""
        self.end_row()
        if self._term is not None:
            self.blocks.append(self._term)
        return self.blocks

    def _cell(self, name: str) -> None:
        if self._row is None or self._row_is_layout:
            self.flush()
            return
        self._take_cell()
        self._row_begins_with_name = name == "th" if not self._row else self._row_begins_with_name
        self._row_has_names = name == "th" and (self._row_has_names or not self._row)

    def _take_cell(self) -> None:
        block = self._taken()
        if block is not None and self._row is not None:
            self._row.append(block)

    def _lay_out(self) -> None:
        """A cell with blocks of its own: the table only places text on the page."""
        if not self._row_is_layout and self._row is not None:
            self._take_cell()
            for cell in self._row:
                if LETTER.search(cell.text):
                    self._add(cell)
            self._row_is_layout = True

    def _taken(self) -> PageBlock | None:
        """The block that is open, if it is more than space, numbers or an entry of a table of contents."""
        text, start = "".join(self._parts), self._start
        letters, in_cell = self._letters, self._row is not None and not self._row_is_layout
        is_entry = letters > 0 and self._link_letters >= _LINK_SHARE * letters
        is_link = letters > 0 and (self._link_letters if in_cell else self._inside_letters) >= _LINK_SHARE * letters
        self._parts.clear()
        self._letters = self._link_letters = self._inside_letters = 0
        has_breaks, self._has_breaks, self._broken = self._has_breaks, False, True
        if "&" in text:
            text = "\n".join(html.unescape(line).replace("\n", " ") for line in text.split("\n"))
        kind = self._kind()
        if kind != "code":
            text = _RULE.sub("", text)
        if not text.strip():
            return None
        if (is_link and kind in ("prose", "list_item") and not in_cell) or (
            kind in ("prose", "heading") and not letters and not in_cell
        ):
            return None
        if kind == "heading" and is_admonition(text):
            return None
        lead = len(text) - len(text.lstrip())
        start += text.count("\n", 0, lead)
        text = text.strip() if kind != "code" else text[text.rfind("\n", 0, lead) + 1 :].rstrip()
        level = self._heading if kind == "heading" else 0
        return PageBlock(
            kind=kind,
            text=text,
            start_line=start,
            level=level,
            has_breaks=has_breaks,
            is_link=(is_link and in_cell) or (is_entry and kind == "list_item"),
        )

    def _kind(self) -> PageBlockKind:
        if self._code:
            return "code"
        if self._heading:
            return "heading"
        return "list_item" if self._items and (self._row is None or self._row_is_layout) else "prose"

"""Splits text into quotable units with lines: sentences, list items, code, table rows, headings and fields.

A sentence is found where a full stop ends one (English and Chinese), never where a line happens to wrap.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final, Literal

from msgspec import Struct

from kbtui.domain.document import DocumentKind
from kbtui.text.blocks import Block, Dialect, blocks, unquoted
from kbtui.text.language import CJK
from kbtui.text.markup import strip_html
from kbtui.text.page_heads import page_fields
from kbtui.text.pages import page_blocks

SentenceKind = Literal["sentence", "list_item", "code", "table_row", "heading", "field"]


class Sentence(Struct, frozen=True, kw_only=True):
    """One quotable unit.

    Attributes:
        text: On one line, whitespace collapsed, without the mark-up of its block (bullet, hashes, table rules); code
            keeps its lines.
        start_line: First line, 1-based, counted from the ``first_line`` given.
        end_line: Last line, inclusive.
        kind: What it is.
        level: Of a heading, 1 for the outermost; of a row of a table, 1 where it names the columns.
        columns: Of a row of a table with such a row, what its cells are called.
        is_link: Of an item of a list on a page, whether all of it is a link to another page.
    """

    text: str
    start_line: int
    end_line: int
    kind: SentenceKind = "sentence"
    level: int = 0
    columns: tuple[str, ...] = ()
    is_link: bool = False


_DIALECTS: Final[dict[DocumentKind, Dialect]] = {"markdown": "markdown", "rst": "rst", "text": "text"}

# fmt: off
_ABBREVIATIONS = frozenset((
    "a.k.a", "al", "approx", "art", "aug", "bros", "ca", "cf", "ch", "chap", "co", "corp", "dec", "dept", "dr",
    "e.g", "ed", "eds", "eg", "eq", "esp", "est", "et", "etc", "excl", "feb", "fig", "figs", "gen", "gov", "i.e", "ie",
    "inc", "incl", "jan", "jr", "ltd", "max", "messrs", "min", "mr", "mrs", "ms", "mt", "no", "nos", "nov",
    "oct", "op", "p", "pp", "ph.d", "phd", "pres", "prof", "ref", "refs", "rep", "resp", "rev", "sec", "sen",
    "sep", "sept", "sr", "st", "u.k", "u.s", "u.s.a", "v", "viz", "vol", "vols", "vs", "w.r.t", "wrt", "a.m",
    "p.m",
))
# fmt: on
_CLOSERS = "\"'”’»」』）)\\]】》*_`"
_END = re.compile(
    rf"(?P<cjk>[。！？；]|…{{2,}})[{_CLOSERS}]*"
    rf"|(?P<latin>(?<![.!?])[.!?]++)(?:[{_CLOSERS}]|\[\d+\]_?)*+(?=\s)"
)
_LAST_WORD = re.compile(r"[^\s(\[\"'“‘*_`]+$")
_CODE_SPAN = re.compile(r"(?<!`)(`++).+?(?<!`)\1(?!`)", re.S)
_BULLET = re.compile(
    r"\s*(?:(?:[-*+•◦‣·]|\d{1,9}[.)]|[A-Za-z][)]|#\.|\([A-Za-z0-9]{1,3}\))(?:\s+|$)(?:\[[ xX]\]\s+)?"
    r"|(?:\d{1,3}、|[一二三四五六七八九十]{1,3}、|（[\d一二三四五六七八九十]{1,3}）)\s*)"
)
_EXPLICIT = re.compile(r"\s*\.\.\s+(?:[\w-]+::\s*)?")
_FIELD_KEY = re.compile(r"\s*(?:[-*+]\s+)?[:*_]*[^\s:：*][^:：\n]{0,60}[*_]*[:：][*_]*\s*")
_FULL_STOP = re.compile(r"[.!?。！？][\"'”’)）」]*$")
_RUNNING_WORDS: Final = 8
_TERM_LEVEL: Final = 7
"""Level of the terms that a page explains, below those of its headings."""
_DOTTED_NUMBER: Final = re.compile(r"\d+(?:\.\d+)+")
_LABEL_CHARS: Final = 16
"""Within so many characters of a paragraph a number ends no sentence: ``Table 13.1. Levels``."""
_HARD_BREAK = re.compile(r"(?:\s{2}|\\)$")
_COLUMN_GAP = re.compile(r"\s{2,}")
_SPACE = re.compile(r"\s+")
_CJK_JOINT = re.compile(f"(?<=[{CJK}，。、；：！？）」』])\\n\\s*(?=[{CJK}（「『])")
_HAN = re.compile(f"[{CJK}]")
_ONLY_SIGNS = re.compile(r"[\W_]*")


def sentences(text: str, first_line: int = 1, kind: DocumentKind | None = None) -> list[Sentence]:
    """The quotable units of ``text`` in order.

    Args:
        text: A document or a passage of one, ``\\n`` line ends.
        first_line: The number of its first line in the document.
        kind: How its document was read, where known. Data files give one unit a line, code one a paragraph.
    """
    lines = text.split("\n")
    if kind in ("csv", "json", "yaml", "toml"):
        row: SentenceKind = "table_row" if kind == "csv" else "field"
        return [
            Sentence(text=_collapsed(line), start_line=first_line + at, end_line=first_line + at, kind=row)
            for at, line in enumerate(lines)
            if not _ONLY_SIGNS.fullmatch(line)
        ]
    if kind == "code":
        return list(_code_paragraphs(lines, first_line))
    if kind == "html":
        return list(_page(text, first_line))
    dialect = _DIALECTS[kind] if kind else "any"
    sentences: list[Sentence] = []
    plain = unquoted(lines)
    columns: list[str] = []
    for block in blocks(lines, dialect, whole=first_line == 1):
        if block.kind == "table_row":
            cells = _cells(plain[block.start : block.end + 1])
            columns = cells if block.level else columns
            sentences.append(_table_row(block, cells, columns, first_line))
            continue
        if block.kind != "rule":
            columns = []
        sentences += _of_block(block, lines if block.kind == "code" else plain, first_line)
    return sentences


def sentence_ends(text: str) -> list[int]:
    """Offsets after each sentence of running text but the last, in time linear in its length: lines may be very long.

    A code span is not looked for, so an end may be found inside of one.
    """
    ends = (m.end() for m in _END.finditer(text) if m["cjk"] or _ends_sentence(text, m))
    return [end for end in ends if end < len(text)]


def _of_block(block: Block, lines: Sequence[str], first_line: int) -> Iterator[Sentence]:
    body = list(lines[block.start : block.end + 1])
    start, end = first_line + block.start, first_line + block.end
    match block.kind:
        case "prose":
            yield from _prose(body, start)
        case "code":
            yield Sentence(text="\n".join(body), start_line=start, end_line=end, kind="code")
        case "heading":
            line = next((at for at, line in enumerate(body) if block.text and block.text in line), 0)
            if block.text:
                at, text = start + line, _collapsed(block.text)
                yield Sentence(text=text, start_line=at, end_line=at, kind="heading", level=block.level)
        case "list_item":
            marker = (_EXPLICIT if body[0].lstrip().startswith("..") else _BULLET).match(body[0])
            item = body[0][marker.end() :] if marker else body[0]
            text = _plain("\n".join([item, *body[1:]]))
            if text:
                yield Sentence(text=text, start_line=start, end_line=end, kind="list_item")
        case "field" if (value := _FIELD_KEY.match(body[0])) and _is_running(
            " ".join([body[0][value.end() :], *body[1:]])
        ):
            yield from _prose([body[0][value.end() :], *body[1:]], start)
        case "field":
            yield Sentence(text=_plain("\n".join(body)), start_line=start, end_line=end, kind="field")
        case "rule":
            pass


def _prose(body: list[str], start: int, *, lines_may_end: bool = True) -> Iterator[Sentence]:
    """Sentences of a paragraph.

    Args:
        start: Number of its first line.
        lines_may_end: Whether a line that stops early may end a sentence; in a page no line end means anything.
    """
    if marker := _EXPLICIT.match(body[0]):
        body = [body[0][marker.end() :], *body[1:]]
    paragraph = "\n".join(body)
    newlines = [at for at, character in enumerate(paragraph) if character == "\n"]
    position = 0
    for stop in (*_ends(paragraph, body if lines_may_end else ()), len(paragraph)):
        piece = paragraph[position:stop]
        lead = len(piece) - len(piece.lstrip())
        text = _plain(piece)
        if text and not _ONLY_SIGNS.fullmatch(text):
            last = position + len(piece.rstrip()) - 1
            yield Sentence(
                text=text,
                start_line=start + bisect_right(newlines, position + lead),
                end_line=start + bisect_right(newlines, last),
            )
        position = stop


def _ends(paragraph: str, body: Sequence[str]) -> list[int]:
    """Offsets after each sentence of the paragraph but the last; ``body`` are the lines that may end one."""
    spans = [match.span() for match in _CODE_SPAN.finditer(paragraph)] if "`" in paragraph else []
    ends = {
        match.end()
        for match in _END.finditer(paragraph)
        if (match["cjk"] or _ends_sentence(paragraph, match)) and not _inside(match.start(), spans)
    }
    return sorted(ends.union(_line_ends(body)) - {len(paragraph)})


def _inside(offset: int, spans: list[tuple[int, int]]) -> bool:
    at = bisect_right(spans, (offset, len(spans) and spans[-1][1])) - 1
    return at >= 0 and spans[at][0] <= offset < spans[at][1] - 1


def _ends_sentence(paragraph: str, match: re.Match[str]) -> bool:
    after = paragraph[match.end() : match.end() + 40].lstrip()
    if not after:
        return False
    word = _LAST_WORD.search(paragraph, max(0, match.start("latin") - 40), match.start("latin"))
    before = word[0] if word else ""
    if match["latin"] == ".":
        lowered = before.lower().rstrip(".")
        if lowered in _ABBREVIATIONS or (len(before) == 1 and before.isalpha()):
            return False
        if match.start() < _LABEL_CHARS and _DOTTED_NUMBER.fullmatch(before):
            return False
    following = after.lstrip("\"'“‘(（[*_`")[:1] or after[0]
    if following.islower() and after[0] not in '`"“':
        # A name may begin a sentence in lower case (numpy, mypy), but only after a real word ended one.
        return match["latin"] != "..." and len(before) >= 4 and before.isalnum() and before == before.lower()
    return following not in ",;:)."


def _line_ends(body: Sequence[str]) -> Iterator[int]:
    """Offsets of line ends that are meant: hard breaks, and lines that stop well before they had to."""
    widest = max(map(len, body), default=0)
    offset = 0
    for line, following in pairwise(body):
        offset += len(line) + 1
        if _HARD_BREAK.search(line):
            yield offset
            continue
        start = following.lstrip()
        if not start or not line.strip() or line.rstrip()[-1] in ",，、":
            continue
        next_word = len(start.split(None, 1)[0])
        early = len(line) < 0.75 * widest and len(line) + next_word + 6 < widest
        if early and not start[0].islower() and start[0] not in "`([*_":
            yield offset


def _is_running(value: str) -> bool:
    """Whether the value of a field is text to read: what a header says in sentences, such as an explanation."""
    value = value.strip()
    length = len(value.split()) + len(_HAN.findall(value)) // 2
    return length >= _RUNNING_WORDS and _FULL_STOP.search(value) is not None


def _table_row(block: Block, cells: Sequence[str], columns: Sequence[str], first_line: int) -> Sentence:
    """A row as its cells joined by `` | ``, without those that are empty."""
    return _row_of(cells, columns, first_line + block.start, first_line + block.end, block.level)


def _row_of(cells: Sequence[str], columns: Sequence[str], start: int, end: int, level: int) -> Sentence:
    called = zip(columns, cells, strict=True) if len(columns) == len(cells) else ()
    return Sentence(
        text=" | ".join(filter(None, cells)),
        start_line=start,
        end_line=end,
        kind="table_row",
        level=level,
        columns=() if level else tuple(column for column, cell in called if cell),
    )


def _cells(body: Sequence[str]) -> list[str]:
    """The cells of a row of a table; the lines of a cell that wraps are put together again."""
    cells: list[list[str]] = []
    for line in body:
        inner = line.strip()
        if "|" in inner:
            parts = [part.strip() for part in inner.strip("|").split("|")]
        elif cells:
            parts = [*[""] * (len(cells) - 1), inner]
        else:
            parts = [part for part in _COLUMN_GAP.split(inner) if part]
        for at, part in enumerate(parts):
            if at == len(cells):
                cells.append([])
            cells[at].append(part)
    return [_plain(" ".join(filter(None, cell))) for cell in cells]


def _code_paragraphs(lines: list[str], first_line: int) -> Iterator[Sentence]:
    start: int | None = None
    for at, line in enumerate([*lines, ""]):
        if line.strip():
            start = at if start is None else start
        elif start is not None:
            body = "\n".join(lines[start:at])
            yield Sentence(text=body, start_line=first_line + start, end_line=first_line + at - 1, kind="code")
            start = None


def _page(text: str, first_line: int) -> Iterator[Sentence]:
    """The units of an HTML or XML page; what its markup tells to be a field of it is one."""
    columns: tuple[str, ...] = ()
    blocks = page_blocks(text, first_line)
    fields = {field.block for field in page_fields(blocks) if field.is_marked}
    for place, block in enumerate(blocks):
        start, end = block.start_line, block.start_line + block.text.count("\n")
        if place in fields:
            yield Sentence(text=_collapsed(block.text), start_line=start, end_line=end, kind="field")
            continue
        if block.kind == "table_row":
            cells = tuple(_collapsed(cell) for cell in block.cells)
            columns = cells if block.level else columns
            yield _row_of(cells, columns, start, end, block.level)
            continue
        columns = ()
        if block.term:
            # The definition belongs to its term as a section belongs to its heading.
            term, last = _collapsed(block.term), start + block.term.count("\n")
            yield Sentence(text=term, start_line=start, end_line=last, kind="heading", level=_TERM_LEVEL)
        if block.has_breaks and block.kind == "prose":
            # Lines that were broken on purpose are laid out as in a text file.
            yield from sentences(block.text, start, "text")
        elif block.kind == "prose":
            yield from _prose(block.text.split("\n"), start, lines_may_end=False)
        else:
            shown = block.text if block.kind == "code" else _collapsed(block.text)
            yield Sentence(
                text=shown, start_line=start, end_line=end, kind=block.kind, level=block.level, is_link=block.is_link
            )


def _plain(text: str) -> str:
    if not text.isascii():
        text = _CJK_JOINT.sub("", text)
    if "<" in text or "&" in text:
        text = strip_html(text)
    return _collapsed(text)


def _collapsed(text: str) -> str:
    return _SPACE.sub(" ", text).strip()

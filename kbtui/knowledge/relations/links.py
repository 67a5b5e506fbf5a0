"""Links between files of the knowledge base: Markdown, reStructuredText, HTML and wiki links."""

from __future__ import annotations

import posixpath
import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import lru_cache
from itertools import accumulate, count
from operator import add
from urllib.parse import unquote

from kbtui.domain.document import Document, Relation
from kbtui.knowledge.relations.statement_text import statement_excerpt

_MARKDOWN = re.compile(
    r"(?<!!)\[[^\[\]\n]{0,300}(?:\n[^\[\]\n]{0,300})?\]\([ \t]*<?([^)\[>\s]{1,500})>?(?:[ \t]+[\"'(][^)\n]{0,300})?\)"
)
_MARKDOWN_REFERENCE = re.compile(r"^ {0,3}\[[^\]\n]{1,300}\]:[ \t]*<?([^>\s]{1,500})>?", re.MULTILINE)
_HTML = re.compile(r"<a\b[^<>]{0,500}\bhref\s*=\s*[\"']([^\"'\n]{1,500})[\"']", re.IGNORECASE)
_WIKI = re.compile(r"\[\[([^\W_][^\[\]|#\n]{0,120})(?:[|#][^\[\]\n]*)?\]\]")
_RST_INLINE = re.compile(r"`[^`<]{0,300}<([^>`\n]{1,500})>`_")
_RST_TARGET = re.compile(r"^\s*\.\.[ \t]+_[^:\n]{1,300}:[ \t]+(\S+)[ \t]*$", re.MULTILINE)
_RST_DOC = re.compile(r":doc:`(?:[^`<]{0,300}<)?([^>`\n]{1,300})>?`")
_RST_INCLUDE = re.compile(r"^\s*\.\.\s+(?:include|literalinclude)::\s+(\S+)", re.MULTILINE)
_TOCTREE = re.compile(r"^(\s*)\.\.\s+toctree::[^\n]*\n((?:\1[ \t]+[^\n]*\n|[ \t]*\n)+)", re.MULTILINE)
_REQUIRED_SUBSTRING = {
    _MARKDOWN: "](",
    _MARKDOWN_REFERENCE: "]:",
    _HTML: "<",
    _RST_INLINE: ">`_",
    _RST_INCLUDE: "include::",
}
"""A substring of every match of a pattern; searching for it first is many times faster."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CODE_SPAN = re.compile(r"(?<!`)(`++)[^\n]{0,300}?(?<!`)\1(?!`)")
_SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:|^//|^#|^mailto:")

RELATION = "links-to"


def extract(document: Document) -> Iterator[Relation]:
    """A relation ``links-to`` for each link to a path or note of the knowledge base."""
    raw = document.text.split("\n")
    starts = line_starts(raw)
    for offset, target in _targets(document):
        line = line_at(starts, offset)
        text = statement_excerpt(raw[line - 1], offset - starts[line - 1])
        yield Relation(source_path=document.path, relation=RELATION, target=target, line=line, text=text)


def local_target(path: str, link: str) -> str:
    """The POSIX path in the knowledge base that ``link`` in file ``path`` leads to; empty for any other link."""
    target = unquote(link.strip())
    if not target or _SCHEME.match(target):
        return ""
    target = re.split(r"[#?]", target, maxsplit=1)[0]
    if not target or not re.search(r"[/.]", target) or re.search(r"[<>{}|*\x00-\x1f]|\$\(", target):
        return ""
    base = "" if target.startswith("/") else posixpath.dirname(path)
    joined = posixpath.normpath(posixpath.join(base, target.lstrip("/")))
    return "" if joined in (".", "..") or joined.startswith("../") else joined


def line_starts(raw: list[str]) -> list[int]:
    """Offset of the first character of each of the lines in their text."""
    # Computed in C throughout: the lengths of the lines before, plus a line end for each.
    return list(map(add, accumulate(map(len, raw[:-1]), initial=0), count()))


def line_at(starts: list[int], offset: int) -> int:
    """The 1-based number of the line at ``offset``."""
    return bisect_right(starts, offset)


@lru_cache(maxsize=1)
def blank_code(text: str) -> str:
    """Markdown with code blocks and spans replaced by spaces, so that offsets stay valid."""
    if "`" not in text and "~~~" not in text:
        return text
    lines: list[str] = []
    fence = ""
    for line in text.split("\n"):
        match = _FENCE.match(line) if "```" in line or "~~~" in line else None
        is_code = bool(fence or match)
        if match is not None and not fence:
            fence = match[1]
        elif match is not None and match[1].startswith(fence) and not line[match.end() :].strip():
            fence = ""
        if is_code:
            line = " " * len(line)
        elif "`" in line:
            line = _CODE_SPAN.sub(_blank, line)
        lines.append(line)
    return "\n".join(lines)


def _blank(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _targets(document: Document) -> Iterator[tuple[int, str]]:
    text, path = document.text, document.path
    match document.kind:
        case "markdown" | "text":
            prose = blank_code(text)
            for pattern in (_MARKDOWN, _MARKDOWN_REFERENCE, _HTML):
                yield from _paths(pattern, prose, path)
            for match in _WIKI.finditer(prose):
                yield match.start(), match[1].strip()
        case "html":
            yield from _paths(_HTML, text, path)
        case "rst":
            for pattern in (_RST_INLINE, _RST_TARGET, _RST_INCLUDE):
                yield from _paths(pattern, text, path)
            for match in _RST_DOC.finditer(text):
                yield match.start(), document_target(path, match[1])
            for match in _TOCTREE.finditer(text) if "toctree::" in text else ():
                yield from _toctree(match, path)
        case _:
            return


def _paths(pattern: re.Pattern[str], text: str, path: str) -> Iterator[tuple[int, str]]:
    for match in pattern.finditer(text) if _REQUIRED_SUBSTRING.get(pattern, "") in text else ():
        if target := local_target(path, match[1]):
            yield match.start(1), target


def _toctree(match: re.Match[str], path: str) -> Iterator[tuple[int, str]]:
    offset = match.start(2)
    for line in match[2].split("\n"):
        entry = re.sub(r"^.*<([^>]+)>$", r"\1", line.strip())
        if entry and not entry.startswith(":") and not _SCHEME.match(entry) and " " not in entry:
            yield offset, document_target(path, entry)
        offset += len(line) + 1


def document_target(path: str, name: str) -> str:
    """The path of a Sphinx document ``name``, without extension; `kbtui.records.links` resolves it to a file."""
    name = name.strip()
    base = "" if name.startswith("/") else posixpath.dirname(path)
    return posixpath.normpath(posixpath.join(base, name.lstrip("/")))

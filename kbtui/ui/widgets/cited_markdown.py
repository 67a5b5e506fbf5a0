"""Markdown whose ``[1]`` marks are links to the sources. Nothing else in it can be clicked by accident or run."""

from __future__ import annotations

import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from textual.widgets import Markdown

from kbtui.domain.answer import Citation

CITE = "cite:"
_MARK = re.compile(r"\[(\d{1,3})\](?!\()")
_FOOTER_LINE = re.compile(r"\s*(?:[-*]\s+)?\[(\d{1,3})\]:?\s+\S")


def _cite(state: StateInline, silent: bool) -> bool:
    """The inline rule: ``[n]`` that is no Markdown link becomes a link to ``cite:n``."""
    match = _MARK.match(state.src, state.pos)
    if match is None:
        return False
    if not silent:
        token = state.push("link_open", "a", 1)
        token.attrs = {"href": f"{CITE}{match[1]}"}
        state.push("text", "", 0).content = match[0]
        state.push("link_close", "a", -1)
    state.pos = match.end()
    return True


def make_parser() -> MarkdownIt:
    """GitHub's Markdown without HTML (it is shown as text) and without guessing links (``notes.md`` is no host)."""
    parser = MarkdownIt("gfm-like", {"html": False, "linkify": False})
    parser.disable("reference")  # `[1]: text` is a claim or a source here, never a definition that vanishes
    parser.inline.ruler.before("link", "cite", _cite)
    return parser


class CitedMarkdown(Markdown):
    """The answer's text."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, parser_factory=make_parser, open_links=False)


def cited_number(href: str) -> int | None:
    """The source a link points at, if it is a citation."""
    digits = href.removeprefix(CITE)
    return int(digits) if href.startswith(CITE) and digits.isdigit() else None


def without_footer(markdown: str, citations: Iterable[Citation]) -> str:
    """The answer without its list of sources, which the screen shows as a list of its own."""
    known = {citation.n for citation in citations}
    lines = markdown.rstrip().split("\n")
    end = len(lines)
    while end and (not lines[end - 1].strip() or _is_source(lines[end - 1], known)):
        end -= 1
    if end == len(lines):
        return markdown
    while end and re.fullmatch(r"\s*(?:-{3,}|[#*\s]*(?:Sources|来源|出处)\W*)?\s*", lines[end - 1]):
        end -= 1
    return "\n".join(lines[:end]) if end else markdown


def _is_source(line: str, known: set[int]) -> bool:
    match = _FOOTER_LINE.match(line)
    return match is not None and int(match[1]) in known

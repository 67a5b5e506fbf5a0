"""Markdown whose ``[1]`` marks are links to the sources, and whose ``[?]`` marks stand out: no source supports what is
before them. Nothing else in it can be clicked by accident or run."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterable

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from textual.content import Content, Span
from textual.widgets import Markdown
from textual.widgets._markdown import MarkdownParagraph, MarkdownTD
from textual.widgets.markdown import MarkdownBlock

from kbtui.domain.answer import Citation

CITE = "cite:"
UNSUPPORTED = "[?]"
UPDATES = "markdown"
"""Group of the worker of each widget that shows Markdown; it lives as long as the widget."""
_BATCH_S = 0.1
"""Pause between two updates, so that fast streams cost little."""
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


def _unsupported(state: StateInline, silent: bool) -> bool:
    """The inline rule: ``[?]`` that is no Markdown link becomes a mark of its own."""
    if not state.src.startswith(UNSUPPORTED, state.pos) or state.src.startswith("(", state.pos + len(UNSUPPORTED)):
        return False
    if not silent:
        # Code is what Markdown widgets show as it stands; `_Marked` tells it from other code by its meta.
        token = state.push("code_inline", "code", 0)
        token.content = UNSUPPORTED
        token.meta = {UNSUPPORTED: True}
    state.pos += len(UNSUPPORTED)
    return True


def make_parser() -> MarkdownIt:
    """GitHub's Markdown without HTML (it is shown as text) and without guessing links (``notes.md`` is no host)."""
    parser = MarkdownIt("gfm-like", {"html": False, "linkify": False})
    parser.disable("reference")  # `[1]: text` is a claim or a source here, never a definition that vanishes
    parser.inline.ruler.before("link", "cite", _cite)
    parser.inline.ruler.before("link", "unsupported", _unsupported)
    return parser


class _Marked(MarkdownBlock):
    """Gives ``[?]`` the colour of a warning."""

    def _token_to_content(self, token: Token) -> Content:
        content = super()._token_to_content(token)
        codes = iter([child for child in token.children or () if child.type == "code_inline"])
        spans = [
            Span(span.start, span.end, "bold $text-warning")
            if span.style == ".code_inline" and UNSUPPORTED in next(codes).meta
            else span
            for span in content.spans
        ]
        return Content(content.plain, spans=spans)


# Textual takes styles from the first base only.
class _Paragraph(MarkdownParagraph, _Marked):
    pass


class _Cell(MarkdownTD, _Marked):
    pass


_MARKED: dict[str, type[MarkdownBlock]] = {"paragraph_open": _Paragraph, "td_open": _Cell}


class CitedMarkdown(Markdown):
    """The answer's text: `show` says what it should be, and one worker brings the widget there.

    An update under way is finished before the next begins, and of several wanted meanwhile only the newest is made.
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, parser_factory=make_parser, open_links=False)
        self._wanted = ""
        self._shown = ""
        self._changed = asyncio.Event()

    def get_block_class(self, block_name: str) -> type[MarkdownBlock]:
        return _MARKED.get(block_name) or super().get_block_class(block_name)

    def on_mount(self) -> None:
        self.run_worker(self._follow(), group=UPDATES, exit_on_error=False)

    def show(self, markdown: str) -> None:
        """Show this text from now on; returns at once."""
        self._wanted = markdown
        if not self.is_current:
            self._changed.set()

    @property
    def is_current(self) -> bool:
        """True once the text given to `show` last is the one that is shown."""
        return self._wanted == self._shown

    async def _follow(self) -> None:
        """Bring the widget to the wanted text: append where it only grew, else replace.

        What `Markdown.get_stream` does, with a pause between batches, and with replays that step back.
        """
        while await self._changed.wait():
            self._changed.clear()
            wanted = self._wanted
            if self._shown and wanted.startswith(self._shown):
                await self.append(wanted[len(self._shown) :])
            else:
                await self._replace(wanted)
            # Have the screen paint: the end of a batch wakes the app alone, and the screen may have gone idle in it.
            self.refresh(layout=True)
            self._shown = wanted
            if not self.is_current:
                # `show` compares with what was shown before this batch, so a text that came back meanwhile (the same
                # question asked again) looked as if it stood there already.
                self._changed.set()
            await asyncio.sleep(_BATCH_S)

    async def _replace(self, markdown: str) -> None:
        """Show another text in place of this one, in one paint, scrolled as it was.

        `update` alone leaves the widget so that a later `append` to a block of several lines loses its first ones.
        """
        with self.app.batch_update():
            await self.update("")
            await self.append(markdown)


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

"""web_fetch: the text of a web page, when the settings allow it."""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.web_page import Page, open_page
from kbtui.tools.web_reader import extract_text
from kbtui.tools.web_wire import MAX_SECONDS

DESCRIPTION = "Reads the text of one web page. Only when the user gives its address and the settings allow it."

MAX_CHARS = 2000


class FetchArgs(BaseModel):
    url: str = Field(description="Address of the page, starting with https:// or http://.")


def run(context: ToolContext, url: str) -> ToolOutput:
    if not context.settings.web.fetch_enabled:
        raise ToolError("web_fetch is switched off.", "Set `web.fetch_enabled` to true to let kbtui open web pages.")
    page = open_page(url, allow_private=context.settings.web.allow_private, cancel=context.cancel)
    most = context.settings.retrieval.top_k
    hits = passages(page, most, seconds=MAX_SECONDS, cancel=context.cancel)
    if not hits:
        raise ToolError(f"No text was found on {one_line(page.url, 200)}.", "The page may need a browser.")
    return ToolOutput(hits=hits, note=f"{len(hits)} passage{'' if len(hits) == 1 else 's'} of {page.url}")


def passages(
    page: Page, most: int, tool: str = "web_fetch", *, seconds: float = MAX_SECONDS, cancel: CancelToken | None = None
) -> tuple[Hit, ...]:
    """The text of a page in passages of at most 2,000 characters, with line numbers of the text, not of the HTML.

    Args:
        most: How many passages to return, from the beginning of the page.
        tool: Name of the tool that found the page.
        seconds: Time limit for extracting the text from the HTML.

    Raises:
        ToolError: The page is broken, or takes too long to read.
        Cancelled: The run was stopped.
    """
    title, text = _title_and_text(page, seconds, cancel or CancelToken())
    text = "\n".join(part for line in text.split("\n") for part in _parts(line))
    hits: list[Hit] = []
    start, lines = 1, list[str]()
    for number, line in enumerate([*text.split("\n"), None], 1):
        if line is None or (lines and sum(len(kept) + 1 for kept in lines) + len(line) > MAX_CHARS):
            if any(kept.strip() for kept in lines) and len(hits) < most:
                hits.append(
                    Hit(
                        path=page.url,
                        start_line=start,
                        end_line=number - 1,
                        text="\n".join(lines),
                        score=1.0 / (1 + len(hits)),
                        tool=tool,
                        title=title,
                    )
                )
            start, lines = number, []
        if line is not None:
            lines.append(line)
    return tuple(hits)


def _parts(line: str) -> Iterator[str]:
    """Split a line that is longer than a passage, between words where possible."""
    while len(line) > MAX_CHARS:
        end = line.rfind(" ", MAX_CHARS // 2, MAX_CHARS)
        end = end if end > 0 else MAX_CHARS
        yield line[:end]
        line = line[end:].removeprefix(" ")
    yield line


def _title_and_text(page: Page, seconds: float, cancel: CancelToken) -> tuple[str, str]:
    """The title and text of a page; without menus and other boilerplate where it is HTML."""
    if "html" not in page.media_type:
        return "", clean(page.text)
    extracted = extract_text(page.url, page.text, seconds, cancel)
    return extracted.title, extracted.text


SPEC = spec_of(
    name="web_fetch",
    description=DESCRIPTION,
    args=FetchArgs,
    run=run,
    offered_to="both",
    enabled=lambda settings: settings.web.fetch_enabled,
)

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
from kbtui.tools.web_reader import readable
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
    """The page's text in pieces of at most 2,000 characters; lines are those of the text, not of the HTML.

    Args:
        most: Pieces to return; the page's first ones.
        tool: Name of the tool that found it.
        seconds: For finding the text in the HTML.

    Raises:
        ToolError: The page is broken, or takes too long to read.
        Cancelled: The run was stopped.
    """
    title, text = _readable(page, seconds, cancel or CancelToken())
    text = "\n".join(part for line in text.split("\n") for part in _parts(line))
    hits: list[Hit] = []
    start, piece = 1, list[str]()
    for number, line in enumerate([*text.split("\n"), None], 1):
        if line is None or (piece and sum(len(each) + 1 for each in piece) + len(line) > MAX_CHARS):
            if any(each.strip() for each in piece) and len(hits) < most:
                hits.append(
                    Hit(
                        path=page.url,
                        start_line=start,
                        end_line=number - 1,
                        text="\n".join(piece),
                        score=1.0 / (1 + len(hits)),
                        tool=tool,
                        title=title,
                    )
                )
            start, piece = number, []
        if line is not None:
            piece.append(line)
    return tuple(hits)


def _parts(line: str) -> Iterator[str]:
    """A line that is longer than a passage as several, cut between words where there are any."""
    while len(line) > MAX_CHARS:
        at = line.rfind(" ", MAX_CHARS // 2, MAX_CHARS)
        at = at if at > 0 else MAX_CHARS
        yield line[:at]
        line = line[at:].removeprefix(" ")
    yield line


def _readable(page: Page, seconds: float, cancel: CancelToken) -> tuple[str, str]:
    """Title and text, without menus and other furniture where the page is HTML."""
    if "html" not in page.media_type:
        return "", clean(page.text)
    read = readable(page.url, page.text, seconds, cancel)
    return read.title, read.text


SPEC = spec_of(
    name="web_fetch",
    description=DESCRIPTION,
    args=FetchArgs,
    run=run,
    offered_to="both",
    enabled=lambda settings: settings.web.fetch_enabled,
)

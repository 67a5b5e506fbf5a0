"""web_fetch: the text of a web page, when the settings allow it."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.tools.base import ToolContext, ToolSpec, as_tool
from kbtui.tools.web_page import Page, open_page

if TYPE_CHECKING:
    from langchain_core.tools import BaseTool

DESCRIPTION = "Reads the text of one web page. Only when the user gives its address and the settings allow it."

MAX_CHARS = 2000


class FetchArgs(BaseModel):
    url: str = Field(description="Address of the page, starting with https:// or http://.")


def build(context: ToolContext) -> BaseTool:
    def run(url: str) -> ToolOutput:
        if not context.settings.web.fetch_enabled:
            raise ToolError(
                "web_fetch is switched off.", "Set `web.fetch_enabled` to true to let kbtui open web pages."
            )
        page = open_page(url, allow_private=context.settings.web.allow_private, cancel=context.cancel)
        hits = passages(page, context.settings.retrieval.top_k)
        if not hits:
            raise ToolError(f"No text was found on {url}.", "The page may need a browser.")
        return ToolOutput(hits=hits, note=f"{len(hits)} passage{'' if len(hits) == 1 else 's'} of {page.url}")

    return as_tool(name=SPEC.name, description=DESCRIPTION, args=FetchArgs, run=run)


def passages(page: Page, most: int) -> tuple[Hit, ...]:
    """The page's text in pieces of at most 2,000 characters; lines are those of the text, not of the HTML."""
    title, text = _readable(page)
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
                        text="\n".join(piece)[:MAX_CHARS],
                        score=1.0 / (1 + len(hits)),
                        tool=SPEC.name,
                        title=title,
                    )
                )
            start, piece = number, []
        if line is not None:
            piece.append(line)
    return tuple(hits)


def _readable(page: Page) -> tuple[str, str]:
    """Title and text, without menus and other furniture where the page is HTML."""
    if "html" not in page.media_type:
        return "", page.text.replace("\r\n", "\n").replace("\r", "\n")
    # It logs what it thinks of a page, which is nobody's business here.
    logging.getLogger("trafilatura").setLevel(logging.CRITICAL)
    import trafilatura

    text = trafilatura.extract(page.text, url=page.url, output_format="markdown", include_tables=True) or ""
    metadata = trafilatura.extract_metadata(page.text)
    return (getattr(metadata, "title", None) or ""), text


SPEC = ToolSpec(name="web_fetch", description=DESCRIPTION, build=build)

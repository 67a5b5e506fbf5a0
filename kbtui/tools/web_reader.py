"""Extracts the main text of a web page, without menus and other boilerplate, in a disposable worker.

The extraction takes more than linear time on some pages and cannot be interrupted, and pages are untrusted.
"""

from __future__ import annotations

from typing import Final

import msgspec

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line
from kbtui.worker import Allowance, Job, WorkerCrashed, WorkerError, WorkerPool

MAX_HTML: Final = 1_000_000
"""Characters of HTML that are read."""
_MAX_TITLE_CHARS: Final = 200


class Html(msgspec.Struct, frozen=True):
    """A page and the address it came from."""

    url: str
    html: str


class ExtractedText(msgspec.Struct, frozen=True):
    """Title and main text of a page, in Markdown; both empty where none was found."""

    title: str = ""
    text: str = ""


def _extract(page: Html) -> ExtractedText:
    import trafilatura

    text = trafilatura.extract(page.html, url=page.url, output_format="markdown", include_tables=True) or ""
    metadata = trafilatura.extract_metadata(page.html)
    return ExtractedText(one_line(getattr(metadata, "title", None) or "", _MAX_TITLE_CHARS), clean(text))


READ: Final = Job(_extract, name=f"{__name__}:READ", request=Html, response=ExtractedText)
_POOL: Final = WorkerPool("web pages", Allowance(memory=1 << 30), [__name__, "trafilatura"])


def extract_text(url: str, html: str, seconds: float, cancel: CancelToken) -> ExtractedText:
    """The title and main text of a page.

    Raises:
        ToolError: It is broken, or takes too long or too much memory to read.
        Cancelled: The run was stopped.
    """
    printed_url = one_line(url, 200)
    # A lone surrogate, which a page may contain, cannot be encoded for the worker.
    page = Html(url, html[:MAX_HTML].encode("utf-8", "replace").decode("utf-8"))
    try:
        return _POOL.call(READ, page, seconds=seconds, cancel=cancel)
    except WorkerCrashed as error:
        raise ToolError(f"No text was found on {printed_url}.", "The page is broken.") from error
    except WorkerError as error:
        raise ToolError(
            f"{printed_url} takes too much time or memory to read.", "Give the address of a smaller page."
        ) from error

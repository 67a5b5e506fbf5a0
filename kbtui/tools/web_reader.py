"""The text of a web page without its furniture, found in a disposable worker.

What finds it takes more than linear time on some pages and cannot be interrupted; a page is written by strangers.
"""

from __future__ import annotations

from typing import Final

import msgspec

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import clean, one_line
from kbtui.worker import Allowance, Job, WorkerCrashed, WorkerError, WorkerPool

MAX_HTML: Final = 1_000_000
"""Characters of HTML that are looked at."""
_LONGEST_TITLE: Final = 200


class Html(msgspec.Struct, frozen=True):
    """A page and the address it came from."""

    url: str
    html: str


class Readable(msgspec.Struct, frozen=True):
    """What a page says, in Markdown; both empty where it says nothing."""

    title: str = ""
    text: str = ""


def _read(page: Html) -> Readable:
    import trafilatura

    text = trafilatura.extract(page.html, url=page.url, output_format="markdown", include_tables=True) or ""
    metadata = trafilatura.extract_metadata(page.html)
    return Readable(one_line(getattr(metadata, "title", None) or "", _LONGEST_TITLE), clean(text))


READ: Final = Job(_read, name=f"{__name__}:READ", request=Html, response=Readable)
_POOL: Final = WorkerPool("web pages", Allowance(memory=1 << 30), [__name__, "trafilatura"])


def readable(url: str, html: str, seconds: float, cancel: CancelToken) -> Readable:
    """Title and text of a page.

    Raises:
        ToolError: It is broken, or takes too long or too much memory to read.
        Cancelled: The run was stopped.
    """
    shown = one_line(url, 200)
    # A page may hold half of a surrogate pair, which is no text.
    page = Html(url, html[:MAX_HTML].encode("utf-8", "replace").decode("utf-8"))
    try:
        return _POOL.call(READ, page, seconds=seconds, cancel=cancel)
    except WorkerCrashed as error:
        raise ToolError(f"No text was found on {shown}.", "The page is broken.") from error
    except WorkerError as error:
        raise ToolError(
            f"{shown} takes too much time or memory to read.", "Give the address of a smaller page."
        ) from error

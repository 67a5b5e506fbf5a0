"""Opens one web page for somebody who may have been told to by a stranger.

A URL can come from a document or a chat model, so it must not become a way into the machine or its network: every
name is resolved here, every address checked, and the connection made to the very address that was checked, again at
each redirect.
"""

from __future__ import annotations

import codecs
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.web_address import is_allowed, is_web_port
from kbtui.tools.web_wire import MAX_BYTES, MAX_SECONDS, Connect, Reply, Resolve, Wire, bare, dial, resolve

if TYPE_CHECKING:
    import httpx

__all__ = ["MAX_BYTES", "MAX_REDIRECTS", "MAX_SECONDS", "Page", "is_allowed", "open_page", "resolve", "web_url"]

MAX_REDIRECTS: Final = 5
LONGEST_URL: Final = 4000

_READABLE: Final = ("text/", "application/json", "application/xml", "application/xhtml", "application/markdown")
_ACCEPT: Final = "text/html,text/plain,text/markdown,application/json;q=0.8,*/*;q=0.1"
_SHOWN: Final = 200
_SAMPLE: Final = 64 * 1024
# Python decodes these too, some of them in quadratic time; no page is written in one.
_NO_CHARSETS: Final = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as it came: where from after redirects, its media type (without parameters), its text."""

    url: str
    media_type: str
    text: str


def open_page(
    url: str,
    *,
    allow_private: bool,
    cancel: CancelToken,
    seconds: float = MAX_SECONDS,
    resolve: Resolve = resolve,
    connect: Connect = dial,
    transport: httpx.BaseTransport | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Page:
    """The page behind ``url``; at most 5 MB, 20 seconds and 5 redirects.

    Args:
        allow_private: Private and loopback addresses may be reached too. Those where clouds keep the credentials of
            a machine never.
        seconds: For everything together: names, connections, redirects, the page.
        resolve, connect, transport, clock: The network and the time, for tests.

    Raises:
        ToolError: The address is not allowed, or there is no readable page; message and hint say which.
        Cancelled: The run was stopped.
    """
    wire = Wire(cancel=cancel, seconds=seconds, resolve=resolve, connect=connect, transport=transport, clock=clock)
    for _ in range(MAX_REDIRECTS + 1):
        target = web_url(url)
        if not is_web_port(target.port or 443):
            raise ToolError(
                f"{one_line(bare(target), _SHOWN)} is at a port where no pages are served.", "Check the address."
            )
        reply = wire.exchange(
            "GET", target, allow_private=allow_private, headers={"Accept": _ACCEPT}, accept=_accept_page
        )
        location = reply.headers.get("location", "")
        if 300 <= reply.status < 400 and location:
            url = _joined(target, location)
            continue
        return Page(url=reply.url, media_type=reply.media_type or "text/html", text=_decoded(reply.body, reply.charset))
    raise ToolError(f"{one_line(url, _SHOWN)} redirects more than {MAX_REDIRECTS} times.", "Give the final address.")


def web_url(url: str) -> httpx.URL:
    """``url`` as a web address.

    Raises:
        ToolError: It is none.
    """
    import httpx

    try:
        target = httpx.URL(url.strip()) if len(url) <= LONGEST_URL else httpx.URL("")
    except (httpx.InvalidURL, ValueError):
        target = httpx.URL("")
    if target.scheme not in ("http", "https") or not target.host:
        raise ToolError(f"{one_line(url, _SHOWN)} is not a web address.", "Give one that starts with https://.")
    return target


def _joined(target: httpx.URL, location: str) -> str:
    import httpx

    try:
        return str(target.copy_with(username=None, password=None).join(location))
    except (httpx.InvalidURL, ValueError) as error:
        raise ToolError(
            f"{one_line(bare(target), _SHOWN)} redirects to {one_line(location, _SHOWN)}, which is not a web address.",
            "Give the final address.",
        ) from error


def _accept_page(reply: Reply) -> None:
    """Refuse what is no page of text before any of it is read."""
    shown = one_line(reply.url, _SHOWN)
    if 300 <= reply.status < 400 and reply.headers.get("location"):
        return
    if not 200 <= reply.status < 300:
        raise ToolError(f"{shown} answered {reply.status}.", "Check the address.")
    media_type = reply.media_type or "text/html"
    if not media_type.startswith(_READABLE) and not media_type.endswith(("+json", "+xml")):
        raise ToolError(f"{shown} is {one_line(media_type, 60)}, not text.", "Only pages of text can be read.")


def _decoded(body: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8"):
        if name and _is_charset(name):
            try:
                return body.decode(name)
            except (LookupError, UnicodeError):
                continue
    from charset_normalizer import from_bytes

    best = from_bytes(body[:_SAMPLE]).best()
    return body.decode(best.encoding if best else "utf-8", "replace")


def _is_charset(name: str) -> bool:
    try:
        return codecs.lookup(name).name.replace("-", "_") not in _NO_CHARSETS
    except (LookupError, ValueError, UnicodeError):
        return False

"""Opens one web page by a URL that may be untrusted.

A URL can come from a document or a chat model, so it must not give access to the machine or its network. For the URL
and for each redirect, the name is resolved, every address checked, and the connection made to an address that was
checked.
"""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.web_address import is_allowed, is_web_port
from kbtui.tools.web_wire import (
    MAX_BYTES,
    MAX_SECONDS,
    Reply,
    Resolve,
    Wire,
    resolve,
    without_credentials,
)

if TYPE_CHECKING:
    import httpx

__all__ = ["MAX_BYTES", "MAX_REDIRECTS", "MAX_SECONDS", "Page", "is_allowed", "open_page", "resolve", "web_url"]

MAX_REDIRECTS: Final = 5
MAX_URL_CHARS: Final = 4000

_READABLE: Final = ("text/", "application/json", "application/xml", "application/xhtml", "application/markdown")
_ACCEPT: Final = "text/html,text/plain,text/markdown,application/json;q=0.8,*/*;q=0.1"
_MAX_PRINTED_CHARS: Final = 200
_CHARSET_SAMPLE_BYTES: Final = 64 * 1024
# Codecs of Python that no page uses; some of them decode in quadratic time.
_EXCLUDED_CHARSETS: Final = frozenset({"idna", "punycode", "unicode_escape", "raw_unicode_escape", "undefined"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page: its URL after redirects, its media type without parameters, and its decoded text."""

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
    transport: httpx.BaseTransport | None = None,
) -> Page:
    """Fetch the page at ``url``; at most 5 MB, 20 seconds and 5 redirects.

    Args:
        allow_private: Allow private and loopback addresses too, but never the metadata services of clouds.
        seconds: Time limit for everything together: name resolution, connections, redirects and reading.
        resolve, transport: The network, for tests.

    Raises:
        ToolError: The address is not allowed, or there is no readable page; message and hint say why.
        Cancelled: The run was stopped.
    """
    wire = Wire(cancel=cancel, seconds=seconds, resolve=resolve, transport=transport)
    for _ in range(MAX_REDIRECTS + 1):
        target = web_url(url)
        if not is_web_port(target.port or 443):
            raise ToolError(
                f"{one_line(without_credentials(target), _MAX_PRINTED_CHARS)} is at a port where no pages are served.",
                "Check the address.",
            )
        reply = wire.exchange(
            "GET", target, allow_private=allow_private, headers={"Accept": _ACCEPT}, accept=_accept_page
        )
        location = reply.headers.get("location", "")
        if 300 <= reply.status < 400 and location:
            url = _redirect_target(target, location)
            continue
        return Page(url=reply.url, media_type=reply.media_type or "text/html", text=_decode(reply.body, reply.charset))
    raise ToolError(
        f"{one_line(url, _MAX_PRINTED_CHARS)} redirects more than {MAX_REDIRECTS} times.", "Give the final address."
    )


def web_url(url: str) -> httpx.URL:
    """``url`` parsed as a web address.

    Raises:
        ToolError: It is not a web address.
    """
    import httpx

    try:
        target = httpx.URL(url.strip()) if len(url) <= MAX_URL_CHARS else httpx.URL("")
    except (httpx.InvalidURL, ValueError):
        target = httpx.URL("")
    if target.scheme not in ("http", "https") or not target.host:
        raise ToolError(
            f"{one_line(url, _MAX_PRINTED_CHARS)} is not a web address.", "Give one that starts with https://."
        )
    return target


def _redirect_target(target: httpx.URL, location: str) -> str:
    import httpx

    try:
        return str(target.copy_with(username=None, password=None).join(location))
    except (httpx.InvalidURL, ValueError) as error:
        source, shown = (one_line(url, _MAX_PRINTED_CHARS) for url in (without_credentials(target), location))
        raise ToolError(
            f"{source} redirects to {shown}, which is not a web address.",
            "Give the final address.",
        ) from error


def _accept_page(reply: Reply) -> None:
    """Raise `ToolError` for a reply that is not a page of text, before its body is read."""
    printed_url = one_line(reply.url, _MAX_PRINTED_CHARS)
    if 300 <= reply.status < 400 and reply.headers.get("location"):
        return
    if not 200 <= reply.status < 300:
        raise ToolError(f"{printed_url} answered {reply.status}.", "Check the address.")
    media_type = reply.media_type or "text/html"
    if not media_type.startswith(_READABLE) and not media_type.endswith(("+json", "+xml")):
        raise ToolError(f"{printed_url} is {one_line(media_type, 60)}, not text.", "Only pages of text can be read.")


def _decode(body: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8"):
        if name and _is_charset(name):
            try:
                return body.decode(name)
            except (LookupError, UnicodeError):
                continue
    from charset_normalizer import from_bytes

    best = from_bytes(body[:_CHARSET_SAMPLE_BYTES]).best()
    return body.decode(best.encoding if best else "utf-8", "replace")


def _is_charset(name: str) -> bool:
    try:
        return codecs.lookup(name).name.replace("-", "_") not in _EXCLUDED_CHARSETS
    except (LookupError, ValueError, UnicodeError):
        return False

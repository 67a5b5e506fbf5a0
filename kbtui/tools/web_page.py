"""Opens one web page for somebody who may have been told to by a stranger.

A URL can come from a document or a chat model, so it must not become a way into the machine or its network: every
name is resolved here, every address checked, and the connection made to the very address that was checked, again at
each redirect.
"""

from __future__ import annotations

import ipaddress
import socket
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import ToolError
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    import httpx

MAX_BYTES: Final = 5 * 1024 * 1024
MAX_SECONDS: Final = 20.0
MAX_REDIRECTS: Final = 5

_READABLE: Final = ("text/", "application/json", "application/xml", "application/xhtml", "application/markdown")
_NAT64: Final = ipaddress.IPv6Network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Resolve = Callable[[str, int], list[str]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A page as it came: where from after redirects, its media type (without parameters), its text."""

    url: str
    media_type: str
    text: str


def resolve(host: str, port: int) -> list[str]:
    """The addresses of a host."""
    return list(dict.fromkeys(str(info[4][0]) for info in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)))


def open_page(
    url: str,
    *,
    allow_private: bool,
    cancel: CancelToken,
    resolve: Resolve = resolve,
    transport: httpx.BaseTransport | None = None,
    clock: Callable[[], float] = time.monotonic,
) -> Page:
    """The page behind ``url``; at most 5 MB, 20 seconds and 5 redirects.

    Proxies of the environment are not used: behind one, the address that is reached could not be checked.

    Args:
        allow_private: Private and loopback addresses may be reached too. Link-local ones (where clouds keep the
            credentials of a machine) never.
        transport: In place of the network, for tests.

    Raises:
        ToolError: The address is not allowed, or there is no readable page; message and hint say which.
        Cancelled: The run was stopped.
    """
    import httpx

    deadline = clock() + MAX_SECONDS
    limits = httpx.Timeout(MAX_SECONDS, connect=10.0)
    with httpx.Client(transport=transport, trust_env=False, timeout=limits, follow_redirects=False) as client:
        for _ in range(MAX_REDIRECTS + 1):
            cancel.check()
            target = _checked_url(url)
            request = _pinned(client, target, _checked_address(target, allow_private, resolve))
            try:
                response = client.send(request, stream=True)
                try:
                    if response.is_redirect:
                        url = str(target.join(response.headers.get("location", "")))
                        continue
                    return _read(response, str(target), cancel, deadline, clock)
                finally:
                    response.close()
            except httpx.TimeoutException as error:
                raise ToolError(f"{one_line(str(target), 200)} did not answer in time.", "Try again later.") from error
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                reason = one_line(str(error), 200) or "no connection"
                raise ToolError(
                    f"{one_line(str(target), 200)} could not be opened: {reason}.", "Check the address and the network."
                ) from error
    raise ToolError(f"{one_line(url, 200)} redirects more than {MAX_REDIRECTS} times.", "Give the final address.")


def _checked_url(url: str) -> httpx.URL:
    import httpx

    try:
        target = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError):
        target = httpx.URL("")
    if target.scheme not in ("http", "https") or not target.host:
        raise ToolError(f"{one_line(url, 200)} is not a web address.", "Give one that starts with https://.")
    return target


def _checked_address(target: httpx.URL, allow_private: bool, resolve: Resolve) -> str:
    port = target.port or (443 if target.scheme == "https" else 80)
    try:
        addresses = resolve(target.host, port)
    except (OSError, UnicodeError) as error:
        raise ToolError(
            f"There is no host {one_line(target.host, 200)}.", "Check the address and the network."
        ) from error
    if not addresses:
        raise ToolError(f"There is no host {one_line(target.host, 200)}.", "Check the address and the network.")
    # All of them: a name with one public and one private address would be a way around.
    for address in addresses:
        if not is_allowed(address, allow_private):
            raise ToolError(
                f"{one_line(target.host, 200)} is at {address}, inside a private network, and is not opened.",
                "Set `web.allow_private` to true if you mean to reach your own network.",
            )
    return addresses[0]


def is_allowed(address: str, allow_private: bool) -> bool:
    """True for a public unicast address, or a private or loopback one when those are allowed."""
    try:
        parsed: Address = ipaddress.ip_address(address.split("%", 1)[0])
    except ValueError:
        return False
    parsed = _inner(parsed)
    if parsed.is_link_local or parsed.is_multicast or parsed.is_unspecified:
        return False
    # The address of the Amazon metadata service is private, not link-local.
    if parsed == ipaddress.IPv6Address("fd00:ec2::254"):
        return False
    return parsed.is_global or (allow_private and (parsed.is_private or parsed.is_loopback))


def _inner(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, if it does."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return address.ipv4_mapped
        if address.sixtofour:
            return address.sixtofour
        if address in _NAT64:
            return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def _pinned(client: httpx.Client, target: httpx.URL, address: str) -> httpx.Request:
    """A request to the address that was checked: asking the resolver again could give another one."""
    host = target.host if ":" not in target.host else f"[{target.host}]"
    shown = host if target.port is None else f"{host}:{target.port}"
    return client.build_request(
        "GET",
        target.copy_with(host=address, username=None, password=None, fragment=None),
        headers={
            "Host": shown,
            "User-Agent": "kbtui",
            "Accept": "text/html,text/plain,text/markdown,application/json;q=0.8,*/*;q=0.1",
            # A compressed page could unpack to any size before it can be counted.
            "Accept-Encoding": "identity",
        },
        extensions={"sni_hostname": target.host},
    )


def _read(response: httpx.Response, url: str, cancel: CancelToken, deadline: float, clock: Callable[[], float]) -> Page:
    shown = one_line(url, 200)
    if response.status_code >= 400:
        raise ToolError(f"{shown} answered {response.status_code}.", "Check the address.")
    media_type = response.headers.get("content-type", "text/html").split(";", 1)[0].strip().lower()
    if not media_type.startswith(_READABLE) and not media_type.endswith(("+json", "+xml")):
        raise ToolError(f"{shown} is {one_line(media_type, 60)}, not text.", "Only pages of text can be read.")
    if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
        raise ToolError(f"{shown} came compressed although it was asked not to.", "Give another address.")
    body = bytearray()
    for part in response.iter_raw():
        cancel.check()
        body += part
        if len(body) > MAX_BYTES:
            raise ToolError(f"{shown} is larger than {MAX_BYTES // 1024**2} MB.", "Give the address of a smaller page.")
        if clock() > deadline:
            raise ToolError(f"{shown} took longer than {MAX_SECONDS:.0f} seconds.", "Try again later.")
    return Page(url=url, media_type=media_type, text=_decoded(bytes(body), response.charset_encoding))


def _decoded(body: bytes, charset: str | None) -> str:
    for name in (charset, "utf-8"):
        if name:
            try:
                return body.decode(name)
            except (LookupError, UnicodeDecodeError):
                continue
    from charset_normalizer import from_bytes

    best = from_bytes(body).best()
    return str(best) if best else body.decode("utf-8", "replace")

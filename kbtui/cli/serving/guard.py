"""Access control of the servers: requests need the token, and a host name that no foreign page can have.

The printed address contains the token. The first request gets a cookie for it, which requests for the page, its static
files, downloads and the connection of the screen carry from then on. A foreign page that makes a browser send requests
(DNS rebinding, a form, a WebSocket) has neither, and is also recognised by its host name and origin.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

MIN_TOKEN_CHARS: Final = 16
"""Least length of a token that a user chooses."""

_LOCAL_NAMES: Final = frozenset({"localhost"})


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach a server at ``host``."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() in _LOCAL_NAMES


class Guard:
    """Decides which requests to one server are answered.

    Args:
        token: The token of the first request of a browser.
        host: The name or address on which the server listens.
    """

    def __init__(self, token: str, host: str) -> None:
        self._token = token
        self._secret = new_token()
        self._names = {*_LOCAL_NAMES, host.lower(), socket.gethostname().lower()}

    def cookie(self, headers: Mapping[str, str]) -> tuple[str, str]:
        """Name and value of the cookie; the name has the port, since browsers share cookies between ports of a host."""
        return f"kbtui_{headers.get('Host', '').rpartition(':')[2]}", self._secret

    def nonce(self) -> str:
        """A nonce for the scripts of one page, for its content security policy."""
        return secrets.token_urlsafe(16)

    def refusal(self, headers: Mapping[str, str], query: Mapping[str, str], cookies: Mapping[str, str]) -> str:
        """The reason to refuse a request; empty where it is answered."""
        if reason := self.origin_refusal(headers):
            return reason
        name, value = self.cookie(headers)
        if not (self.has_token(query) or _are_equal(cookies.get(name, ""), value)):
            return "The address lacks the token: open the one that kbtui serve printed."
        return ""

    def origin_refusal(self, headers: Mapping[str, str]) -> str:
        """The reason to refuse a request for its host name or origin, whatever its token; empty for none."""
        host, origin = headers.get("Host", ""), headers.get("Origin", "")
        if not self._is_own_name(host):
            return "This server is not known by that name."
        if origin and urlsplit(origin).netloc.lower() != host.lower():
            return "Another page may not ask for this."
        return ""

    def has_bearer(self, headers: Mapping[str, str]) -> bool:
        """Whether a request has the token in its header ``Authorization``, as those of programs do."""
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and _are_equal(token.strip(), self._token)

    def has_token(self, query: Mapping[str, str]) -> bool:
        """Whether a request has the token in its address, and is to be given the cookie."""
        return _are_equal(query.get("token", ""), self._token)

    def _is_own_name(self, host: str) -> bool:
        """Whether a host name is that of this server; an IP address always is, since DNS rebinding needs a name."""
        name = ""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return bool(ipaddress.ip_address(name))
        except ValueError:
            return name in self._names


def _are_equal(actual: str, expected: str) -> bool:
    return hmac.compare_digest(actual.encode("utf-8", "replace"), expected.encode())

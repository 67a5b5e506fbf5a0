"""Who may come in: whoever carries the token, by a name that nobody else's page can have.

The token is in the address that is printed. The first request gets a cookie for it, which the page, the connection of
the screen, the static files and downloads carry from then on. A page of somebody else that makes a browser ask
(DNS rebinding, a form, a WebSocket) has neither, and is also known by the name it asks for and where it comes from.
"""

from __future__ import annotations

import hmac
import ipaddress
import secrets
import socket
from collections.abc import Mapping
from typing import Final
from urllib.parse import urlsplit

SHORTEST_TOKEN: Final = 16
"""Characters of a token that a user chooses."""

_LOCAL_NAMES: Final = frozenset({"localhost"})


def new_token() -> str:
    return secrets.token_urlsafe(24)


def is_loopback(host: str) -> bool:
    """True where only this machine reaches what listens there."""
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host.lower() in _LOCAL_NAMES


class Guard:
    """The door of one server.

    Args:
        token: What the first request of a browser carries.
        host: The name or address that the server listens on.
    """

    def __init__(self, token: str, host: str) -> None:
        self._token = token
        self._secret = new_token()
        self._names = {*_LOCAL_NAMES, host.lower(), socket.gethostname().lower()}

    def cookie(self, headers: Mapping[str, str]) -> tuple[str, str]:
        """Name and value of the cookie. A browser keeps one for all ports of a host, and has one server on each."""
        return f"kbtui_{headers.get('Host', '').rpartition(':')[2]}", self._secret

    def nonce(self) -> str:
        """What marks the scripts of one page as its own."""
        return secrets.token_urlsafe(16)

    def refusal(self, headers: Mapping[str, str], query: Mapping[str, str], cookies: Mapping[str, str]) -> str:
        """Why a request is not answered; empty where it is."""
        if reason := self.foreign(headers):
            return reason
        name, value = self.cookie(headers)
        if not (self.has_token(query) or _same(cookies.get(name, ""), value)):
            return "The address lacks the token: open the one that kbtui serve printed."
        return ""

    def foreign(self, headers: Mapping[str, str]) -> str:
        """Why a request is not answered whatever token it carries; empty where it is not a stranger's."""
        host, origin = headers.get("Host", ""), headers.get("Origin", "")
        if not self._is_ours(host):
            return "This server is not known by that name."
        if origin and urlsplit(origin).netloc.lower() != host.lower():
            return "Another page may not ask for this."
        return ""

    def has_bearer(self, headers: Mapping[str, str]) -> bool:
        """True for a request of a program that carries the token in its header ``Authorization``."""
        scheme, _, token = headers.get("Authorization", "").partition(" ")
        return scheme.lower() == "bearer" and _same(token.strip(), self._token)

    def has_token(self, query: Mapping[str, str]) -> bool:
        """True for the first request, which is given the cookie."""
        return _same(query.get("token", ""), self._token)

    def _is_ours(self, host: str) -> bool:
        """An address is never a name that somebody else's server could have had before."""
        name = ""
        try:
            name = urlsplit(f"//{host}").hostname or ""
            return bool(ipaddress.ip_address(name))
        except ValueError:
            return name in self._names


def _same(given: str, wanted: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), wanted.encode())

"""Who offers chat models: one row a provider, so that what is needed for one stands in one place.

Plain data, so that `kbtui doctor` and the keys can read it without importing any client. Providers that are not listed
work too, by the name LangChain has for them (`reasoning.llm.models`).
"""

from __future__ import annotations

import difflib
import ipaddress
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from kbtui.text.word_lists import toml_in

OFFLINE: Final = "offline"


class Provider(Struct, frozen=True, kw_only=True):
    """What is known of a provider.

    Attributes:
        name: As ``init_chat_model`` knows it.
        package: The distribution with its client.
        extra: The extra of kbtui that brings the package; empty when there is none.
        key_variables: Environment variables that hold its key, the usual one first; empty when it needs none.
        address: Where it is when nothing else is set; empty where only its client knows.
        address_variables: Environment variables with which its client can be sent elsewhere.
        has_strict_models: Some of its models refuse a temperature, so only those known to take one are sent it.
        aliases: Other names people use for it.
        key_page: Where a key is had.
    """

    name: str
    package: str
    extra: str = ""
    key_variables: tuple[str, ...] = ()
    address: str = ""
    address_variables: tuple[str, ...] = ()
    has_strict_models: bool = False
    aliases: tuple[str, ...] = ()
    key_page: str = ""

    @property
    def module(self) -> str:
        return self.package.replace("-", "_")

    @property
    def install(self) -> str:
        """The command that installs what it needs."""
        return f"pip install 'kbtui[{self.extra}]'" if self.extra else f"pip install {self.package}"


def _provider(fields: dict[str, Any]) -> Provider:
    values: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in fields.items()
    }
    return Provider(**values)


_TABLES: Final = toml_in(__package__, "providers.toml")
PROVIDERS: Final = tuple(map(_provider, _TABLES["provider"]))

_BY_NAME: Final = {alias: provider for provider in PROVIDERS for alias in (provider.name, *provider.aliases)}

_MODEL_PREFIXES: Final[dict[str, str]] = _TABLES["model_prefixes"]
"""Names that belong to one provider alone; open models are served by many, so theirs say nothing."""


def provider_of(name: str) -> Provider | None:
    """The provider with this name or alias, in any case, ``-`` and ``_`` alike; None when it is not listed."""
    return _BY_NAME.get(name.strip().lower().replace("-", "_"))


def split_name(name: str) -> tuple[str, str]:
    """``provider:model`` in two; a model's name may contain colons. ``("", name)`` when no provider can be told.

    The provider is as LangChain names it where it is listed, else as it was written.
    """
    before, colon, model = name.strip().partition(":")
    if colon:
        known = provider_of(before)
        return (known.name if known else before.strip().lower().replace("-", "_")), model.strip()
    for prefix, provider in _MODEL_PREFIXES.items():
        if before.lower().startswith(prefix):
            return provider, before
    return "", before


def model_label(name: str, base_url: str = "") -> str:
    """``offline`` or ``provider:name``, however a model was written; as written when no provider can be told.

    A name without a provider is a model of the server at ``base_url``, which speaks OpenAI's protocol.
    """
    provider, model = split_name(name)
    if not provider and model and model != "offline" and base_url.strip():
        provider = "openai"
    return f"{provider}:{model}" if provider and model else name.strip()


def nearest_provider(name: str) -> str:
    """The listed provider whose name is most like ``name``; empty when none is."""
    near = difflib.get_close_matches(name.lower().replace("-", "_"), list(_BY_NAME), n=1, cutoff=0.6)
    return _BY_NAME[near[0]].name if near else ""


def is_loopback(address: str) -> bool:
    """Whether a URL leads to this machine."""
    host = _host(address)
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def is_local(address: str) -> bool:
    """Whether a URL leads to this machine or its network, where servers seldom want a key."""
    host = _host(address)
    if is_loopback(address) or host.endswith((".local", ".lan", ".internal", ".home.arpa")):
        return True
    if host and "." not in host and ":" not in host:
        return True  # a name without a domain is one of this network
    try:
        found = ipaddress.ip_address(host)
    except ValueError:
        return False
    return found.is_private or found.is_link_local or found.is_unspecified


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""

"""The known providers of chat models, with the package, key and address of each.

Plain data, so that no client needs to be imported to read it. Providers that are not listed work too, by their name in
LangChain (`reasoning.llm.models`).
"""

from __future__ import annotations

import ipaddress
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec import Struct

from kbtui.errors import nearest
from kbtui.text.word_lists import toml_in

OFFLINE: Final = "offline"


class Provider(Struct, frozen=True, kw_only=True):
    """A provider of chat models.

    Attributes:
        name: Its name for ``init_chat_model``.
        package: The distribution with its client.
        extra: The extra of kbtui that installs the package; empty where there is none.
        key_variables: Environment variables for its key, the usual one first; empty where it needs no key.
        address: Its default address; empty where only the client knows it.
        address_variables: Environment variables that set another address for its client.
        has_strict_models: Whether some of its models refuse a temperature, so that only known ones are sent it.
        aliases: Other names of it.
        key_page: Address of the page where keys are issued.
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
        """The command that installs its client."""
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
"""Provider by the prefix of its model names; open models are served by many providers, so they have no prefix here."""


def provider_of(name: str) -> Provider | None:
    """The provider with this name or alias, ignoring case and treating ``-`` as ``_``; None where it is not listed."""
    return _BY_NAME.get(name.strip().lower().replace("-", "_"))


def split_name(name: str) -> tuple[str, str]:
    """The provider and the model of ``provider:model``; the provider is empty where it cannot be determined.

    A listed provider is given by its name in LangChain, another one as it was written.
    """
    head, colon, model = name.strip().partition(":")
    if colon:
        listed = provider_of(head)
        return (listed.name if listed else head.strip().lower().replace("-", "_")), model.strip()
    for prefix, provider in _MODEL_PREFIXES.items():
        if head.lower().startswith(prefix):
            return provider, head
    return "", head


def model_label(name: str, base_url: str = "") -> str:
    """``offline`` or ``provider:name`` for a model; the name as written where the provider cannot be determined.

    A name without a provider is a model of the server at ``base_url``, which uses the protocol of OpenAI.
    """
    provider, model = split_name(name)
    if not provider and model and model != "offline" and base_url.strip():
        provider = "openai"
    return f"{provider}:{model}" if provider and model else name.strip()


def nearest_provider(name: str) -> str:
    """The name of the listed provider that is most similar to ``name``; empty where none is similar."""
    similar = nearest(name.lower().replace("-", "_"), _BY_NAME)
    return _BY_NAME[similar].name if similar else ""


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
    """Whether a URL leads to this machine or its network, where servers seldom require a key."""
    host = _host(address)
    if is_loopback(address) or host.endswith((".local", ".lan", ".internal", ".home.arpa")):
        return True
    if host and "." not in host and ":" not in host:
        return True  # a host name without a domain belongs to this network
    try:
        ip = ipaddress.ip_address(host)
    except ValueError:
        return False
    return ip.is_private or ip.is_link_local or ip.is_unspecified


def _host(address: str) -> str:
    try:
        return (urlsplit(address).hostname or "").rstrip(".")
    except ValueError:
        return ""

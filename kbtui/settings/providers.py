"""Who offers chat models: one row a provider, so that what is needed for one stands in one place.

Plain data, so that `kbtui doctor` and the keys can read it without importing any client. Providers that are not listed
work too, by the name LangChain has for them (`reasoning.llm.models`).
"""

from __future__ import annotations

import difflib
import ipaddress
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

OFFLINE: Final = "offline"


@dataclass(frozen=True, slots=True, kw_only=True)
class Provider:
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
        """What is imported."""
        return self.package.replace("-", "_")

    @property
    def install(self) -> str:
        """The command that installs what it needs."""
        return f"pip install 'kbtui[{self.extra}]'" if self.extra else f"pip install {self.package}"


PROVIDERS: Final = (
    Provider(
        name="openai",
        package="langchain-openai",
        extra="openai",
        key_variables=("OPENAI_API_KEY",),
        address="https://api.openai.com/v1",
        address_variables=("OPENAI_API_BASE", "OPENAI_BASE_URL"),
        has_strict_models=True,
        key_page="https://platform.openai.com/api-keys",
    ),
    Provider(
        name="anthropic",
        package="langchain-anthropic",
        extra="anthropic",
        key_variables=("ANTHROPIC_API_KEY",),
        address="https://api.anthropic.com",
        address_variables=("ANTHROPIC_API_URL", "ANTHROPIC_BASE_URL"),
        has_strict_models=True,
        aliases=("claude",),
        key_page="https://console.anthropic.com/settings/keys",
    ),
    Provider(
        name="ollama",
        package="langchain-ollama",
        extra="ollama",
        address="http://localhost:11434",
        address_variables=("OLLAMA_HOST",),
    ),
    Provider(
        name="google_genai",
        package="langchain-google-genai",
        extra="google",
        key_variables=("GOOGLE_API_KEY", "GEMINI_API_KEY"),
        address="https://generativelanguage.googleapis.com",
        aliases=("google", "gemini"),
        key_page="https://aistudio.google.com/apikey",
    ),
    Provider(name="azure_openai", package="langchain-openai", extra="openai", key_variables=("AZURE_OPENAI_API_KEY",)),
    Provider(name="mistralai", package="langchain-mistralai", key_variables=("MISTRAL_API_KEY",), aliases=("mistral",)),
    Provider(name="groq", package="langchain-groq", key_variables=("GROQ_API_KEY",)),
    Provider(name="deepseek", package="langchain-deepseek", key_variables=("DEEPSEEK_API_KEY",)),
    Provider(name="openrouter", package="langchain-openrouter", key_variables=("OPENROUTER_API_KEY",)),
    Provider(name="xai", package="langchain-xai", key_variables=("XAI_API_KEY",), aliases=("grok",)),
    Provider(name="cohere", package="langchain-cohere", key_variables=("COHERE_API_KEY",)),
    Provider(name="together", package="langchain-together", key_variables=("TOGETHER_API_KEY",)),
    Provider(name="fireworks", package="langchain-fireworks", key_variables=("FIREWORKS_API_KEY",)),
    Provider(name="perplexity", package="langchain-perplexity", key_variables=("PERPLEXITY_API_KEY", "PPLX_API_KEY")),
    Provider(name="nvidia", package="langchain-nvidia-ai-endpoints", key_variables=("NVIDIA_API_KEY",)),
)

_BY_NAME: Final = {alias: provider for provider in PROVIDERS for alias in (provider.name, *provider.aliases)}

_MODEL_PREFIXES: Final = (
    ("gpt-", "openai"),
    ("chatgpt-", "openai"),
    ("o1", "openai"),
    ("o3", "openai"),
    ("o4", "openai"),
    ("claude", "anthropic"),
    ("gemini", "google_genai"),
)
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
    for prefix, provider in _MODEL_PREFIXES:
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

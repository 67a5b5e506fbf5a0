"""Opens the chat model of the settings with LangChain's ``init_chat_model``.

Errors before the first call are reported here with a hint: an unknown provider, a missing package, a missing key, an
invalid URL. Clients are created without retries, because only the caller knows how much time is left.

Nothing heavy is imported until a model is opened; a provider's client takes up to a second.
"""

from __future__ import annotations

import importlib.util
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, Literal
from urllib.parse import urlsplit

from kbtui.errors import ModelError, SettingsError
from kbtui.reasoning.llm.lenient_http import read_leniently
from kbtui.settings.keys import api_key, missing_key_hint
from kbtui.settings.model import ModelSettings
from kbtui.settings.providers import (
    OFFLINE,
    Provider,
    is_local,
    is_loopback,
    nearest_provider,
    provider_of,
    split_name,
)
from kbtui.settings.secrets import redact
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from langchain_core.language_models import BaseChatModel

Role = Literal["large", "small"]

PLACEHOLDER_KEY: Final = "not-needed"
"""Sent if a client requires a key and the server does not."""

REASONING_TOKENS: Final = 4000
"""Extra output tokens for reasoning, which some providers count as output and which would use up a short limit."""

PROMPT_TOKENS: Final = 2000
"""Tokens for instructions, question and history, besides the passages, in Ollama's context window."""

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "timeout": ("timeout", "request_timeout", "default_request_timeout"),
    "max_tokens": ("max_tokens", "max_output_tokens", "num_predict", "max_completion_tokens"),
    "max_retries": ("max_retries", "retries"),
    "base_url": ("base_url", "api_base", "endpoint"),
    "api_key": ("api_key",),
    "stream_usage": ("stream_usage",),
}
"""Names of each argument in the clients; the first that a client accepts is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """The model of a role.

    Attributes:
        provider: Provider name of LangChain.
        model: Name of the model at the provider; may contain colons.
        base_url: URL of its server; empty for that of the provider.
    """

    provider: str
    model: str
    base_url: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def model_name(settings: ModelSettings, role: Role = "large") -> ModelName:
    """The provider, model and address for a role.

    ``base_url`` belongs to the provider of ``model.name``; a small model of another provider uses the URL of that
    provider. A name without provider is a model of OpenAI, Anthropic or Google, or the one that ``base_url`` serves.

    Raises:
        ModelError: The name has no provider or no model, or ``base_url`` is invalid.
    """
    written = (settings.small if role == "small" and settings.small.strip() else settings.name).strip()
    setting = "model.small" if role == "small" and settings.small.strip() else "model.name"
    if written.lower() == OFFLINE:
        raise ModelError(f"{setting} is offline: there is no chat model to ask.", "Name one as provider:name.")
    provider, model = _provider_and_model(written, settings)
    if not provider or not model:
        shown_name, row = one_line(redact(written), 80), provider_of(provider or model)
        raise ModelError(
            f"{setting} = {shown_name!r} names no {'model' if provider or row else 'provider'}.",
            f"Write provider:name, for example {f'{row.name}:NAME' if row else f'ollama:{shown_name}'}; or offline.",
        )
    uses_base_url = role == "large" or provider == _provider_and_model(settings.name.strip(), settings)[0]
    return ModelName(provider=provider, model=model, base_url=_validate_url(settings.base_url) if uses_base_url else "")


def open_chat_model(
    settings: ModelSettings, role: Role = "large", environ: Mapping[str, str] = os.environ
) -> BaseChatModel:
    """Create the chat model for a role; nothing is sent yet.

    Raises:
        ModelError: The provider is unknown, its package is missing, its key is missing, or its client refuses the
            settings. Messages hold no key.
    """
    name = model_name(settings, role)
    row = provider_of(name.provider)
    client = _client_class(name, row)
    from langchain.chat_models import init_chat_model

    wanted: dict[str, Any] = {
        "timeout": settings.timeout_s,
        "max_tokens": settings.max_output_tokens,
        "max_retries": 0,
        "stream_usage": True,
    }
    if name.base_url:
        wanted["base_url"] = name.base_url
    if key := _key(name, row, settings, environ):
        wanted["api_key"] = key
    arguments = _translate(wanted, client)
    arguments |= _provider_arguments(name, settings, environ, wanted.get("api_key"))
    try:
        model: BaseChatModel = init_chat_model(name.model, model_provider=name.provider, **arguments)
    except ImportError as error:
        raise _not_installed(name, row, error) from None
    # Each client validates its settings in its own way; the cause is dropped, because pydantic quotes its input.
    except Exception as error:  # noqa: BLE001
        raise ModelError(
            f"{name} cannot be opened: {_short_message(error)}.",
            "`kbtui doctor` looks closer; docs/models.md has examples.",
        ) from None
    _apply_profile(model, name, row, settings)
    read_leniently(model)
    return model


def profile_of(model: BaseChatModel) -> Mapping[str, Any]:
    """LangChain's profile of a model; without what is not known.

    A server behind a ``base_url`` may use any model name, so the profile for that name does not apply; nor does it to
    models of Ollama.
    """
    if isinstance(getattr(model, "num_ctx", None), int):
        return {}
    address = getattr(model, "openai_api_base", None)
    if isinstance(address, str) and not (urlsplit(address).hostname or "").endswith("openai.com"):
        return {}
    return _profile(model)


def address_of(name: ModelName, environ: Mapping[str, str] = os.environ) -> str:
    """The URL of a model: ``base_url``, the variable of the client, or that of the provider; may be empty."""
    row = provider_of(name.provider)
    if name.base_url or row is None:
        return name.base_url
    for variable in row.address_variables:
        if value := environ.get(variable, "").strip():
            return value if "://" in value else f"http://{value}"
    return row.address


def needs_key(name: ModelName, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the provider requires a key; a server on this machine or network usually does not."""
    row = provider_of(name.provider)
    return bool(row and row.key_variables) and not is_local(address_of(name, environ))


def _provider_and_model(written: str, settings: ModelSettings) -> tuple[str, str]:
    provider, model = split_name(written)
    if not provider and model and settings.base_url.strip():
        return "openai", model
    return provider, model


def _validate_url(written: str) -> str:
    address = written.strip().rstrip("/")
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        is_valid = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        is_valid = False
    if not is_valid:
        quoted_url = one_line(redact(address), 80)
        hint = "" if "://" in address else f": http://{quoted_url}"
        raise ModelError(
            f"model.base_url = {quoted_url!r} is no address.", f"It begins with http:// or https://{hint}."
        )
    return address


def _client_class(name: ModelName, row: Provider | None) -> type[Any] | None:
    """Import the client class of a provider; None if LangChain does not reveal it.

    Raises:
        ModelError: The provider is unknown, or its package is not installed.
    """
    if row is not None and importlib.util.find_spec(row.module) is None:
        raise _not_installed(name, row, None)
    from langchain.chat_models import base

    # LangChain has no public list of providers. Without this one, clients get only the common arguments.
    registry: Mapping[str, tuple[Any, ...]] = getattr(base, "_BUILTIN_PROVIDERS", {})
    if row is None and registry and name.provider not in registry:
        raise _unknown_provider(name, registry)
    if name.provider not in registry:
        return None
    module, class_name = registry[name.provider][:2]
    try:
        client_class = getattr(import_module(module), class_name, None)
    except ImportError as error:
        raise _not_installed(name, row, error, module) from None
    return client_class if isinstance(client_class, type) else None


def _unknown_provider(name: ModelName, registry: Mapping[str, Any]) -> ModelError:
    import difflib

    similar = nearest_provider(name.provider) or next(
        iter(difflib.get_close_matches(name.provider, list(registry), n=1, cutoff=0.6)), ""
    )
    # The name may be a pasted key, which has hyphens; provider names have none.
    with_hyphens = name.provider.replace("_", "-")
    quoted_name = one_line(name.provider if redact(with_hyphens) == with_hyphens else redact(with_hyphens), 60)
    model = one_line(redact(name.model), 80)
    hint = (
        f"Did you mean {similar}:{model}?" if similar else f"For a model of Ollama write ollama:{quoted_name}:{model}."
    )
    return ModelError(f"There is no provider {quoted_name!r} of chat models.", hint)


def _not_installed(name: ModelName, row: Provider | None, error: ImportError | None, module: str = "") -> ModelError:
    if row is not None:
        return ModelError(f"{name} needs the package {row.package}, which is not installed.", row.install)
    package = (module or (error.name if error else "") or f"langchain_{name.provider}").split(".")[0].replace("_", "-")
    return ModelError(f"{name} needs the package {package}, which is not installed.", f"pip install {package}")


def _key(name: ModelName, row: Provider | None, settings: ModelSettings, environ: Mapping[str, str]) -> Any:
    """The API key for the client; None if the client finds it by itself or none is needed.

    Raises:
        ModelError: A required key is missing.
    """
    if row is not None and not row.key_variables and not settings.api_key_env:
        return None
    try:
        key = api_key(name.provider, settings, environ)
    except SettingsError as error:
        raise ModelError(error.message, error.hint) from None
    if key is not None:
        return key.value
    if row is None or not row.key_variables:
        return None
    if needs_key(name, environ):
        raise ModelError(f"There is no key for {name}.", missing_key_hint(name.provider, settings))
    return PLACEHOLDER_KEY


def _translate(wanted: Mapping[str, Any], client: type[Any] | None) -> dict[str, Any]:
    """Translate arguments to the names of the client, without those it does not accept."""
    fields = getattr(client, "model_fields", None)
    if not fields:
        return {name: value for name, value in wanted.items() if name != "stream_usage"}
    accepted = set(fields) | {field.alias for field in fields.values() if field.alias}
    translated = {}
    for name, value in wanted.items():
        spelling = next((spelling for spelling in _SPELLINGS[name] if spelling in accepted), None)
        if spelling is not None:
            translated[spelling] = value
    return translated


def _provider_arguments(
    name: ModelName, settings: ModelSettings, environ: Mapping[str, str], key: Any
) -> dict[str, Any]:
    """Arguments for a single provider."""
    address = address_of(name, environ)
    past_proxy = is_loopback(address) and _is_proxied(address)
    match name.provider:
        case "ollama":
            # Ollama silently truncates the beginning of a prompt that exceeds its default window.
            tokens = math.ceil(settings.context_tokens * 1.25) + PROMPT_TOKENS + settings.max_output_tokens
            client: dict[str, Any] = {"timeout": settings.timeout_s}
            if past_proxy:
                client["trust_env"] = False
            if key is not None:
                # For a server behind a gateway; Ollama itself needs no key.
                client["headers"] = {"Authorization": f"Bearer {key.get_secret_value()}"}
            return {
                "num_ctx": math.ceil(tokens / 1024) * 1024,
                "client_kwargs": client,
                # Reasoning would use up the time and the tokens of the answer.
                "reasoning": False,
            }
        case "openai" if past_proxy:
            import openai

            return {
                "http_client": openai.DefaultHttpxClient(trust_env=False),
                "http_async_client": openai.DefaultAsyncHttpxClient(trust_env=False),
            }
        case "google_genai":
            # Its client counts attempts, and treats 0 as its default of five retries.
            return {"max_retries": 1} | ({"client_args": _google_without_proxy()} if past_proxy else {})
        case _:
            return {}


def _google_without_proxy() -> dict[str, Any]:
    """Arguments that make Google's client bypass the proxy for a local server."""
    import httpx

    # If aiohttp is installed the client prefers it, which always uses the proxy of the environment; an explicit
    # transport makes it use httpx.
    return {"trust_env": False, "transport": httpx.AsyncHTTPTransport()}


def _is_proxied(address: str) -> bool:
    """Whether the environment defines a proxy for a URL."""
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    has_one = any(proxies.get(kind) for kind in (urlsplit(address).scheme, "all"))
    return has_one and not proxy_bypass(urlsplit(address).hostname or "")


def _apply_profile(model: Any, name: ModelName, row: Provider | None, settings: ModelSettings) -> None:
    """Set arguments that depend on the profile, which exists only after the model is created."""
    profile = _profile(model)
    has_base_url = bool(name.base_url)
    fields = type(model).model_fields
    if "temperature" in fields:
        is_accepted = profile.get("temperature")
        if is_accepted is None:
            # An unsupported temperature fails the run; a missing one only varies the wording. An explicit one passes.
            is_accepted = has_base_url or row is None or not row.has_strict_models or settings.temperature > 0
        model.temperature = settings.temperature if is_accepted else None
    is_reasoning = profile.get("reasoning_output") and name.provider in ("openai", "azure_openai", "google_genai")
    if is_reasoning and not has_base_url:
        limit = next((field for field in ("max_tokens", "max_output_tokens") if field in fields), None)
        if limit:
            setattr(model, limit, settings.max_output_tokens + REASONING_TOKENS)


def _profile(model: Any) -> Mapping[str, Any]:
    profile = getattr(model, "profile", None)
    return profile if isinstance(profile, Mapping) else {}


def _short_message(error: BaseException) -> str:
    """The beginning of an error message; pydantic repeats its input, which may be a key, after it."""
    message = str(error).split("[type=", 1)[0]
    return one_line(redact(message), 200).rstrip(". ") or type(error).__name__

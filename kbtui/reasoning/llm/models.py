"""Opens the chat model that the settings name, through LangChain's ``init_chat_model``.

Everything that could go wrong before the first call is told here, with what to do: an unknown provider, a package that
is not installed, a key that is missing, an address that is none. Retries are left to the caller, who knows how much
time is left, so every client is made with none of its own.

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
"""Sent where a client insists on a key and the server wants none."""

REASONING_TOKENS: Final = 4000
"""Room for thoughts, where a provider counts them as output: without it a short limit leaves nothing for the answer."""

PROMPT_TOKENS: Final = 2000
"""Room for instructions, question and history beside the passages, in Ollama's window."""

_SPELLINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "timeout": ("timeout", "request_timeout", "default_request_timeout"),
    "max_tokens": ("max_tokens", "max_output_tokens", "num_predict", "max_completion_tokens"),
    "max_retries": ("max_retries", "retries"),
    "base_url": ("base_url", "api_base", "endpoint"),
    "api_key": ("api_key",),
    "stream_usage": ("stream_usage",),
}
"""What we want to say, and how the clients call it; the first that a client knows is used."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What LangChain's data say of a model; None where they say nothing.

    Attributes:
        max_input_tokens: Size of its window.
        structured_output: Whether it can be held to a JSON schema.
        tool_calling: Whether it can call tools.
    """

    max_input_tokens: int | None = None
    structured_output: bool | None = None
    tool_calling: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelName:
    """Which model a role uses.

    Attributes:
        provider: As LangChain names it.
        model: The model's name there; may contain colons.
        base_url: Where its server is; empty for the provider's own.
    """

    provider: str
    model: str
    base_url: str = ""

    def __str__(self) -> str:
        return f"{self.provider}:{self.model}"


def model_name(settings: ModelSettings, role: Role = "large") -> ModelName:
    """The provider, model and address for a role.

    ``base_url`` belongs to the provider of ``model.name``: a small model of another provider is asked at its own
    address. A name without a provider is one of OpenAI's, Anthropic's or Google's, or whatever ``base_url`` serves.

    Raises:
        ModelError: There is no provider in the name, no model, or ``base_url`` is no address.
    """
    written = (settings.small if role == "small" and settings.small.strip() else settings.name).strip()
    setting = "model.small" if role == "small" and settings.small.strip() else "model.name"
    if written.lower() == OFFLINE:
        raise ModelError(f"{setting} is offline: there is no chat model to ask.", "Name one as provider:name.")
    provider, model = _provider_and_model(written, settings)
    if not provider or not model:
        shown, bare = one_line(redact(written), 80), provider_of(provider or model)
        raise ModelError(
            f"{setting} = {shown!r} names no {'model' if provider or bare else 'provider'}.",
            f"Write provider:name, for example {f'{bare.name}:NAME' if bare else f'ollama:{shown}'}; or offline.",
        )
    own = role == "large" or provider == _provider_and_model(settings.name.strip(), settings)[0]
    return ModelName(provider=provider, model=model, base_url=_checked_address(settings.base_url) if own else "")


def open_chat_model(
    settings: ModelSettings, role: Role = "large", environ: Mapping[str, str] = os.environ
) -> BaseChatModel:
    """The chat model for a role. Nothing is sent yet.

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
    arguments = _spelled(wanted, client)
    arguments |= _particular(name, settings, environ, wanted.get("api_key"))
    try:
        model: BaseChatModel = init_chat_model(name.model, model_provider=name.provider, **arguments)
    except ImportError as error:
        raise _not_installed(name, row, error) from None
    # Each client checks its settings in its own way; the chain is cut, as pydantic quotes what it was given.
    except Exception as error:  # noqa: BLE001
        raise ModelError(
            f"{name} cannot be opened: {_short(error)}.", "`kbtui doctor` looks closer; docs/models.md has examples."
        ) from None
    _fit(model, name, row, settings)
    read_leniently(model)
    return model


def profile_of(model: BaseChatModel) -> Profile:
    """What is known of a model's window and abilities.

    A server behind a ``base_url`` may call its model as it likes, so of such a model nothing is believed by its name.
    """
    window = getattr(model, "num_ctx", None)
    if isinstance(window, int):
        return Profile(max_input_tokens=window)
    address = getattr(model, "openai_api_base", None)
    if isinstance(address, str) and not (urlsplit(address).hostname or "").endswith("openai.com"):
        return Profile()
    known = _profile(model)
    return Profile(
        max_input_tokens=known.get("max_input_tokens"),
        structured_output=known.get("structured_output"),
        tool_calling=known.get("tool_calling"),
    )


def address_of(name: ModelName, environ: Mapping[str, str] = os.environ) -> str:
    """Where a model is asked: ``base_url``, the client's own variable, or the provider's address; may be empty."""
    row = provider_of(name.provider)
    if name.base_url or row is None:
        return name.base_url
    for variable in row.address_variables:
        if value := environ.get(variable, "").strip():
            return value if "://" in value else f"http://{value}"
    return row.address


def needs_key(name: ModelName, environ: Mapping[str, str] = os.environ) -> bool:
    """Whether the provider wants a key. A server on this machine or network seldom does, so none is demanded."""
    row = provider_of(name.provider)
    return bool(row and row.key_variables) and not is_local(address_of(name, environ))


def _provider_and_model(written: str, settings: ModelSettings) -> tuple[str, str]:
    provider, model = split_name(written)
    if not provider and model and settings.base_url.strip():
        return "openai", model
    return provider, model


def _checked_address(written: str) -> str:
    address = written.strip().rstrip("/")
    if not address:
        return ""
    try:
        parts = urlsplit(address)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        good = False
    if not good:
        shown = one_line(redact(address), 80)
        hint = "" if "://" in address else f": http://{shown}"
        raise ModelError(f"model.base_url = {shown!r} is no address.", f"It begins with http:// or https://{hint}.")
    return address


def _client_class(name: ModelName, row: Provider | None) -> type[Any] | None:
    """The class of a provider's client, imported; None when LangChain does not let us look.

    Raises:
        ModelError: The provider is unknown, or its package is not installed.
    """
    if row is not None and importlib.util.find_spec(row.module) is None:
        raise _not_installed(name, row, None)
    from langchain.chat_models import base

    # LangChain has no public list of what it knows. Without this one the clients are given the common arguments.
    registry: Mapping[str, tuple[Any, ...]] = getattr(base, "_BUILTIN_PROVIDERS", {})
    if row is None and registry and name.provider not in registry:
        raise _unknown_provider(name, registry)
    if name.provider not in registry:
        return None
    module, class_name = registry[name.provider][:2]
    try:
        found = getattr(import_module(module), class_name, None)
    except ImportError as error:
        raise _not_installed(name, row, error, module) from None
    return found if isinstance(found, type) else None


def _unknown_provider(name: ModelName, registry: Mapping[str, Any]) -> ModelError:
    import difflib

    near = nearest_provider(name.provider) or next(
        iter(difflib.get_close_matches(name.provider, list(registry), n=1, cutoff=0.6)), ""
    )
    # Whoever pastes a key here has written it with hyphens, of which names of providers have none.
    dashed = name.provider.replace("_", "-")
    shown = one_line(name.provider if redact(dashed) == dashed else redact(dashed), 60)
    model = one_line(redact(name.model), 80)
    hint = f"Did you mean {near}:{model}?" if near else f"For a model of Ollama write ollama:{shown}:{model}."
    return ModelError(f"There is no provider {shown!r} of chat models.", hint)


def _not_installed(name: ModelName, row: Provider | None, error: ImportError | None, module: str = "") -> ModelError:
    if row is not None:
        return ModelError(f"{name} needs the package {row.package}, which is not installed.", row.install)
    package = (module or (error.name if error else "") or f"langchain_{name.provider}").split(".")[0].replace("_", "-")
    return ModelError(f"{name} needs the package {package}, which is not installed.", f"pip install {package}")


def _key(name: ModelName, row: Provider | None, settings: ModelSettings, environ: Mapping[str, str]) -> Any:
    """The key as the client takes it; None when the client finds one by itself, or there is none to be had.

    Raises:
        ModelError: One is needed, and there is none.
    """
    if row is not None and not row.key_variables and not settings.api_key_env:
        return None
    try:
        found = api_key(name.provider, settings, environ)
    except SettingsError as error:
        raise ModelError(error.message, error.hint) from None
    if found is not None:
        return found.value
    if row is None or not row.key_variables:
        return None
    if needs_key(name, environ):
        raise ModelError(f"There is no key for {name}.", missing_key_hint(name.provider, settings))
    return PLACEHOLDER_KEY


def _spelled(wanted: Mapping[str, Any], client: type[Any] | None) -> dict[str, Any]:
    """What is wanted in the client's own words, without what it does not know."""
    fields = getattr(client, "model_fields", None)
    if not fields:
        return {name: value for name, value in wanted.items() if name != "stream_usage"}
    known = set(fields) | {field.alias for field in fields.values() if field.alias}
    found = {}
    for name, value in wanted.items():
        spelling = next((one for one in _SPELLINGS[name] if one in known), None)
        if spelling is not None:
            found[spelling] = value
    return found


def _particular(name: ModelName, settings: ModelSettings, environ: Mapping[str, str], key: Any) -> dict[str, Any]:
    """What one provider alone wants."""
    address = address_of(name, environ)
    past_proxy = is_loopback(address) and _is_proxied(address)
    match name.provider:
        case "ollama":
            # Ollama cuts a longer prompt silently, from its beginning, at a window of its own choosing.
            tokens = math.ceil(settings.context_tokens * 1.25) + PROMPT_TOKENS + settings.max_output_tokens
            client: dict[str, Any] = {"timeout": settings.timeout_s}
            if past_proxy:
                client["trust_env"] = False
            if key is not None:
                # A server of one's own behind a gateway; Ollama itself wants no key.
                client["headers"] = {"Authorization": f"Bearer {key.get_secret_value()}"}
            return {
                "num_ctx": math.ceil(tokens / 1024) * 1024,
                "client_kwargs": client,
                # Thoughts would take the time and the tokens that the answer is to have.
                "reasoning": False,
            }
        case "openai" if past_proxy:
            import openai

            return {
                "http_client": openai.DefaultHttpxClient(trust_env=False),
                "http_async_client": openai.DefaultAsyncHttpxClient(trust_env=False),
            }
        case "google_genai":
            # Its client counts attempts, and takes 0 for its own default of five retries.
            return {"max_retries": 1} | ({"client_args": _google_past_proxy()} if past_proxy else {})
        case _:
            return {}


def _google_past_proxy() -> dict[str, Any]:
    """Arguments with which Google's client asks a server of one's own directly."""
    import httpx

    # Where aiohttp is installed the client prefers it, and that takes the environment's proxy in any case; a transport
    # of one's own is what makes it use httpx.
    return {"trust_env": False, "transport": httpx.AsyncHTTPTransport()}


def _is_proxied(address: str) -> bool:
    """Whether the environment sends this address through a proxy."""
    from urllib.request import getproxies, proxy_bypass

    proxies = getproxies()
    has_one = any(proxies.get(kind) for kind in (urlsplit(address).scheme, "all"))
    return has_one and not proxy_bypass(urlsplit(address).hostname or "")


def _fit(model: Any, name: ModelName, row: Provider | None, settings: ModelSettings) -> None:
    """Set what depends on the model's profile, which is there only after it was opened."""
    known = _profile(model)
    elsewhere = bool(name.base_url)
    fields = type(model).model_fields
    if "temperature" in fields:
        takes = known.get("temperature")
        if takes is None:
            # Refused, it costs the whole run; left out, the words vary a little. A wish of the user's is passed on.
            takes = elsewhere or row is None or not row.has_strict_models or settings.temperature > 0
        model.temperature = settings.temperature if takes else None
    thinks = known.get("reasoning_output") and name.provider in ("openai", "azure_openai", "google_genai")
    if thinks and not elsewhere:
        limit = next((one for one in ("max_tokens", "max_output_tokens") if one in fields), None)
        if limit:
            setattr(model, limit, settings.max_output_tokens + REASONING_TOKENS)


def _profile(model: Any) -> Mapping[str, Any]:
    found = getattr(model, "profile", None)
    return found if isinstance(found, Mapping) else {}


def _short(error: BaseException) -> str:
    """The first words of what a client said; pydantic repeats its input, which may be a key, after them."""
    said = str(error).split("[type=", 1)[0]
    return one_line(redact(said), 200).rstrip(". ") or type(error).__name__

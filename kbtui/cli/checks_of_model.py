"""Checks of `kbtui doctor` of the chat model: one short call and, where it fails, a diagnosis.

The call takes a few tokens. Where it fails, the server is asked for its list of models, because the most common
mistakes (a model that is not pulled, an address without ``/v1``, a web page in place of an API) all result in the same
404.
"""

from __future__ import annotations

import difflib
import socket
import ssl
import time
from collections.abc import Iterator, Mapping
from importlib.util import find_spec
from typing import Any, Final
from urllib.parse import urlsplit

from msgspec.structs import replace

from kbtui.cli.checks import fail, ok, warn
from kbtui.domain.health import Check, Status
from kbtui.errors import KbtuiError, ModelError
from kbtui.reasoning.llm.models import ModelName, Role, address_of, model_name
from kbtui.settings.keys import Secret, api_key, keyring_problem
from kbtui.settings.model import ModelSettings, Settings
from kbtui.settings.providers import OFFLINE, is_loopback, provider_of
from kbtui.settings.secrets import redact
from kbtui.text.terminal import one_line

CALL_TIMEOUT_S: Final = 10.0
CALL_TOKENS: Final = 16
"""The least limit that the newer API of OpenAI accepts."""
LIST_TIMEOUT_S: Final = 5.0
MAX_LIST_BYTES: Final = 2_000_000
MAX_LISTED_MODELS: Final = 8

_RUN_DOCTOR: Final = "`kbtui doctor` looks closer."
_ADDED_BY_CLIENT: Final = {"anthropic": ("/v1",), "google_genai": ("/v1beta", "/v1")}
"""Path suffixes that the clients of these providers add to the address themselves."""

_TRANSIENT_STATUSES: Final = (408, 409, 425, 429)


def check_chat_model(settings: Settings) -> Iterator[Check]:
    """Whether the chat model of each role answers one short question; nothing of the folder is sent."""
    model = settings.model
    if model.name.strip().lower() == OFFLINE:
        yield ok("chat model", "offline: rules and embeddings, no chat model needed")
        return
    yield from _check_role(model, "large", "chat model")
    if model.small.strip() not in ("", model.name.strip(), OFFLINE):
        yield from _check_role(model, "small", "small chat model")


def check_keyring(settings: Settings) -> Iterator[Check]:
    """Whether keys can be stored in the keyring of the system, which is optional."""
    problem = keyring_problem()
    detail = f"not used: {problem}; keys come from the environment" if problem else "can be asked for keys"
    if problem and settings.model.name.strip().lower() == OFFLINE:
        detail = f"not used: {problem}; no key is needed offline"
    yield ok("keyring", detail)


def check_web_search(settings: Settings) -> Iterator[Check]:
    """Whether the service of web_search is set up; nothing is sent."""
    if settings.web.search == "off":
        yield ok("web search", "off")
        return
    from kbtui.tools.web_search import search_problem

    problem = search_problem(settings)
    if problem is not None:
        yield warn("web search", problem.message, problem.hint)
        return
    yield ok("web search", settings.web.search)


def check_mcp_servers(settings: Settings) -> Iterator[Check]:
    """The MCP servers of the settings: each is started or called up, and asked for its tools."""
    if not settings.mcp.servers:
        return
    if find_spec("mcp") is None:
        yield warn("MCP servers", "what speaks to them is not installed", "pip install 'kbtui[mcp]'")
        return
    from kbtui.domain.cancel import CancelToken
    from kbtui.tools.mcp_servers import list_server

    for name, server in settings.mcp.servers.items():
        try:
            tools = list(list_server(name, server, CancelToken()))
        except KbtuiError as error:
            yield warn(f"MCP server {name}", error.message, error.hint)
            continue
        offered = ", ".join(tool.name for tool in tools if tool.spec is not None) or "none"
        yield ok(f"MCP server {name}", f"a chat model may call of its tools: {offered}")
        for tool in tools:
            if tool.spec is None:
                yield ok(f"MCP server {name}", f"not offered: {tool.name} ({tool.why_not})")


def _check_role(settings: ModelSettings, role: Role, title: str) -> Iterator[Check]:
    from kbtui.reasoning.llm.models import open_chat_model, profile_of

    quick = replace(settings, timeout_s=min(CALL_TIMEOUT_S, settings.timeout_s), max_output_tokens=CALL_TOKENS)
    key: Secret | None = None
    try:
        name = model_name(quick, role)
        if (row := provider_of(name.provider)) is None or row.key_variables:
            key = api_key(name.provider, quick)
        chat_model = open_chat_model(quick, role)
    except KbtuiError as error:
        yield fail(title, error.message, error.hint)
        return
    began = time.monotonic()
    try:
        _call(chat_model, quick.timeout_s)
    # Clients raise errors of many types, which `_diagnosis` interprets.
    except Exception as error:  # noqa: BLE001
        status, diagnosis = _diagnosis(error, name, key, quick.timeout_s)
        yield Check(name=title, status=status, detail=redact(diagnosis.message), todo=redact(diagnosis.hint))
        return
    duration = time.monotonic() - began
    detail = f"{name} answered in {duration:.1f} s" + (f", key from {key.origin}" if key else "")
    yield ok(title, detail)
    if role == "large":
        yield ok(f"{title}: mode", _mode(settings))
        yield _statements(settings, f"{title}: statements")
    yield ok(f"{title}: plans", _structured_output(settings, profile_of(chat_model)))


def _call(model: Any, timeout_s: float) -> None:
    """Make one short call, which ends at its timeout even where a server keeps sending.

    Raises:
        Exception: Any error of the client; TimeoutError where there was no answer in time.
    """
    from kbtui.domain.ports import CancelToken
    from kbtui.reasoning.llm.loop import run_until

    deadline = time.monotonic() + timeout_s
    reply = run_until(model.ainvoke("Reply with the word OK."), CancelToken(), deadline)
    if not hasattr(reply, "content"):
        raise ModelError("The answer is no message.")


def _statements(settings: ModelSettings, title: str) -> Check:
    """How far the statements of the model are trusted, by what was found of them so far."""
    from kbtui.reasoning.llm.remembered import record_of

    match record_of(settings).trust:
        case "reliable":
            return ok(title, "mostly borne out so far: only what its sources refute is marked [?]")
        case "unreliable":
            detail = "often not borne out so far: all that is not close to the words of its sources is marked [?]"
            return warn(title, detail, "Name a larger model for answers (model.name).")
        case _:
            return ok(title, "marked [?] where its sources refute them or do not say them")


def _mode(settings: ModelSettings) -> str:
    """The mode in which the model will work, and how that is known."""
    if settings.mode != "auto":
        return f"{settings.mode} (model.mode)"
    from kbtui.reasoning.llm.remembered import mode_of

    match mode_of(settings):
        case "loop":
            return "loop: it calls tools, as it showed when it was first asked"
        case "pipeline":
            return "pipeline: it called no tool when it was first asked; model.mode = loop tries it all the same"
        case _:
            return "not known yet: the first question finds out whether it calls tools"


def _structured_output(settings: ModelSettings, profile: Mapping[str, Any]) -> str:
    """The form in which plans and grades will be requested."""
    if settings.structured != "auto":
        return f"asked for as {settings.structured} (model.structured)"
    if profile.get("structured_output"):
        return "held to a JSON schema, which this model can be"
    if profile.get("structured_output") is False and profile.get("tool_calling"):
        return "asked for as tool calls; this model cannot be held to a JSON schema"
    return "by JSON schema where the server takes one, else by tool call or as text; the first question finds out"


def _diagnosis(
    error: BaseException, name: ModelName, key: Secret | None, timeout_s: float
) -> tuple[Status, ModelError]:
    """The most specific error for a failed call, with status ``warn`` where the failure may be temporary."""
    from kbtui.reasoning.llm.failures import causes_of, explain, status_of

    chain = list(causes_of(error))
    address = address_of(name)
    location = one_line(redact(address), 120) or f"the provider of {name}"
    status = status_of(error)
    if status is None:
        if (network_error := _network(chain, name, location)) is not None:
            return "fail", network_error
        if isinstance(error, TimeoutError) or any("Timeout" in type(cause).__name__ for cause in chain):
            return "warn", ModelError(
                f"{name} did not answer within {timeout_s:g} s.",
                "A model that is being loaded is slow once: try again; else raise model.timeout_s.",
            )
    explanation = explain(error, str(name), timeout_s)
    if explanation.refused_key:
        key_hint = f"The key was taken from {key.origin}: is it the right one?" if key else _no_key(name)
        return "fail", ModelError(f"{location} refused the key ({status}).", key_hint)
    match status:
        case 429:
            hint = "Wait a little. If it stays, look at the provider's page for limits and credit."
            return "warn", ModelError(explanation.message, hint)
        case int() if (status >= 500 and status != 501) or status in _TRANSIENT_STATUSES:
            return "warn", ModelError(explanation.message, explanation.hint)
        case 403:
            return "fail", ModelError(explanation.message, explanation.hint)
    diagnosed = _diagnose_by_list(name, address, key, status)
    # The general hint recommends this very command, so that part of it is removed.
    hint = explanation.hint.removesuffix(_RUN_DOCTOR).strip() or "Look at the server's log, or try another model."
    return "fail", diagnosed or ModelError(explanation.message, hint)


def _no_key(name: ModelName) -> str:
    row = provider_of(name.provider)
    variable = row.key_variables[0] if row and row.key_variables else "the variable in model.api_key_env"
    return f"No key was sent: set {variable}."


def _network(chain: list[BaseException], name: ModelName, location: str) -> ModelError | None:
    """The error for exceptions of the network; None where the failure has another cause."""
    words = " ".join(str(cause) for cause in chain)
    host = urlsplit(location).hostname or location
    if "WRONG_VERSION_NUMBER" in words or "record layer failure" in words:
        return ModelError(f"{location} does not speak TLS.", "Write http:// in place of https:// in model.base_url.")
    if any(isinstance(cause, ssl.SSLError) for cause in chain) or "CERTIFICATE_VERIFY_FAILED" in words:
        return ModelError(
            f"The certificate of {host} is not trusted.",
            "Is the address right? For a certificate of your own, set SSL_CERT_FILE to its authority's file.",
        )
    if any(isinstance(cause, socket.gaierror) for cause in chain):
        return ModelError(f"There is no host {host}.", "Check model.base_url, and whether this machine is online.")
    kinds = {type(cause).__name__ for cause in chain}
    if any(isinstance(cause, ConnectionRefusedError) for cause in chain) or kinds & {"ConnectError", "ConnectionError"}:
        start = (
            "Is it running? Start it with `ollama serve`." if name.provider == "ollama" else "Is the server running?"
        )
        return ModelError(
            f"Nothing answers at {location}: the connection was refused.", f"{start} {_address_hint(name)}".strip()
        )
    if kinds & {"RemoteProtocolError", "ReadError", "LocalProtocolError"}:
        scheme = " If it wants TLS, write https://." if location.startswith("http://") else ""
        return ModelError(
            f"{location} broke the connection off without an answer.", f"Look at the server's log.{scheme}"
        )
    return None


def _address_hint(name: ModelName) -> str:
    return "Check model.base_url." if name.base_url else ""


def _diagnose_by_list(name: ModelName, address: str, key: Secret | None, status: int | None) -> ModelError | None:
    """The error that the list of models of the server reveals; None where it reveals none."""
    if not address:
        return None
    location = one_line(redact(address), 120)
    path = urlsplit(address).path.rstrip("/")
    models, is_page = _list_models(name, _list_address(name, address), key)
    if models is not None and not {name.model, f"{name.model}:latest"} & set(models):
        return _missing_model_error(name, models)
    if models is None and name.provider == "ollama" and path.endswith("/v1"):
        return ModelError(f"{location} is Ollama's interface for other clients.", "Leave /v1 out of model.base_url.")
    duplicate_suffix = next((end for end in _ADDED_BY_CLIENT.get(name.provider, ()) if path.endswith(end)), "")
    if models is None and duplicate_suffix:
        return ModelError(
            f"{location} is not where the interface begins (404).", f"Leave {duplicate_suffix} out of model.base_url."
        )
    if models is None and name.provider == "openai" and name.base_url and not path.endswith("/v1"):
        longer = f"{address.rstrip('/')}/v1"
        if _list_models(name, _list_address(name, longer), key)[0] is not None:
            return ModelError(
                f"{location} is not the whole address (it answers {status or 'no interface'}).",
                f"Set model.base_url to {redact(longer)}.",
            )
    if is_page:
        return ModelError(
            f"{location} answers with a web page, not as a model's server.",
            "model.base_url must be the address of the interface, which often ends in /v1.",
        )
    if status == 404:
        return ModelError(
            f"{location} knows neither {name.model} nor a list of models (404).", "Check model.base_url and the name."
        )
    return None


def _missing_model_error(name: ModelName, models: list[str]) -> ModelError:
    similar = difflib.get_close_matches(name.model, models, n=MAX_LISTED_MODELS, cutoff=0.3)
    names = [*similar, *(model for model in models if model not in similar)][:MAX_LISTED_MODELS]
    more = f" and {len(models) - len(names)} more" if len(models) > len(names) else ""
    pull = f"ollama pull {name.model}" if name.provider == "ollama" else ""
    candidate = f"{pull}, or name another." if pull else "Name another."
    if not models:
        return ModelError(f"The server offers no model at all, so not {name.model} either.", pull or "Load one there.")
    offers = f"It offers {', '.join(one_line(redact(model), 80) for model in names)}{more}."
    return ModelError(f"The server has no model {name.model}.", f"{candidate} {offers}")


def _list_address(name: ModelName, address: str) -> str:
    """The address of the list of models of a server; empty where it is not known."""
    base = address.rstrip("/")
    match name.provider:
        case "ollama":
            return f"{base}/api/tags"
        case "anthropic":
            return f"{base}/v1/models"
        case "google_genai":
            return f"{base}/v1beta/models"
        case "openai":
            return f"{base}/models"
        case _:
            return ""


def _list_models(name: ModelName, url: str, key: Secret | None) -> tuple[list[str] | None, bool]:
    """The models that a server lists (None where it gives no list), and whether it answered with a web page."""
    if not url:
        return None, False
    import httpx

    headers = _key_headers(name.provider, key.value.get_secret_value()) if key is not None else {}
    try:
        with (
            httpx.Client(timeout=LIST_TIMEOUT_S, trust_env=not is_loopback(url)) as client,
            client.stream("GET", url, headers=headers) as answer,
        ):
            is_page = "html" in answer.headers.get("content-type", "").lower()
            if answer.status_code != 200 or is_page:
                return None, is_page
            body = b""
            for piece in answer.iter_bytes():
                body += piece
                if len(body) > MAX_LIST_BYTES:
                    return None, False
            return _names(body), body.lstrip()[:1] == b"<"
    except (httpx.HTTPError, httpx.InvalidURL, ValueError):
        return None, False


def _key_headers(provider: str, key: str) -> dict[str, str]:
    match provider:
        case "anthropic":
            return {"x-api-key": key, "anthropic-version": "2023-06-01"}
        case "google_genai":
            return {"x-goog-api-key": key}
        case _:
            return {"Authorization": f"Bearer {key}"}


def _names(body: bytes) -> list[str] | None:
    """The names in a list of models, in the format of OpenAI or of Ollama; None for any other JSON."""
    import json

    try:
        parsed = json.loads(body)
    except (ValueError, RecursionError):
        return None
    rows = (parsed.get("data") or parsed.get("models") or []) if isinstance(parsed, dict) else None
    if not isinstance(rows, list) or not isinstance(parsed, dict) or not {"data", "models"} & set(parsed):
        return None
    names = [row.get("id") or row.get("name") for row in rows if isinstance(row, dict)]
    return [model.removeprefix("models/") for model in names if isinstance(model, str)]

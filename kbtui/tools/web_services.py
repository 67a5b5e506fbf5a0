"""The search services of ``web_search``, each a function from a query to results.

DuckDuckGo is queried through ddgs, which only contacts fixed addresses that no document influences. SearxNG and Tavily
are queried through `Wire` and not through LangChain's wrappers, which wait and read without limit, follow redirects to
unchecked addresses, and cannot be stopped.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import unquote_to_bytes

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from kbtui.errors import SettingsError, ToolError
from kbtui.text.terminal import one_line
from kbtui.tools.web_page import web_url
from kbtui.tools.web_wire import Reply, Wire, wait_for

TAVILY_URL: Final = "https://api.tavily.com/search"
MAX_QUERY_CHARS: Final = 400
"""The shortest limit among the services."""

_MAX_BYTES: Final = 2 * 1024 * 1024
_DDGS_S: Final = 15.0
_MAX_PRINTED_CHARS: Final = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """One result as a service returned it, unchecked."""

    url: str
    title: str = ""
    text: str = ""


class _Result(BaseModel):
    model_config = ConfigDict(extra="ignore")

    url: str = ""
    title: str | None = ""
    content: str | None = ""


class _Results(BaseModel):
    """The JSON that SearxNG and Tavily both return."""

    model_config = ConfigDict(extra="ignore")

    results: list[Any] = Field(default_factory=list)


def ask_searxng(query: str, address: str, wire: Wire) -> list[SearchResult]:
    """Query a SearxNG instance, which must return JSON (``search.formats`` in its settings).

    Its address may be private, because the user set it; redirects are not followed, because the server sets their
    target.

    Args:
        address: With or without ``/search``; a name and password in it are sent as HTTP credentials.

    Raises:
        SettingsError: ``address`` is not a web address.
        ToolError: It did not return results; message and hint say why.
        Cancelled: The run was stopped.
    """
    target = searxng_url(address)
    headers = {"Accept": "application/json"}
    if target.userinfo:
        headers["Authorization"] = f"Basic {base64.b64encode(unquote_to_bytes(target.userinfo)).decode('ascii')}"
    path = target.path.rstrip("/")
    target = target.copy_with(
        path=path if path.endswith("/search") else f"{path}/search", query=None, fragment=None
    ).copy_merge_params({"q": query, "format": "json"})
    name = f"SearxNG at {one_line(target.host, _MAX_PRINTED_CHARS)}"
    hints = {
        403: "Let the instance answer in JSON: `search.formats` in its settings.yml must list json.",
        404: "Check `web.searxng_url`.",
        429: "It limits questions: ask again later, or use an instance of your own.",
    }
    reply = wire.exchange(
        "GET", target, allow_private=True, headers=headers, accept=_accept(name, hints), max_bytes=_MAX_BYTES
    )
    return _results(reply, name, hints[403])


def ask_tavily(
    query: str, key: str, most: int, wire: Wire, url: str = TAVILY_URL, *, local: bool = False
) -> list[SearchResult]:
    """Query Tavily.

    Args:
        key: Sent in a header; it is part of no error message.
        most: Number of results to ask for.
        url: Address of its API, for tests.
        local: Whether ``url`` is on this machine, for tests.

    Raises:
        ToolError: It did not return results; message and hint say why.
        Cancelled: The run was stopped.
    """
    hints = {
        401: "Check TAVILY_API_KEY.",
        403: "Check TAVILY_API_KEY.",
        429: "Too many questions for this key: ask again later.",
        432: "The key's plan is used up.",
        433: "The key's plan is used up.",
    }
    body = {"query": query, "max_results": max(1, min(most, 20)), "search_depth": "basic", "include_answer": False}
    reply = wire.exchange(
        "POST",
        web_url(url),
        allow_private=local,
        headers={"Authorization": f"Bearer {key}", "Content-Type": "application/json", "Accept": "application/json"},
        content=json.dumps(body).encode(),
        accept=_accept("Tavily", hints),
        max_bytes=_MAX_BYTES,
    )
    return _results(reply, "Tavily", "Try again later.")


def ask_duckduckgo(query: str, most: int, wire: Wire) -> list[SearchResult]:
    """Query DuckDuckGo through ddgs.

    Raises:
        ToolError: It did not answer, or ddgs is not installed.
        Cancelled: The run was stopped.
    """
    try:
        import ddgs
        import ddgs.exceptions as failures
    except ImportError as error:
        raise missing_ddgs() from error

    def search() -> list[dict[str, Any]]:
        with ddgs.DDGS() as client:
            # Without a backend, ddgs queries any of the search engines it knows.
            return list(client.text(query, region="wt-wt", max_results=most, backend="duckduckgo"))

    try:
        rows = wait_for(search, min(_DDGS_S, wire.left()), wire.cancel, "ddgs")
    except failures.TimeoutException as error:
        raise ToolError("DuckDuckGo did not answer in time.", "Try again later.") from error
    except failures.RatelimitException as error:
        raise ToolError("DuckDuckGo takes no more questions for now.", "Ask again later.") from error
    except failures.DDGSException as error:
        if "no results" in str(error).lower():
            return []
        reason = one_line(str(error), _MAX_PRINTED_CHARS)
        raise ToolError(f"DuckDuckGo could not be asked: {reason}", "Check the network.") from error
    if rows is None:
        raise ToolError("DuckDuckGo did not answer in time.", "Try again later.")
    return [
        SearchResult(url=str(row.get("href") or ""), title=str(row.get("title") or ""), text=str(row.get("body") or ""))
        for row in rows
    ]


def missing_ddgs() -> ToolError:
    """The error for the missing optional package."""
    return ToolError(
        "web_search needs the package ddgs to ask DuckDuckGo.", "Install it with: pip install 'kbtui[web]'"
    )


def searxng_url(address: str) -> Any:
    """The address of an instance as an ``httpx.URL``.

    Raises:
        SettingsError: It is not a web address.
    """
    try:
        return web_url(address)
    except ToolError as error:
        raise SettingsError(
            "web.searxng_url is not a web address.", "Set it to the address of your instance: http://localhost:8888"
        ) from error


def _accept(name: str, hints: Mapping[int, str]) -> Callable[[Reply], None]:
    """A function that raises `ToolError` for a reply without results, before its body is read."""

    def check(reply: Reply) -> None:
        if 300 <= reply.status < 400:
            location = one_line(reply.headers.get("location", ""), _MAX_PRINTED_CHARS)
            raise ToolError(
                f"{name} sends on to {location or 'nowhere'}.", "Set the address it sends to, if you trust it."
            )
        if not 200 <= reply.status < 300:
            hint = hints.get(reply.status, "Try again later.")
            wait = reply.headers.get("retry-after", "")
            if wait.isdecimal() and len(wait) < 6:
                hint = f"{hint} It says in {wait} s."
            raise ToolError(f"{name} answered {reply.status}.", hint)
        if "json" not in reply.media_type:
            kind = one_line(reply.media_type, 60) or "something without a type"
            raise ToolError(f"{name} answered with {kind} and not with JSON.", hints.get(403, ""))

    return check


def _results(reply: Reply, name: str, hint: str) -> list[SearchResult]:
    try:
        # Lone surrogates, which JSON can contain, are removed later, when the text is cleaned.
        parsed = _Results.model_validate(json.loads(reply.body.decode("utf-8", "replace")))
    except (ValueError, RecursionError, ValidationError) as error:
        raise ToolError(f"{name} gave no readable JSON.", hint) from error
    return list(_valid_results(parsed.results))


def _valid_results(results: Iterable[Any]) -> Iterable[SearchResult]:
    for item in results:
        try:
            result = _Result.model_validate(item)
        except ValidationError:
            # A result that does not validate must not lose the others.
            continue
        yield SearchResult(url=result.url, title=result.title or "", text=result.content or "")

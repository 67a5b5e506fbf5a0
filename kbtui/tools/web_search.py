"""web_search: the results of a web search service, when the settings name one.

Results are untrusted: addresses, titles and texts are cleaned. Pages are opened only where ``web.fetch_enabled`` is
set, with the checks of any other page, and never at a private address.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping, Sequence
from functools import partial
from importlib.util import find_spec
from typing import Final

from msgspec.structs import replace
from pydantic import BaseModel, Field

from kbtui.domain.evidence import Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import KbtuiError, SettingsError, ToolError
from kbtui.settings.model import Settings
from kbtui.text.terminal import clean, one_line
from kbtui.text.tokenise import tokens
from kbtui.tools.base import ToolContext, spec_of
from kbtui.tools.web_address import is_allowed
from kbtui.tools.web_fetch import MAX_CHARS, passages
from kbtui.tools.web_page import open_page, web_url
from kbtui.tools.web_services import (
    MAX_QUERY_CHARS,
    SearchResult,
    ask_duckduckgo,
    ask_searxng,
    ask_tavily,
    missing_ddgs,
    searxng_url,
)
from kbtui.tools.web_wire import Wire, wait_for_all, without_credentials

NAME: Final = "web_search"
DESCRIPTION = (
    "Searches the web. For what a folder cannot hold, such as news, or when the user asks for the web; nothing private."
)

TAVILY_KEY: Final = "TAVILY_API_KEY"
SECONDS: Final = 20.0
MAX_OPENED: Final = 2
"""Result pages that are opened."""

OPENED_S: Final = 10.0
_PASSAGES_PER_PAGE: Final = 3
_MAX_TITLE_CHARS: Final = 200
_SERVICES: Final = {"duckduckgo": "DuckDuckGo", "searxng": "SearxNG", "tavily": "Tavily"}


class SearchArgs(BaseModel):
    query: str = Field(description="What to find, as one would type it into a search box.")


def run(context: ToolContext, query: str) -> ToolOutput:
    return search(query, context.settings, context.cancel)


def search(query: str, settings: Settings, cancel: CancelToken) -> ToolOutput:
    """Query the service that the settings name and, where ``web.fetch_enabled`` is set, read the first result pages.

    Raises:
        ToolError: Search is switched off, or the service did not return results.
        SettingsError: The service is not set up (`search_problem`).
        Cancelled: The run was stopped.
    """
    if not is_on(settings):
        raise ToolError(
            "web_search is switched off.",
            "Set `web.search` to duckduckgo, searxng or tavily; your questions then go to that service.",
        )
    if (problem := search_problem(settings)) is not None:
        raise problem
    query = one_line(query)[:MAX_QUERY_CHARS]
    if not query:
        raise ToolError("web_search was asked nothing.", "Give words to search for.")
    most = settings.retrieval.top_k
    hits = as_hits(_ask(query, settings, most, Wire(cancel=cancel, seconds=SECONDS)), most)
    service = _SERVICES[settings.web.search]
    if not hits:
        return ToolOutput(note=f"nothing found by {service}")
    note = f"{len(hits)} result{'' if len(hits) == 1 else 's'} of {service}"
    if settings.web.fetch_enabled:
        hits, opened = _with_pages(query, hits, cancel)
        note += f", {opened} page{'' if opened == 1 else 's'} read"
    return ToolOutput(hits=hits[:most], note=note)


def is_on(settings: Settings) -> bool:
    """Whether the settings name a service."""
    return settings.web.search != "off"


def search_problem(settings: Settings, environ: Mapping[str, str] = os.environ) -> KbtuiError | None:
    """What the service of the settings lacks to be queried: a package, an address or a key.

    None where it lacks nothing, or search is off. Nothing is sent to find out.
    """
    match settings.web.search:
        case "duckduckgo" if find_spec("ddgs") is None:
            return missing_ddgs()
        case "searxng":
            if not settings.web.searxng_url.strip():
                return SettingsError(
                    "web.search is searxng, but web.searxng_url is empty.",
                    "Set it to the address of your instance: http://localhost:8888",
                )
            try:
                searxng_url(settings.web.searxng_url)
            except SettingsError as error:
                return error
        case "tavily":
            key = _key(environ)
            if not key:
                return SettingsError(
                    f"web.search is tavily, but {TAVILY_KEY} is not set.", "Set it to your key from app.tavily.com."
                )
            if not (key.isascii() and key.isprintable() and " " not in key):
                return SettingsError(f"{TAVILY_KEY} holds characters that no key has.", "Copy the key again.")
    return None


def as_hits(results: Sequence[SearchResult], most: int) -> tuple[Hit, ...]:
    """At most ``most`` results as passages, with cleaned text; results without a public web address are dropped."""
    hits: dict[str, Hit] = {}
    for result in results:
        url = _public_url(result.url)
        title = one_line(result.title, _MAX_TITLE_CHARS)
        text = clean(result.text).strip()[:MAX_CHARS].rstrip() or title
        if not url or url in hits or not text:
            continue
        hits[url] = Hit(
            path=url,
            start_line=1,
            end_line=text.count("\n") + 1,
            text=text,
            score=1.0 / (1 + len(hits)),
            tool=NAME,
            title=title,
        )
        if len(hits) == most:
            break
    return tuple(hits.values())


def _ask(query: str, settings: Settings, most: int, wire: Wire) -> list[SearchResult]:
    match settings.web.search:
        case "searxng":
            return ask_searxng(query, settings.web.searxng_url, wire)
        case "tavily":
            return ask_tavily(query, _key(os.environ), most, wire)
        case _:
            return ask_duckduckgo(query, most, wire)


def _key(environ: Mapping[str, str]) -> str:
    return environ.get(TAVILY_KEY, "").strip()


def _public_url(url: str) -> str:
    """The address of a result, cleaned for display; empty where it is not a public web address."""
    try:
        target = web_url(clean(url, keep_newlines=False))
    except ToolError:
        return ""
    try:
        ipaddress.ip_address(target.host)
    except ValueError:
        return without_credentials(target)
    return without_credentials(target) if is_allowed(target.host, allow_private=False) else ""


def _with_pages(query: str, hits: tuple[Hit, ...], cancel: CancelToken) -> tuple[tuple[Hit, ...], int]:
    """The hits, the first of them replaced by passages of their pages, and how many pages were read.

    Private addresses are never opened, even where the settings allow them, because the user chose none of these pages.
    """

    def read(hit: Hit) -> tuple[Hit, ...]:
        page = open_page(hit.path, allow_private=False, cancel=cancel, seconds=OPENED_S)
        # The address of the result is cited, because a redirect may lead to an address for one visitor.
        return tuple(
            replace(passage, path=hit.path) for passage in passages(page, 100, NAME, seconds=OPENED_S, cancel=cancel)
        )

    first = hits[:MAX_OPENED]
    read_pages = wait_for_all([partial(read, hit) for hit in first], OPENED_S + 1, cancel, "pages")
    all_hits: list[Hit] = []
    read_count = 0
    for hit, page_hits in zip(first, read_pages, strict=True):
        # A page that cannot be read keeps the excerpt of the service.
        if isinstance(page_hits, tuple) and page_hits:
            read_count += 1
            best_passages = _best_passages(query, page_hits)
            all_hits += [
                replace(passage, title=passage.title or hit.title, score=hit.score) for passage in best_passages
            ]
        else:
            all_hits.append(hit)
    return (*all_hits, *hits[MAX_OPENED:]), read_count


def _best_passages(query: str, passages: Sequence[Hit]) -> list[Hit]:
    """The passages that share most words with the query, in the order of the page."""
    query_terms = set(tokens(query))
    ranked = sorted(passages, key=lambda hit: (-len(query_terms.intersection(tokens(hit.text))), hit.start_line))
    return sorted(ranked[:_PASSAGES_PER_PAGE], key=lambda hit: hit.start_line)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SearchArgs, run=run, enabled=is_on, offered_to="both")

"""web_search: what a search service of the web finds, when the settings name one.

Whatever a service answers is the word of strangers: addresses, titles and texts are cleaned, nothing of it is opened
unless ``web.fetch_enabled`` says so, and then through the same door as any other page, which no private address passes.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from importlib.util import find_spec
from typing import Final

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
    LONGEST_QUESTION,
    Found,
    ask_duckduckgo,
    ask_searxng,
    ask_tavily,
    missing_ddgs,
    searxng_url,
)
from kbtui.tools.web_wire import Wire, bare, waited_all

NAME: Final = "web_search"
DESCRIPTION = (
    "Searches the web. For what a folder cannot hold, such as news, or when the user asks for the web; nothing private."
)

TAVILY_KEY: Final = "TAVILY_API_KEY"
SECONDS: Final = 20.0
OPENED: Final = 2
"""Pages that are opened, of those found."""

OPENED_S: Final = 10.0
_PASSAGES: Final = 3
_LONGEST_TITLE: Final = 200
_SERVICES: Final = {"duckduckgo": "DuckDuckGo", "searxng": "SearxNG", "tavily": "Tavily"}


class SearchArgs(BaseModel):
    query: str = Field(description="What to find, as one would type it into a search box.")


def run(context: ToolContext, query: str) -> ToolOutput:
    return search(query, context.settings, context.cancel)


def search(query: str, settings: Settings, cancel: CancelToken) -> ToolOutput:
    """Ask the service that the settings name; where ``web.fetch_enabled``, read the first pages found too.

    Raises:
        ToolError: Search is switched off, or the service did not answer with results.
        SettingsError: It cannot be asked as it is set up (`search_problem`).
        Cancelled: The run was stopped.
    """
    if not is_on(settings):
        raise ToolError(
            "web_search is switched off.",
            "Set `web.search` to duckduckgo, searxng or tavily; your questions then go to that service.",
        )
    if (problem := search_problem(settings)) is not None:
        raise problem
    query = one_line(query)[:LONGEST_QUESTION]
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
    """True when a service is named."""
    return settings.web.search != "off"


def search_problem(settings: Settings, environ: Mapping[str, str] = os.environ) -> KbtuiError | None:
    """What keeps the service that the settings name from being asked (a package, an address, a key); None where nothing
    does, or where search is off. Nothing is sent to find out."""
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


def as_hits(found: Sequence[Found], most: int) -> tuple[Hit, ...]:
    """At most ``most`` results as passages: web addresses only, each once, all text cleaned."""
    hits: dict[str, Hit] = {}
    for each in found:
        url = _public_url(each.url)
        title = one_line(each.title, _LONGEST_TITLE)
        text = clean(each.text).strip()[:MAX_CHARS].rstrip() or title
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


def _ask(query: str, settings: Settings, most: int, wire: Wire) -> list[Found]:
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
    """A result's address as it may be shown and cited; empty for what is no public web address."""
    try:
        target = web_url(clean(url, keep_newlines=False))
    except ToolError:
        return ""
    try:
        ipaddress.ip_address(target.host)
    except ValueError:
        return bare(target)
    return bare(target) if is_allowed(target.host, allow_private=False) else ""


def _with_pages(query: str, hits: tuple[Hit, ...], cancel: CancelToken) -> tuple[tuple[Hit, ...], int]:
    """The first hits with what their pages say in place of the service's excerpt, and how many pages were read.

    A private address is never opened, not even where the settings allow those: the user named none of these.
    """

    def read(hit: Hit) -> tuple[Hit, ...]:
        page = open_page(hit.path, allow_private=False, cancel=cancel, seconds=OPENED_S)
        # Cited as found: where a page redirects to may be an address for one visitor.
        return tuple(
            replace(each, path=hit.path) for each in passages(page, 100, NAME, seconds=OPENED_S, cancel=cancel)
        )

    first = hits[:OPENED]
    read_pages = waited_all([partial(read, hit) for hit in first], OPENED_S + 1, cancel, "pages")
    found: list[Hit] = []
    opened = 0
    for hit, pieces in zip(first, read_pages, strict=True):
        # A page that cannot be read still has what the service says of it.
        if isinstance(pieces, tuple) and pieces:
            opened += 1
            best = _nearest(query, pieces)
            found += [replace(each, title=each.title or hit.title, score=hit.score) for each in best]
        else:
            found.append(hit)
    return (*found, *hits[OPENED:]), opened


def _nearest(query: str, pieces: Sequence[Hit]) -> list[Hit]:
    """The pieces that share most words with the question, in the order of the page."""
    asked = set(tokens(query))
    ranked = sorted(pieces, key=lambda piece: (-len(asked.intersection(tokens(piece.text))), piece.start_line))
    return sorted(ranked[:_PASSAGES], key=lambda piece: piece.start_line)


SPEC = spec_of(name=NAME, description=DESCRIPTION, args=SearchArgs, run=run, enabled=is_on, offered_to="both")

"""When the web is asked: where the question says so, where it names a page, and where the folder holds nothing.

`WebRouter` stands around any other router, with or without a chat model, and adds tools to its plans; it never adds
one that is switched off.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui import late_patterns
from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.events import AnswerDelta
from kbtui.domain.ports import AnswerWriter, CancelToken, Emit, QueryRouter, WritingBrief
from kbtui.domain.routing import RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.normalise import clean, has_han, strip_courtesies
from kbtui.text.web_urls import web_urls
from kbtui.text.word_lists import filled, toml_in

SEARCH: Final = "web_search"
FETCH: Final = "web_fetch"

_TABLES: Final = toml_in(__package__, "web_wishes.toml")


def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(late_patterns.pattern(filled(pattern, _TABLES["blanks"]), re.I | re.X) for pattern in _TABLES[name])


_OUTRIGHT: Final = _patterns("outright")
_PERHAPS: Final = _patterns("perhaps")


class WebWish(Struct, frozen=True, kw_only=True):
    """What somebody wants of the web.

    Attributes:
        question: The question without the words that send it there.
        only: The web was asked for outright, so the folder is not searched first.
    """

    question: str
    only: bool


def web_wish(query: str) -> WebWish | None:
    """The wish in ``query``; None where it says nothing of the web."""
    text = strip_courtesies(clean(query))
    for pattern in _OUTRIGHT:
        if match := pattern.match(text):
            return WebWish(question=match["rest"].strip(), only=True)
    for pattern in _PERHAPS:
        if match := pattern.match(text):
            return WebWish(question=match["rest"].strip(), only=False)
    return None


def unmet_wish(query: str, tools: Collection[str], *, found: bool = True) -> str:
    """What to tell somebody who asks for the web while it is switched off, in the question's language; else empty.

    Args:
        found: The folder had an answer; what is only perhaps asked of the web is then nothing to speak of.
    """
    notes: dict[str, str] = _TABLES["notes_zh" if has_han(query) else "notes_en"]
    wish = web_wish(query)
    if wish is not None and (wish.only or not found) and SEARCH not in tools:
        return notes["search"]
    return notes["fetch"] if web_urls(query) and FETCH not in tools else ""


class UnmetWriter:
    """Begins the answers of another writer with what was asked of the web and not done.

    Args:
        inner: Who writes.
        tools: The tools that are switched on.
    """

    def __init__(self, inner: AnswerWriter, tools: Collection[str]) -> None:
        self._inner = inner
        self._tools = frozenset(tools)

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """See `AnswerWriter`."""
        note = unmet_wish(brief.query, self._tools, found=bool(brief.evidence))
        if not note:
            return self._inner.write(brief, emit, cancel)
        emit(AnswerDelta(text=f"{note}\n\n"))
        written = self._inner.write(brief, emit, cancel)
        return replace(written, markdown=f"{note}\n\n{written.markdown}")


class WebRouter:
    """Adds ``web_search`` and ``web_fetch`` to the plans of another router.

    Args:
        inner: Who routes.
        tools: The tools that are switched on.
    """

    def __init__(self, inner: QueryRouter, tools: Collection[str]) -> None:
        self._inner = inner
        self._tools = frozenset(tools)

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`."""
        wish = web_wish(query)
        urls = web_urls(query) if FETCH in self._tools else ()
        # Also where the web is off: "search the web for" is nothing to look for in a folder.
        routing = self._inner.route(_without(urls, wish.question if wish else query), hint)
        if SEARCH not in self._tools:
            wish = None
        if urls and routing.standalone and urls[0] not in routing.standalone:
            # What the question names is opened by the question as it was meant.
            routing = replace(routing, standalone=f"{routing.standalone} ({urls[0]})")
        if routing.plan.query_type == "chitchat":
            # One word alone may look like small talk, but not after "search the web for".
            return _alone(wish.question) if wish is not None and wish.only else routing
        if hint.iteration > 0:
            return _with(routing, SEARCH, "nothing in the folder") if self._is_last_resort(hint) else routing
        if wish is not None:
            return _with(routing, SEARCH, "asked for", only=wish.only)
        if urls:
            return _with(routing, FETCH, urls[0])
        return routing

    def _is_last_resort(self, hint: RetrievalHint) -> bool:
        """True where nothing at all was found for what is missing, and the web was not asked yet."""
        if SEARCH not in self._tools or SEARCH in hint.tried_tools:
            return False
        missing = {question.semantic_intent for question in hint.missing}
        return not any(item.sub_question in missing for item in hint.found)


def _without(urls: tuple[str, ...], query: str) -> str:
    """``query`` in words: the parts of an address are nothing to search for, and no page speaks of its own."""
    for url in sorted(urls, key=len, reverse=True):
        query = query.replace(url, "该网页" if has_han(query) else "the page")
    return query


def _with(routing: Routing, tool: str, why: str, *, only: bool = False) -> Routing:
    """The routing with a tool in front of the others, or in place of them."""
    others = () if only else routing.plan.suggested_tools
    plan = replace(routing.plan, suggested_tools=tuple(dict.fromkeys((tool, *others))))
    return replace(routing, plan=plan, signals=(Signal(name="web", detail=why, weight=0.8), *routing.signals))


def _alone(question: str) -> Routing:
    """A plan that searches the web for ``question`` as it stands."""
    asked = SubQuestion(semantic_intent=question, search_keywords=question)
    plan = RoutingPlan(query_type="conceptual", complexity="simple", sub_questions=(asked,), suggested_tools=(SEARCH,))
    return Routing(plan=plan, signals=(Signal(name="web", detail="asked for", weight=0.8),))

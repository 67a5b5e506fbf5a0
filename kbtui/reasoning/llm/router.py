"""The `QueryRouter` that asks a chat model, and what it makes of the answer (specs 001 to 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import Emit, QueryRouter
from kbtui.domain.routing import QueryType, RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.keywords import search_keywords
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import Prompt, rules_of
from kbtui.reasoning.llm.shapes import MOST_SUB_QUESTIONS, RouteShape, SubQuestionShape
from kbtui.reasoning.llm.structured import structured
from kbtui.reasoning.offline.router import tools_after, tools_for
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import content_words, tokens
from kbtui.text.web_urls import web_urls

_TURN_CHARS: Final = 600
_MOST_TURNS: Final = 4
_LEANING: Final = ("read_file", "web_fetch")
"""Tools that find nothing by themselves: one reads what another found, one opens an address that was given."""

RULES: Final = rules_of("route")


@dataclass(slots=True)
class Advice:
    """What passes tell each other.

    Attributes:
        next: What the grading model would look up next; the next pass is planned from it without another call.
        tried: The keywords that were searched for so far, so that the model names others.
    """

    next: tuple[SubQuestion, ...] = ()
    tried: list[str] = field(default_factory=list)


class LlmRouter:
    """Routes by the model; by the offline router where the model gives nothing usable.

    Passes after the first are planned from what the model said was missing when it graded (``advice``), so that they
    cost no call of their own; where it said nothing, by the offline router.

    Args:
        tools: The tools that may be used, with what each is for.
        history: What was said before.
        nonce: Of the fences of this run.
        about: A text handed in with the question, fenced; empty where there is none.
    """

    def __init__(
        self,
        client: ModelClient,
        offline: QueryRouter,
        *,
        tools: Mapping[str, str],
        history: Sequence[Turn],
        nonce: str,
        advice: Advice,
        emit: Emit,
        about: str = "",
    ) -> None:
        self._client = client
        self._about = about
        self._offline = offline
        self._tools = tools
        self._history = tuple(history)
        self._nonce = nonce
        self._advice = advice
        self._emit = emit
        self._query_type: QueryType | None = None

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """See `QueryRouter`."""
        routing = self._again(query, hint) if hint.iteration > 0 else self._first(query, hint)
        self._advice.tried += [
            question.search_keywords
            for question in routing.plan.sub_questions
            if question.search_keywords and question.search_keywords not in self._advice.tried
        ]
        return routing

    def _first(self, query: str, hint: RetrievalHint) -> Routing:
        offline = self._offline.route(query, hint)
        if offline.plan.query_type == "chitchat" and not offline.standalone:
            # Rules know a greeting when they see one.
            return offline
        try:
            prompt = self._prompt(query, offline.standalone)
            shape = structured(self._client, prompt, RouteShape, self._client.deadline("route"))
        except CallFailed as failed:
            warn_of(failed, "route", self._emit)
            return offline
        if shape.query_type == "chitchat":
            # Nothing is searched for small talk, so a model alone must not decide that something is.
            return offline
        self._query_type = shape.query_type
        return self._routing(query, shape, offline)

    def _routing(self, query: str, shape: RouteShape, offline: Routing) -> Routing:
        standalone = self._standalone(query, shape) or offline.standalone
        own = [part for part in shape.sub_questions if self._is_own(query, part.semantic_intent)]
        asked = SubQuestion(semantic_intent=standalone or query, search_keywords=search_keywords(standalone or query))
        # A part that repeats a follow-up as it was asked would be searched for without what it means.
        questions = tuple(
            asked if standalone and part.semantic_intent == one_line(query) else part for part in _questions(own)
        )
        if not any(_shares(part, asked) for part in questions):
            # Other words may be better ones, but nothing may be searched for instead of what was asked.
            questions = (asked, *questions[: MOST_SUB_QUESTIONS - 1])
        suggested = tuple(dict.fromkeys(tool for tool in shape.suggested_tools if tool in self._tools))
        unknown = [tool for tool in shape.suggested_tools if tool not in self._tools]
        tools = suggested
        if all(tool in _LEANING for tool in suggested):
            usual = (tool for tool in tools_for(shape.query_type) if tool in self._tools)
            tools = tuple(dict.fromkeys((*usual, *suggested)))
        plan = RoutingPlan(
            query_type=shape.query_type,
            complexity="complex" if len(questions) > 1 else "simple",
            sub_questions=questions,
            suggested_tools=tools,
            grep_keywords=tuple(dict.fromkeys(shape.grep_keywords)),
        )
        signals = [Signal(name="model", detail=self._client.name("small"))]
        if offline.plan.query_type != shape.query_type:
            signals.append(Signal(name="rules say", detail=offline.plan.query_type, weight=0.3))
        if unknown:
            signals.append(Signal(name="left out", detail=one_line(", ".join(unknown), 60), weight=0.3))
        return Routing(plan=plan, reasoner="llm", signals=tuple(signals), standalone=standalone)

    def _standalone(self, query: str, shape: RouteShape) -> str:
        """The question put in full by the model; empty where that says nothing more, or is another question.

        The answers before it hold words of documents, and what comes of them is taken for what the user asked.
        """
        standalone = shape.standalone_question
        if not self._history or standalone == one_line(query) or not self._is_own(query, standalone):
            return ""
        asked = set(tokens(" ".join(content_words(query))))
        return standalone if 2 * len(asked & set(tokens(standalone))) >= len(asked) else ""

    def _is_own(self, query: str, text: str) -> bool:
        """Whether the user wrote every address in ``text``: one that is in a plan may be opened."""
        said = [query, *(turn.query for turn in self._history)]
        return set(web_urls(text)) <= {url for each in said for url in web_urls(each)}

    def _again(self, query: str, hint: RetrievalHint) -> Routing:
        """The plan of a further pass."""
        routing = self._offline.route(query, hint)
        advised = [part for part in self._advice.next if self._is_own(query, " ".join(_said(part)))]
        self._advice.next = ()
        if self._query_type is None or not advised or not hint.missing:
            return routing
        # What is asked stays what was asked, so that the evidence stays with its part; the words to find it by change.
        questions = []
        for position, missing in enumerate(hint.missing):
            advice = advised[min(position, len(advised) - 1)]
            words = advice.search_keywords or search_keywords(advice.semantic_intent)
            questions.append(replace(missing, search_keywords=words))
        tools = tools_after(self._query_type, hint.tried_tools)
        plan = RoutingPlan(
            query_type=self._query_type,
            complexity="complex" if len(questions) > 1 else "simple",
            sub_questions=tuple(questions),
            suggested_tools=tuple(tool for tool in tools if tool in self._tools) or ("hybrid_search",),
            grep_keywords=tuple(word for question in questions for word in question.search_keywords.split())[:12],
        )
        signals = (
            Signal(name=f"pass {hint.iteration + 1}", detail=f"{len(hint.missing)} with too little evidence"),
            Signal(name="model", detail=self._client.name("small")),
        )
        return Routing(plan=plan, reasoner="llm", signals=signals)

    def _prompt(self, query: str, meant: str) -> Prompt:
        tools = "\n".join(f"- {name}: {description}" for name, description in self._tools.items())
        parts = [f"Tools:\n{tools}"]
        for number, turn in enumerate(self._history[-_MOST_TURNS:], 1):
            said = f"Asked: {turn.standalone}\nAnswered: {turn.answer[:_TURN_CHARS]}"
            parts.append(fenced(said, attributes={"turn": str(number)}, nonce=self._nonce))
        parts += [self._about] if self._about else []
        parts.append(f"Question: {one_line(query)}" + (f"\nIt seems to mean: {one_line(meant)}" if meant else ""))
        return Prompt(stage="route", rules=RULES, turns=(("user", "\n\n".join(parts)),))


def _said(part: SubQuestion) -> tuple[str, str]:
    return part.semantic_intent, part.search_keywords


def _shares(part: SubQuestion, asked: SubQuestion) -> bool:
    """Whether the part has a telling word of the question, or the question has none to share."""
    wanted = set(tokens(asked.search_keywords)) or set(tokens(" ".join(content_words(asked.semantic_intent))))
    return not wanted or bool(wanted & set(tokens(f"{part.semantic_intent} {part.search_keywords}")))


def _questions(shapes: Sequence[SubQuestionShape]) -> tuple[SubQuestion, ...]:
    found: dict[str, SubQuestion] = {}
    for shape in shapes:
        words = shape.search_keywords.replace(",", " ").strip() or search_keywords(shape.semantic_intent)
        found.setdefault(
            shape.semantic_intent, SubQuestion(semantic_intent=shape.semantic_intent, search_keywords=words)
        )
    return tuple(found.values())

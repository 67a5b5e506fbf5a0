"""The `QueryRouter` that uses a chat model (specs 001 to 003)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from msgspec.structs import replace

from kbtui.domain.conversation import Turn
from kbtui.domain.ports import Emit, QueryRouter
from kbtui.domain.routing import QueryType, RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.keywords import search_keywords
from kbtui.reasoning.llm.client import CallFailed, ModelClient
from kbtui.reasoning.llm.conversation import Conversation, question_to_model
from kbtui.reasoning.llm.fallback import warn_of
from kbtui.reasoning.llm.fencing import fenced
from kbtui.reasoning.llm.prompt import rules_of
from kbtui.reasoning.llm.shapes import MAX_SUB_QUESTIONS, RouteShape, SubQuestionShape
from kbtui.reasoning.llm.structured import request_shape
from kbtui.reasoning.offline.router import tools_after, tools_for
from kbtui.text.terminal import one_line
from kbtui.text.tokenise import content_words, tokens
from kbtui.text.web_urls import web_urls

_TURN_CHARS: Final = 600
_MAX_TURNS: Final = 4
_DEPENDENT_TOOLS: Final = ("read_file", "web_fetch")
"""Tools that need the result of another: one reads a found file, one opens a given URL."""

RULES: Final = rules_of("route")


@dataclass(slots=True)
class Advice:
    """Information shared between passes.

    Attributes:
        next: Sub-questions that the grading model suggests; the next pass is planned from them without another call.
        tried: Keywords searched for so far, so that the model suggests others.
    """

    next: tuple[SubQuestion, ...] = ()
    tried: list[str] = field(default_factory=list)


class LlmRouter:
    """Routes with the model, or with the offline router if the reply is unusable.

    Later passes are planned without a call from the suggestions of the grading model (``advice``), or by the offline
    router if there are none.

    Args:
        tools: Description of each available tool, by name.
        history: Earlier turns.
        nonce: Key of the fences of this run.
        advice: Suggestions from grading, shared with the grader.
        about: Text passed with the question, fenced; empty without one.
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
        routing = self._route_again(query, hint) if hint.iteration > 0 else self._route_first(query, hint)
        self._advice.tried += [
            question.search_keywords
            for question in routing.plan.sub_questions
            if question.search_keywords and question.search_keywords not in self._advice.tried
        ]
        return routing

    def _route_first(self, query: str, hint: RetrievalHint) -> Routing:
        offline = self._offline.route(query, hint)
        if offline.plan.query_type == "chitchat" and not offline.standalone:
            # The rules recognise greetings reliably.
            return offline
        try:
            prompt = self._prompt(query, offline.standalone)
            shape = request_shape(self._client, prompt, RouteShape, self._client.deadline("route"))
        except CallFailed as failed:
            warn_of(failed, "route", self._emit)
            return offline
        if shape.query_type == "chitchat":
            # Small talk is not searched for, so the model alone must not decide that a question is small talk.
            return offline
        self._query_type = shape.query_type
        return self._routing(query, shape, offline)

    def _routing(self, query: str, shape: RouteShape, offline: Routing) -> Routing:
        standalone = self._standalone(query, shape) or offline.standalone
        safe_parts = [part for part in shape.sub_questions if self._has_only_user_urls(query, part.semantic_intent)]
        whole_question = SubQuestion(
            semantic_intent=standalone or query, search_keywords=search_keywords(standalone or query)
        )
        # A part that repeats a follow-up literally would be searched for without its context.
        questions = tuple(
            whole_question if standalone and part.semantic_intent == one_line(query) else part
            for part in _to_sub_questions(safe_parts)
        )
        if not any(_shares_word(part, whole_question) for part in questions):
            # Parts may use other words, but the question itself must always be searched for.
            questions = (whole_question, *questions[: MAX_SUB_QUESTIONS - 1])
        suggested = tuple(dict.fromkeys(tool for tool in shape.suggested_tools if tool in self._tools))
        unknown = [tool for tool in shape.suggested_tools if tool not in self._tools]
        tools = suggested
        if all(tool in _DEPENDENT_TOOLS for tool in suggested):
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
        """The model's standalone form of a follow-up; empty if it adds nothing or is another question.

        Earlier answers contain words of documents, which must not become part of the user's question unchecked.
        """
        standalone = shape.standalone_question
        if not self._history or standalone == one_line(query) or not self._has_only_user_urls(query, standalone):
            return ""
        query_tokens = set(tokens(" ".join(content_words(query))))
        return standalone if 2 * len(query_tokens & set(tokens(standalone))) >= len(query_tokens) else ""

    def _has_only_user_urls(self, query: str, text: str) -> bool:
        """Whether the user wrote every URL in ``text``, because URLs in a plan may be opened."""
        user_texts = [query, *(turn.query for turn in self._history)]
        return set(web_urls(text)) <= {url for each in user_texts for url in web_urls(each)}

    def _route_again(self, query: str, hint: RetrievalHint) -> Routing:
        """Plan a further pass."""
        routing = self._offline.route(query, hint)
        suggestions = [part for part in self._advice.next if self._has_only_user_urls(query, " ".join(_texts_of(part)))]
        self._advice.next = ()
        if self._query_type is None or not suggestions or not hint.missing:
            return routing
        # The intents stay, so that evidence stays with its part; only the search keywords change.
        questions = []
        for position, missing in enumerate(hint.missing):
            advice = suggestions[min(position, len(suggestions) - 1)]
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

    def _prompt(self, query: str, standalone: str) -> Conversation:
        tools = "\n".join(f"- {name}: {description}" for name, description in self._tools.items())
        parts = [f"Tools:\n{tools}"]
        for number, turn in enumerate(self._history[-_MAX_TURNS:], 1):
            turn_text = f"Asked: {turn.standalone}\nAnswered: {turn.answer[:_TURN_CHARS]}"
            parts.append(fenced(turn_text, attributes={"turn": str(number)}, nonce=self._nonce))
        parts += [self._about] if self._about else []
        parts.append(
            f"Question: {one_line(query)}" + (f"\nIt seems to mean: {one_line(standalone)}" if standalone else "")
        )
        return question_to_model("route", RULES, "\n\n".join(parts))


def _texts_of(part: SubQuestion) -> tuple[str, str]:
    return part.semantic_intent, part.search_keywords


def _shares_word(part: SubQuestion, question: SubQuestion) -> bool:
    """Whether a part shares a content word with the question, or the question has none."""
    question_tokens = set(tokens(question.search_keywords)) or set(
        tokens(" ".join(content_words(question.semantic_intent)))
    )
    return not question_tokens or bool(question_tokens & set(tokens(f"{part.semantic_intent} {part.search_keywords}")))


def _to_sub_questions(shapes: Sequence[SubQuestionShape]) -> tuple[SubQuestion, ...]:
    questions_by_intent: dict[str, SubQuestion] = {}
    for shape in shapes:
        words = shape.search_keywords.replace(",", " ").strip() or search_keywords(shape.semantic_intent)
        questions_by_intent.setdefault(
            shape.semantic_intent, SubQuestion(semantic_intent=shape.semantic_intent, search_keywords=words)
        )
    return tuple(questions_by_intent.values())

"""The offline `QueryRouter`: classify, cut into parts, pick keywords and tools (specs 000-003)."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from kbtui.domain.routing import Complexity, QueryType, RetrievalHint, Routing, RoutingPlan, Signal, SubQuestion
from kbtui.question.keywords import expand_keywords, join_terms, search_keywords, split_terms
from kbtui.question.parts import asks_comparison, split_parts
from kbtui.question.understanding import Understanding, asks_field, asks_overview, understand

# One row a type: what each pass asks, the first pass first.
_PASSES: dict[QueryType, tuple[tuple[str, ...], ...]] = {
    "exact": (("grep_search",), ("hybrid_search",), ("vector_search",)),
    "conceptual": (("hybrid_search",), ("grep_search", "vector_search"), ("local_file_qa",)),
    "relational": (("graph_related", "read_file"), ("hybrid_search",), ("grep_search", "vector_search")),
    "file_discovery": (("local_file_qa",), ("hybrid_search",), ("grep_search",)),
    "chitchat": ((),),
}
_COMPARISON: tuple[tuple[str, ...], ...] = (
    ("graph_related", "hybrid_search"),
    ("grep_search", "vector_search"),
    ("local_file_qa",),
)

_TEXT_TOOLS = frozenset(("hybrid_search", "grep_search", "vector_search"))
"""Tools that look for keywords in the text of documents."""


def tools_for(query_type: QueryType, *, is_comparison: bool = False) -> tuple[str, ...]:
    """The tools of the first pass.

    Args:
        is_comparison: The question asks for text about several things beside a relation; the graph alone has none.
    """
    return _COMPARISON[0] if is_comparison and query_type == "relational" else _PASSES[query_type][0]


def tools_after(query_type: QueryType, tried: Sequence[str], *, is_comparison: bool = False) -> tuple[str, ...]:
    """The tools of the next pass: the first row with something new in it, else the last row again."""
    rows = _COMPARISON if is_comparison and query_type == "relational" else _PASSES[query_type]
    for row in rows:
        # What hybrid search contains was tried with it, except that vectors alone rank differently.
        fresh = tuple(tool for tool in row if tool not in tried and tool != "read_file")
        if fresh:
            return fresh
    return tuple(tool for tool in rows[-1] if tool != "read_file")


_MAX_GREP = 12


class OfflineRouter:
    """Routes by rules; the same question always gets the same plan."""

    def route(self, query: str, hint: RetrievalHint) -> Routing:
        """The plan for ``query``; after a weak pass (``hint.iteration`` > 0) other tools and other keywords."""
        found = understand(query)
        if found.query_type == "chitchat":
            plan = RoutingPlan(query_type="chitchat", complexity="chitchat")
            return Routing(plan=plan, signals=found.signals)
        if hint.iteration == 0:
            return _first(found)
        return _again(found, hint)


def _first(found: Understanding) -> Routing:
    parts = split_parts(found)
    questions = tuple(SubQuestion(semantic_intent=part, search_keywords=search_keywords(part)) for part in parts)
    own = _own_tools(found, parts)
    signals = found.signals
    if len(parts) > 1:
        kinds = ", ".join(understand(part).query_type.replace("_", " ") for part in parts)
        signals = (*signals[:4], Signal(name="parts", detail=f"{len(parts)}: {kinds}", weight=0.5))
    plan = RoutingPlan(
        query_type=found.query_type,
        complexity=_complexity(parts),
        sub_questions=questions,
        suggested_tools=_union(own),
        grep_keywords=_grep_keywords(questions),
    )
    return Routing(plan=plan, signals=signals, own_tools=own if len(own) > 1 else ())


def _again(found: Understanding, hint: RetrievalHint) -> Routing:
    """A plan for what is missing: tools that were not tried, keywords that were not tried."""
    missing = hint.missing or tuple(SubQuestion(semantic_intent=part) for part in split_parts(found))
    # Keywords that no text was searched for are not worn out yet.
    searched = not _TEXT_TOOLS.isdisjoint(hint.tried_tools)
    questions = tuple(
        replace(
            question,
            search_keywords=join_terms(expand_keywords(question.semantic_intent, hint.tried_keywords))
            if searched
            else search_keywords(question.semantic_intent),
        )
        for question in missing
    )
    parts = tuple(question.semantic_intent for question in questions)
    whole = len(parts) <= 1 or asks_comparison(found.question)
    wants_text = len(parts) > 1 or asks_comparison(found.question)
    own = tuple(
        (
            part,
            tools_after(
                found.query_type if whole else understand(part).query_type, hint.tried_tools, is_comparison=wants_text
            ),
        )
        for part in parts
    )
    tools = _union(own) or tools_after(found.query_type, hint.tried_tools, is_comparison=wants_text)
    plan = RoutingPlan(
        query_type=found.query_type,
        complexity=_complexity(parts),
        sub_questions=questions,
        suggested_tools=tools,
        grep_keywords=_grep_keywords(questions),
    )
    signals = (
        Signal(name=f"pass {hint.iteration + 1}", detail=f"{len(missing)} with too little evidence"),
        Signal(name="other tools", detail=", ".join(tools), weight=0.7),
        Signal(name="other keywords", detail=" ".join(plan.grep_keywords[:5]), weight=0.5),
        *found.signals[:2],
    )
    return Routing(plan=plan, signals=signals, own_tools=own if len(own) > 1 else ())


def _own_tools(found: Understanding, parts: Sequence[str]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Each part with the tools of the first pass for its type; the sides of a comparison have those of the whole."""
    if len(parts) == 1 or asks_comparison(found.question):
        shared = tools_for(found.query_type, is_comparison=asks_comparison(found.question) or len(parts) > 1)
        return tuple((part, tuple(dict.fromkeys((*shared, *_beside(part))))) for part in parts)
    own = []
    for part in parts:
        query_type = understand(part).query_type
        tools = tools_for("conceptual" if query_type == "chitchat" else query_type)
        own.append((part, tuple(dict.fromkeys((*tools, *_beside(part))))))
    return tuple(own)


def _beside(part: str) -> tuple[str, ...]:
    """What is asked of a document as a whole its own first lines say best, and of its fields the graph."""
    return ("local_file_qa",) * asks_overview(part) + ("graph_related",) * asks_field(part)


def _union(own: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(tool for _, tools in own for tool in tools))


def _complexity(parts: Sequence[str]) -> Complexity:
    return "complex" if len(parts) > 1 else "simple"


def _grep_keywords(questions: Sequence[SubQuestion]) -> tuple[str, ...]:
    terms = dict.fromkeys(term for question in questions for term in split_terms(question.search_keywords))
    return tuple(terms)[:_MAX_GREP]

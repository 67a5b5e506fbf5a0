"""How a question is understood before anything is searched (specs 000-003)."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from kbtui.domain.evidence import Evidence

QueryType = Literal["exact", "conceptual", "relational", "file_discovery", "chitchat"]
Complexity = Literal["simple", "complex", "chitchat"]

QUERY_TYPES: tuple[QueryType, ...] = ("exact", "conceptual", "relational", "file_discovery", "chitchat")


@dataclass(frozen=True, slots=True, kw_only=True)
class Translated:
    """A word of a question in the other language.

    Attributes:
        word: As asked.
        names: What the folder's text may call it, most likely first; the word itself where it is passed through.
    """

    word: str
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SubQuestion:
    """One atomic part of a question, retrievable on its own (spec 001, D1).

    Attributes:
        semantic_intent: A natural-language sentence; the only text the vector side sees.
        search_keywords: Space-separated exact nouns, symbols and terms; the only text the lexical side sees.
            A term with spaces in it is put in double quotes.
        translated: Its words in the other language, Chinese or English, where the folder has text in that.
        translated_share: How much of it could be translated, 0 to 1.
    """

    semantic_intent: str
    search_keywords: str = ""
    translated: tuple[Translated, ...] = ()
    translated_share: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class RoutingPlan:
    """What `analyze_and_route` decides (spec 002, "Output structured routing plan")."""

    query_type: QueryType
    complexity: Complexity
    sub_questions: tuple[SubQuestion, ...] = ()
    suggested_tools: tuple[str, ...] = ()
    grep_keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Signal:
    """One reason behind a decision, for the screen: ``identifier: PEP 509``.

    Attributes:
        name: Short name of the rule or feature.
        detail: What in the text set it off.
        weight: How much it counted, 0 to 1.
    """

    name: str
    detail: str = ""
    weight: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Routing:
    """A routing plan, who made it and why.

    Attributes:
        standalone: The question with what it meant of the conversation before it; empty where it stood alone.
        read_as: Pairs of words: one of the question that was misspelt, and the one that it is read as.
        own_tools: Pairs of a sub-question and its tools, where the parts of a question are of several types.
    """

    plan: RoutingPlan
    reasoner: Literal["offline", "llm"] = "offline"
    signals: tuple[Signal, ...] = ()
    standalone: str = ""
    read_as: tuple[tuple[str, str], ...] = ()
    own_tools: tuple[tuple[str, tuple[str, ...]], ...] = ()

    def tools_of(self, question: SubQuestion) -> tuple[str, ...]:
        """The tools of one sub-question: its own, else those of the plan."""
        return dict(self.own_tools).get(question.semantic_intent, self.plan.suggested_tools)


@dataclass(frozen=True, slots=True, kw_only=True)
class RetrievalHint:
    """What a RE-RETRIEVE or REFINE pass is told about the passes before it (spec 003, D3 and D5).

    Attributes:
        iteration: The pass about to start; 0 is the first one.
        missing: Sub-questions with too little evidence so far.
        tried_tools: Tools that were used for them and did not help.
        tried_keywords: Keywords that were used for them and did not help.
        found: The evidence kept so far, best first.
    """

    iteration: int = 0
    missing: tuple[SubQuestion, ...] = ()
    tried_tools: tuple[str, ...] = ()
    tried_keywords: tuple[str, ...] = field(default=())
    found: tuple[Evidence, ...] = ()

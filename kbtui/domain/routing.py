"""The routing of a question: how it is understood before anything is searched (specs 000-003)."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from kbtui.domain.evidence import Evidence

QueryType = Literal["exact", "conceptual", "relational", "file_discovery", "chitchat"]
Complexity = Literal["simple", "complex", "chitchat"]

QUERY_TYPES: tuple[QueryType, ...] = ("exact", "conceptual", "relational", "file_discovery", "chitchat")


class Translated(Struct, frozen=True, kw_only=True):
    """A word of a question with its translations.

    Attributes:
        word: The word as it was asked.
        names: Translations that the text of the folder may use, most likely first; the word itself where it is kept.
    """

    word: str
    names: tuple[str, ...]


class SubQuestion(Struct, frozen=True, kw_only=True):
    """One atomic part of a question, retrievable on its own (spec 001, D1).

    Attributes:
        semantic_intent: A natural-language sentence; the only text the vector side sees.
        search_keywords: Space-separated exact nouns, symbols and terms; the only text the lexical side sees.
            A term with spaces in it is put in double quotes.
        translated: Its words translated to Chinese or English, where the folder has text in that language.
        translated_share: Share of its words that could be translated, 0 to 1.
    """

    semantic_intent: str
    search_keywords: str = ""
    translated: tuple[Translated, ...] = ()
    translated_share: float = 1.0


class RoutingPlan(Struct, frozen=True, kw_only=True):
    """The decision of `analyze_and_route` (spec 002, "Output structured routing plan")."""

    query_type: QueryType
    complexity: Complexity
    sub_questions: tuple[SubQuestion, ...] = ()
    suggested_tools: tuple[str, ...] = ()
    grep_keywords: tuple[str, ...] = ()


class Signal(Struct, frozen=True, kw_only=True):
    """One reason behind a decision, for the screen: ``identifier: PEP 509``.

    Attributes:
        name: Short name of the rule or feature.
        detail: The part of the text that triggered it.
        weight: Its weight in the decision, 0 to 1.
    """

    name: str
    detail: str = ""
    weight: float = 1.0


class Routing(Struct, frozen=True, kw_only=True):
    """A routing plan, with the reasoner that made it and the reasons.

    Attributes:
        standalone: The standalone form of a follow-up; empty for a question that is no follow-up.
        read_as: Spelling corrections: pairs of a misspelt word of the question and its correction.
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


class RetrievalHint(Struct, frozen=True, kw_only=True):
    """The results of earlier passes that a RE-RETRIEVE or REFINE pass starts from (spec 003, D3 and D5).

    Attributes:
        iteration: Index of the pass about to start, from 0.
        missing: Sub-questions with too little evidence so far.
        tried_tools: Tools that were used for them without success.
        tried_keywords: Keywords that were used for them without success.
        found: The evidence kept so far, best first.
    """

    iteration: int = 0
    missing: tuple[SubQuestion, ...] = ()
    tried_tools: tuple[str, ...] = ()
    tried_keywords: tuple[str, ...] = ()
    found: tuple[Evidence, ...] = ()

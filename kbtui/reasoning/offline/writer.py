"""The offline `AnswerWriter`: answers in the words of the documents, each claim with its lines (spec 003, D4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.document import FileRecord
from kbtui.domain.events import AnswerDelta
from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.domain.routing import SubQuestion
from kbtui.knowledge.relation_note import NotedItem, parse_note
from kbtui.question.asking import asks_relation, is_overview, talk_kind, understand
from kbtui.question.normalise import Language, question_language
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.reasoning.offline.chains import MOST_FOUND, cut_short
from kbtui.reasoning.offline.cleaning import inline_code, readable
from kbtui.reasoning.offline.decompose import decompose
from kbtui.reasoning.offline.extract import MOST_ENCODED, MOST_RUNS, best_runs, opening_runs, without
from kbtui.reasoning.offline.grader import Encodes
from kbtui.reasoning.offline.keywords import keyword_list, split_terms
from kbtui.reasoning.offline.leads import about, lead_runs
from kbtui.reasoning.offline.named_thing import asks_for_places, thing_blocks
from kbtui.reasoning.offline.phrases import chitchat, chitchat_suggestions, listed_terms, phrase, relation_intro
from kbtui.reasoning.offline.places import file_blocks, place_blocks
from kbtui.reasoning.offline.quotable import Run
from kbtui.reasoning.offline.rendering import rendered
from kbtui.reasoning.offline.suggest import follow_ups, nearby
from kbtui.text.terminal import one_line

MOST_ITEMS = 50

_DIRECT = 0.85
"""`direct` signal from which a relation is what was asked for, and not merely something else the line states."""


@dataclass(slots=True)
class _Group:
    """The items of one relation of one entity, in one direction."""

    entity: str
    relation: str
    reverse: bool
    items: dict[str, tuple[NotedItem, Evidence]] = field(default_factory=dict)


def related_blocks(evidence: Sequence[Evidence], citations: Citations, language: Language) -> list[str]:
    """One block for each relation: a sentence and the list; empty when no evidence states a relation."""
    stated = [item for item in evidence if parse_note(item.hit.note) is not None]
    if any(item.hit.signals.get("direct", 1.0) >= _DIRECT for item in stated):
        stated = [item for item in stated if item.hit.signals.get("direct", 1.0) >= _DIRECT]
    blocks = []
    for group in _grouped(stated):
        lines = [relation_intro(group.relation, readable(group.entity), reverse=group.reverse, language=language), ""]
        for noted, item in list(group.items.values())[:MOST_ITEMS]:
            excerpt = citations.excerpt(item.hit, whole=False)
            number = citations.number(excerpt, excerpt.start_line, excerpt.end_line)
            title = f" — {readable(noted.title)}" if noted.title else ""
            lines.append(f"- {readable(noted.label)}{title} [{number}]")
        if len(group.items) > MOST_ITEMS:
            lines += ["", phrase("items_more", language, count=len(group.items) - MOST_ITEMS)]
        blocks.append("\n".join(lines))
    return blocks


def states_relation(evidence: Sequence[Evidence]) -> bool:
    """True when some of the evidence states a relation that was asked for."""
    return any(
        parse_note(item.hit.note) is not None and item.hit.signals.get("direct", 1.0) >= _DIRECT for item in evidence
    )


def _grouped(stated: Sequence[Evidence]) -> list[_Group]:
    """By what was asked, in the order the tool gave them; two relations that answer the same way share a list."""
    groups: dict[tuple[str, str], _Group] = {}
    # The tool lists items in natural order, the grader ties them; file and line are the next best order.
    for item in sorted(stated, key=lambda one: -one.score):
        note = parse_note(item.hit.note)
        if note is None:
            continue
        reverse = note.direction == "reverse"
        intro = relation_intro(note.relation, note.entity, reverse=reverse, language="en")
        group = groups.setdefault((note.entity, intro), _Group(note.entity, note.relation, reverse))
        for noted in note.items:
            group.items.setdefault(noted.label, (noted, item))
    return list(groups.values())


_MOST_TERMS = 8
_LONGEST_TERM = 60


@dataclass(slots=True)
class _Page:
    """The Markdown written so far; every block is told to the screen as it is added."""

    emit: Emit
    parts: list[str] = field(default_factory=list)

    def add(self, block: str) -> None:
        """Append a block, a blank line after the one before."""
        text = f"\n\n{block}" if self.parts else block
        self.parts.append(text)
        self.emit(AnswerDelta(text=text))

    @property
    def markdown(self) -> str:
        """All of it."""
        return "".join(self.parts)


class OfflineWriter:
    """Writes extractive answers.

    Args:
        embedder: Gives the embedder, or None.
        source: Lines of the files as they are now; quotes come from the hits without one.
        files: The indexed files, for suggestions.
    """

    def __init__(
        self,
        embedder: Callable[[], Encodes | None],
        source: ReadsLines | None = None,
        files: Callable[[], Iterable[FileRecord]] | None = None,
    ) -> None:
        self._embedder = embedder
        self._source = source
        self._files = files

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """Write the answer; concatenated deltas are its Markdown."""
        language = question_language(brief.query)
        page = _Page(emit)
        if brief.routing.plan.query_type == "chitchat":
            page.add(chitchat(talk_kind(brief.query) or "smalltalk", language))
            return WrittenAnswer(markdown=page.markdown, outcome="answered", suggestions=chitchat_suggestions(language))
        citations = Citations(self._source)
        missing = _Parts(
            brief, page, citations, language, cancel, self._embedder, self._files() if self._files else ()
        ).write()
        questions = _questions(brief)
        if len(missing) == len(questions):
            return self.not_found(brief, emit)
        for question in missing:
            terms = split_terms(question.search_keywords) or keyword_list(question.semantic_intent)
            page.add(f"**{readable(question.semantic_intent)}**")
            page.add(phrase("part_not_found", language, terms=_shown(terms, language)))
        asked = {question.semantic_intent for question in questions}
        totals = [cut_short(part, asked, brief.evidence) for part in decompose(understand(brief.query))]
        for total in filter(None, totals):
            page.add(phrase("first_of", language, count=MOST_FOUND, total=total))
        cancel.check()
        page.add(citations.footer())
        return WrittenAnswer(
            markdown=page.markdown,
            outcome="partial" if missing or any(totals) else "answered",
            citations=citations.all,
            unsupported=tuple(question.semantic_intent for question in missing),
            suggestions=follow_ups(brief.query, brief.routing.plan.query_type, brief.evidence, citations.all, language),
        )

    def not_found(self, brief: WritingBrief, emit: Emit) -> WrittenAnswer:
        """Say that nothing answers it, what was searched for, and what could be asked instead."""
        language = question_language(brief.query)
        page = _Page(emit)
        tried = [term for keywords in brief.tried_keywords for term in split_terms(keywords)]
        terms = tuple(dict.fromkeys(tried or keyword_list(brief.query)))
        page.add(phrase("not_found", language))
        if terms:
            page.add(phrase("searched", language, terms=_shown(terms, language)))
        suggestions = nearby(brief.query, terms, self._files, language)
        if suggestions:
            lines = "\n".join(f"- {readable(text)}" for text in suggestions)
            page.add(f"{phrase('try', language)}\n\n{lines}")
        return WrittenAnswer(
            markdown=page.markdown,
            outcome="not_found",
            unsupported=tuple(question.semantic_intent for question in _questions(brief)),
            suggestions=suggestions,
        )


@dataclass(slots=True)
class _Parts:
    """The parts of one answer, a sub-question each."""

    brief: WritingBrief
    page: _Page
    citations: Citations
    language: Language
    cancel: CancelToken
    embedder: Callable[[], Encodes | None]
    files: Iterable[FileRecord]

    def write(self) -> list[SubQuestion]:
        """Write every part that has evidence; the others are given back."""
        questions = _questions(self.brief)
        missing: list[SubQuestion] = []
        for position, question in enumerate(questions):
            self.cancel.check()
            # Of a question that is one part, all evidence is its own.
            evidence = [
                item
                for item in self.brief.evidence
                if len(questions) == 1 or item.sub_question == question.semantic_intent
            ]
            before = len(self.citations.all)
            blocks = self._blocks(question, evidence, MOST_RUNS if len(questions) == 1 else 3) if evidence else []
            if not blocks:
                missing.append(question)
                continue
            if len(questions) > 1:
                self.page.add(f"**{readable(question.semantic_intent)}**")
                if len(self.citations.all) == before and position > len(missing):
                    marks = " ".join(dict.fromkeys(_marks(blocks)))
                    blocks = [phrase("said_above", self.language, marks=marks)]
            for block in blocks:
                self.page.add(block)
        return missing

    def _blocks(self, question: SubQuestion, evidence: Sequence[Evidence], most: int) -> list[str]:
        """The blocks that answer one part; empty when nothing in its evidence does."""
        citations, language, cancel = self.citations, self.language, self.cancel
        asked = understand(question.semantic_intent).query_type
        if asks_relation(question.semantic_intent) and states_relation(evidence):
            return related_blocks(evidence, citations, language)
        if (asked if self.brief.routing.own_tools else self.brief.routing.plan.query_type) == "file_discovery":
            return file_blocks(evidence, citations, language, cancel)
        if is_overview(question.semantic_intent):
            opening = opening_runs(question, evidence, citations, cancel)
            if opening:
                return rendered(opening, citations)
        if asked == "exact" and asks_for_places(question.semantic_intent):
            blocks = thing_blocks(question, evidence, self.files, citations, language, cancel)
            blocks = blocks or place_blocks(question, evidence, citations, language, cancel)
            if blocks:
                return blocks
        texts = [item for item in evidence if not item.hit.note or item.hit.tool != "graph_related"]
        encoded = MOST_ENCODED if most == MOST_RUNS else MOST_ENCODED // 2
        subject = about(question, texts)
        lead = lead_runs(subject, citations, cancel)
        if lead:
            # Beside how it begins, what others say about something else only distracts.
            texts = [item for item in texts if item in subject]
        room = max(1, most - sum(len(run.units) for run in lead))
        runs: list[Run] = best_runs(question, texts, citations, self.embedder, cancel, most=room, most_encoded=encoded)
        runs = [*lead, *without(runs, lead)]
        return rendered(runs, citations) or related_blocks(evidence, citations, language)


def _questions(brief: WritingBrief) -> tuple[SubQuestion, ...]:
    """The parts the answer is grouped by."""
    return brief.routing.plan.sub_questions or (SubQuestion(semantic_intent=brief.query),)


def _marks(blocks: Sequence[str]) -> list[str]:
    return [mark for block in blocks for mark in re.findall(r"\[\d+\](?=\s|$)", block)]


def _shown(terms: Sequence[str], language: Language) -> str:
    return listed_terms(tuple(inline_code(one_line(term, _LONGEST_TERM)) for term in terms[:_MOST_TERMS]), language)

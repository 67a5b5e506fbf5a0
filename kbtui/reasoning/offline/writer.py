"""The offline `AnswerWriter`: answers in the words of the documents, each claim with its lines (spec 003, D4)."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.document import FileRecord
from kbtui.domain.events import AnswerDelta
from kbtui.domain.evidence import Evidence
from kbtui.domain.ports import CancelToken, Emit, WritingBrief
from kbtui.domain.routing import SubQuestion
from kbtui.question.keywords import keyword_list
from kbtui.question.normalise import Language, question_language
from kbtui.question.terms import Rarity
from kbtui.question.understanding import asks_for_places, asks_overview, small_talk_kind, understand
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.reasoning.offline.answering import Near, Verdict, selected
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.grader import Encodes
from kbtui.reasoning.offline.named_thing import thing_blocks
from kbtui.reasoning.offline.phrases import chitchat, chitchat_suggestions, listed_terms, phrase
from kbtui.reasoning.offline.places import declared_blocks, file_blocks, place_blocks
from kbtui.reasoning.offline.rendering import rendered
from kbtui.reasoning.offline.suggest import follow_ups, nearby
from kbtui.reasoning.recorded import block_of
from kbtui.records.missing import MissingThings
from kbtui.text.code_marks import inline_code
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.records.asking import TableAnswer
    from kbtui.records.relating import RelationAnswer, ValueCheck

ReadsRecords = Callable[
    [str, Sequence[str], Sequence[str]], "TableAnswer | RelationAnswer | ValueCheck | MissingThings | None"
]
"""A part of a question, documents found for it, and those that the records of parts before cite, to what the records of
the folder state in answer, or to the things it names and the folder does not have.
"""

_MOST_TERMS = 8
_MOST_DOCUMENTS = 3
_MORE = 0.1
"""Weight of further passages of a document beside its best."""
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
        rarity: How rare words are in the folder.
        records: What the records of the folder state in answer to a part of a question.
        near: How near the places of documents are to a question, by the vectors of the index.
        background: What search makes of questions that the folder does not answer.
    """

    def __init__(
        self,
        embedder: Callable[[], Encodes | None],
        source: ReadsLines | None = None,
        files: Callable[[], Iterable[FileRecord]] | None = None,
        rarity: Rarity | None = None,
        records: ReadsRecords | None = None,
        near: Near | None = None,
        background: Callable[[], float | None] | None = None,
    ) -> None:
        self._embedder = embedder
        self._source = source
        self._files = files
        self._rarity = rarity
        self._records = records
        self._near = near
        self._background = background

    def write(self, brief: WritingBrief, emit: Emit, cancel: CancelToken) -> WrittenAnswer:
        """Write the answer; concatenated deltas are its Markdown."""
        language = question_language(brief.query)
        page = _Page(emit)
        if brief.routing.plan.query_type == "chitchat":
            page.add(chitchat(small_talk_kind(brief.query) or "smalltalk", language))
            return WrittenAnswer(markdown=page.markdown, outcome="answered", suggestions=chitchat_suggestions(language))
        citations = Citations(self._source)
        files = self._files() if self._files else ()
        written = _Parts(
            brief,
            citations,
            language,
            cancel,
            self._embedder,
            self._rarity,
            files,
            self._records,
            self._near,
            self._background,
        ).written()
        if all(part.verdict == "none" for part in written):
            names = tuple(dict.fromkeys(name for part in written for name in part.missing))
            return self.not_found(brief, emit, names)
        answered = [part for part in written if part.verdict == "answered"]
        if not answered:
            page.add(phrase("not_stated", language))
        for part in written:
            self._add(part, page, language, is_one=len(written) == 1, says_near=bool(answered))
        missing = [part.question for part in written if part.verdict != "answered"]
        cancel.check()
        page.add(citations.footer())
        return WrittenAnswer(
            markdown=page.markdown,
            outcome="partial" if missing else "answered",
            citations=citations.all,
            unsupported=tuple(question.semantic_intent for question in missing),
            suggestions=follow_ups(brief.query, brief.routing.plan.query_type, brief.evidence, citations.all, language),
        )

    def _add(self, part: _Part, page: _Page, language: Language, *, is_one: bool, says_near: bool) -> None:
        """Write one part under its question; what is merely near is said to be, where another part is answered."""
        question = part.question
        if not is_one:
            page.add(f"**{readable(question.semantic_intent)}**")
        if part.verdict == "none":
            page.add(_nothing_found(question.semantic_intent, language, part.missing))
        elif part.verdict == "near" and says_near:
            page.add(phrase("not_stated", language))
        for block in part.blocks:
            page.add(block)

    def not_found(self, brief: WritingBrief, emit: Emit, missing: tuple[str, ...] = ()) -> WrittenAnswer:
        """Say that nothing answers it, and what was searched for; suggestions stand beside it.

        Args:
            missing: Names of things that the folder does not have.
        """
        language = question_language(brief.query)
        page = _Page(emit)
        # In the words of the question: what was looked for beside them (stems, other words for the same) says nothing.
        terms = keyword_list(brief.query)
        page.add(_no_such_thing(missing, language) if missing else phrase("not_found", language))
        if terms and not missing:
            page.add(phrase("searched", language, terms=_shown(terms, language)))
        return WrittenAnswer(
            markdown=page.markdown,
            outcome="not_found",
            unsupported=tuple(question.semantic_intent for question in _questions(brief)),
            suggestions=nearby(terms, self._files, self._rarity, language),
        )


@dataclass(frozen=True, slots=True)
class _Part:
    """A sub-question and the blocks that answer it, or come near."""

    question: SubQuestion
    verdict: Verdict
    blocks: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()


@dataclass(slots=True)
class _Parts:
    """The parts of one answer, a sub-question each."""

    brief: WritingBrief
    citations: Citations
    language: Language
    cancel: CancelToken
    embedder: Callable[[], Encodes | None]
    rarity: Rarity | None
    files: Iterable[FileRecord]
    records: ReadsRecords | None = None
    near: Near | None = None
    background: Callable[[], float | None] | None = None
    cited_paths: list[str] = field(default_factory=list)

    def written(self) -> list[_Part]:
        """Every part; what comes near is quoted only where no part is answered."""
        questions = _questions(self.brief)
        parts: list[_Part] = []
        shown: set[str] = set()
        for question in questions:
            self.cancel.check()
            part = self._part(question, len(questions) == 1)
            lines = [line for block in part.blocks for line in _lines(block)]
            parts.append(replace(part, blocks=self._unsaid(part.blocks, shown)))
            shown.update(lines)
        return parts

    def _unsaid(self, blocks: tuple[str, ...], shown: Collection[str]) -> tuple[str, ...]:
        """Blocks without the lines that stand under an earlier part, behind a note that says where these are."""
        lines = [line for block in blocks for line in _lines(block)]
        marks = " ".join(dict.fromkeys(_marks([line for line in lines if line in shown])))
        if not marks:
            return blocks
        new = ["\n".join(line for line in _lines(block) if line not in shown) for block in blocks]
        return (phrase("said_above", self.language, marks=marks), *filter(None, new))

    def _part(self, question: SubQuestion, is_one: bool) -> _Part:
        # Of a question that is one part, all evidence is its own.
        kept, found = (
            [item for item in evidence if is_one or item.sub_question == question.semantic_intent]
            for evidence in (self.brief.evidence, self.brief.found or self.brief.evidence)
        )
        if self.records is not None:
            stated = self.records(question.semantic_intent, _documents(found), self.cited_paths)
            if isinstance(stated, MissingThings):
                return _Part(question, "none", missing=stated.names)
            if stated is not None:
                known = len(self.citations.all)
                block = block_of(stated, self.citations, self.language)
                self.cited_paths += [citation.path or "" for citation in self.citations.all[known:]]
                return _Part(question, "answered", (block,))
        if not found:
            return _Part(question, "none")
        blocks = self._listed(question, kept) if kept else []
        if blocks:
            return _Part(question, "answered", tuple(blocks))
        choice = selected(
            question,
            self.brief.query,
            found,
            self.citations,
            self.embedder,
            self.rarity,
            self.cancel,
            self.near,
            self.background() if self.background is not None else None,
        )
        said = choice.verdict
        if asks_overview(question.semantic_intent) and choice.opening:
            return _Part(question, "answered", tuple(rendered(choice.opening, self.citations)))
        if places := self._places(question, kept):
            return _Part(question, "answered", tuple(places))
        if said == "none" or not choice.runs:
            return _Part(question, "none")
        blocks = rendered(choice.runs, self.citations)
        for side in choice.unsaid:
            blocks += [f"**{readable(side)}**", _nothing_found(side, self.language)]
        return _Part(question, said, tuple(blocks))

    def _places(self, question: SubQuestion, evidence: Sequence[Evidence]) -> list[str]:
        """The blocks about a bare name: the thing of that name, or where it stands; empty for other questions."""
        intent = question.semantic_intent
        if not evidence or understand(intent).query_type != "exact" or not asks_for_places(intent):
            return []
        found = thing_blocks(question, evidence, self.files, self.citations, self.language, self.cancel)
        return found or place_blocks(question, evidence, self.citations, self.language, self.cancel)

    def _listed(self, question: SubQuestion, evidence: Sequence[Evidence]) -> list[str]:
        """The blocks of an answer that lists files, or what a tool of another package found; else empty."""
        citations, language, cancel = self.citations, self.language, self.cancel
        asked = understand(question.semantic_intent).query_type
        if (asked if self.brief.routing.own_tools else self.brief.routing.plan.query_type) == "file_discovery":
            return file_blocks(evidence, citations, language, cancel)
        return declared_blocks(evidence, citations, language, cancel)


def _documents(evidence: Sequence[Evidence]) -> list[str]:
    """Paths of the documents with the best passages, best first; of two with one as good, the one with more."""
    weights: dict[str, float] = {}
    for item in sorted(evidence, key=lambda one: -one.score):
        weights[item.hit.path] = weights.get(item.hit.path, item.score * (1 - _MORE)) + item.score * _MORE
    return sorted(weights, key=lambda path: -weights[path])[:_MOST_DOCUMENTS]


def _questions(brief: WritingBrief) -> tuple[SubQuestion, ...]:
    """The parts the answer is grouped by."""
    return brief.routing.plan.sub_questions or (SubQuestion(semantic_intent=brief.query),)


def _lines(block: str) -> list[str]:
    """The items of a list, else the block as a whole."""
    return block.split("\n") if block.startswith("- ") else [block]


def _marks(blocks: Sequence[str]) -> list[str]:
    return [mark for block in blocks for mark in re.findall(r"\[\d+\](?=\s|$)", block)]


def _nothing_found(about: str, language: Language, missing: Sequence[str] = ()) -> str:
    """That nothing was found about a part or a side of a question, and what was searched for or is missing."""
    if missing:
        return _no_such_thing(missing, language)
    return phrase("part_not_found", language, terms=_shown(keyword_list(about), language))


def _no_such_thing(names: Sequence[str], language: Language) -> str:
    """That the folder does not have the things of these names."""
    return phrase("missing", language, names=_shown(names, language))


def _shown(terms: Sequence[str], language: Language) -> str:
    return listed_terms(tuple(inline_code(one_line(term, _LONGEST_TERM)) for term in terms[:_MOST_TERMS]), language)

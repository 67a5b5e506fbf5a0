"""Checks an answer: resolves its citation marks to lines and tests whether these lines support each sentence."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from kbtui.domain.answer import line_label
from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking.absence import is_mentioned, split_gap
from kbtui.reasoning.checking.checked import CheckedAnswer, Source
from kbtui.reasoning.checking.claims import is_advice, remove_attribution
from kbtui.reasoning.checking.draft import Piece, Slot, draft
from kbtui.reasoning.checking.facts import Ground, ground, missing
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.reasoning.checking.places import (
    Candidate,
    SourcesByTarget,
    best_supported,
    candidate_places,
    cited_by,
    numbers_cited,
    passages_of,
    sources_at,
    sources_for_number,
    sources_nearby,
)
from kbtui.reasoning.checking.row_claims import claims_before, support_by_rows
from kbtui.reasoning.checking.standing import Claim, KnownTexts
from kbtui.reasoning.checking.support import RELATED, SUPPORTED, Scorer, Support, claim_of
from kbtui.reasoning.checking.trust import Outcome
from kbtui.reasoning.checking.verdicts import (
    Verdict,
    apply_trust,
    chances,
    doubt_of,
    is_listed,
    may_stay,
    outcome_of,
    states_claim,
)
from kbtui.reasoning.citing import Citations
from kbtui.text.terminal import clean, one_line
from kbtui.text.tokenise import STOP_WORDS, tokens

if TYPE_CHECKING:
    from kbtui.question.terms import Rarity
    from kbtui.reasoning.offline.grader import Encodes

UNSUPPORTED: Final = "[?]"
"""The mark of an unsupported sentence."""

ADVICE: Final = ("*(advice)*", "*（建议）*")
"""The label of a sentence that assesses or advises, in English and Chinese."""

FROM_INSTRUCTIONS: Final = ("*(from a text that gives orders)*", "*（来自含有指令的文本）*")
"""The label of a sentence whose only support is a text with instructions to a model."""

MOST_ENCODED: Final = 200
"""Most sentences of an answer that are encoded; the others are checked by words, numbers and names only."""

MOST_QUESTION: Final = 2000
"""Most characters of a question that are searched for names."""

MOST_CHECKED: Final = 600
"""Most sentences of an answer that are checked."""

_MAX_PRECEDING: Final = 6
"""Number of preceding pieces whose names a sentence may repeat."""

_BEFORE_CHARS: Final = 600
_QUOTED_CHARS: Final = 60
_PROSE: Final = ("sentence", "list_item")


class AnswerChecker:
    """Checks the citation marks of answers.

    Args:
        embedder: Returns the embedder; None if there is none, and only words, numbers and names are compared.
        rarity: Returns the rarity of words in the folder.
    """

    def __init__(self, embedder: Callable[[], Encodes | None], rarity: Rarity | None = None) -> None:
        self._scorer = Scorer(embedder, rarity)

    def check(
        self,
        markdown: str,
        sources: Sequence[Source],
        citations: Citations,
        cancel: CancelToken,
        question: str = "",
        values: str = "",
        chance: Callable[[Outcome | None], float] | None = None,
    ) -> CheckedAnswer:
        """Check an answer.

        Args:
            markdown: The text of the model.
            sources: The passages it was shown.
            citations: Assigns the citation numbers.
            cancel: Checked between sentences.
            question: The question; its names need not occur in the lines.
            values: Values of the data that the question is about, such as the types of tickets.
            chance: Returns the chance that the model invents, given what this answer shows; without it, marked is what
                lines refute or do not say.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        return _Check(self._scorer, sources, citations, cancel, question, values).run(markdown, chance)


class _Check:
    def __init__(
        self,
        scorer: Scorer,
        sources: Sequence[Source],
        citations: Citations,
        cancel: CancelToken,
        question: str,
        values: str,
    ) -> None:
        self.scorer = scorer
        self.question = clean(question)[:MOST_QUESTION]
        asked = ground(self.question) if question.strip() else None
        self.known = KnownTexts(question=asked, values=frozenset(tokens(values)) - STOP_WORDS)
        self.citations = citations
        self.cancel = cancel
        self.passages, looked_up = passages_of(sources, citations)
        self.single_lines = self.passages | looked_up
        self.corrections: dict[str, None] = {}
        self.lines = {source.n: self.passages[source.n] for source in sources if source.rows is None}
        self.rows = {source.n: source.rows for source in sources if source.rows is not None}
        self.suspect = frozenset(source.n for source in sources if source.is_suspect)
        self.advice: list[str] = []
        self.piece_grounds: list[Ground] = []
        self.weights: dict[str, float] = {}

    def run(self, markdown: str, chance: Callable[[Outcome | None], float] | None) -> CheckedAnswer:
        parsed = draft(clean(markdown), frozenset(self.passages), lambda place: bool(sources_at(place, self.passages)))
        sources_by_number = {
            number: sources_for_number(number, label, self.passages) for number, label in parsed.labels.items()
        }
        cited = [cited_by(piece, sources_by_number, self.passages) for piece in parsed.pieces]
        verdicts = self._judge(parsed.pieces, cited)
        is_borne_out = [verdict.is_claim and verdict.is_supported for verdict in verdicts]
        is_item = [piece.kind != "sentence" for piece in parsed.pieces]
        chances_of_false = chances(verdicts, is_item, self.question)
        outcome = outcome_of(verdicts, chances_of_false)
        if chance is not None:
            apply_trust(chance(outcome), verdicts, chances_of_false)
        doubts = [
            verdict.doubt or doubt_of(piece.text, piece_cited, is_loose=True)
            for verdict, piece, piece_cited in zip(verdicts, parsed.pieces, cited, strict=True)
            if not verdict.is_supported
        ]
        markdown = parsed.rendered(lambda slot: self._fill(slot, verdicts[slot.piece]))
        return CheckedAnswer(
            markdown=markdown,
            doubts=tuple(doubts),
            outcome=outcome,
            corrections=tuple(self.corrections),
            supported=sum(is_borne_out),
            claims=sum(verdict.is_claim for verdict in verdicts),
            advice=tuple(self.advice),
        )

    # Judging ----------------------------------------------------------------------------------------------------------

    def _judge(self, pieces: Sequence[Piece], cited: Sequence[SourcesByTarget]) -> list[Verdict]:
        claims_and_gaps = [split_gap(piece.text) if piece.kind in _PROSE else (piece.text, "") for piece in pieces]
        pieces = [
            replace(piece, text=rest, marked=rest) if gap else piece
            for piece, (rest, gap) in zip(pieces, claims_and_gaps, strict=True)
        ]
        claim_indexes = [index for index, piece in enumerate(pieces) if states_claim(piece)]
        if unchecked := set(claim_indexes[MOST_CHECKED:]):
            self._add_correction(f"The answer is too long: only its first {MOST_CHECKED} statements were checked.")
        self.piece_grounds = [ground(piece.text[:_BEFORE_CHARS]) for piece in pieces]
        claims = {
            index: claim_of(
                remove_attribution(pieces[index].text), remove_attribution(pieces[index].marked), pieces[index].columns
            )
            for index in claim_indexes[:MOST_CHECKED]
        }
        self.weights = self.scorer.weights(list(claims.values()), list(self.passages.values()))
        cited_numbers = dict.fromkeys(n for cited_windows in cited for ns in cited_windows.values() for n in ns)
        cited_grounds = tuple(self.passages[n].whole for n in cited_numbers)
        self.known = replace(self.known, cited=cited_grounds, shown=tuple(self.passages.values()))
        row_support = {
            index: support
            for index, claim in claims.items()
            if (support := self._check_rows(claim, cited[index], claims_before(index, claims, pieces)))
        }
        line_claims = {index: claim for index, claim in claims.items() if index not in row_support}
        cited_windows = {index: self._windows_in(claim, cited[index]) for index, claim in line_claims.items()}
        own_support = self._score_candidates(
            line_claims, {index: [(windows, "words")] for index, windows in cited_windows.items()}
        )
        # Most sentences are supported by the lines they cite; other lines are searched for the rest only.
        nearby_sources = sources_nearby(pieces, cited)
        unsupported = {index: claim for index, claim in line_claims.items() if own_support[index][0].score < SUPPORTED}
        candidates = {
            index: candidate_places(claim, nearby_sources[index], self.lines, self.scorer, self.weights)
            for index, claim in unsupported.items()
        }
        other_support = self._score_candidates(unsupported, candidates)
        verdicts = []
        for index, piece in enumerate(pieces):
            self.cancel.check()
            if index in unchecked:
                doubt = doubt_of(piece.text, cited[index])
                verdicts.append(Verdict(is_claim=True, is_supported=False, must_mark=True, doubt=doubt))
            elif index in claims:
                own, other = row_support.get(index) or (
                    own_support[index][0],
                    best_supported(other_support.get(index, [])),
                )
                verdicts.append(self._verdict(piece, cited[index], own, other))
            else:
                verdicts.append(self._verdict_without_claim(piece, cited[index], self.passages))
            if gap := claims_and_gaps[index][1]:
                self._check_gap(gap, cited[index], verdicts[-1])
            self._label_suspect(verdicts[-1])
        return verdicts

    def _check_rows(
        self, claim: Claim, cited: SourcesByTarget, before: Sequence[Claim]
    ) -> tuple[Support, Support | None] | None:
        self.cancel.check()
        numbers = numbers_cited(cited)
        return support_by_rows(claim, numbers, self.rows, self.passages, self.known, before)

    def _passages_of(self, cited: SourcesByTarget) -> list[Passage]:
        return [self.passages[n] for numbers in cited.values() for n in numbers]

    def _windows_in(self, claim: Claim, cited: SourcesByTarget) -> list[Window]:
        self.cancel.check()
        passages = [passage for passage in self._passages_of(cited) if passage.n in self.lines]
        return self.scorer.windows(claim, passages, self.weights) if passages else []

    def _score_candidates(
        self, claims: dict[int, Claim], candidates: dict[int, list[Candidate]]
    ) -> dict[int, list[Support]]:
        """Support for each claim from each group of lines; texts that need the encoder are encoded in one batch."""
        ready: dict[int, list[Support]] = {}
        for index, claim in claims.items():
            self.cancel.check()
            # A piece may repeat names from the pieces before it.
            known = replace(self.known, before=tuple(self.piece_grounds[max(0, index - _MAX_PRECEDING) : index]))
            ready[index] = [
                self.scorer.prepare(claim, windows, self.weights, known, head=head)
                for windows, head in candidates[index]
            ]
        unsure = [support for group in ready.values() for support in group if support.texts][:MOST_ENCODED]
        self.scorer.encode([text for support in unsure for text in support.texts], self.cancel)
        return {index: [self.scorer.judge(support) for support in group] for index, group in ready.items()}

    def _verdict(self, piece: Piece, cited: SourcesByTarget, own: Support, other: Support | None) -> Verdict:
        """The verdict on a claim.

        Args:
            own: Support from the lines that it cites.
            other: Support from one place that it does not cite; None if there is none.
        """
        verdict = Verdict(is_claim=True)
        listed = (self.single_lines[n] for n in numbers_cited(cited))
        if piece.kind != "sentence" and not own.evidence.is_refuted and is_listed(own.claim, listed):
            verdict.by_target = self._verdict_without_claim(piece, cited, self.single_lines).by_target
            return verdict
        if own.score >= SUPPORTED:
            verdict.support = own
            self._assign_lines(verdict, cited, own)
            self._report_missing_sources(piece.text, cited, own)
            return verdict
        if other is not None and not own.evidence.is_refuted:
            verdict.support = other
            verdict.added = [narrow for window in other.windows if (narrow := window.stating)]
            if may_stay(own):
                self._assign_lines(verdict, cited, own)
            else:
                self._report_moved_marks(piece.text, cited, other)
            return verdict
        if is_advice(piece.text) and self._has_no_unsupported_fact(own):
            verdict.is_claim = False
            verdict.label = ADVICE[own.claim.chinese]
            self.advice.append(one_line(piece.text))
        else:
            verdict.is_supported, verdict.is_contrary = False, own.evidence.by_words
            verdict.must_mark = own.evidence.is_refuted and not own.evidence.by_words
            verdict.doubt = doubt_of(piece.text, cited, own.missing, is_refuted=own.evidence.is_refuted)
        self._report_missing_sources(piece.text, cited, None)
        if own.windows and (own.score >= RELATED or not own.evidence.is_refuted):
            self._assign_lines(verdict, cited, own)
        elif not own.windows and any(passage.chinese != own.claim.chinese for passage in self._passages_of(cited)):
            # Across languages, a mark is not wrong because the texts share no word.
            verdict.by_target = self._verdict_without_claim(piece, cited, self.passages).by_target
        return verdict

    def _has_no_unsupported_fact(self, advice: Support) -> bool:
        """Whether advice is not refuted, and its numbers, names and quotations occur in the passages or question."""
        grounds = [passage.whole for passage in self.passages.values()]
        grounds += [self.known.question] if self.known.question is not None else []
        hard = [fact for fact in advice.claim.facts if not fact.weak]
        return not advice.evidence.is_refuted and not missing(hard, grounds)

    def _check_gap(self, gap: str, cited: SourcesByTarget, verdict: Verdict) -> None:
        """Search the cited passages, else all, for what a sentence says is missing."""
        searched = self._passages_of(cited) or list(self.passages.values())
        if is_mentioned(gap, searched):
            verdict.is_claim, verdict.is_supported, verdict.must_mark = True, False, True
            verdict.doubt = doubt_of(gap, cited, is_refuted=True)

    def _label_suspect(self, verdict: Verdict) -> None:
        windows = [
            *verdict.added,
            *(window for target_windows in verdict.by_target.values() for window in target_windows),
        ]
        if windows and verdict.is_supported and all(window.passage.n in self.suspect for window in windows):
            verdict.label = FROM_INSTRUCTIONS[windows[0].passage.chinese]

    def _assign_lines(self, verdict: Verdict, cited: SourcesByTarget, support: Support) -> None:
        """Assign to each target the lines of its source that support the sentence; drop targets without any."""
        for target, numbers in cited.items():
            target_windows = [window for window in support.windows if window.passage.n in numbers]
            if not target_windows and numbers:
                windows = self.scorer.windows(support.claim, [self.passages[n] for n in numbers], self.weights)
                support_alone = self.scorer.score(support.claim, windows[:1], self.weights, self.known)
                if support_alone.score >= SUPPORTED:
                    target_windows = list(support_alone.windows)
                elif verdict.is_supported:
                    self._add_mark_correction(support.claim.text, numbers, support)
            stating = [narrow for window in target_windows if (narrow := window.stating)]
            verdict.by_target[target] = stating or target_windows[:1]

    def _verdict_without_claim(self, piece: Piece, cited: SourcesByTarget, among: Mapping[int, Passage]) -> Verdict:
        """The verdict on a sentence without claim: its marks stay, on the most similar lines of their sources."""
        verdict = Verdict()
        if piece.kind == "heading" or not cited:
            return verdict
        claim = claim_of(piece.text, piece.marked)
        for target, numbers in cited.items():
            passages = [among[n] for n in numbers]
            windows = self.scorer.windows(claim, passages, self.scorer.weights([claim], passages))[:1]
            if not windows and passages and passages[0].units:
                windows = [Window(passage=passages[0], first=0, last=0)]
            verdict.by_target[target] = windows
        self._report_missing_sources(piece.text, cited, None)
        return verdict

    def _add_correction(self, line: str) -> None:
        self.corrections.setdefault(one_line(line))

    def _add_mark_correction(self, text: str, numbers: Sequence[int], support: Support | None) -> None:
        """Report a mark by its sentence and by places: the reader does not see the numbers that the model was given."""
        cites = ", ".join(dict.fromkeys(self._label(n) for n in numbers))
        what = f"does not rest on {cites}" if numbers else "cites a text that does not exist"
        places = {self._label(window.passage.n, window.start_line) for window in (support.windows if support else ())}
        rests = f"; it rests on {', '.join(sorted(places))}" if places else ""
        self._add_correction(f"“{one_line(text, _QUOTED_CHARS)}” {what}{rests}.")

    def _label(self, number: int, line: int | None = None) -> str:
        path = "rows" if number in self.rows else self.passages[number].label
        return path if line is None or number in self.rows else line_label(path, line)

    def _report_missing_sources(self, text: str, cited: SourcesByTarget, support: Support | None) -> None:
        for numbers in cited.values():
            if not numbers:
                self._add_mark_correction(text, (), support)

    def _report_moved_marks(self, text: str, cited: SourcesByTarget, best: Support) -> None:
        for numbers in cited.values():
            if not {window.passage.n for window in best.windows} & set(numbers):
                self._add_mark_correction(text, numbers, best)

    # Writing ----------------------------------------------------------------------------------------------------------

    def _fill(self, slot: Slot, verdict: Verdict) -> str:
        """The marks of a slot: those of its targets, and in the first slot of a piece the added ones."""
        windows: list[Window] = []
        if slot.targets:
            for target in slot.targets:
                windows += verdict.by_target.get(target, [])
        if verdict.added:
            windows += verdict.added
            verdict.added = []
        numbers = [self._number(window) for window in windows]
        written = "".join(f"[{number}]" for number in dict.fromkeys(numbers))
        label = verdict.label if verdict.is_supported else UNSUPPORTED
        if slot.targets or not label:
            return written
        return f"{written} {label}" if written else label

    def _number(self, window: Window) -> int:
        return self.citations.number(window.passage.excerpt, window.start_line, window.end_line)

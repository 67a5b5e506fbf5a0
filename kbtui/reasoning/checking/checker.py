"""From a model's raw answer to a checked one: every number stands for lines, and the lines bear the sentence out."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Final

from kbtui.domain.ports import CancelToken
from kbtui.reasoning.checking.absence import is_there, parted
from kbtui.reasoning.checking.checked import CheckedAnswer, Doubt, Source
from kbtui.reasoning.checking.claims import is_advice, is_claim, is_lead_in, without_frame
from kbtui.reasoning.checking.draft import Piece, Slot, draft
from kbtui.reasoning.checking.facts import Ground, ground, missing
from kbtui.reasoning.checking.marks import Target, told
from kbtui.reasoning.checking.passages import Passage, Window, passage
from kbtui.reasoning.checking.places import Cited, Tried, chosen, cited_by, meant_by, nearby, places, sources_at
from kbtui.reasoning.checking.row_claims import heard
from kbtui.reasoning.checking.standing import Claim, Known
from kbtui.reasoning.checking.support import SUPPORTED, Scorer, Support, claim_of
from kbtui.reasoning.checking.weighing import Weighed
from kbtui.reasoning.citing import Citations
from kbtui.text.terminal import clean, one_line
from kbtui.text.tokenise import STOP_WORDS, tokens

if TYPE_CHECKING:
    from kbtui.question.terms import Rarity
    from kbtui.reasoning.offline.grader import Encodes

RELATED: Final = 0.15
"""Score below which lines have nothing to do with a sentence."""

UNSUPPORTED: Final = "[?]"
"""The mark of a sentence that nothing bears out."""

ADVICE: Final = ("*(advice)*", "*（建议）*")
"""The label of a sentence that weighs or advises, in English and Chinese."""

ORDERED: Final = ("*(from a text that gives orders)*", "*（来自含有指令的文本）*")
"""The label of a sentence that rests on nothing but a text that speaks to a model."""

MOST_ENCODED: Final = 200
"""Sentences of one answer that are encoded; the rest is checked by words, numbers and names alone."""

MOST_QUESTION: Final = 2000
"""Characters of a question that are looked through for names."""

MOST_CHECKED: Final = 600
"""Sentences of one answer that are checked at all; no answer to a question has more."""

_MOST_BEFORE: Final = 6
"""Pieces before a sentence whose names it may take up."""

_BEFORE_CHARS: Final = 600
_PROSE: Final = ("sentence", "list_item")


@dataclass(slots=True)
class _Verdict:
    """What is said of one piece: the lines that stand behind each of its targets, and whether they bear it out."""

    by_target: dict[Target, list[Window]] = field(default_factory=dict)
    added: list[Window] = field(default_factory=list)
    is_claim: bool = False
    is_supported: bool = True
    label: str = ""


class AnswerChecker:
    """Checks the marks of answers.

    Args:
        embedder: Gives the embedder, or None where there is none; words, numbers and names then decide alone.
        rarity: How rare words are in the folder.
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
    ) -> CheckedAnswer:
        """Check an answer.

        Args:
            markdown: As the model wrote it.
            sources: What it was shown.
            citations: Hands out the numbers.
            cancel: Checked between sentences.
            question: What is answered; a name of its own is no invention where the lines do not repeat it.
            values: Values of the data that are asked, such as the kinds of tickets.

        Raises:
            Cancelled: ``cancel`` was set.
        """
        return _Check(self._scorer, sources, citations, cancel, question, values).run(markdown)


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
        asked = ground(clean(question)[:MOST_QUESTION]) if question.strip() else None
        self.known = Known(question=asked, values=frozenset(tokens(values)) - STOP_WORDS)
        self.citations = citations
        self.cancel = cancel
        self.passages = {source.n: _passage(source, citations) for source in sources}
        self.corrections: dict[str, None] = {}
        self.lines = {source.n: self.passages[source.n] for source in sources if source.rows is None}
        self.rows = {source.n: source.rows for source in sources if source.rows is not None}
        self.suspect = frozenset(source.n for source in sources if source.is_suspect)
        self.doubts: list[Doubt] = []
        self.advice: list[str] = []
        self.said: list[Ground] = []
        self.weights: dict[str, float] = {}

    def run(self, markdown: str) -> CheckedAnswer:
        read = draft(clean(markdown), frozenset(self.passages), lambda place: bool(sources_at(place, self.passages)))
        meant = {number: meant_by(number, label, self.passages) for number, label in read.labels.items()}
        cited = [cited_by(piece, meant, self.passages) for piece in read.pieces]
        verdicts = self._judged(read.pieces, cited)
        markdown = read.rendered(lambda slot: self._filled(slot, verdicts[slot.piece]))
        claims = [verdict for verdict in verdicts if verdict.is_claim]
        return CheckedAnswer(
            markdown=markdown,
            doubts=tuple(self.doubts),
            corrections=tuple(self.corrections),
            supported=sum(verdict.is_supported for verdict in claims),
            claims=len(claims),
            advice=tuple(self.advice),
        )

    # Judging ----------------------------------------------------------------------------------------------------------

    def _judged(self, pieces: Sequence[Piece], cited: Sequence[Cited]) -> list[_Verdict]:
        says = [parted(piece.text) if piece.kind in _PROSE else (piece.text, "") for piece in pieces]
        pieces = [
            replace(piece, text=rest, marked=rest) if gap else piece
            for piece, (rest, gap) in zip(pieces, says, strict=True)
        ]
        stated = [index for index, piece in enumerate(pieces) if _claims(piece)]
        if unchecked := set(stated[MOST_CHECKED:]):
            self._tell(f"The answer is too long: only its first {MOST_CHECKED} statements were checked.")
        self.said = [ground(piece.text[:_BEFORE_CHARS]) for piece in pieces]
        claims = {
            index: claim_of(
                without_frame(pieces[index].text), without_frame(pieces[index].marked), pieces[index].columns
            )
            for index in stated[:MOST_CHECKED]
        }
        self.weights = self.scorer.weights(list(claims.values()), list(self.passages.values()))
        named_at_all = dict.fromkeys(n for own in cited for ns in own.values() for n in ns)
        cited_at_all = tuple(self.passages[n].whole for n in named_at_all)
        self.known = replace(self.known, cited=cited_at_all, shown=tuple(self.passages.values()))
        by_rows = {index: one for index, claim in claims.items() if (one := self._by_rows(claim, cited[index]))}
        read = {index: claim for index, claim in claims.items() if index not in by_rows}
        own = {index: self._windows_in(claim, cited[index]) for index, claim in read.items()}
        told_by = self._scored(read, {index: [(windows, "words")] for index, windows in own.items()})
        # Most sentences stand on the lines they cite; only for the others are more lines looked at.
        near = nearby(pieces, cited)
        open_ones = {index: claim for index, claim in read.items() if told_by[index][0].score < SUPPORTED}
        tried = {
            index: places(claim, near[index], self.lines, self.scorer, self.weights)
            for index, claim in open_ones.items()
        }
        others = self._scored(open_ones, tried)
        verdicts = []
        for index, piece in enumerate(pieces):
            self.cancel.check()
            if index in unchecked:
                self._doubt(piece.text, cited[index])
                verdicts.append(_Verdict(is_claim=True, is_supported=False))
            elif index in claims:
                found, other = by_rows.get(index) or (
                    told_by[index][0],
                    chosen(others[index]) if index in others else None,
                )
                verdicts.append(self._verdict(piece, cited[index], found, other))
            else:
                verdicts.append(self._unclaimed(piece, cited[index]))
            if gap := says[index][1]:
                self._check_gap(gap, cited[index], verdicts[-1])
            self._label_suspect(verdicts[-1])
        return verdicts

    def _by_rows(self, claim: Claim, cited: Cited) -> tuple[Support, Support | None] | None:
        """What the results say that a sentence cites, and one that bears it out though it is not cited.

        None where it rests, or may rest, on lines.
        """
        own = list(dict.fromkeys(n for numbers in cited.values() for n in numbers))
        beside = [self.passages[n] for n in own if n not in self.rows]
        if not self.rows or (own and len(beside) == len(own)):
            return None
        self.cancel.check()
        found = self._heard(claim, [n for n in own if n in self.rows], beside) if own else None
        if found is not None and found.score >= SUPPORTED:
            return found, None
        tried = (self._heard(claim, [n], beside, is_cited=False) for n in self.rows if n not in own)
        other = next((one for one in tried if one.score >= SUPPORTED), None)
        if other is None and (found is None or beside):
            return None
        return found or Support(claim=claim, windows=(), values={}, missing=()), other

    def _heard(
        self, claim: Claim, numbers: Sequence[int], beside: Sequence[Passage], *, is_cited: bool = True
    ) -> Support:
        results, grounds = [self.rows[n] for n in numbers], [one.whole for one in beside]
        said = heard(claim, results, self.known.question, grounds, self.known.values, is_cited=is_cited)
        passages = [*(self.passages[n] for n in numbers), *beside]
        windows = tuple(Window(passage=one, first=0, last=0) for one in passages if one.units)
        # What rows refute keeps its mark, so that the reader sees which they are.
        return Support(
            claim=claim,
            windows=windows,
            values={},
            missing=said.wrong,
            weighed=Weighed(refuted=bool(said.wrong)),
            score=RELATED if said.wrong else 1.0,
        )

    def _cited(self, cited: Cited) -> list[Passage]:
        return [self.passages[n] for numbers in cited.values() for n in numbers]

    def _windows_in(self, claim: Claim, cited: Cited) -> list[Window]:
        chosen = [one for one in self._cited(cited) if one.n in self.lines]
        self.cancel.check()
        return self.scorer.windows(claim, chosen, self.weights) if chosen else []

    def _scored(self, claims: dict[int, Claim], tried: dict[int, list[Tried]]) -> dict[int, list[Support]]:
        """What each group of lines says for its claim; what words leave open is encoded in one batch."""
        ready: dict[int, list[Support]] = {}
        for index, claim in claims.items():
            self.cancel.check()
            # A piece may also name what the pieces before it name.
            known = replace(self.known, before=tuple(self.said[max(0, index - _MOST_BEFORE) : index]))
            ready[index] = [
                self.scorer.prepared(claim, windows, self.weights, known, head=head) for windows, head in tried[index]
            ]
        unsure = [one for group in ready.values() for one in group if one.texts][:MOST_ENCODED]
        self.scorer.encode([text for one in unsure for text in one.texts], self.cancel)
        return {index: [self.scorer.judged(one) for one in group] for index, group in ready.items()}

    def _verdict(self, piece: Piece, cited: Cited, found: Support, other: Support | None) -> _Verdict:
        """What is said of a claim.

        Args:
            found: What the lines say that it cites itself.
            other: One place that bears it out though it is not cited; None where there is none.
        """
        verdict = _Verdict(is_claim=True)
        if found.score >= SUPPORTED:
            self._keep(verdict, cited, found)
            self._tell_absent(cited, found)
            return verdict
        if other is not None:
            verdict.added = list(other.windows)
            if found.windows and found.score >= RELATED and not found.weighed.refuted:
                # Lines that do not say otherwise may well be what the model meant.
                self._keep(verdict, cited, found)
            else:
                self._tell_moved(cited, other)
            return verdict
        if is_advice(piece.text) and self._states_nothing_else(found):
            verdict.is_claim = False
            verdict.label = ADVICE[found.claim.chinese]
            self.advice.append(one_line(piece.text))
        else:
            verdict.is_supported = False
            self._doubt(piece.text, cited, found.missing)
        self._tell_absent(cited, None)
        if found.windows and (found.score >= RELATED or not found.weighed.refuted):
            self._keep(verdict, cited, found)
        elif not found.windows and any(one.chinese != found.claim.chinese for one in self._cited(cited)):
            # Between languages, no word in common says nothing against a mark.
            verdict.by_target = self._unclaimed(piece, cited).by_target
        return verdict

    def _doubt(self, text: str, cited: Cited, lacking: Sequence[str] = ()) -> None:
        own = dict.fromkeys(n for numbers in cited.values() for n in numbers)
        self.doubts.append(Doubt(text=one_line(text), cited=tuple(own), lacking=tuple(lacking)))

    def _states_nothing_else(self, advice: Support) -> bool:
        """A sentence of advice has no number, name or quotation that is nowhere, and nothing refutes it."""
        grounds = [one.whole for one in self.passages.values()]
        grounds += [self.known.question] if self.known.question is not None else []
        hard = [fact for fact in advice.claim.facts if not fact.weak]
        return not advice.weighed.refuted and not missing(hard, grounds)

    def _check_gap(self, gap: str, cited: Cited, verdict: _Verdict) -> None:
        """What is said to be missing is looked for in the passages that are cited for it, else in all."""
        looked_in = self._cited(cited) or list(self.passages.values())
        if is_there(gap, looked_in):
            verdict.is_claim, verdict.is_supported = True, False
            self._doubt(gap, cited)

    def _label_suspect(self, verdict: _Verdict) -> None:
        windows = [*verdict.added, *(window for own in verdict.by_target.values() for window in own)]
        if windows and verdict.is_supported and all(window.passage.n in self.suspect for window in windows):
            verdict.label = ORDERED[windows[0].passage.chinese]

    def _keep(self, verdict: _Verdict, cited: Cited, support: Support) -> None:
        """Each target gets the lines of its source that carry the sentence; one that carries nothing is dropped."""
        for target, numbers in cited.items():
            own = [window for window in support.windows if window.passage.n in numbers]
            if not own and numbers:
                alone = self.scorer.windows(support.claim, [self.passages[n] for n in numbers], self.weights)
                held = self.scorer.score(support.claim, alone[:1], self.weights, self.known)
                if held.score >= SUPPORTED:
                    own = list(held.windows)
                elif verdict.is_supported:
                    self._tell(f"{told(target)} does not support its sentence; {_numbers(support)} does.")
            verdict.by_target[target] = own

    def _unclaimed(self, piece: Piece, cited: Cited) -> _Verdict:
        """A sentence that claims nothing keeps the marks that exist, on the lines nearest to its words."""
        verdict = _Verdict()
        if piece.kind == "heading" or not cited:
            return verdict
        claim = claim_of(piece.text, piece.marked)
        for target, numbers in cited.items():
            chosen = [self.passages[n] for n in numbers]
            weights = self.scorer.weights([claim], chosen)
            windows = self.scorer.windows(claim, chosen, weights)[:1]
            if not windows and chosen and chosen[0].units:
                windows = [Window(passage=chosen[0], first=0, last=0)]
            verdict.by_target[target] = windows
        self._tell_absent(cited, None)
        return verdict

    # Telling ----------------------------------------------------------------------------------------------------------

    def _tell(self, line: str) -> None:
        self.corrections.setdefault(one_line(line))

    def _tell_absent(self, cited: Cited, support: Support | None) -> None:
        for target, numbers in cited.items():
            if not numbers:
                rests = f"; the sentence rests on {_numbers(support)}" if support and support.windows else ""
                self._tell(f"{told(target)} does not exist{rests}.")

    def _tell_moved(self, cited: Cited, best: Support) -> None:
        for target, numbers in cited.items():
            what = "does not support its sentence" if numbers else "does not exist"
            if not numbers or not {window.passage.n for window in best.windows} & set(numbers):
                self._tell(f"{told(target)} {what}; the sentence rests on {_numbers(best)}.")

    # Writing ----------------------------------------------------------------------------------------------------------

    def _filled(self, slot: Slot, verdict: _Verdict) -> str:
        """The marks of a slot: those of its own targets, and in the first free one what was added."""
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


def _passage(source: Source, citations: Citations) -> Passage:
    hit = source.hit
    excerpt = citations.excerpt(hit)
    around = " ".join((hit.title, *hit.heading_path))
    return passage(source.n, excerpt, around, title=hit.title, label=hit.path)


def _claims(piece: Piece) -> bool:
    if piece.kind == "code":
        return len(piece.text.strip()) > 3
    return piece.kind != "heading" and is_claim(piece.text) and not is_lead_in(piece.text)


def _numbers(support: Support) -> str:
    return "".join(f"[{n}]" for n in dict.fromkeys(window.passage.n for window in support.windows))

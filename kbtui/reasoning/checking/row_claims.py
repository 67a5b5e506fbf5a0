"""Whether rows bear a sentence out: it is read once into claims, and each is borne out, refuted or unread.

A claim is a figure (a cell, or worked out of cells), an order, a share, a trend, or how many rows pass a bound. It may
speak of several rows, of all, and of several results; what one result bears out, another need not. What it claims
and no result says anything of is unread, and doubtful; wording that claims nothing is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import permutations
from typing import Final

from kbtui.reasoning.checking.draft import Piece
from kbtui.reasoning.checking.facts import Ground, ground, holds
from kbtui.reasoning.checking.numerals import MONTH, normal
from kbtui.reasoning.checking.passages import Passage, Window
from kbtui.reasoning.checking.row_bounds import passes
from kbtui.reasoning.checking.row_figures import ReadRows, is_count, is_mean_of_all, is_worked_out, says_how
from kbtui.reasoning.checking.row_filters import stated_places
from kbtui.reasoning.checking.row_joins import joined
from kbtui.reasoning.checking.row_order import claims_of_order
from kbtui.reasoning.checking.row_places import misplaced, unpaired
from kbtui.reasoning.checking.row_sentences import Figure, Sentence
from kbtui.reasoning.checking.row_shares import shares, shares_across
from kbtui.reasoning.checking.rows import HEAD, RE, Period, Rows
from kbtui.reasoning.checking.standing import Claim, KnownTexts
from kbtui.reasoning.checking.statements import COMPARED, statement
from kbtui.reasoning.checking.support import RELATED, SUPPORTED, Support, claim_of
from kbtui.reasoning.checking.weighing import Evidence
from kbtui.text.language import has_cjk
from kbtui.text.stop_words import ENGLISH
from kbtui.text.tokenise import stem, words

_UNKNOWN: Final = (0.7, 0.3)
"""Share of its words that nothing else has: of a sentence with claims that are borne out, and of one without."""

_UNKNOWN_HAN: Final = 0.5
_FEW: Final = 2
_MAX_READ_WITH: Final = 2
"""Most claims before a sentence that it is read with."""
_DAY: Final = re.compile(r"\d{4}-\d\d-\d\d")
"""Of the numbers of a statement, those of its days say nothing."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What rows say of a sentence.

    Attributes:
        refuted: Claims that the rows contradict, in its words.
        unread: Claims, names and words that they say nothing of.
        is_related: They have something that the sentence names.
    """

    refuted: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    is_related: bool = True

    @property
    def holds(self) -> bool:
        return not (self.refuted or self.unread)


def support_by_rows(
    claim: Claim,
    cited: Sequence[int],
    rows: Mapping[int, Rows],
    passages: Mapping[int, Passage],
    known: KnownTexts,
    before: Sequence[Claim] = (),
) -> tuple[Support, Support | None] | None:
    """Support from the results that a claim cites, and from one result that it does not cite, if one supports it.

    Args:
        claim: The claim.
        cited: Numbers of the sources it cites, without repetition.
        rows: Results by the number of their source.
        passages: All sources, results included, by number.
        known: Further texts whose names the claim may repeat.
        before: The claims before it in its paragraph: “That is twice as much” is read with them.

    Returns:
        None if the claim rests, or may rest, on lines.
    """
    beside = [passages[n] for n in cited if n not in rows]
    if not rows or (cited and len(beside) == len(cited)):
        return None

    def support(numbers: Sequence[int], *, is_cited: bool) -> Support:
        results, others = [rows[n] for n in numbers], [one.whole for one in beside]
        verdict = judge(claim, results, known, others, is_cited=is_cited)
        if before and not verdict.holds and RE.refers.match(claim.text):
            whole = judge(_joined([*before, claim]), results, known, others, is_cited=is_cited)
            verdict = whole if whole.holds else verdict
        sources = [*(passages[n] for n in numbers), *beside]
        lacking = (*verdict.refuted, *verdict.unread)
        # A sentence that rows refute keeps its mark, so that the reader can see the rows.
        return Support(
            claim=claim,
            windows=tuple(Window(passage=source, first=0, last=0) for source in sources if source.units),
            values={},
            missing=lacking,
            evidence=Evidence(is_refuted=bool(verdict.refuted)),
            score=(RELATED if verdict.is_related else 0.0) if lacking else 1.0,
        )

    own = support([n for n in cited if n in rows], is_cited=True) if cited else None
    if own is not None and own.score >= SUPPORTED:
        return own, None
    candidates = (support([n], is_cited=False) for n in rows if n not in cited)
    other = next((candidate for candidate in candidates if candidate.score >= SUPPORTED), None)
    if other is None and (own is None or beside):
        return None
    return own or Support(claim=claim, windows=(), values={}, missing=()), other


def claims_before(index: int, claims: Mapping[int, Claim], pieces: Sequence[Piece]) -> list[Claim]:
    """The claims just before a sentence, in its paragraph."""
    near = range(max(0, index - _MAX_READ_WITH), index)
    return [claims[at] for at in near if at in claims and pieces[at].block == pieces[index].block]


def _joined(claims: Sequence[Claim]) -> Claim:
    return claim_of(" ".join(claim.text for claim in claims), " ".join(claim.marked for claim in claims))


def judge(
    claim: Claim, results: Sequence[Rows], known: KnownTexts, beside: Sequence[Ground] = (), *, is_cited: bool = True
) -> Verdict:
    """Compare a sentence with rows.

    Args:
        claim: The sentence.
        results: Results that it may rest on, of several statements.
        known: The question, whose words are known, and values of the data: one that no statement has is a filter that
            was not set.
        beside: Passages that it cites besides; their numbers are known too.
        is_cited: The sentence cites them; else they have to say all of it.
    """
    sentence = Sentence(normal(claim.marked))
    asked = known.question.plain if known.question is not None else ""
    read = [ReadRows(sentence, rows, asked) for rows in (*results, *joined(results))]
    questions = [known.question] if known.question is not None else []
    asked_for = [*(ground(_DAY.sub(" ", rows.behind)) for rows in results), *questions, *beside]
    grounds = [*(rows.ground for rows in results), *beside, *questions]
    verdicts = _Verdicts()
    named = {place for one in read for label in one.labels for place in range(label.start, label.end)}
    _add_figures(sentence, read, asked_for, named, verdicts)
    _add_order(read, verdicts)
    named |= stated_places(sentence, results)
    for start, end, period in sentence.periods:
        if start not in named and not _has_period(period, grounds, asked_for):
            verdicts.add(sentence.text[start:end], None)
    for one in read:
        verdicts.refuted.update(dict.fromkeys(unpaired(sentence.text, one)))
    verdicts.unread.update(dict.fromkeys(_other_poles(sentence.text, results)))
    if not (verdicts.refuted or verdicts.unread):
        # “大学城店 grew by 24.6%” is an English sentence.
        claim = replace(
            claim, chinese=has_cjk("".join(" " if at in named else c for at, c in enumerate(sentence.text)))
        )
        is_abroad = claim.chinese != any(rows.is_chinese for rows in results)
        named |= {place for figure in sentence.figures for place in range(figure.start, figure.end)}
        words = _Words(claim, named, grounds, known.values, is_abroad=is_abroad, is_cited=is_cited)
        verdicts.unread.update(dict.fromkeys(words.unknown(is_answered=verdicts.is_answered)))
        if not is_cited and not verdicts.has_figure and not verdicts.unread:
            # Words, an order or a bound agree with a result by chance: “Sold On” says of no store that it was sold.
            verdicts.unread[claim.text] = None
    verdicts.unread.update({rows.warning: None for rows in results if rows.warning})
    return Verdict(tuple(verdicts.refuted), tuple(verdicts.unread), any(one.labels or one.cells for one in read))


def _other_poles(text: str, results: Sequence[Rows]) -> Iterator[str]:
    """The words whose opposite is what all results that know of them count: closed ones beside “open bugs”."""
    said = statement(text).signs
    for name in sorted(name for name in said if name.startswith("~") and name not in COMPARED):
        counted = [signs[name] for rows in results if name in (signs := statement(rows.heads).signs)]
        if counted and all(said[name].isdisjoint(signs) for signs in counted):
            yield name.lstrip("~")


class _Verdicts:
    """Verdicts on the claims of a sentence, in its words.

    Attributes:
        is_answered: A claim with a figure or an order is borne out.
        has_figure: A figure is, that is no bound.
    """

    def __init__(self) -> None:
        self.refuted: dict[str, None] = {}
        self.unread: dict[str, None] = {}
        self.is_answered = False
        self.has_figure = False

    def add(self, text: str, holds: bool | None) -> None:
        if holds:
            self.is_answered = True
        else:
            (self.unread if holds is None else self.refuted).setdefault(text)


def _add_figures(
    sentence: Sentence, read: Sequence[ReadRows], asked_for: Sequence[Ground], named: Set[int], verdicts: _Verdicts
) -> None:
    worked_out: dict[int, bool | None] = {}
    for figure in sentence.figures:
        if figure.kind == "rank" or figure.start in named:
            continue
        worked_out[figure.start] = _merged(_worked_out(figure, one, read) for one in read)
    bounds = {figure.start: passed for one in read for figure in one.figures if (passed := passes(figure, one))}
    # What stands in a cell is one, unless the words beside it say how it was worked out.
    sure = {
        figure.start
        for figure in sentence.figures
        if worked_out.get(figure.start)
        if not any(figure.start in one.cells for one in read) or figure.kind != "amount" or says_how(figure, sentence)
    }
    wrong = misplaced(read, sure)
    for figure in sentence.figures:
        if figure.start not in worked_out:
            continue
        if _is_total_of_few(figure, sentence, read, names_row=RE.refers.match(sentence.text) is not None):
            holds: bool | None = None
        elif figure.start in bounds:
            holds = bounds[figure.start].holds
        elif figure.start in sure:
            holds = True
        elif any(figure.start in one.cells for one in read):
            holds = figure.start not in wrong
        else:
            holds = _is_counting(figure, read, bounds) or worked_out[figure.start]
        if not holds and _is_known(figure, asked_for):
            continue
        verdicts.add(figure.text, holds)
        verdicts.has_figure |= bool(holds) and figure.start not in bounds


def _is_total_of_few(figure: Figure, sentence: Sentence, read: Sequence[ReadRows], *, names_row: bool) -> bool:
    """Whether a cell is said to be the total, in words or by naming no row, though rows may be missing.

    Args:
        names_row: The sentence goes on about what was named before it.
    """
    if figure.kind != "amount":
        return False
    says_total = RE.in_all.search(sentence.text, *sentence.segment_at(figure.start)) is not None
    own = [one for one in read if figure.start in one.cells]
    return bool(own) and all(
        one.rows.is_limited and len(one.rows.columns) > 1 and (says_total or not (names_row or _names_row(one)))
        for one in own
    )


def _names_row(one: ReadRows) -> bool:
    """Whether a sentence, or its question, names a row, or the rows have no names."""
    is_named = any(cell.text and cell.value is None for row in one.rows.rows for cell in row)
    extremes = (RE.most, RE.least, RE.extreme, RE.other_extreme)
    return not is_named or bool(one.names) or any(pattern.search(one.sentence.text) for pattern in extremes)


def _is_counting(figure: Figure, read: Sequence[ReadRows], bounds: Mapping[int, object]) -> bool:
    # What counts rows that pass a bound is right if the bound is.
    return any(is_count(figure, one) for one in read) or (
        bool(bounds) and figure.kind == "amount" and figure.value <= _MOST_PASSING
    )


_MOST_PASSING: Final = 20


def _worked_out(figure: Figure, one: ReadRows, read: Sequence[ReadRows]) -> bool | None:
    if figure.kind not in ("share", "times") or is_mean_of_all(figure, one):
        return is_worked_out(figure, one)
    values = list(shares(figure, one))
    holds = any(map(figure.fits, values)) if values else None
    if holds or figure.kind != "share" or len(read) < _FEW:
        return holds
    across = [value for first, second in permutations(read, 2) for value in shares_across(first, second)]
    return any(map(figure.fits, across)) or holds


def _merged(verdicts: Iterable[bool | None]) -> bool | None:
    """True if any is; else False if any is."""
    known = [verdict for verdict in verdicts if verdict is not None]
    return any(known) if known else None


def _add_order(read: Sequence[ReadRows], verdicts: _Verdicts) -> None:
    by_place: dict[tuple[int, str], list[tuple[ReadRows, bool | None]]] = {}
    for one in read:
        for finding in claims_of_order(one):
            by_place.setdefault((finding.start, finding.text), []).append((one, finding.holds))
    for (start, text), findings in by_place.items():
        # A segment that names columns of a result is about that result.
        about = [holds for one, holds in findings if holds is not None and _names_column(one, start)]
        verdicts.add(text, all(about) if about else _merged(holds for _, holds in findings))


def _names_column(one: ReadRows, place: int) -> bool:
    start, end = one.sentence.segment_at(place)
    return any(
        label.column == HEAD and start <= label.start < end and label.rows & set(one.rows.amounts)
        for label in one.labels
    )


# Words ----------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Words:
    """The words of a sentence beside its names.

    Attributes:
        claim: The sentence.
        named: Offsets of its normalised text that are part of a name of a row.
        grounds: What is known.
        values: Stems of values of the data: one that nothing has is a filter that was not set.
        is_abroad: The rows are in another language.
        is_cited: The sentence cites the rows.
    """

    claim: Claim
    named: Set[int]
    grounds: Sequence[Ground]
    values: frozenset[str]
    is_abroad: bool
    is_cited: bool

    def unknown(self, *, is_answered: bool) -> list[str]:
        """The words that nothing has, as written, where they are too many, or are names, filters or causes."""
        names = [
            fact.text
            for fact in self.claim.facts
            if fact.kind != "number" and not fact.weak and not any(holds(one, fact) for one in self.grounds)
            if not all(place in self.named for place in range(fact.start, fact.start + len(fact.text.rstrip("."))))
            if fact.kind != "identifier" or not has_cjk(fact.text)
        ]
        if names and not (self.is_abroad and is_answered):
            return names
        if self.claim.chinese and (strange := self._latin_words()):
            return strange
        text = normal(self.claim.marked)
        own = list(dict.fromkeys(self._own_words("".join(" " if at in self.named else c for at, c in enumerate(text)))))
        known = frozenset().union(*(one.words for one in self.grounds))
        new = [word for word in own if stem(word.lower()) not in known and word.lower() not in known]
        new = [word for word in new if not RE.idle.search(stem(word.lower()))]
        if RE.cause.search(text) and new:
            return new
        if filters := [word for word in new if stem(word.lower()) in self.values]:
            return filters
        share = len(new) / len(own) if own else 0.0
        if self.is_cited and (is_answered or (self.is_abroad and self.named)):
            is_foreign = self.is_abroad or self.claim.chinese
            return new if share > _UNKNOWN[0] and len(new) > _FEW and not is_foreign else []
        most = _UNKNOWN_HAN if self.claim.chinese else _UNKNOWN[1]
        return new or [self.claim.text] if share > most or (not own and not self.named) else []

    def _latin_words(self) -> list[str]:
        """The words in Latin script of a Chinese sentence, which name something, that nothing has."""
        text = normal(self.claim.marked)
        found = [match for match in re.finditer(r"[A-Za-z]{3,}", text) if match.start() not in self.named]
        return [match[0] for match in found if not any(match[0].lower() in one.folded for one in self.grounds)]

    def _own_words(self, text: str) -> Iterator[str]:
        for word in words(text):
            if self.claim.chinese:
                yield from (character for character in word if has_cjk(character))
            elif word.isalpha() and len(word) > _FEW and word.lower() not in ENGLISH:
                yield word


def _is_known(figure: Figure, grounds: Sequence[Ground]) -> bool:
    """A number of the question or of the statement, such as a limit or a year."""
    value = f"{figure.value:.12g}"
    return figure.kind == "amount" and "." not in value and any(value in one.numbers for one in grounds)


def _has_period(period: Period, grounds: Sequence[Ground], asked_for: Sequence[Ground]) -> bool:
    """A year that is known at all, a month that is asked for: a month of a first or last day says nothing."""
    year, months, _ = period
    has_year = not year or any(str(year) in one.numbers for one in grounds)
    month = f"{MONTH} {next(iter(months))}" if months and len(months) == 1 else ""
    return has_year and (not month or any(month in one.numbers for one in asked_for))

"""Mentions of values and states: matches the words of spans with the values of columns and the states of tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import product
from typing import Any, Final

from msgspec import Struct, field
from msgspec.structs import replace

from kbtui.nl2sql.boolean_words import truth_of
from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo
from kbtui.nl2sql.glosses import glosses_of
from kbtui.nl2sql.lattice import Mention
from kbtui.nl2sql.lexicon import lexicon, senses_of, states_of
from kbtui.nl2sql.query import Col, Cond, Ref, equals, opposite_of
from kbtui.nl2sql.spans import Form, Forms, Span, without_negation
from kbtui.nl2sql.value_index import Hit, ValueIndex, gloss_key, units_of
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import root

_MAX_ANSWERS: Final = 5
_NEGATIONS: Final = frozenset(("non", "un", "非", "不", "没", "未", "无"))
_NOT: Final = frozenset(
    (
        *("not", "isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt", "didnt", "dont", "doesnt", "cant"),
        *("never", "no", "without", "non", "cannot"),
    )
)
_NEUTRAL_WORDS: Final = frozenset(("yet", "been", "be", "longer", "still"))
"""Words next to a negation that negate nothing themselves."""
_ADJECTIVES: Final = frozenset(("open", "complet", "clear", "live", "free"))
"""Roots of states whose words are verbs too: “who opens tickets” is not about open tickets."""
_DENIALS: Final = ("未", "不", "待", "没", "尚未")
"""How values deny what comes after."""
_DENIED: Final = 0.95
_STATE: Final = 0.9
_NAMED_STATE: Final = 0.8
_VALUE_STATE: Final = 0.82
_OTHER_STATE: Final = 0.62
_NUMBER: Final = 0.72
_ONE_CHARACTER: Final = 0.8
_MAX_CORRECTED: Final = 4
_MAX_COMPOUND: Final = 5


class StateIndex(Struct):
    """States by concept: column, condition, whether it means the state or its opposite, and score."""

    by_concept: dict[str, list[tuple[Ref, Cond, bool, float]]] = field(default_factory=lambda: defaultdict(list))

    def find(self, concept: str, *, holds: bool) -> Iterator[tuple[Ref, Cond, float]]:
        """Conditions for rows that are in a state, or are not in it, with column and score.

        A column that has values for the state itself is not read by its opposite: lost deals are not all but those won.
        """
        states = self.by_concept.get(concept, ())
        own = {ref for ref, cond, means_state, _ in states if means_state == holds and cond.op in ("=", "in")}
        for ref, cond, means_state, score in states:
            oriented = cond if means_state == holds else None if ref in own else opposite_of(cond)
            if oriented is not None:
                yield ref, oriented, score


def state_index(catalogue: Catalogue, values: ValueIndex) -> StateIndex:
    """The states of the tables in the catalogue, and those that values of columns name."""
    index = StateIndex()
    for table in catalogue.tables.values():
        own = {(s.concept, s.cond.left.ref) for s in table.states if isinstance(s.cond.left, Col) and s.holds}
        for state in table.states:
            ref = state.cond.left.ref if isinstance(state.cond.left, Col) else Ref(table.name, "*")
            meanings = dict.fromkeys((*states_of((state.concept,)), (state.concept, True)))
            for concept, means_state in meanings:
                # Where something is called open, what is pending is only pending.
                if concept == state.concept or not means_state or (concept, ref) not in own:
                    index.by_concept[concept].append((ref, state.cond, means_state == state.holds, _STATE))
        for column in table.columns:
            _add_name_state(index, column)
    for concept, literals_by_ref in values.states.items():
        for ref, literals in literals_by_ref.items():
            if any(other == ref for other, *_ in index.by_concept[concept]):
                continue
            for holds, state_values in literals.items():
                index.by_concept[concept].append((ref, equals(ref, state_values), holds, _VALUE_STATE))
            if len(literals) == 1:
                holds, state_values = next(iter(literals.items()))
                other = opposite_of(equals(ref, state_values))
                if other is not None:
                    index.by_concept[concept].append((ref, other, not holds, _OTHER_STATE))
    return index


def _add_name_state(index: StateIndex, column: ColumnInfo) -> None:
    """Add the state that the name of a flag means, or of a date, person or mark that some rows lack."""
    cond: Cond | None = None
    if column.kind == "flag" and (truths := _true_values(column)):
        cond = equals(column.ref, truths)
    elif column.kind in ("date", "name", "category", "reference", "code") and column.nulls > 0:
        cond = Cond(Col(column.ref), "not null")
    named = [*states_of(column.words), *([("assigned", True)] if "assignee" in column.words else ())]
    for concept, means_state in named if cond is not None else ():
        if not any(ref == column.ref for ref, *_ in index.by_concept[concept]):
            assert cond is not None
            index.by_concept[concept].append((column.ref, cond, means_state, _NAMED_STATE))


def value_mentions(span: Span, index: ValueIndex, forms: Forms, *, content: Sequence[bool]) -> Iterator[Mention]:
    """Mentions of values by spelling and by meaning.

    Args:
        content: For each word of the span whether it is a content word.
    """
    is_verb = len(span.words) == 1 and _is_inflected_verb(span.words[0])
    for hit in _hits(span, index, forms, content=content):
        if is_verb and hit.how == "stem":
            continue
        score = hit.score
        if span.units and all(unit[0].isdigit() for unit in span.units):
            score *= _NUMBER
        elif len(span.chinese) == 1:
            score *= _ONE_CHARACTER
        elif not any(content):
            score *= 0.6
        yield Mention(span=span.at, kind="value", score=score, how=hit.how, ref=hit.ref, values=hit.values)


def part_of_value(mentions: Sequence[Mention]) -> Callable[[Mention], bool]:
    """A test for words that are part of a longer value of their column: ``closed`` in the stage ``Closed Won``."""
    whole = [(m.span, m.ref) for m in mentions if m.how == "exact" and m.span.last - m.span.first > 1]

    def is_part(mention: Mention) -> bool:
        span, ref = mention.span, mention.ref
        return any(ref == other and span != longer and span.within(longer) for longer, other in whole)

    return is_part


def _hits(span: Span, index: ValueIndex, forms: Forms, *, content: Sequence[bool]) -> Iterator[Hit]:
    spelt = list(index.find(span.units))
    yield from spelt
    if len(span.chinese) > 1 and not spelt:
        yield from index.misspelt(span.chinese)
        yield from _negative_hits(span.chinese, index)
    if any(content) and not span.chinese and len(span.units) == len(span.words) <= _MAX_CORRECTED:
        for units, score in _corrected(span, forms, content):
            for hit in index.find(units):
                if hit.how in ("exact", "stem", "part"):
                    yield Hit(hit.ref, hit.values, hit.score * score, "typo")
    words = [span.chinese] if span.chinese else span.words
    senses = senses_of(words)
    if any(content):
        for sense in senses:
            if sense.holds is None and not sense.degree and sense.in_names:
                yield from index.by_concept(sense.concept, chinese=bool(span.chinese))
    if len(span.chinese) > 1:
        gloss_hits = [hit for gloss in glosses_of(span.chinese) for hit in index.by_gloss(gloss, chinese=True)]
        yield from gloss_hits
        if not gloss_hits and len(span.chinese) <= _MAX_COMPOUND:
            yield from index.by_partial_gloss(span.chinese)
        yield from index.pronounced_like(span.chinese)
    elif span.english and any(content) and len(words) <= 3:
        yield from index.by_gloss(gloss_key(words), chinese=False)
        yield from index.by_pronunciation(words)
        if content[-1]:  # The last word of “sold in” is no initial.
            yield from index.by_code(words, senses)


def _negative_hits(chinese: str, index: ValueIndex) -> Iterator[Hit]:
    """Values that deny what the words deny: 未结算 for 还没结算, 待付款 for 没付款."""
    denied = without_negation(chinese)
    for prefix in _DENIALS if len(denied) > 1 else ():
        for hit in index.find((*prefix, *denied)):
            if hit.how == "exact":
                yield hit._replace(how="stem", score=_DENIED)


def _corrected(span: Span, forms: Forms, content: Sequence[bool]) -> Iterator[tuple[tuple[str, ...], float]]:
    """The span with corrected words, and their lowest score."""
    choices = [
        [form for form in forms.of(word, content=of_content) if form.how != "negated"]
        for word, of_content in zip(span.words, content, strict=True)
    ]
    if all(len(choice) == 1 for choice in choices):
        return
    for combination in product(*(choice[:2] for choice in choices)):
        corrections: list[Form] = [form for form in combination if form.how != "exact"]
        if corrections:
            yield tuple(form.word for form in combination), min(form.score for form in corrections)


def state_mentions(span: Span, index: StateIndex) -> Iterator[Mention]:
    """Mentions of states by words of the lexicon, or by the name of a state in the catalogue."""
    words = [span.chinese] if span.chinese else list(span.words)
    meanings = _meanings(words)
    if not meanings:
        unnegated = _meanings(_without_negation(words))
        # “Never” negates events, not earlier states: what was never lent out is not what was returned.
        is_never = words[0] == "never"
        meanings = {(concept, not holds): w for (concept, holds), w in unnegated.items() if holds or not is_never}
    best: dict[Cond, Mention] = {}
    for (concept, holds), weight in sorted(meanings.items()):
        for ref, cond, fit in index.find(concept, holds=holds):
            score = fit * weight
            mention = Mention(span=span.at, kind="state", score=score, how="concept", ref=ref, cond=cond)
            if cond not in best or best[cond].score < score:
                best[cond] = mention
    yield from best.values()


def _meanings(words: Sequence[str]) -> dict[tuple[str, bool], float]:
    """States by concept and by whether the words mean it or its opposite, with the weight of the words."""
    if len(words) == 1 and _is_inflected_verb(words[0]) and words[0] not in lexicon().english:
        return {}
    by_name = {(words[0], True): 1.0} if len(words) == 1 else {}
    return {(s.concept, s.holds): s.weight for s in senses_of(words) if s.holds is not None} | by_name


def _is_inflected_verb(word: str) -> bool:
    """Whether a word is an inflected verb of a state: ``opened`` for ``open``."""
    return root(word) in _ADJECTIVES and word not in _ADJECTIVES and not word.endswith("e")


def _without_negation(words: Sequence[str]) -> list[str]:
    """The words without their negation: ``signed`` for ``unsigned`` and ``not yet signed``; empty if not negated."""
    if len(words) == 1:
        positive = without_negation(words[0])
        return [positive] if positive else []
    remaining = list(words)
    while remaining and (remaining[0] in _NOT or remaining[0] in _NEUTRAL_WORDS):
        remaining.pop(0)
    is_negated = any(word in _NOT for word in words[: len(words) - len(remaining)])
    return remaining if remaining and is_negated else []


def flag_mentions(question: Question, mentions: Sequence[Mention], catalogue: Catalogue) -> Iterator[Mention]:
    """States of flags for mentions of their names: ``overtime`` becomes the condition that it is true."""
    for mention in mentions:
        column = catalogue.column(mention.ref) if mention.ref is not None else None
        if mention.kind != "column" or column is None or mention.score < 0.6:
            continue
        no_values = negative_values(column)
        if (column.kind != "flag" and not no_values) or not (truths := _true_values(column)):
            continue
        cond = equals(column.ref, truths)
        state = replace(mention, kind="state", cond=cond, score=mention.score * 0.98)
        span, negated = mention.span, equals(column.ref, no_values) if no_values else opposite_of(cond)
        if mention.how == "negated":
            if negated is not None:
                yield replace(state, cond=negated)
            continue
        yield state
        before = question.tokens[span.first - 1].norm if span.first else ""
        if before == "-" and span.first > 1:
            span, before = TokenSpan(span.first - 1, span.last), question.tokens[span.first - 2].norm
        if before in _NEGATIONS and negated is not None:
            yield replace(state, span=TokenSpan(span.first - 1, span.last), cond=negated)


def _true_values(column: ColumnInfo) -> list[Any]:
    return [value for value, _ in column.values if truth_of(value)]


def negative_values(column: ColumnInfo) -> list[Any]:
    """The values that mean no in a column with further answers: 否 among 是, 否 and 不确定; else empty."""
    if len(column.values) <= 2 or len(column.values) > _MAX_ANSWERS:
        return []
    if column.kind in ("measure", "rate") or all(str(value).strip().isdigit() for value, _ in column.values):
        return []  # Floor 1 of 0 to 3 is no answer.
    return [value for value, _ in column.values if truth_of(value) is False]


def quoted_mentions(question: Question, index: ValueIndex, catalogue: Catalogue) -> Iterator[Mention]:
    """Mentions of quoted text: an exact value, else a literal for every text column."""

    for quoted in question.quoted:
        hits = [hit for hit in index.find(units_of(quoted.text)) if hit.how in ("exact", "stem")]
        for hit in hits:
            exact = tuple(value for value in hit.values if str(value) == quoted.text) or hit.values
            yield Mention(span=quoted.span, kind="value", score=1.0, how="quoted", ref=hit.ref, values=exact)
        if hits:
            continue
        for table in catalogue.tables.values():
            for column in table.columns:
                if column.kind in ("name", "category", "code", "text") and not column.encoding:
                    naming = 0.1 * (column.ref in table.naming)
                    yield Mention(
                        span=quoted.span, kind="value", score=0.55 + naming, how="quoted", ref=column.ref,
                        values=(quoted.text,),
                    )  # fmt: skip


def key_mentions(question: Question, mentions: Sequence[Mention], catalogue: Catalogue) -> Iterator[Mention]:
    """Mentions of keys, from a number next to the name of a table: order 1034, invoice #12, 订单 1034."""
    for number in question.numbers:
        if number.value.denominator != 1 or number.unit or number.kind != "cardinal":
            continue
        before = number.span.first
        while before and question.tokens[before - 1].norm in ("#", "no", "number", "nr", ".", "id", "号"):
            before -= 1
        for mention in mentions:
            if mention.ref is None or mention.span.last != before or mention.score < 0.7:
                continue
            table = catalogue.tables[mention.ref.table]
            column = catalogue.column(mention.ref) if mention.kind == "column" else None
            is_key = column is not None and column.kind in ("key", "reference", "code")
            key = mention.ref if is_key else table.key if mention.kind == "table" else None
            info = catalogue.column(key) if key is not None else None
            literal = _key_literal(question.tokens[number.span.first].text, info) if info is not None else None
            if info is not None and literal is not None:
                yield Mention(
                    span=TokenSpan(mention.span.first, number.span.last), kind="value", score=0.9 * mention.score,
                    how=mention.how, ref=info.ref, values=(literal,),
                )  # fmt: skip


def _key_literal(digits: str, column: ColumnInfo) -> int | str | None:
    """A literal of a key column for digits; None if its keys are no numbers."""
    samples = [value for value, _ in column.values[:5]]
    if not digits.isdigit() or not samples:
        return int(digits) if digits.isdigit() and isinstance(column.low, int | float) else None
    if all(isinstance(value, int) for value in samples):
        return int(digits)
    return digits if all(isinstance(value, str) and value.isdigit() for value in samples) else None

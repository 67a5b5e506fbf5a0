"""Mentions of columns and tables: the words of a span against the words, concepts and glosses of names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo
from kbtui.nl2sql.glosses import glosses_of
from kbtui.nl2sql.lattice import How, Mention
from kbtui.nl2sql.lexicon import Sense, is_kind, lexicon, senses_of
from kbtui.nl2sql.name_index import APART, Entry, NameIndex, Posting
from kbtui.nl2sql.query import Years
from kbtui.nl2sql.spans import Form, Forms, Span
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import lemma, root

MOST_GAP: Final = 2
"""Tokens at most, none of them of content, between two words of one name: the name of the customer."""

_LEAST: Final = 0.4
_STEM: Final = 0.96
_DERIVED: Final = 0.7
"""Of words for other things than the name: an interviewer is no interview, a rate no rating."""
_AGENTS: Final = ("er", "or", "ee")
_UNFIT: Final = 0.8
_ONE_CHARACTER: Final = 0.9
"""Of a Chinese word of one character, which is part of many others."""
_GLOSS: Final = 0.7
_HALF_GLOSS: Final = 0.5
"""Of one word of a gloss of two."""
_APART: Final = frozenset("各每哪按分")
_LOOKED_AT: Final = 12
"""Values that tell whether a column holds words."""
_FIGURES: Final = frozenset(("measure", "rate", "money", "generic"))
_WORDS: Final = frozenset(("name", "text", "flag", "reference", "key"))
_WEAKEST_LAST: Final[tuple[How, ...]] = (
    *("exact", "stem", "part", "abbreviation", "prefix", "typo", "concept", "gloss", "quoted", "read"),
)


class Link(Struct, frozen=True):
    """Words of a span that stand for units of a name."""

    span: TokenSpan
    posting: Posting
    score: float
    how: How
    order: Literal["", "asc", "desc"] = ""
    comparative: bool = False

    @property
    def mask(self) -> int:
        return self.posting.mask


def name_links(span: Span, index: NameIndex, forms: Forms, tables: Collection[str], *, content: bool) -> Iterator[Link]:
    """Links of one span to names.

    Args:
        tables: Those that the question mentions: their columns come first where a word is in many names.
        content: Whether the span has content at all; other words stand for names only as part of phrases.
    """
    if span.chinese:
        yield from _chinese_links(span, index, tables)
    elif span.english:
        yield from _english_links(span, index, forms, tables, content=content)
    yield from _concept_links(span, index, forms, tables, content=content)


def apart_links(question: Question, index: NameIndex, tables: Collection[str]) -> Iterator[Link]:
    """Links of the one character that says in Chinese what rows are kept apart by: 各栋, 哪个班, 按区."""
    tokens = question.tokens
    for at in range(1, len(tokens)):
        before = at - 2 if tokens[at - 1].norm == "个" and at > 1 else at - 1
        if tokens[at].kind == "han" and tokens[before].norm in _APART:
            for posting in index.stems(APART + tokens[at].norm, tables):
                yield Link(TokenSpan(at, at + 1), posting, posting.score, posting.how)


def _together(words: Sequence[str], index: NameIndex, tables: Collection[str]) -> Iterator[Posting]:
    """Names that have all of these words."""
    found = [list(index.stems(root(word), tables)) for word in words]
    for posting in found[0]:
        mask = posting.mask
        for others in found[1:]:
            mask |= next((other.mask for other in others if other.entry is posting.entry), 0)
        if posting.how == "exact" and mask.bit_count() >= len(words):
            yield Posting(posting.entry, mask, posting.entry.share(mask))


def _english_links(
    span: Span, index: NameIndex, forms: Forms, tables: Collection[str], *, content: bool
) -> Iterator[Link]:
    if len(span.words) > 1:
        keys = ["".join(span.words)] * (len(span.words) == 2) + [" ".join(map(root, span.words))] * (
            len(span.words) < 4
        )
        for key in keys:
            for posting in index.stems(root(key) if " " not in key else key, tables):
                yield Link(span.at, posting, posting.score, posting.how)
        return
    if not content:
        return
    for form in forms.of(span.words[0], content=content):
        if " " in form.word:
            for posting in _together(form.word.split(), index, tables):
                yield Link(span.at, posting, form.score, form.how)
            continue
        for posting in index.stems(root(form.word), tables):
            yield _stem_link(span, index, form, posting)


def _stem_link(span: Span, index: NameIndex, form: Form, posting: Posting) -> Link:
    if posting.how != "exact":
        return Link(span.at, posting, posting.score * form.score, posting.how)
    if form.how != "exact":
        return Link(span.at, posting, form.score, form.how)
    if lemma(form.word) in index.words:
        return Link(span.at, posting, 1.0, "exact")
    word = lemma(form.word)
    other = word.endswith(_AGENTS) or any(each in index.words for each in (f"{word}ing", f"{word[:-1]}ing"))
    return Link(span.at, posting, _DERIVED if other else _STEM, "stem")


def _chinese_links(span: Span, index: NameIndex, tables: Collection[str]) -> Iterator[Link]:
    for posting in index.stems(span.chinese, tables):
        yield Link(span.at, posting, posting.score, posting.how)
    if not 2 <= len(span.chinese) <= 4:
        return
    for gloss in glosses_of(span.chinese):
        parts = gloss.split()
        whole = list(_together(parts, index, tables))
        for posting in whole:
            yield Link(span.at, posting, _GLOSS, "gloss")
        if not whole and len(parts) == 2:
            # 舱位 is a cabin seat, and may be the cabin or the seat.
            for posting in (posting for part in parts for posting in index.stems(part, tables)):
                if posting.how == "exact":
                    yield Link(span.at, posting, _HALF_GLOSS, "gloss")


def _concept_links(
    span: Span, index: NameIndex, forms: Forms, tables: Collection[str], *, content: bool
) -> Iterator[Link]:
    for sense in senses_of([span.chinese] if span.chinese else span.words):
        if sense.holds is None and (content or len(span.words) > 2):
            if len(span.chinese) == 1:
                sense = sense._replace(weight=_ONE_CHARACTER * sense.weight)
            yield from concept_links(span.at, sense, index, tables)
    if content and span.english and len(span.words) == 1:
        for form in forms.of(span.words[0], content=content)[1:]:
            for sense in senses_of(form.word.split()):
                if sense.holds is None:
                    for link in concept_links(span.at, sense, index, tables):
                        yield replace(link, score=link.score * form.score, how=form.how)


def concept_links(at: TokenSpan, sense: Sense, index: NameIndex, tables: Collection[str]) -> Iterator[Link]:
    """Links of a concept to names of it and of its neighbours."""
    kinds = lexicon().kinds.get(sense.concept, frozenset())
    is_thing = bool(kinds & {"thing", "person", "place"})
    for posting, neighbour in index.concepts(sense.concept, tables):
        column = posting.entry.column
        if column is None and not is_thing and not (posting.entry.lookup and "category" in kinds):
            continue
        score = neighbour.score * sense.weight
        if column is not None and sense.degree and isinstance(column.formula, Years):
            continue  # The oldest was born first: rows are sorted by what they have.
        if column is not None and _is_other_measure(column, sense.concept, kinds):
            continue
        if column is not None and not _fits(column.kind, kinds, adjective=bool(sense.degree)):
            if kinds <= _FIGURES and column.kind in _WORDS:
                continue
            score *= _UNFIT
        order = _order(sense, reverse=neighbour.reverse)
        yield Link(at, posting, score, "concept", order, sense.degree == "comparative")


def _is_other_measure(column: ColumnInfo, concept: str, kinds: frozenset[str]) -> bool:
    """Whether a concept of figures is only near to the column: pieces are no money, and no figures are words."""
    if not kinds & {"measure", "rate"}:
        return False
    if column.kind == "measure" and "measure" in kinds and not kinds & {"money", "generic"}:
        return is_kind(column.concepts, "money") and concept not in column.concepts
    return column.kind in ("category", "code") and bool(column.values) and all(
        isinstance(value, str) and not value[:1].isdigit() for value, _ in column.values[:_LOOKED_AT] if value
    )  # fmt: skip


def _order(sense: Sense, *, reverse: bool) -> Literal["", "asc", "desc"]:
    if sense.degree in ("", "positive") or not reverse:
        return "" if sense.degree == "positive" else sense.order
    return "asc" if sense.order == "desc" else "desc"


def _fits(kind: str, kinds: frozenset[str], *, adjective: bool) -> bool:
    """Whether a column of a kind can be what a concept says."""
    if kinds & {"measure", "rate"} or adjective:
        return kind in ("measure", "rate", "other") or (kind == "date" and "date" in kinds) or (
            kind in ("category", "code") and not adjective
        )  # fmt: skip
    if "date" in kinds:
        return kind in ("date", "other", "category", "code")
    return kind not in ("measure", "rate", "date")


def composed(question: Question, links: Sequence[Link]) -> Iterator[Mention]:
    """Mentions of names: links to one name that stand beside one another are one mention of more of it."""
    by_entry: dict[Entry, list[Link]] = defaultdict(list)
    for link in links:
        by_entry[link.posting.entry].append(link)
    for entry, found in by_entry.items():
        found.sort(key=lambda link: (link.span, -link.score * link.posting.share))
        for at, link in enumerate(found):
            chain = [link]
            if mention := _mention(entry, chain):
                yield mention
            for following in found[at + 1 :]:
                if len(chain) < 4 and _continues(question, chain, following):
                    chain.append(following)
                    if mention := _mention(entry, chain):
                        yield mention


def _continues(question: Question, chain: Sequence[Link], link: Link) -> bool:
    last = chain[-1].span.last
    if not last <= link.span.first <= last + MOST_GAP or any(link.mask & other.mask for other in chain):
        return False
    between = question.tokens[last : link.span.first]
    return all(not token.content and (token.kind != "punctuation" or token.text in "-/_") for token in between)


def _mention(entry: Entry, chain: Sequence[Link]) -> Mention | None:
    mask = 0
    for link in chain:
        mask |= link.mask
    share = entry.share(mask)
    words = sum(link.score * (link.span.last - link.span.first) for link in chain)
    mean = words / sum(link.span.last - link.span.first for link in chain)
    score = entry.scale * mean * (1.0 if share > 0.999 else 0.5 + 0.42 * share)
    if share < 0.05 or score < _LEAST:
        return None
    how = max((link.how for link in chain), key=_WEAKEST_LAST.index)
    ordered = next((link for link in chain if link.order), chain[0])
    return Mention(
        span=TokenSpan(chain[0].span.first, chain[-1].span.last),
        kind="column" if entry.column is not None else "table",
        score=round(score, 4),
        how="part" if share < 0.999 and how in ("exact", "stem") else how,
        ref=entry.ref,
        order=ordered.order,
        comparative=ordered.comparative,
    )

"""Mentions of columns and tables: matches the words of spans with words, concepts and glosses of names."""

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
from kbtui.nl2sql.name_index import GROUPING_PREFIX, Entry, NameIndex, Posting
from kbtui.nl2sql.query import Years
from kbtui.nl2sql.spans import Form, Forms, Span
from kbtui.question.model import Question, TokenSpan
from kbtui.text.inflection import lemma, root

MAX_GAP: Final = 2
"""Function words between two words of one name, at most: the name of the customer."""

_MIN_SCORE: Final = 0.4
_STEM: Final = 0.96
_DERIVED: Final = 0.7
"""Score of words for other things than the name: an interviewer is no interview, a rate no rating."""
_AGENTS: Final = ("er", "or", "ee")
_UNFIT: Final = 0.8
_ONE_CHARACTER: Final = 0.9
"""Factor for Chinese words of one character, which are part of many others."""
_MISSPELT: Final = 0.8
"""Score of Chinese words with wrong characters of the same sound."""
_GLOSS: Final = 0.7
_HALF_GLOSS: Final = 0.5
"""Score of one word of a gloss of two."""
_GROUPING_CHARACTERS: Final = frozenset("各每哪按分")
_SAMPLE_SIZE: Final = 12
"""Values that are checked for whether a column holds words."""
_FIGURES: Final = frozenset(("measure", "rate", "money", "generic"))
_WORDS: Final = frozenset(("name", "text", "flag", "reference", "key"))
_BY_STRENGTH: Final[tuple[How, ...]] = (
    *("exact", "stem", "part", "abbreviation", "prefix", "typo", "concept", "gloss", "quoted", "negated", "read"),
)


class Link(Struct, frozen=True):
    """Words of a span that stand for parts of a name."""

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
        tables: Tables that the question mentions; their columns come first for words of many names.
        content: Whether the span has content words; function words link only as part of phrases.
    """
    if span.chinese:
        yield from _chinese_links(span, index, tables)
    elif span.english:
        yield from _english_links(span, index, forms, tables, content=content)
    yield from _concept_links(span, index, forms, tables, content=content)


def grouping_links(question: Question, index: NameIndex, tables: Collection[str]) -> Iterator[Link]:
    """Links of the single Chinese character after a grouping word: 各栋, 哪个班, 按区."""
    tokens = question.tokens
    for at in range(1, len(tokens)):
        before = at - 2 if tokens[at - 1].norm == "个" and at > 1 else at - 1
        if tokens[at].kind == "han" and tokens[before].norm in _GROUPING_CHARACTERS:
            for posting in index.stems(GROUPING_PREFIX + tokens[at].norm, tables):
                yield Link(TokenSpan(at, at + 1), posting, posting.score, posting.how)


def _postings_with_all(words: Sequence[str], index: NameIndex, tables: Collection[str]) -> Iterator[Posting]:
    """Postings of names that contain all of these words."""
    postings_by_word = [list(index.stems(root(word), tables)) for word in words]
    for posting in postings_by_word[0]:
        mask = posting.mask
        for word_postings in postings_by_word[1:]:
            mask |= next((candidate.mask for candidate in word_postings if candidate.entry is posting.entry), 0)
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
            for posting in _postings_with_all(form.word.split(), index, tables):
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
    is_other_thing = word.endswith(_AGENTS) or any(verb in index.words for verb in (f"{word}ing", f"{word[:-1]}ing"))
    return Link(span.at, posting, _DERIVED if is_other_thing else _STEM, "stem")


def _chinese_links(span: Span, index: NameIndex, tables: Collection[str]) -> Iterator[Link]:
    is_spelt = False
    for posting in index.stems(span.chinese, tables):
        is_spelt = True
        yield Link(span.at, posting, posting.score, posting.how)
    if len(span.chinese) > 1 and not is_spelt and not senses_of([span.chinese]):
        for key in index.misspelt(span.chinese):
            for posting in index.stems(key, tables):
                yield Link(span.at, posting, _MISSPELT, "typo")
    if not 2 <= len(span.chinese) <= 4:
        return
    for gloss in glosses_of(span.chinese):
        parts = gloss.split()
        full_matches = list(_postings_with_all(parts, index, tables))
        for posting in full_matches:
            yield Link(span.at, posting, _GLOSS, "gloss")
        if not full_matches and len(parts) == 2:
            # 舱位 is a cabin seat, and may mean the cabin or the seat.
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
    """Links of a concept to the names that have it or a neighbour of it."""
    kinds = lexicon().kinds.get(sense.concept, frozenset())
    is_thing = bool(kinds & {"thing", "person", "place"})
    for posting, neighbour in index.concepts(sense.concept, tables):
        column = posting.entry.column
        if column is None and not is_thing and not (posting.entry.lookup and "category" in kinds):
            continue
        score = neighbour.score * sense.weight
        if column is not None and sense.degree and isinstance(column.formula, Years):
            continue  # The oldest was born first: rows are sorted by a stored column.
        if column is not None and _is_other_measure(column, sense.concept, kinds):
            continue
        if column is not None and not _is_compatible(column.kind, kinds, adjective=bool(sense.degree)):
            if kinds <= _FIGURES and column.kind in _WORDS:
                continue
            score *= _UNFIT
        order = _order(sense, reverse=neighbour.reverse)
        yield Link(at, posting, score, "concept", order, sense.degree == "comparative")


def _is_other_measure(column: ColumnInfo, concept: str, kinds: frozenset[str]) -> bool:
    """Whether a column of numbers or codes does not match a concept of figures: pieces are no money."""
    if not kinds & {"measure", "rate"}:
        return False
    if column.kind == "measure" and "measure" in kinds and not kinds & {"money", "generic"}:
        return is_kind(column.concepts, "money") and concept not in column.concepts
    return column.kind in ("category", "code") and bool(column.values) and all(
        isinstance(value, str) and not value[:1].isdigit() for value, _ in column.values[:_SAMPLE_SIZE] if value
    )  # fmt: skip


def _order(sense: Sense, *, reverse: bool) -> Literal["", "asc", "desc"]:
    if sense.degree in ("", "positive") or not reverse:
        return "" if sense.degree == "positive" else sense.order
    return "asc" if sense.order == "desc" else "desc"


def _is_compatible(kind: str, kinds: frozenset[str], *, adjective: bool) -> bool:
    """Whether the kind of a column matches the kinds of a concept."""
    if kinds & {"measure", "rate"} or adjective:
        return kind in ("measure", "rate", "other") or (kind == "date" and "date" in kinds) or (
            kind in ("category", "code") and not adjective
        )  # fmt: skip
    if "date" in kinds:
        return kind in ("date", "other", "category", "code")
    return kind not in ("measure", "rate", "date")


def merged_mentions(question: Question, links: Sequence[Link]) -> Iterator[Mention]:
    """Mentions of names; adjacent links to one name are merged to one mention of more of it."""
    by_entry: dict[Entry, list[Link]] = defaultdict(list)
    for link in links:
        by_entry[link.posting.entry].append(link)
    for entry, entry_links in by_entry.items():
        entry_links.sort(key=lambda link: (link.span, -link.score * link.posting.share))
        for at, link in enumerate(entry_links):
            chain = [link]
            if mention := _mention(entry, chain):
                yield mention
            for following in entry_links[at + 1 :]:
                if len(chain) < 4 and _continues(question, chain, following, entry):
                    chain.append(following)
                    if mention := _mention(entry, chain):
                        yield mention


def _continues(question: Question, chain: Sequence[Link], link: Link, entry: Entry) -> bool:
    last = chain[-1].span.last
    if not last <= link.span.first <= last + MAX_GAP or any(link.mask & earlier.mask for earlier in chain):
        return False
    gap = range(last, link.span.first)
    between = [question.tokens[at] for at in gap]
    if any(token.content or (token.kind == "punctuation" and token.text not in "-/_") for token in between):
        return False
    # "Closed by agent" is what closed_by_agent is called.
    return not groups_rows(question, gap) or any(token.norm in entry.ref.column.lower() for token in between)


def groups_rows(question: Question, gap: Collection[int]) -> bool:
    """Whether a grouping begins among these tokens, so that what stands around them is not one name: stays by ward."""
    return any(cue.op in ("per", "bucket") and cue.span.first in gap for cue in question.cues)


def _mention(entry: Entry, chain: Sequence[Link]) -> Mention | None:
    mask = 0
    for link in chain:
        mask |= link.mask
    share = entry.share(mask)
    weighted_words = sum(link.score * (link.span.last - link.span.first) for link in chain)
    mean_score = weighted_words / sum(link.span.last - link.span.first for link in chain)
    score = entry.scale * mean_score * (1.0 if share > 0.999 else 0.5 + 0.42 * share)
    if share < 0.05 or score < _MIN_SCORE:
        return None
    how = max((link.how for link in chain), key=_BY_STRENGTH.index)
    ordering = next((link for link in chain if link.order), chain[0])
    return Mention(
        span=TokenSpan(chain[0].span.first, chain[-1].span.last),
        kind="column" if entry.column is not None else "table",
        score=round(score, 4),
        how="part" if share < 0.999 and how in ("exact", "stem") else how,
        ref=entry.ref,
        order=ordering.order,
        comparative=ordering.comparative,
    )

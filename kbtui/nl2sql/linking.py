"""Links the words of a question to a catalogue: everything that a span may stand for, without any decision.

Input is a `Question` and a `Catalogue`, output a `Lattice`. Names are matched by `link_names`, values and states by
`link_values`; both look up spans in an index of the catalogue that is built once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import filterfalse
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.ledgers import as_amounts
from kbtui.nl2sql.lexicon import Sense, lexicon, senses_of
from kbtui.nl2sql.link_defaults import default_mentions
from kbtui.nl2sql.link_names import (
    Link,
    concept_links,
    grouping_links,
    groups_rows,
    merged_mentions,
    name_links,
)
from kbtui.nl2sql.link_patterns import pattern_mentions
from kbtui.nl2sql.link_people import people_mentions
from kbtui.nl2sql.link_roles import role_mentions, typed_values, without_copies, without_other_roles, without_places
from kbtui.nl2sql.link_values import (
    StateIndex,
    flag_mentions,
    key_mentions,
    part_of_value,
    quoted_mentions,
    state_index,
    state_mentions,
    value_mentions,
)
from kbtui.nl2sql.link_weights import MIN_TABLE_SCORE, Weights
from kbtui.nl2sql.name_index import NameIndex, column_index, table_index
from kbtui.nl2sql.names import whole_words
from kbtui.nl2sql.selection import MOST, MOST_OF_A_KIND, Selection, in_order
from kbtui.nl2sql.spans import Forms, Span, spans_of
from kbtui.nl2sql.value_index import ValueIndex, value_index
from kbtui.question.model import Cue, Question, TokenSpan

_MIN_RESTRICTION: Final = 0.8
"""Score from which a value or state takes precedence over a date: open issues are not about the opening of issues."""
_NAME_LINKS: Final = ("exact", "stem")
_MAX_INDEXES: Final = 4
_CUE_CONCEPT: Final = 0.97
_SURE_CUE: Final = 0.8
_SHORT: Final = 2
_MIN_NAME_SCORE: Final = 0.6
"""Score from which words are a name and no abbreviation of a value."""
_OTHER_CASE: Final = 0.62
_SURE_NAME: Final = 0.95
"""Score from which a word is a name as it is, and no misspelling."""
_TABLE_NAME: Final = 0.9
"""Factor for values that are also the name of a table."""
_WH: Final = {"person": "person", "place": "place"}
_WH_SCORE: Final = 0.7
# For these concepts a cue only says more or less of something.
_GENERAL_CONCEPTS: Final = frozenset(("level", "count"))


class CatalogueIndex(Struct, frozen=True):
    """The indexes of a catalogue that spans are looked up in."""

    columns: NameIndex
    tables: NameIndex
    values: ValueIndex
    states: StateIndex
    forms_vocabulary: tuple[str, ...]
    known: frozenset[str]
    shorts: tuple[str, ...]

    def forms(self, question: Question) -> Forms:
        """Looks up forms of words of a question in the vocabulary of the catalogue."""
        spans = (cue.span for cue in question.cues if cue.weight >= _SURE_CUE)
        operators = frozenset(token.norm for span in spans for token in question.tokens[span.first : span.last])
        proper = {token.norm for token in question.tokens if token.norm in self.values.words}
        return Forms(self.forms_vocabulary, self.known, self.shorts, operators, proper - lexicon().known_words)


_indexes: list[tuple[Catalogue, CatalogueIndex]] = []


def index_of(catalogue: Catalogue) -> CatalogueIndex:
    """The index of a catalogue; a few are cached."""
    for cached, index in _indexes:
        if cached is catalogue:
            return index
    columns, tables, values = column_index(catalogue), table_index(catalogue), value_index(catalogue)
    names = [word for word in (*columns.words, *tables.words) if word.isascii() and word.isalpha() and len(word) > 3]
    spelt = lexicon().known_words.union(columns.by_stem, tables.by_stem, values.words)
    vocabulary = tuple(dict.fromkeys((*names, *values.words, *lexicon().single)))
    states = state_index(catalogue, values)
    short = {word for word in (*columns.words, *tables.words) if word.isascii() and word.isalpha() and len(word) <= 5}
    shorts = tuple(sorted(short - lexicon().known_words - whole_words()))
    index = CatalogueIndex(columns, tables, values, states, vocabulary, spelt, shorts)
    _indexes.insert(0, (catalogue, index))
    del _indexes[_MAX_INDEXES:]
    return index


def link(question: Question, catalogue: Catalogue) -> Lattice:
    """The lattice of a question: mentions of columns, tables, values and states, and the cues, numbers and periods.

    At most `MOST_OF_A_KIND` mentions of one kind per span, the best ones, and `MOST` in all.
    """
    index = index_of(catalogue)
    forms = index.forms(question)
    spans = [(span, _content(question, span)) for span in spans_of(question)]
    table_links = [link for span, c in spans for link in name_links(span, index.tables, forms, (), content=any(c))]
    unselective = Selection.of(catalogue, frozenset())
    tables = unselective.of_spans(merged_mentions(question, unselective.links(table_links)), MOST_OF_A_KIND)
    mentioned = frozenset(m.ref.table for m in tables if m.ref is not None and m.score >= MIN_TABLE_SCORE)
    selection = Selection.of(catalogue, mentioned)
    links = [link for span, c in spans for link in name_links(span, index.columns, forms, mentioned, content=any(c))]
    tables += merged_mentions(question, selection.links(_cue_links(question, index.tables, mentioned)))
    links += (*_cue_links(question, index.columns, mentioned), *grouping_links(question, index.columns, mentioned))
    columns = selection.of_spans(merged_mentions(question, selection.links(links)), 2 * MOST_OF_A_KIND)
    people = people_mentions(question, tables, index.tables, catalogue)
    columns += selection.of_spans((*default_mentions(spans, catalogue, mentioned), *people), MOST_OF_A_KIND)
    names = [*tables, *columns]
    value_list = as_amounts(list(_values(question, spans, index, catalogue, forms, names)), question, catalogue)
    value_list = without_places(question, without_copies(value_list, names, catalogue), catalogue)
    values = selection.of_spans(value_list, 2 * MOST_OF_A_KIND)
    restricting = {m.span for m in values if m.score >= _MIN_RESTRICTION}
    head_columns = [m for m in columns if m.span not in restricting or not _is_date(catalogue, m)]
    # “Height of the volcanoes” is that of some peaks, so the table mention is left out.
    owners = [m for m in tables if m.span not in restricting or m.how in _NAME_LINKS]
    merged = [*_qualified(question, head_columns, owners), *_qualified(question, values, columns)]
    role_values = list(role_mentions(question, values, names, catalogue))
    merged += [*role_values, *typed_values(question, values, tables, catalogue)]
    values = without_other_roles(values, role_values, catalogue)
    weigh = Weights.of(question, catalogue, names)
    weighted = [weigh(mention) for mention in (*tables, *columns, *values, *merged)]
    selected = sorted(selection.of_spans(weighted, MOST_OF_A_KIND), key=selection.cost)[:MOST]
    question = _without_wrong_cues(question, selected)
    return Lattice(
        question=question, catalogue=catalogue, mentions=in_order([*selected, *_question_mentions(question)])
    )


def _without_wrong_cues(question: Question, mentions: Sequence[Mention]) -> Question:
    """The question without the “by” of an agent (“owned by Elm” asks for no groups), and without operators that are
    misspelt only if a name is: ``component`` is no "commonest".
    """
    name_starts = {m.span.first for m in mentions if m.kind in ("column", "table") and m.score >= _MIN_NAME_SCORE}
    agents = {m.span.first for m in mentions if m.kind == "value" and m.score >= _MIN_RESTRICTION} - name_starts
    named = {at for m in mentions if m.how in ("exact", "stem") and m.score >= _SURE_NAME for at in range(*m.span)}
    cues = tuple(
        cue
        for cue in question.cues
        if not (cue.args.get("agent") and cue.span.last in agents)
        and not (cue.is_corrected and named.intersection(range(*cue.span)))
    )
    return question if cues == question.cues else replace(question, cues=cues)


def _is_date(catalogue: Catalogue, mention: Mention) -> bool:
    column = catalogue.column(mention.ref) if mention.ref is not None else None
    return column is not None and column.kind == "date"


def _content(question: Question, span: Span) -> tuple[bool, ...]:
    tokens = question.tokens[span.at.first : span.at.last]
    return tuple(token.content for token in tokens if token.kind != "punctuation")


def _values(
    question: Question,
    spans: Sequence[tuple[Span, tuple[bool, ...]]],
    index: CatalogueIndex,
    catalogue: Catalogue,
    forms: Forms,
    names: Sequence[Mention],
) -> Iterator[Mention]:
    mentions = [m for span, content in spans for m in value_mentions(span, index.values, forms, content=content)]
    is_part = part_of_value(mentions)
    kind_by_span = {name.span: name.kind for name in names if name.how in ("exact", "stem")}
    name_spans = {m.span for m in names if m.score >= _MIN_NAME_SCORE and m.how in ("exact", "stem", "part")}
    tables_by_span = _tables_with_value(mentions)
    operators = [cue.span for cue in question.cues if cue.weight >= _SURE_CUE]
    mentions = [
        _weighted_by_case(question, m)
        for m in filterfalse(is_part, mentions)
        if m.how != "abbreviation"
        or (
            m.span not in name_spans
            and not any(m.span.within(span) for span in operators)
            and _is_short_for(m, tables_by_span.get(m.span, ()), catalogue)
        )
    ]
    # Tickets are the rows of a table of this name, and no bugs and incidents among them.
    mentions = [m for m in mentions if m.how != "concept" or kind_by_span.get(m.span) != "table"]
    mentions = [replace(m, score=m.score * _TABLE_NAME) if kind_by_span.get(m.span) == "table" else m for m in mentions]
    yield from mentions
    for span, _ in spans:
        yield from filterfalse(is_part, state_mentions(span, index.states))
    yield from flag_mentions(question, names, catalogue)
    yield from quoted_mentions(question, index.values, catalogue)
    yield from key_mentions(question, names, catalogue)
    yield from pattern_mentions(question, names, catalogue)


def _tables_with_value(values: Sequence[Mention]) -> dict[TokenSpan, set[str]]:
    """For each span the tables with a value that contains its words."""
    tables: dict[TokenSpan, set[str]] = defaultdict(set)
    for value in values:
        if value.how in ("exact", "stem", "part", "prefix") and value.ref is not None:
            tables[value.span].add(value.ref.table)
    return tables


def _is_short_for(code: Mention, tables: Collection[str], catalogue: Catalogue) -> bool:
    """Whether a code may abbreviate words that values of ``tables`` have in full: only if it refers to them."""
    if not tables or code.ref is None:
        return True
    joined = {edge.right.table for edge in catalogue.edges if edge.left == code.ref} | {code.ref.table}
    return not joined.isdisjoint(tables)


def _weighted_by_case(question: Question, mention: Mention) -> Mention:
    """The mention, with a lower score for a value of one or two letters in another case than in the column."""
    texts = [value for value in mention.values if isinstance(value, str)]
    if not texts or mention.how not in ("exact", "stem") or any(len(t) > _SHORT or not t.isascii() for t in texts):
        return mention
    return mention if question.words(mention.span) in texts else replace(mention, score=mention.score * _OTHER_CASE)


def _cue_links(question: Question, index: NameIndex, tables: frozenset[str]) -> Iterator[Link]:
    """Links of concepts that cues name: ``cheapest`` means a price, ``who`` a person."""
    for cue in question.cues:
        for concept in _concepts(cue):
            sense = _sense_of_cue(cue, concept)
            scale = _WH_SCORE if cue.op == "wh" else _CUE_CONCEPT
            for link in concept_links(cue.span, sense, index, tables):
                order = "" if cue.op == "compare" and not sense.order else link.order
                yield replace(link, score=link.score * scale, order=order)


def _concepts(cue: Cue) -> tuple[str, ...]:
    if cue.op == "wh":
        concept = _WH.get(str(cue.args.get("type", "")))
        return (concept,) if concept else ()
    name = str(cue.args.get("concept", ""))
    if not name or name in _GENERAL_CONCEPTS:
        return ()
    if name == "time":
        return ("date",)  # “Latest incident” asks for a date, not for a duration.
    if name in lexicon().kinds:
        return (name,)
    return tuple(dict.fromkeys(sense.concept for sense in senses_of([name]) if sense.holds is None))


def _sense_of_cue(cue: Cue, concept: str) -> Sense:
    if cue.op == "most":
        return Sense(concept, "asc" if cue.args.get("direction") == "asc" else "desc", "superlative")
    if cue.op == "compare":
        return Sense(concept, "asc" if str(cue.args.get("op", ">")).startswith("<") else "desc", "comparative")
    return Sense(concept)


def _qualified(question: Question, heads: Sequence[Mention], others: Sequence[Mention]) -> Iterator[Mention]:
    """Mentions merged with an adjacent name they belong to: a column with its table, a value with its column.

    ``customer name`` and ``name of the customer`` are one column, ``grade 5`` and ``Paris branch`` one value.
    """
    starts: dict[int, list[Mention]] = defaultdict(list)
    for other in others:
        starts[other.span.first].append(other)
        starts[-1 - other.span.last].append(other)
    for head in heads:
        if head.kind not in ("column", "value") or head.ref is None or head.score < 0.6:
            continue
        for gap in range(3):
            after, before = head.span.last + gap, head.span.first - gap
            for other in (*starts.get(after, ()), *(starts.get(-1 - before, ()) if before > 0 else ())):
                if (
                    other.score >= MIN_TABLE_SCORE
                    and _is_qualified_by(head, other)
                    and _is_adjacent(question, head, other, gap)
                ):
                    first = min(head.span.first, other.span.first)
                    last = max(head.span.last, other.span.last)
                    score = min(1.0, (head.score + other.score) / 2 + 0.03)
                    yield replace(head, span=TokenSpan(first, last), score=score)


def _is_qualified_by(head: Mention, other: Mention) -> bool:
    if head.ref is None or other.ref is None or other.order:
        return False
    return head.ref.table == other.ref.table if head.kind == "column" else head.ref == other.ref


def _is_adjacent(question: Question, head: Mention, other: Mention, gap: int) -> bool:
    if gap == 0:
        return True
    first, last = sorted((head.span, other.span))
    between = range(first.last, last.first)
    tokens = (question.tokens[at] for at in between)
    return not groups_rows(question, between) and not any(
        token.content or token.kind == "punctuation" for token in tokens
    )


def _question_mentions(question: Question) -> Iterator[Mention]:
    for number in question.numbers:
        yield Mention(span=number.span, kind="number", number=number)
    for period in question.periods:
        yield Mention(span=period.span, kind="period", period=period)
    for cue in question.cues:
        yield Mention(span=cue.span, kind="cue", cue=cue)

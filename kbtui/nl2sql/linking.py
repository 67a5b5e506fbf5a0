"""Links the words of a question to a catalogue: every span with everything it may stand for, and nothing decided.

In goes a `Question` and a `Catalogue`, out comes a `Lattice`. Names are matched by `link_names`, values and states by
`link_values`; both look up spans in an index of the catalogue that is made once.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, ColumnInfo, TableInfo
from kbtui.nl2sql.lattice import Lattice, Mention
from kbtui.nl2sql.lexicon import Sense, is_kind, lexicon, senses_of
from kbtui.nl2sql.link_names import Link, apart_links, composed, concept_links, name_links
from kbtui.nl2sql.link_patterns import pattern_mentions
from kbtui.nl2sql.link_people import people_mentions
from kbtui.nl2sql.link_roles import in_roles, without_other_roles
from kbtui.nl2sql.link_values import (
    ShapeIndex,
    StateIndex,
    flag_mentions,
    keyed_mentions,
    quoted_mentions,
    shape_index,
    shaped_mentions,
    state_index,
    state_mentions,
    value_mentions,
    with_siblings,
)
from kbtui.nl2sql.link_weights import MENTIONED, Weights
from kbtui.nl2sql.listing import row_names
from kbtui.nl2sql.name_index import NameIndex, column_index, table_index
from kbtui.nl2sql.names import whole_words
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.selection import MOST, MOST_OF_A_KIND, Selection, in_order
from kbtui.nl2sql.spans import Forms, Span, spans_of
from kbtui.nl2sql.value_index import ValueIndex, value_index
from kbtui.question.model import Cue, Question, TokenSpan

_RESTRICTS: Final = 0.8
"""Score from which a value or a state stands before a date: open issues are not the opening of issues."""
_SPELT: Final = ("exact", "stem")
_REMEMBERED: Final = 4
_DATE_OF_TABLE: Final = 0.45
_ALL_MONEY: Final = 0.5
_PEOPLE: Final = 0.62
_PERSONAL: Final = frozenset(("gender", "birth", "age", "ethnicity", "marital_status"))
"""Concepts of columns that only people have."""
_CALLED: Final = 0.85
_CALLING: Final = frozenset(("name", "generic"))
"""Kinds of words that stand for whatever says which row it is."""
_READABLE: Final = ("name", "category", "text", "code")
_CUE_CONCEPT: Final = 0.97
_SURE_CUE: Final = 0.8
_SHORT: Final = 2
_NAMED: Final = 0.6
"""Score from which words are a name, and no short form of a value."""
_OTHER_CASE: Final = 0.62
_OF_TABLE: Final = 0.9
"""What the name of a table weighs as a value of some column."""
_WH: Final = {"person": "person", "place": "place"}
_WH_SCORE: Final = 0.7
# Of these the question reader only says that there is more or less of something.
_BARE: Final = frozenset(("level", "count"))


class CatalogueIndex(Struct, frozen=True):
    """Everything that spans are looked up in."""

    columns: NameIndex
    tables: NameIndex
    values: ValueIndex
    states: StateIndex
    shapes: ShapeIndex
    forms_vocabulary: tuple[str, ...]
    known: frozenset[str]
    shorts: tuple[str, ...]

    def forms(self, question: Question) -> Forms:
        """Forms of the words of a question against this vocabulary."""
        spans = (cue.span for cue in question.cues if cue.weight >= _SURE_CUE)
        operators = frozenset(token.norm for span in spans for token in question.tokens[span.first : span.last])
        return Forms(self.forms_vocabulary, self.known, self.shorts, operators)


_indexes: list[tuple[Catalogue, CatalogueIndex]] = []


def index_of(catalogue: Catalogue) -> CatalogueIndex:
    """The index of a catalogue; those of the last few are kept."""
    for kept, index in _indexes:
        if kept is catalogue:
            return index
    columns, tables, values = column_index(catalogue), table_index(catalogue), value_index(catalogue)
    names = [word for word in (*columns.words, *tables.words) if word.isascii() and word.isalpha() and len(word) > 3]
    known = lexicon().spelt.union(columns.by_stem, tables.by_stem, values.words)
    vocabulary = tuple(dict.fromkeys((*names, *values.words, *lexicon().single)))
    states, shapes = state_index(catalogue, values), shape_index(catalogue)
    short = {word for word in (*columns.words, *tables.words) if word.isascii() and word.isalpha() and len(word) <= 5}
    shorts = tuple(sorted(short - lexicon().spelt - whole_words()))
    index = CatalogueIndex(columns, tables, values, states, shapes, vocabulary, known, shorts)
    _indexes.insert(0, (catalogue, index))
    del _indexes[_REMEMBERED:]
    return index


def link(question: Question, catalogue: Catalogue) -> Lattice:
    """Every span of tokens that may stand for a column, a table, a value or a state, and all that the question read.

    At most `MOST_OF_A_KIND` mentions of one kind over one span, the best ones, and `MOST` of all.
    """
    index = index_of(catalogue)
    question = with_siblings(question, index.values)
    forms = index.forms(question)
    spans = [(span, _content(question, span)) for span in spans_of(question)]
    table_links = [
        link for span, content in spans for link in name_links(span, index.tables, forms, (), content=any(content))
    ]
    nowhere = Selection.of(catalogue, frozenset())
    tables = nowhere.of_spans(composed(question, nowhere.links(table_links)), MOST_OF_A_KIND)
    mentioned = frozenset(m.ref.table for m in tables if m.ref is not None and m.score >= MENTIONED)
    selection = Selection.of(catalogue, mentioned)
    links = [
        link
        for span, content in spans
        for link in name_links(span, index.columns, forms, mentioned, content=any(content))
    ]
    tables += composed(question, selection.links(_cue_links(question, index.tables, mentioned)))
    links += (*_cue_links(question, index.columns, mentioned), *apart_links(question, index.columns, mentioned))
    columns = selection.of_spans(composed(question, selection.links(links)), 2 * MOST_OF_A_KIND)
    people = people_mentions(question, tables, index.tables, catalogue)
    others = (*_defaults(spans, catalogue, mentioned), *people)
    columns += selection.of_spans(others, MOST_OF_A_KIND)
    found = list(_values(question, spans, index, catalogue, forms, [*tables, *columns]))
    values = selection.of_spans(found, 2 * MOST_OF_A_KIND)
    restricting = {m.span for m in values if m.score >= _RESTRICTS}
    heads = [m for m in columns if m.span not in restricting or not _is_date(catalogue, m)]
    # "Height of the volcanoes" is that of some peaks, not of all.
    owners = [m for m in tables if m.span not in restricting or m.how in _SPELT]
    merged = [*_qualified(question, heads, owners), *_qualified(question, values, columns)]
    told = list(in_roles(question, values, [*tables, *columns], catalogue))
    merged += told
    values = without_other_roles(values, told, catalogue)
    weigh = Weights.of(question, catalogue, tables)
    every = [weigh(mention) for mention in (*tables, *columns, *values, *merged)]
    kept = sorted(selection.of_spans(every, MOST_OF_A_KIND), key=selection.cost)[:MOST]
    question = _without_agents(question, kept)
    return Lattice(question=question, catalogue=catalogue, mentions=in_order([*kept, *_read(question)]))


def _without_agents(question: Question, mentions: Sequence[Mention]) -> Question:
    """The question less a ``by`` that names who or what did something: "owned by Elm" sets nothing apart."""
    named = {m.span.first for m in mentions if m.kind in ("column", "table") and m.score >= _NAMED}
    values = {m.span.first for m in mentions if m.kind == "value" and m.score >= _RESTRICTS} - named
    cues = tuple(cue for cue in question.cues if not (cue.args.get("agent") and cue.span.last in values))
    return question if len(cues) == len(question.cues) else replace(question, cues=cues)


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
    found = [m for span, content in spans for m in value_mentions(span, index.values, forms, content=content)]
    named = {name.span: name.kind for name in names if name.how in ("exact", "stem")}
    taken = {name.span for name in names if name.score >= _NAMED and name.how in ("exact", "stem", "part")}
    spelt = _spelt(found)
    operators = [cue.span for cue in question.cues if cue.weight >= _SURE_CUE]
    found = [
        _as_written(question, m)
        for m in found
        if m.how != "abbreviation"
        or (
            m.span not in taken
            and not any(m.span.within(span) for span in operators)
            and _is_short_for(m, spelt.get(m.span, ()), catalogue)
        )
    ]
    found = [replace(m, score=m.score * _OF_TABLE) if named.get(m.span) == "table" else m for m in found]
    yield from found
    yield from shaped_mentions(question, found, catalogue, index.shapes)
    for span, _ in spans:
        yield from state_mentions(span, index.states)
    yield from flag_mentions(question, names, catalogue)
    yield from quoted_mentions(question, index.values, catalogue)
    yield from keyed_mentions(question, names, catalogue)
    yield from pattern_mentions(question, names, catalogue)


def _spelt(values: Sequence[Mention]) -> dict[TokenSpan, set[str]]:
    """Tables that have the words of a span, as they are, in a value."""
    tables: dict[TokenSpan, set[str]] = defaultdict(set)
    for value in values:
        if value.how in ("exact", "stem", "part", "prefix") and value.ref is not None:
            tables[value.span].add(value.ref.table)
    return tables


def _is_short_for(code: Mention, tables: Collection[str], catalogue: Catalogue) -> bool:
    """Whether a code may be short for words that values of ``tables`` have in full: only where it refers to these."""
    if not tables or code.ref is None:
        return True
    joined = {edge.right.table for edge in catalogue.edges if edge.left == code.ref} | {code.ref.table}
    return not joined.isdisjoint(tables)


def _as_written(question: Question, mention: Mention) -> Mention:
    """A value of a letter or two with less weight where the question does not write it as the column does."""
    texts = [value for value in mention.values if isinstance(value, str)]
    if not texts or mention.how not in ("exact", "stem") or any(len(t) > _SHORT or not t.isascii() for t in texts):
        return mention
    return mention if question.words(mention.span) in texts else replace(mention, score=mention.score * _OTHER_CASE)


def _cue_links(question: Question, index: NameIndex, tables: frozenset[str]) -> Iterator[Link]:
    """Links of the concepts that cues name: ``cheapest`` is a price, ``who`` a person."""
    for cue in question.cues:
        for concept in _concepts(cue):
            sense = _ordered(cue, concept)
            scale = _WH_SCORE if cue.op == "wh" else _CUE_CONCEPT
            for link in concept_links(cue.span, sense, index, tables):
                order = "" if cue.op == "compare" and not sense.order else link.order
                yield replace(link, score=link.score * scale, order=order)


def _concepts(cue: Cue) -> tuple[str, ...]:
    if cue.op == "wh":
        concept = _WH.get(str(cue.args.get("type", "")))
        return (concept,) if concept else ()
    name = str(cue.args.get("concept", ""))
    if not name or name in _BARE:
        return ()
    if name == "time":
        return ("date",)  # When it was, not how long: the latest incident is no matter of minutes.
    if name in lexicon().kinds:
        return (name,)
    return tuple(dict.fromkeys(sense.concept for sense in senses_of([name]) if sense.holds is None))


def _ordered(cue: Cue, concept: str) -> Sense:
    if cue.op == "most":
        return Sense(concept, "asc" if cue.args.get("direction") == "asc" else "desc", "superlative")
    if cue.op == "compare":
        return Sense(concept, "asc" if str(cue.args.get("op", ">")).startswith("<") else "desc", "comparative")
    return Sense(concept)


def _defaults(
    spans: Sequence[tuple[Span, tuple[bool, ...]]], catalogue: Catalogue, mentioned: frozenset[str]
) -> Iterator[Mention]:
    """What a concept may stand for where no name has it: any date for ``joined``, any money for ``revenue``."""
    kinds = lexicon().kinds
    tables = [info for name, info in catalogue.tables.items() if name in mentioned] or list(catalogue.tables.values())
    for span, content in spans:
        if not any(content):
            continue
        senses = senses_of([span.chinese] if span.chinese else span.words)
        said = {kind for sense in senses if sense.holds is None for kind in kinds[sense.concept]}
        if "date" in said:
            yield from _dates_of(tables, span.at, _order_by_date(senses))
        if said.issuperset(_CALLING) and mentioned:
            for info in tables:
                for ref in _called(catalogue, info):
                    yield Mention(span=span.at, kind="column", score=_CALLED, how="concept", ref=ref)
        if "person" in said:
            for info in tables:
                if not is_kind(info.concepts, "person") and _holds_people(info):
                    yield Mention(span=span.at, kind="table", score=_PEOPLE, how="concept", ref=Ref(info.name, "*"))
        if "main" in said:
            for info in tables:
                for column in (*info.columns, *info.calculated):
                    if column.ref == info.amount or (info.amount is None and _is_money(column)):
                        yield Mention(span=span.at, kind="column", score=_ALL_MONEY, how="concept", ref=column.ref)


def _holds_people(table: TableInfo) -> bool:
    """Whether rows are people though the table is called otherwise: exam results by name, with gender and birth."""
    told = {concept for column in table.columns for concept in column.concepts}
    return bool(table.naming) and not _PERSONAL.isdisjoint(told)


def _dates_of(tables: Sequence[TableInfo], span: TokenSpan, order: Literal["", "asc", "desc"]) -> Iterator[Mention]:
    for info in tables:
        for ref in info.dates[:2]:
            yield Mention(span=span, kind="column", score=_DATE_OF_TABLE, how="concept", ref=ref, order=order)


def _order_by_date(senses: Sequence[Sense]) -> Literal["", "asc", "desc"]:
    """How a superlative of time sorts: the oldest locker is the one whose date, whatever it is called, is first."""
    kinds = lexicon().kinds
    return next((s.order for s in senses if s.degree == "superlative" and "date" in kinds[s.concept]), "")


def _called(catalogue: Catalogue, table: TableInfo) -> tuple[Ref, ...]:
    """What stands for the name of rows where no column is called so: the details of a customer, its campus."""
    refs = row_names(catalogue, table)
    infos = [info for ref in refs if (info := catalogue.column(ref)) is not None]
    readable = all(info.kind in _READABLE and not is_kind(info.concepts, "name") for info in infos)
    return refs if readable else ()


def _is_money(column: ColumnInfo) -> bool:
    return column.kind in ("measure", "rate") and is_kind(column.concepts, "money")


def _qualified(question: Question, heads: Sequence[Mention], others: Sequence[Mention]) -> Iterator[Mention]:
    """Mentions joined with the name they belong to, beside them: the table of a column, the column of a value.

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
            behind, before = head.span.last + gap, head.span.first - gap
            for other in (*starts.get(behind, ()), *(starts.get(-1 - before, ()) if before > 0 else ())):
                if other.score >= MENTIONED and _belongs(head, other) and _is_beside(question, head, other, gap):
                    first = min(head.span.first, other.span.first)
                    last = max(head.span.last, other.span.last)
                    score = min(1.0, (head.score + other.score) / 2 + 0.03)
                    yield replace(head, span=TokenSpan(first, last), score=score)


def _belongs(head: Mention, other: Mention) -> bool:
    if head.ref is None or other.ref is None or other.order:
        return False
    return head.ref.table == other.ref.table if head.kind == "column" else head.ref == other.ref


def _is_beside(question: Question, head: Mention, other: Mention, gap: int) -> bool:
    if gap == 0:
        return True
    first, last = sorted((head.span, other.span))
    between = question.tokens[first.last : last.first]
    return not any(token.content or token.kind == "punctuation" for token in between)


def _read(question: Question) -> Iterator[Mention]:
    for number in question.numbers:
        yield Mention(span=number.span, kind="number", number=number)
    for period in question.periods:
        yield Mention(span=period.span, kind="period", period=period)
    for cue in question.cues:
        yield Mention(span=cue.span, kind="cue", cue=cue)

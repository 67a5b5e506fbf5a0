"""Things by what other rows say of them: those without any, those with some, those with one and not with the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.conditions import bound, inverse
from kbtui.nl2sql.draft import Draft, Scene, identity
from kbtui.nl2sql.groups import are_people, asks_who
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Expr, Query, Ref, refs_of
from kbtui.nl2sql.ranking import Made

_MOST_LINKS: Final = 4
"""Tables that refer to a thing, at most, that its absence is looked for in."""
_NEGATED: Final = ("!=", "not in", "not like")

_Conds = tuple[Cond | AnyOf, ...]
_Members = tuple[Draft, _Conds]


class _Link(Struct, frozen=True):
    """How things are found in other rows: ``reference`` of ``child`` holds ``key`` of ``entity``.

    Attributes:
        shown: The column that the words for the thing name; None for a table.
        beyond: The table whose rows are looked for, where these refer to ``child`` instead of the entity: sites have
            no incidents whose lockers have none.
    """

    entity: str
    key: Ref
    child: str
    reference: Ref
    shown: Ref | None = None
    beyond: str = ""

    @property
    def rows(self) -> str:
        """The table whose rows are looked for."""
        return self.beyond or self.child

    @property
    def own(self) -> bool:
        """Both are rows of one table: the things that occur in it, beside those that occur in some of its rows."""
        return self.child == self.entity


def absence_statements(scene: Scene, draft: Draft) -> Iterator[Made]:
    """Things listed or counted by the sets of other rows that they are in, or in none of."""
    denied = scene.first_free(draft, "never", "not")
    for entity, shown, named in _entities(scene, draft):
        for link in _links(scene, entity, shown):
            outside, inside = _split(scene, draft.where, link)
            if link.own and any(link.reference in refs for refs in map(_refs, inside)):
                continue  # The owners that are not among those called Elm are all others.
            taken = replace(_taken(scene, named, link), where=outside)
            for grown, members in _memberships(scene, taken, link, inside, denied):
                yield from _shown(scene, grown, link, members)
            if taken.periods and _names_date(scene, taken, entity):
                # "Clients born after 1985 who never ordered": the period is theirs, and not that of the orders.
                for grown, members in _memberships(scene, replace(taken, periods=()), link, inside, denied):
                    yield from _shown(scene, replace(grown, periods=taken.periods), link, members)


def _names_date(scene: Scene, draft: Draft, table: str) -> bool:
    """Whether a word speaks of a date that rows of a table have."""
    dates = scene.table(table).dates
    return any(scene[i].ref in dates for i in draft.free(scene.columns))


def _entities(scene: Scene, draft: Draft) -> Iterator[tuple[str, Ref | None, Draft]]:
    """Things that may be asked for: a table, or a column whose values are the things."""
    for rank, index in enumerate(draft.free((*scene.tables, *scene.columns))):
        ref = scene[index].ref
        if ref is None:
            continue
        info = scene.info(ref)
        if info is not None and info.kind not in ("name", "reference", "key", "category", "text", "code"):
            continue
        table = ref.table
        if info is not None and info.kind == "reference":
            table = next((edge.right.table for edge in scene.catalogue.edges if edge.left == ref), table)
        own = None if info is None or table != ref.table else ref
        yield table, own, draft.using("subject", index, worth=-0.05 * rank)
    for name in scene.spoken:
        for parent in scene.parents(name):
            if parent not in scene.spoken:
                meant = asks_who(scene) and are_people(scene, parent)
                yield parent, None, draft.trait("default_subject", 1.0, worth=0.0 if meant else -0.2)


def _links(scene: Scene, entity: str, shown: Ref | None) -> Iterator[_Link]:
    """Tables that refer to the entity, those spoken of first; last the entity itself where a thing has several rows."""
    spoken = set(scene.spoken)
    children = sorted(scene.children(entity), key=lambda name: name not in spoken)
    for child in children[:_MOST_LINKS]:
        pair = scene.referring(child, entity)
        if pair is not None:
            yield _Link(entity, pair[1], child, pair[0], shown)
            for beyond in scene.children(child):
                if beyond in spoken and child not in spoken and beyond not in children:
                    yield _Link(entity, pair[1], child, pair[0], shown, beyond)
    table, joins = scene.table(entity), joins_of(scene.catalogue)
    grain = (table.grain,) if table.grain is not None else ()
    # Rows that others refer to are things, and those of one name are several things.
    own = (shown,) if shown is not None else (*(() if children else table.naming), *grain)
    for ref in (each for each in own if not joins.is_unique(each)):
        yield _Link(entity, ref, entity, ref, ref)


def _split(scene: Scene, where: _Conds, link: _Link) -> tuple[_Conds, _Conds]:
    """Conditions on the things themselves, and those on the other rows."""
    if link.own:
        return (), where
    others = {link.rows, *scene.parents(link.rows), link.child, *scene.parents(link.child)}
    about = {link.entity, *scene.parents(link.entity)} - others | {link.entity}
    outside = tuple(item for item in where if {ref.table for ref in _refs(item)} <= about)
    return outside, tuple(item for item in where if item not in outside)


def _refs(item: Cond | AnyOf) -> set[Ref]:
    conds = item.conds if isinstance(item, AnyOf) else (item,)
    return {ref for cond in conds for ref in refs_of(cond.left)}


def _taken(scene: Scene, draft: Draft, link: _Link) -> Draft:
    """The words for the other table are read by the condition on it."""
    if link.own:
        return draft
    mentions = draft.free((*scene.tables, *scene.columns))
    used = [i for i in mentions if (ref := scene[i].ref) is not None and ref.table == link.rows]
    grown = draft.using("filter", *used)
    return grown if used else grown.trait("unspoken_link", 1.0, worth=-0.15)


def _memberships(scene: Scene, draft: Draft, link: _Link, inside: _Conds, denied: int | None) -> Iterator[_Members]:
    """The sets that a thing is in or not, in every way the words can be read."""
    spoken = any(scene[i].ref == Ref(link.rows, "*") for i, role in draft.used if role == "filter")
    dated, every = _rows(scene, draft, link, inside)
    # What is in a table is not in none of its rows.
    if denied is not None and (not link.own or every.where):
        yield dated.using("operator", denied, worth=0.2), (_among(link, every, negated=True),)
    turned = [item for item in inside if isinstance(item, Cond) and item.op in _NEGATED]
    if turned:
        # "Not enrolled in chess" is nobody who is in chess, however many other courses he is in.
        rest = tuple(item for item in inside if item not in turned)
        some = (_among(link, _rows(scene, draft, link, rest)[1]),) if rest else ()
        others = (_rows(scene, draft, link, (inverse(item),))[1] for item in turned)
        none = tuple(_among(link, rows, negated=True) for rows in others)
        yield dated.trait("turned", 1.0, worth=0.05), (*some, *none)
    both = scene.first_free(draft, "both", "and")
    for item in inside if both is not None else ():
        if isinstance(item, Cond) and item.op == "in" and isinstance(item.right, tuple) and len(item.right) == 2:
            rest = tuple(other for other in inside if other is not item)
            sets = (_rows(scene, draft, link, (Cond(item.left, "=", value), *rest))[1] for value in item.right)
            yield dated.using("operator", both, worth=0.2), tuple(_among(link, rows) for rows in sets)
    # "People who came in august" came into some other row.
    happened = dated is not draft
    if denied is None and not turned and not link.own and (spoken or happened):
        yield dated.trait("some_rows"), (_among(link, every),)


def _rows(scene: Scene, draft: Draft, link: _Link, conds: _Conds) -> tuple[Draft, Query]:
    """Rows of the other table under conditions and the periods of a draft; without a date there, the draft as it is."""
    rows = Query(select=(Col(link.reference),), where=conds, tables=tuple(dict.fromkeys((link.rows, link.child))))
    for dated, query in bound(scene, draft, rows) if draft.periods else ():
        if set(query.used_tables()) == set(rows.used_tables()):
            return replace(dated, periods=()), query
    return draft, rows


def _among(link: _Link, rows: Query, *, negated: bool = False) -> Cond:
    return Cond(Col(link.key), "not in" if negated else "in", rows)


def _shown(scene: Scene, draft: Draft, link: _Link, members: _Conds) -> Iterator[Made]:
    """The things as a list or as a number."""
    where = (*draft.where, *members)
    listed = draft.using("operator", *draft.free(scene.cues("list", "wh", "exists", "only")))
    columns = [(i, ref) for i in draft.free(scene.columns) if (ref := scene[i].ref) is not None]
    asked = {i: ref for i, ref in columns if (ref == link.shown if link.own else ref.table == link.entity)}
    also = [expr for ref in asked.values() if not link.own for expr in identity(scene, ref)[1]]
    named = () if link.own else scene.named(scene.table(link.entity))
    names: dict[Expr, None] = {Col(ref): None for ref in (*named, link.shown) if ref is not None}
    select = tuple(names | dict.fromkeys(also))
    yield listed.using("shown", *asked), Query(select=select, where=where, tables=(link.entity,), distinct=link.own)
    # "Which books did not sell at all" wants no yes; "are there clients who …" does.
    listing = any(scene[i].span.first == 0 for i in scene.cues("wh", "list"))
    asking = ("count",) if listing else ("count", "truth", "exists")
    count = scene.first_free(draft, *asking)
    operator = scene.operator(count)
    if operator is not None:
        figure = Agg("count", Col(link.key), distinct=True) if link.own else Agg("count", Col(Ref(link.entity, "*")))
        query = Query(select=(figure,), where=where, tables=(link.entity,), truth=operator.op != "count")
        # "With no orders at all" asks less for a yes than "is there a client …".
        yes = operator.op != "exists" or operator.span.first == 0
        yield draft.using("operator", count, worth=0.1 if yes else -0.15), query

"""Rows selected by related rows: those with none, those with some, those with one kind and without another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.nl2sql.conditions import inverse, with_periods
from kbtui.nl2sql.draft import Draft, Scene, identity
from kbtui.nl2sql.groups import are_people, asks_who
from kbtui.nl2sql.joins import joins_of
from kbtui.nl2sql.query import Agg, AnyOf, Col, Cond, Expr, Query, Ref, refs_of
from kbtui.nl2sql.ranking import DraftQuery

_MAX_LINKS: Final = 4
"""Referring tables that are tried for an entity, at most."""
_NEGATED: Final = ("!=", "not in", "not like")

_Conditions = tuple[Cond | AnyOf, ...]
_Membership = tuple[Draft, _Conditions]


class _Link(Struct, frozen=True):
    """How rows of an entity relate to rows of a child table: ``reference`` of ``child`` holds ``key`` of ``entity``.

    Attributes:
        shown: The column that the mention of the entity names; None for a table.
        grandchild: A table that refers to ``child`` and whose rows are meant instead: sites whose lockers have no
            incidents have none. Empty for none.
    """

    entity: str
    key: Ref
    child: str
    reference: Ref
    shown: Ref | None = None
    grandchild: str = ""

    @property
    def rows(self) -> str:
        """The table whose rows are meant."""
        return self.grandchild or self.child

    @property
    def is_self(self) -> bool:
        """Both are one table: values that occur in it, compared with those that occur in some of its rows."""
        return self.child == self.entity


def absence_statements(scene: Scene, draft: Draft) -> Iterator[DraftQuery]:
    """Rows listed or counted by whether related rows exist: in sets that they are in, or are not in."""
    negation = scene.first_free(draft, "never", "not")
    for entity, shown, entity_draft in _entities(scene, draft):
        for link in _links(scene, entity, shown, draft.where):
            outside, inside = _split(scene, draft.where, link)
            if any(link.reference in refs for refs in map(_refs, inside)):
                continue  # The states of rivers in Ohio are Ohio; owners not among those named Elm are all others.
            linked = replace(_using_link(scene, entity_draft, link), where=outside)
            for new_draft, conditions in _memberships(scene, linked, link, inside, negation):
                yield from _entity_statements(scene, new_draft, link, conditions)
            if linked.periods and _names_date(scene, linked, entity):
                # “Clients born after 1985 who never ordered”: the period restricts the clients, not the orders.
                for new_draft, conditions in _memberships(scene, replace(linked, periods=()), link, inside, negation):
                    yield from _entity_statements(scene, replace(new_draft, periods=linked.periods), link, conditions)


def _names_date(scene: Scene, draft: Draft, table: str) -> bool:
    """Whether a mention that is not used yet is a date column of the table."""
    dates = scene.table(table).dates
    return any(scene[i].ref in dates for i in draft.free(scene.columns))


def _entities(scene: Scene, draft: Draft) -> Iterator[tuple[str, Ref | None, Draft]]:
    """The entities a question may ask for: a table, or a column whose distinct values are the entities."""
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
        column = None if info is None or table != ref.table else ref
        yield table, column, draft.using("subject", index, worth=-0.05 * rank)
    for name in scene.mentioned_tables:
        for parent in scene.parents(name):
            if parent not in scene.mentioned_tables:
                is_person = asks_who(scene) and are_people(scene, parent)
                yield parent, None, draft.trait("default_subject", 1.0, worth=0.0 if is_person else -0.2)


def _links(scene: Scene, entity: str, shown: Ref | None, where: _Conditions) -> Iterator[_Link]:
    """Tables that refer to the entity, mentioned ones first; last the entity itself if several rows share a value.

    Tables that conditions are on, or that refer to those, take precedence: films that are both dramas and comedies are
    linked to genres by their classification, not by their cast.
    """
    restricted = {ref.table for item in where for ref in _refs(item)} - {entity}
    spoken = {*scene.mentioned_tables}
    linked = [name for name in scene.children(entity) if restricted.intersection((name, *scene.parents(name)))]
    children = [name for name in scene.children(entity) if not linked or name in linked or name in spoken]
    children.sort(key=lambda name: (name not in linked, name not in spoken))
    for child in children[:_MAX_LINKS]:
        pair = scene.referring(child, entity)
        if pair is not None:
            yield _Link(entity, pair[1], child, pair[0], shown)
            for grandchild in scene.children(child):
                if grandchild in spoken and child not in spoken and grandchild not in children:
                    yield _Link(entity, pair[1], child, pair[0], shown, grandchild)
    table, joins = scene.table(entity), joins_of(scene.catalogue)
    grain = (table.grain,) if table.grain is not None else ()
    # Rows that others refer to are entities of their own, even where several share a name.
    columns = (shown,) if shown is not None else (*(() if children else table.naming), *grain)
    yield from (_Link(entity, ref, entity, ref, ref) for ref in columns if not joins.is_unique(ref))


def _split(scene: Scene, where: _Conditions, link: _Link) -> tuple[_Conditions, _Conditions]:
    """Split conditions into those on the entity and those on the related rows."""
    if link.is_self:
        return (), where
    related_tables = {link.rows, *scene.parents(link.rows), link.child, *scene.parents(link.child)}
    entity_tables = {link.entity, *scene.parents(link.entity)} - related_tables | {link.entity}
    outside = tuple(item for item in where if {ref.table for ref in _refs(item)} <= entity_tables)
    return outside, tuple(item for item in where if item not in outside)


def _refs(item: Cond | AnyOf) -> set[Ref]:
    conds = item.conds if isinstance(item, AnyOf) else (item,)
    return {ref for cond in conds for ref in refs_of(cond.left)}


def _using_link(scene: Scene, draft: Draft, link: _Link) -> Draft:
    """The draft after the condition on related rows has used the mentions of that table."""
    if link.is_self:
        return draft
    mentions = draft.free((*scene.tables, *scene.columns))
    used = [i for i in mentions if (ref := scene[i].ref) is not None and ref.table == link.rows]
    new_draft = draft.using("filter", *used)
    return new_draft if used else new_draft.trait("unspoken_link", 1.0, worth=-0.15)


def _memberships(
    scene: Scene, draft: Draft, link: _Link, inside: _Conditions, negation: int | None
) -> Iterator[_Membership]:
    """The conditions that an entity is in sets of related rows or not, in every way the words can be read."""
    is_mentioned = any(scene[i].ref == Ref(link.rows, "*") for i, role in draft.used if role == "filter")
    dated_draft, related_rows = _related_rows(scene, draft, link, inside)
    # A row that is in a table is always among the rows of that table.
    if negation is not None and (not link.is_self or related_rows.where):
        yield dated_draft.using("operator", negation, worth=0.2), (_membership(link, related_rows, negated=True),)
    negated_conds = [item for item in inside if isinstance(item, Cond) and item.op in _NEGATED]
    if negated_conds:
        # “Not enrolled in chess” excludes everyone who is in chess, whatever other courses they take.
        rest = tuple(item for item in inside if item not in negated_conds)
        memberships = (_membership(link, _related_rows(scene, draft, link, rest)[1]),) if rest else ()
        negated_rows = (_related_rows(scene, draft, link, (inverse(item),))[1] for item in negated_conds)
        exclusions = tuple(_membership(link, rows, negated=True) for rows in negated_rows)
        yield dated_draft.trait("turned", 1.0, worth=0.05), (*memberships, *exclusions)
    both = scene.first_free(draft, "both", "and")
    for item in inside if both is not None else ():
        if isinstance(item, Cond) and item.op == "in" and isinstance(item.right, tuple) and len(item.right) == 2:
            rest = tuple(other for other in inside if other is not item)
            sets = (_related_rows(scene, draft, link, (Cond(item.left, "=", value), *rest))[1] for value in item.right)
            yield dated_draft.using("operator", both, worth=0.2), tuple(_membership(link, rows) for rows in sets)
    # “People who came in august”: the date belongs to related rows.
    has_period = dated_draft is not draft
    asks_for_people = bool(inside) and asks_who(scene) and are_people(scene, link.entity)
    if negation is None and not negated_conds and not link.is_self and (is_mentioned or has_period or asks_for_people):
        yield dated_draft.trait("some_rows"), (_membership(link, related_rows),)


def _related_rows(scene: Scene, draft: Draft, link: _Link, conds: _Conditions) -> tuple[Draft, Query]:
    """The related rows under conditions and the periods of the draft; the draft is unchanged if they have no date."""
    rows = Query(select=(Col(link.reference),), where=conds, tables=tuple(dict.fromkeys((link.rows, link.child))))
    for dated_draft, query in with_periods(scene, draft, rows) if draft.periods else ():
        if set(query.used_tables()) == set(rows.used_tables()):
            return replace(dated_draft, periods=()), query
    return draft, rows


def _membership(link: _Link, rows: Query, *, negated: bool = False) -> Cond:
    return Cond(Col(link.key), "not in" if negated else "in", rows)


def _entity_statements(scene: Scene, draft: Draft, link: _Link, members: _Conditions) -> Iterator[DraftQuery]:
    """The entities as a list, and their number."""
    where = (*draft.where, *members)
    list_draft = draft.using("operator", *draft.free(scene.cues("list", "wh", "exists", "only")))
    columns = [(i, ref) for i in draft.free(scene.columns) if (ref := scene[i].ref) is not None]
    requested = {i: ref for i, ref in columns if (ref == link.shown if link.is_self else ref.table == link.entity)}
    identity_exprs = [expr for ref in requested.values() if not link.is_self for expr in identity(scene, ref)[1]]
    naming = () if link.is_self else scene.naming_columns(scene.table(link.entity))
    exprs: dict[Expr, None] = {Col(ref): None for ref in (*naming, link.shown) if ref is not None}
    select = tuple(exprs | dict.fromkeys(identity_exprs))
    query = Query(select=select, where=where, tables=(link.entity,), distinct=link.is_self)
    yield list_draft.using("shown", *requested), query
    # “Which books did not sell at all” is no yes/no question; “are there clients who …” is.
    is_list = any(scene[i].span.first == 0 for i in scene.cues("wh", "list"))
    count_ops = ("count",) if is_list else ("count", "truth", "exists")
    count = scene.first_free(draft, *count_ops)
    operator = scene.operator(count)
    if operator is not None:
        counted = link.key if link.is_self else Ref(link.entity, "*")
        figure = Agg("count", Col(counted), distinct=link.is_self)
        query = Query(select=(figure,), where=where, tables=(link.entity,), truth=operator.op != "count")
        # A yes/no answer is less likely for “with no orders at all” than for “is there a client …”.
        truth_first = operator.op != "exists" or operator.span.first == 0
        yield draft.using("operator", count, worth=0.1 if truth_first else -0.15), query

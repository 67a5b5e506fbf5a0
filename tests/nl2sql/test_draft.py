"""How things are grouped and shown while a statement is composed."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import Catalogue, Edge, TableInfo
from kbtui.nl2sql.cover import Cover
from kbtui.nl2sql.draft import Scene, identity, rows_of
from kbtui.nl2sql.lattice import Lattice
from kbtui.nl2sql.query import Col, Ref
from tests.nl2sql.garden import question
from tests.nl2sql.shop import catalogue

KEY, NAME = Col(Ref("customer", "id")), Col(Ref("customer", "name"))


def scene(known: Catalogue) -> Scene:
    return Scene(Lattice(question=question("customers"), catalogue=known, mentions=()), Cover((), (), 0.0))


def changed(column: str, **changes: object) -> Catalogue:
    """The shop with another profile of one column of its customers."""
    known = catalogue()
    customer = known.tables["customer"]
    columns = tuple(replace(c, **changes) if c.ref.column == column else c for c in customer.columns)  # type: ignore[arg-type]
    return replace(known, tables={**known.tables, "customer": replace(customer, columns=columns)})


@pytest.mark.parametrize(("known", "shown"), [
    (catalogue(), (NAME,)),
    (changed("name", distinct=3), (NAME, KEY)),
    (changed("id", values=(("C-1", 1),)), (NAME, KEY)),
])  # fmt: skip
def test_rows_show_their_key_where_names_repeat_or_the_key_can_be_read(known, shown):
    assert rows_of(known, known.tables["customer"])[1] == shown


@pytest.mark.parametrize(("distinct", "rows", "keys"), [(9, 10, (KEY, NAME)), (10, 10, (NAME,)), (3, 10, (NAME,))])
def test_namesakes_are_groups_of_their_own_and_a_name_that_comes_again_and_again_is_one(distinct, rows, keys):
    known = changed("name", distinct=distinct)
    known = replace(known, tables={**known.tables, "customer": replace(known.tables["customer"], rows=rows)})
    assert identity(scene(known), NAME.ref)[0] == keys


def test_tables_of_one_size_that_refer_to_another_keep_the_order_of_their_keys():
    known = catalogue()
    names = ("note", "call", "visit", "claim", "offer", "lease", "event")
    tables = {name: TableInfo(name=name, words=(name,), columns=(), rows=5) for name in names}
    edges = tuple(Edge(Ref(name, "customer_id"), KEY.ref) for name in names)
    assert scene(replace(known, tables={**known.tables, **tables}, edges=edges)).children("customer") == names


def test_a_second_reference_to_a_table_is_shown_by_its_role_and_not_by_the_first_reference():
    known = catalogue()
    customer, order = known.tables["customer"], next(t for t in known.tables.values() if t.name != "customer")
    payer = replace(
        customer, name="customer__payer", role_of="customer", naming=(Ref("customer__payer", "name"),),
        key=Ref("customer__payer", "id"),
    )  # fmt: skip
    ref = Ref(order.name, "payer_id")
    column = replace(order.columns[0], ref=ref, kind="reference")
    tables = {**known.tables, payer.name: payer, order.name: replace(order, columns=(*order.columns, column))}
    edges = (*known.edges, Edge(ref, KEY.ref), Edge(ref, Ref(payer.name, "id")))
    keys, shown = identity(scene(replace(known, tables=tables, edges=edges)), ref)
    assert {expr.ref.table for expr in (*keys, *shown)} == {payer.name}

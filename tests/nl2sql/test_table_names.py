"""What tables are called, in words."""

from __future__ import annotations

import pytest

from kbtui.domain.analysis import Column, Table
from kbtui.nl2sql.table_names import names_of_tables, table_words


def _tables(**columns: str) -> list[Table]:
    return [
        Table(name=name, columns=tuple(Column(name=column) for column in names.split()))
        for name, names in columns.items()
    ]


def _words(*tables: Table) -> dict[str, str]:
    return {name: " ".join(words.words) for name, words in names_of_tables(tables).items()}


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("tbl_orders", ("order",)),
        ("dim_customer", ("customer",)),
        ("public.invoices", ("invoice",)),
        ("x_studio_contracts", ("contract",)),
        ("sales_export", ("sale",)),
        ("tblHire", ("hire",)),
        ("tlkFault", ("fault",)),
    ],
)
def test_a_table_is_known_without_what_says_how_it_is_kept(name: str, words: tuple[str, ...]) -> None:
    assert table_words(name) == words


def test_the_part_of_an_application_is_no_part_of_what_its_rows_are_called() -> None:
    tables = _tables(auth_user="id", auth_group="id", desk_ticket="id queue_id", desk_queue="id title")
    assert list(_words(*tables).values()) == ["user", "group", "ticket", "queue"]
    assert names_of_tables(tables)["desk_ticket"].module == ("desk",)


def test_a_reference_calls_a_single_table_of_a_part_by_its_name() -> None:
    tables = _tables(accounts_organization="id", invoices="id organization_id", time_entry="id")
    assert list(_words(*tables).values()) == ["organization", "invoice", "time entry"]


@pytest.mark.parametrize(
    "columns",
    [
        {"post": "id", "post_actions": "id", "post_drafts": "id"},
        {"player_awards": "player_id award", "player_teams": "player_id team"},
        {"sales_north": "day shop goods amount", "sales_south": "day shop goods amount"},
        {"order_data": "id qty", "order_status": "id label"},
    ],
    ids=["a table of that name", "a key of that name", "parts of one table", "words without meaning of their own"],
)
def test_the_first_word_is_kept_where_it_names_a_thing(columns: dict[str, str]) -> None:
    tables = _tables(**columns)
    assert _words(*tables) == {table.name: " ".join(table_words(table.name)) for table in tables}


def test_tables_that_would_be_called_the_same_keep_their_first_words() -> None:
    tables = _tables(sale_order="id", sale_quote="id", purchase_order="id", purchase_quote="id", stock_bin="id")
    assert _words(*tables)["sale_order"] == "sale order"


def test_the_main_table_of_a_part_is_called_like_it() -> None:
    tables = _tables(product_product="id", product_category="id", product_price="id")
    assert list(_words(*tables).values()) == ["product", "product category", "product price"]

from __future__ import annotations

import pytest
from msgspec.structs import replace

from kbtui.nl2sql.catalogue import ColumnInfo, Kind, TableInfo
from kbtui.nl2sql.names import column_words
from kbtui.nl2sql.query import Ref
from kbtui.nl2sql.references import SourceWords
from kbtui.nl2sql.row_facts import amount_of, dates_of, grain_of, names_rows, naming_columns
from kbtui.nl2sql.table_names import table_words


def table(name: str, *columns: str, unit: str = "", kind: Kind = "measure") -> TableInfo:
    owner = table_words(name)
    named = {column: column_words(column, owner) for column in columns}
    infos = [
        ColumnInfo(ref=Ref(name, column), kind=kind, words=both.words, own=both.own, unit=unit)
        for column, both in named.items()
    ]
    return TableInfo(name=name, words=owner, columns=tuple(infos))


@pytest.mark.parametrize(
    ("name", "columns", "amount"),
    [
        ("invoices", ["tax_amount", "shipping_fee", "amount"], "amount"),
        ("orders", ["subtotal", "discount", "total_amount"], "total_amount"),
        ("trips", ["tip", "fare"], "fare"),
        ("orders", ["Booking Fee", "Order Amount", "Paid Amount"], "Order Amount"),
        ("销售", ["运费", "税额", "实收金额"], "实收金额"),
        ("fines", ["fine"], "fine"),
        ("campaigns", ["Total Opens", "Revenue"], "Revenue"),
    ],
)
def test_rows_are_about_their_sum_and_not_about_what_comes_with_it(name: str, columns: list[str], amount: str) -> None:
    found = amount_of(table(name, *columns))
    assert found is not None
    assert found.column == amount


def test_a_name_of_another_thing_that_rows_share_names_no_row() -> None:
    bills = table("bills", "bill_no", "client_name", kind="name")
    columns = tuple(replace(column, distinct=n) for column, n in zip(bills.columns, (200, 20), strict=True))
    assert naming_columns(replace(bills, columns=columns, rows=200)) != (Ref("bills", "client_name"),)
    assert naming_columns(replace(bills, columns=columns[1:], rows=20)) == (Ref("bills", "client_name"),)


def test_a_weight_a_rate_and_a_count_are_no_amounts_of_money() -> None:
    assert amount_of(table("loads", "amount", unit="kg")) is None
    assert amount_of(table("items", "price", kind="rate")) is None
    assert amount_of(table("campaigns", "Total Opens")) is None


def test_the_price_paid_for_the_one_thing_of_a_dated_row_is_its_amount() -> None:
    lots = replace(table("lots", "Reserve Price", "Hammer Price", kind="rate"), dates=(Ref("lots", "Sale Date"),))
    assert amount_of(lots) == Ref("lots", "Hammer Price")
    fees = table("lots", "Buyer Fee").columns
    assert amount_of(replace(lots, columns=(*fees, *lots.columns))) == Ref("lots", "Hammer Price")
    assert amount_of(replace(lots, columns=(*lots.columns, *table("lots", "quantity").columns))) is None
    assert amount_of(table("rooms", "beds", "seats")) is None


def test_rows_are_asked_by_the_date_that_is_named_as_they_are() -> None:
    visits = table("appt", "booked_dt", "appt_dt", kind="date")
    assert [ref.column for ref in dates_of(visits)] == ["appt_dt", "booked_dt"]
    orders = table("orders", "created_at", "order_update_time", kind="date")
    assert dates_of(orders)[0].column == "created_at"


def test_a_date_that_some_rows_lack_is_not_what_rows_are_asked_by() -> None:
    visits = table("visits", "booked_on", "visit_date", kind="date")
    assert dates_of(visits)[0].column == "visit_date"
    fees = table("物业费", "缴费日期", "年月", kind="date")
    lacking = TableInfo(
        name=fees.name, words=fees.words,
        columns=(replace(fees.columns[0], nulls=0.1), fees.columns[1]),
    )  # fmt: skip
    assert dates_of(lacking)[0].column == "年月"


def test_what_starts_and_ends_is_when_it_starts_and_not_when_it_was_booked() -> None:
    assert dates_of(table("appointments", "booked_at", "starts_at", "ends_at", kind="date"))[0].column == "starts_at"
    assert dates_of(table("visits", "booked_at", "starts_at", kind="date"))[0].column == "booked_at"


def test_payments_are_no_parts_of_the_invoices_whose_number_they_have() -> None:
    grains = {}
    for name, number in (
        ("payments", "invoice_number"),
        ("sales", "invoice_number"),
        ("交易明细", "商家订单号"),
        ("订单明细", "订单号"),
    ):
        rows = table(name, number, kind="code")
        columns = tuple(replace(column, distinct=100) for column in rows.columns)
        no_words = SourceWords({}, {}, {})
        grains[name] = grain_of(replace(rows, columns=columns, rows=200), (), no_words)
    assert grains == {
        "payments": None,
        "sales": Ref("sales", "invoice_number"),
        "交易明细": None,
        "订单明细": Ref("订单明细", "订单号"),
    }


@pytest.mark.parametrize(
    ("text", "is_asked"),
    [("order lines", True), ("记录", True), ("账单明细", True), ("orders", False), ("订单", False)],
)
def test_lines_are_asked_for_by_their_own_words(text: str, is_asked: bool) -> None:
    assert names_rows(text) is is_asked

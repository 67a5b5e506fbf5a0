"""What a catalogue says of tables and columns of small sources."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from kbtui.domain.analysis import Column, ForeignKey, Schema, Table
from kbtui.errors import Cancelled
from kbtui.nl2sql.generate import candidates
from kbtui.nl2sql.lexicon import concepts_of
from kbtui.nl2sql.linking import link
from kbtui.nl2sql.profile import MAX_PROFILED, profile
from kbtui.nl2sql.query import Agg, Col, Ref
from kbtui.question.reader import read
from tests.nl2sql.sources import TODAY, Memory, column, kinds


def _orders() -> Memory:
    memory = Memory(
        """
        CREATE TABLE customers(id INTEGER PRIMARY KEY, name TEXT, town TEXT, vip TEXT, born_year INTEGER);
        CREATE TABLE orders(order_no TEXT PRIMARY KEY, customer_id INTEGER, ordered_on TEXT, due_on TEXT,
          delivered_on TEXT, status TEXT, amt REAL, disc_pct REAL, unit_price REAL, qty INTEGER, weight_kg REAL);
        """
    )
    towns = ("Lindau", "Hafen", "Moor")
    memory.fill(
        "customers", [(n, f"Kay Number {n}", towns[n % 3], "yN"[n % 2].upper(), 1960 + n % 40) for n in range(1, 61)]
    )
    states = ("open", "shipped", "Cancelled")
    return memory.fill(
        "orders",
        [
            (
                f"A-{n:05}", n % 60 + 1, f"2026-{n % 9 + 1:02}-11", f"2026-{n % 9 + 1:02}-20",
                f"2026-{n % 9 + 1:02}-25" if n % 4 else None, states[n % 3], n * 1.5, n % 20, 2.5 + n % 7, n % 9, n / 7,
            )
            for n in range(1, 301)
        ],
    )  # fmt: skip


def test_kinds_come_from_names_and_values() -> None:
    catalogue = _orders().catalogue()
    assert kinds(catalogue.tables["customers"]) == {
        "id": "key", "name": "name", "town": "category", "vip": "flag", "born_year": "rate",
    }  # fmt: skip
    assert kinds(catalogue.tables["orders"]) == {
        "order_no": "key", "customer_id": "reference", "ordered_on": "date", "due_on": "date", "delivered_on": "date",
        "status": "category", "amt": "measure", "disc_pct": "rate", "unit_price": "rate", "qty": "measure",
        "weight_kg": "measure",
    }  # fmt: skip


def test_values_extremes_and_units_are_measured() -> None:
    catalogue = _orders().catalogue()
    status = column(catalogue, "orders", "status")
    assert dict(status.values) == {"open": 100, "shipped": 100, "Cancelled": 100}
    assert status.complete and status.distinct == 3
    ordered = column(catalogue, "orders", "ordered_on")
    assert (ordered.low, ordered.high, ordered.encoding) == (date(2026, 1, 11), date(2026, 9, 11), "")
    assert column(catalogue, "orders", "delivered_on").nulls == pytest.approx(0.25)
    assert column(catalogue, "orders", "weight_kg").unit == "kg"
    percentage = column(catalogue, "orders", "disc_pct")
    assert (percentage.unit, percentage.scale) == ("%", 100)
    assert catalogue.tables["orders"].rows == 300


def test_an_undeclared_reference_is_found_by_its_name_and_its_values() -> None:
    catalogue = _orders().catalogue()
    assert (Ref("orders", "customer_id"), Ref("customers", "id")) in catalogue.edges


def test_a_name_without_the_values_is_no_reference() -> None:
    memory = Memory("CREATE TABLE rooms(id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE lamps(room_id INTEGER)")
    memory.fill("rooms", [(n, f"Room {n}") for n in range(1, 9)])
    memory.fill("lamps", [(n,) for n in range(700, 720)])
    assert memory.catalogue().edges == ()


def test_a_column_declared_to_refer_to_a_table_that_is_not_read_refers_to_no_other() -> None:
    memory = Memory(
        """
        CREATE TABLE rooms(room_id INTEGER PRIMARY KEY, name TEXT); CREATE TABLE halls(id INTEGER PRIMARY KEY);
        CREATE TABLE lamps(room_id INTEGER REFERENCES halls(id));
        """
    )
    memory.fill("rooms", [(n, f"Room {n}") for n in range(1, 9)]).fill("lamps", [(n,) for n in range(1, 9)])
    schema = memory.schema
    some = replace(schema, tables=tuple(table for table in schema.tables if table.name != "halls"))
    assert profile(some, memory.ask, today=TODAY).edges == ()


def test_a_text_column_with_the_values_of_a_key_refers_to_it_whatever_it_is_called() -> None:
    memory = Memory("CREATE TABLE airports(code TEXT PRIMARY KEY, city TEXT); CREATE TABLE legs(orig TEXT, dest TEXT)")
    codes = ["AAL", "BRU", "CPH", "DUS", "EIN"]
    memory.fill("airports", [(code, f"City of {code}") for code in codes])
    memory.fill("legs", [(codes[n % 5], codes[(n + 2) % 5]) for n in range(40)])
    catalogue = memory.catalogue()
    assert kinds(catalogue.tables["legs"]) == {"orig": "reference", "dest": "reference"}
    assert catalogue.tables["airports__origin"].role_of == "airports"
    assert catalogue.tables["airports__origin"].words == ("origin",)
    assert (Ref("legs", "dest"), Ref("airports__destination", "code")) in catalogue.edges
    role = catalogue.column(Ref("airports__origin", "city"))
    assert role is not None and role.kind == "category"


def test_whoever_does_something_is_somebody_in_a_table_of_people() -> None:
    memory = Memory(
        """
        CREATE TABLE agents(id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE visits(id INTEGER PRIMARY KEY, planned_by INTEGER, handler INTEGER, orders INTEGER);
        """
    )
    memory.fill("agents", [(n, f"Agent {n}") for n in range(1, 9)])
    memory.fill("visits", [(n, n % 8 + 1, n % 5 + 1, n % 6 + 1) for n in range(1, 60)])
    catalogue = memory.catalogue()
    assert kinds(catalogue.tables["visits"]) == {
        "id": "key", "planned_by": "reference", "handler": "reference", "orders": "measure",
    }  # fmt: skip


def test_scores_and_figures_for_each_person_or_month_do_not_add_up() -> None:
    memory = Memory("CREATE TABLE calls(id INTEGER PRIMARY KEY, csat INTEGER, 月均话费 REAL, 每次分钟 REAL, 话费 REAL)")
    memory.fill("calls", [(n, n % 5 + 1, n * 1.5, n * 2.5, n * 3.25) for n in range(1, 60)])
    assert kinds(memory.catalogue().tables["calls"]) == {
        "id": "key", "csat": "rate", "月均话费": "rate", "每次分钟": "rate", "话费": "measure",
    }  # fmt: skip


def test_a_short_form_of_a_table_in_a_reference_is_the_table_itself() -> None:
    memory = Memory("CREATE TABLE teachers(tch_id INTEGER PRIMARY KEY, tch_name TEXT)")
    references = "tch_id INTEGER REFERENCES teachers, to_tch_id INTEGER REFERENCES teachers"
    memory.connection.execute(f"CREATE TABLE lessons(lesson_id INTEGER PRIMARY KEY, {references})")
    memory.fill("teachers", [(n, f"Teacher {n}") for n in range(1, 9)])
    memory.fill("lessons", [(n, n % 8 + 1, n % 5 + 1) for n in range(1, 60)])
    roles = [table.words for table in memory.catalogue().tables.values() if table.role_of]
    assert roles == [("to", "teacher")]


def test_a_parent_in_the_same_table_is_a_role_of_it() -> None:
    memory = Memory("CREATE TABLE units(id INTEGER PRIMARY KEY, name TEXT, parent_id INTEGER)")
    memory.fill("units", [(n, f"Unit {n}", n // 3 or None) for n in range(1, 20)])
    catalogue = memory.catalogue()
    assert catalogue.edges == ((Ref("units", "parent_id"), Ref("units__parent", "id")),)


@pytest.mark.parametrize("name", ["lead_id", "replaces", "组长工号"])
def test_a_column_named_for_who_is_above_refers_to_its_own_table(name: str) -> None:
    memory = Memory(f'CREATE TABLE units(id INTEGER PRIMARY KEY, name TEXT, "{name}" INTEGER)')
    memory.fill("units", [(n, f"Unit {n}", n // 3 or None) for n in range(1, 20)])
    (edge,) = memory.catalogue().edges
    assert edge.left == Ref("units", name)
    assert memory.catalogue().tables[edge.right.table].role_of == "units"


def test_numbers_and_dates_in_text_are_read_by_their_values() -> None:
    memory = Memory('CREATE TABLE gifts("Gift Date" TEXT, "Gift Amount" TEXT, "Share" TEXT, "Code" TEXT)')
    memory.fill("gifts", [(f"{n % 28 + 1:02}.03.2026", f"${n},100.50", f"{n} %", f"{n % 30:04}") for n in range(1, 40)])
    catalogue = memory.catalogue()
    day, amount = column(catalogue, "gifts", "Gift Date"), column(catalogue, "gifts", "Gift Amount")
    assert (day.kind, day.encoding, day.date_format) == ("date", "date", "%d.%m.%Y")
    assert (amount.kind, amount.encoding, amount.unit, amount.high) == ("measure", "number", "USD", 39_100.5)
    share = column(catalogue, "gifts", "Share")
    assert (share.kind, share.encoding, share.unit, share.scale) == ("rate", "number", "%", 100)
    assert column(catalogue, "gifts", "Code").kind == "code"


def test_hours_minutes_and_seconds_are_a_duration_by_the_name_of_their_column() -> None:
    memory = Memory('CREATE TABLE calls("Talk Time" TEXT, "Start Time" TEXT, length TEXT, elapsed TIME)')
    memory.fill(
        "calls", [(f"0:{n:02}:30", f"{n % 9 + 9:02}:{n:02}:00", f"{n}h 5m", f"00:{n:02}:01") for n in range(30)]
    )
    catalogue = memory.catalogue()
    talk, length = column(catalogue, "calls", "Talk Time"), column(catalogue, "calls", "length")
    assert (talk.kind, talk.encoding, talk.date_format, talk.unit) == ("measure", "number", "%H:%M:%S", "second")
    assert (length.date_format, length.high) == ("%Hh%Mm", 29 * 3600 + 300)
    assert column(catalogue, "calls", "elapsed").date_format == "%H:%M:%S"
    assert column(catalogue, "calls", "Start Time").encoding == ""


def test_whole_numbers_that_count_seconds_are_dates() -> None:
    memory = Memory("CREATE TABLE hits(created INTEGER, bytes INTEGER)")
    memory.fill("hits", [(1_790_000_000 + 86_400 * n, 1_790_000_000 + n) for n in range(30)])
    catalogue = memory.catalogue()
    created = column(catalogue, "hits", "created")
    assert (created.kind, created.encoding, created.date_format) == ("date", "date", "unix")
    assert column(catalogue, "hits", "bytes").kind == "measure"


def test_lines_that_have_what_belongs_to_the_whole_order_once_are_parts_of_orders() -> None:
    memory = Memory("CREATE TABLE orders(Name TEXT, Email TEXT, Status TEXT, Total REAL, City TEXT, Item TEXT, n INT)")
    heads = [("paid", 12.5, f"a{n % 7}@x.org", "Leeds") for n in range(60)]
    first = [
        (f"#{1000 + n}", mail, status, total, city, "Cup", 1) for n, (status, total, mail, city) in enumerate(heads)
    ]
    memory.fill("orders", [*first, *((f"#{1000 + n}", None, None, None, None, "Plate", 2) for n in range(0, 60, 3))])
    orders = memory.catalogue().tables["orders"]
    assert orders.grain == Ref("orders", "Name")
    assert orders.has_first_lines


def test_seconds_to_do_something_are_the_time_to_do_it() -> None:
    memory = Memory('CREATE TABLE pages(id INTEGER PRIMARY KEY, "Seconds To Resolve" INTEGER)')
    memory.fill("pages", [(n, 17 * n % 900) for n in range(1, 60)])
    time = column(memory.catalogue(), "pages", "Seconds To Resolve")
    assert (time.words, time.unit) == (("time", "to", "resolve"), "second")


def test_the_receipt_is_the_grain_of_its_lines() -> None:
    memory = Memory('CREATE TABLE sales_export("Receipt No" TEXT, "Sold On" TEXT, "Title" TEXT, "Qty" INTEGER)')
    memory.fill("sales_export", [(f"R{n // 3}", "2026-02-03", f"Thing {n % 11}", 1 + n % 4) for n in range(600)])
    assert memory.catalogue().tables["sales_export"].grain == Ref("sales_export", "Receipt No")


def test_a_table_that_only_joins_two_others_has_no_grain() -> None:
    memory = Memory(
        "CREATE TABLE orders(id INTEGER PRIMARY KEY, total REAL); CREATE TABLE tags(id INTEGER PRIMARY KEY, tag TEXT);"
        "CREATE TABLE order_tags(order_id INTEGER REFERENCES orders(id), tag_id INTEGER REFERENCES tags(id))"
    )
    memory.fill("orders", [(n, 1.0) for n in range(1, 9)]).fill("tags", [(n, f"t{n}") for n in range(1, 5)])
    memory.fill("order_tags", [(n % 8 + 1, n % 4 + 1) for n in range(24)])
    assert memory.catalogue().tables["order_tags"].grain is None


@pytest.mark.parametrize(
    ("columns", "row", "naming"),
    [
        ("id INTEGER PRIMARY KEY, title TEXT, author TEXT", lambda n: (n, f"Book {n}", "Ana Ruiz"), ("title",)),
        ("id INTEGER PRIMARY KEY, fname TEXT, lname TEXT", lambda n: (n, f"A{n}", f"Z{n}"), ("fname", "lname")),
        ("code TEXT PRIMARY KEY, meaning TEXT", lambda n: (f"C{n}", f"means {'n' * n}"), ("meaning",)),
        ("id INTEGER PRIMARY KEY, amount REAL", lambda n: (n, n / 2), ("id",)),
        ("编号 INTEGER PRIMARY KEY, 书名 TEXT, 作者 TEXT", lambda n: (n, f"书{'a' * n}", "李四"), ("书名",)),
    ],
)  # fmt: skip
def test_a_row_is_named_by_the_best_column_there_is(columns: str, row: Any, naming: tuple[str, ...]) -> None:
    memory = Memory(f"CREATE TABLE things({columns})").fill("things", [row(n) for n in range(1, 12)])
    assert tuple(ref.column for ref in memory.catalogue().tables["things"].naming) == naming


def test_rows_are_asked_by_when_they_were_made_before_when_they_were_changed() -> None:
    memory = Memory("CREATE TABLE jobs(id INTEGER PRIMARY KEY, updated_at TEXT, due_date TEXT, created_at TEXT)")
    memory.fill("jobs", [(n, "2026-03-01", "2026-04-01", "2026-02-01") for n in range(1, 9)])
    dates = memory.catalogue().tables["jobs"].dates
    assert dates[0] == Ref("jobs", "created_at") and len(dates) == 3


def test_without_statements_the_samples_decide() -> None:
    memory = _orders()
    catalogue = profile(memory.schema, None, today=TODAY)
    assert kinds(catalogue.tables["orders"])["customer_id"] == "reference"
    assert kinds(catalogue.tables["orders"])["amt"] == "measure"
    assert column(catalogue, "orders", "status").values == (("shipped", 0), ("Cancelled", 0), ("open", 0))
    assert catalogue.tables["orders"].rows == 300


def test_statements_that_fail_leave_what_the_samples_tell() -> None:
    def failing(sql: str) -> Sequence[Sequence[Any]]:
        raise RuntimeError(sql)

    schema = _orders().schema
    assert kinds(profile(schema, failing, today=TODAY).tables["orders"])["status"] == "category"
    assert kinds(profile(schema, lambda _: None, today=TODAY).tables["orders"])["status"] == "category"  # type: ignore[arg-type, return-value]


def test_a_cancelled_run_is_cancelled() -> None:
    def cancelling(sql: str) -> Sequence[Sequence[Any]]:
        raise Cancelled

    with pytest.raises(Cancelled):
        profile(_orders().schema, cancelling, today=TODAY)


def test_two_statements_a_table_and_none_beyond_the_first_tables() -> None:
    tables = tuple(
        Table(
            name=f"t{n}",
            columns=(
                Column(name="id", kind="integer", is_key=True),
                Column(name="town", kind="text", samples=("Moor",)),
            ),
            row_estimate=5,
        )
        for n in range(MAX_PROFILED + 40)
    )
    asked: list[str] = []

    def ask(sql: str) -> Sequence[Sequence[Any]]:
        asked.append(sql)
        return ()

    catalogue = profile(Schema(source="many", dialect="sqlite", level="detailed", tables=tables), ask, today=TODAY)
    assert len(asked) == 2 * MAX_PROFILED
    assert len(catalogue.tables) == MAX_PROFILED + 40


def test_statements_about_all_tables_are_sent_at_one_go() -> None:
    memory = Memory("CREATE TABLE jobs(id INTEGER PRIMARY KEY, town TEXT); CREATE TABLE trips(id INTEGER, day TEXT)")
    memory.fill("jobs", [(n, "Moor") for n in range(1, 9)])
    rounds: list[int] = []

    def ask_each(statements: Sequence[str], _seconds: float, enough: int) -> list[Sequence[Sequence[Any]] | None]:
        rounds.append(enough)
        return [memory.ask(sql) for sql in statements]

    at_one_go = profile(memory.schema, memory.ask, today=TODAY, ask_each=ask_each)
    assert rounds[0] == 2
    assert len(rounds) <= 3
    assert at_one_go == memory.catalogue()


def test_concepts_are_filled_in_by_the_words() -> None:
    catalogue = profile(
        _orders().schema, None, today=TODAY, concepts_of=lambda words: frozenset({"place"} & {"place", *words[:0]})
    )
    assert column(catalogue, "customers", "town").concepts == {"place"}
    assert catalogue.tables["orders"].concepts == {"place"}


def test_a_comment_adds_words_to_a_name() -> None:
    schema = Schema(
        source="s", dialect="postgres", level="detailed",
        tables=(Table(name="t", columns=(Column(name="f1", type="text", kind="text", comment="Delivery note"),)),),
    )  # fmt: skip
    assert column(profile(schema, None, today=TODAY), "t", "f1").words == ("f", "1", "delivery", "note")


def test_text_is_read_as_dates_where_the_engine_does_not_do_so_itself() -> None:
    schema = Schema(
        source="s", dialect="postgres", level="detailed",
        tables=(
            Table(
                name="t",
                columns=(
                    Column(name="sold_on", type="varchar", kind="text", samples=("2026-01-02", "2026-01-03")),
                    Column(name="sent_on", type="date", kind="date", samples=("2026-01-02", "2026-01-03")),
                ),
            ),
        ),
    )  # fmt: skip
    catalogue = profile(schema, None, today=TODAY)
    assert (column(catalogue, "t", "sold_on").kind, column(catalogue, "t", "sold_on").encoding) == ("date", "date")
    assert (column(catalogue, "t", "sent_on").kind, column(catalogue, "t", "sent_on").encoding) == ("date", "")


def test_keys_over_two_columns_join_by_the_one_that_is_not_the_parents() -> None:
    key = ForeignKey(columns=("shop", "line_no"), referred_table="lines", referred_columns=("shop", "line_no"))
    pair = (Column(name="shop", kind="text"), Column(name="line_no", kind="integer"))
    schema = Schema(
        source="s", dialect="sqlite", level="detailed",
        tables=(Table(name="lines", columns=pair), Table(name="returns", columns=pair, foreign_keys=(key,))),
    )  # fmt: skip
    assert profile(schema, None, today=TODAY).edges == ((Ref("returns", "line_no"), Ref("lines", "line_no")),)


def test_a_duckdb_source_is_profiled_with_the_same_statements() -> None:
    import duckdb

    connection = duckdb.connect()
    connection.execute(
        "CREATE TABLE rides (id INTEGER, began TIMESTAMP, km DOUBLE, town VARCHAR, late BOOLEAN, tags VARCHAR[], "
        "duration TIME)"
    )
    connection.execute(
        "INSERT INTO rides SELECT i, TIMESTAMP '2026-01-01 08:30:00' + INTERVAL (i) DAY, i * 1.5, "
        "CASE i % 3 WHEN 0 THEN 'Lindau' ELSE 'Moor' END, i % 4 = 0, ['a'], TIME '01:00:00' FROM range(1, 41) AS t(i)"
    )
    columns = (
        Column(name="id", type="INTEGER", kind="integer"),
        Column(name="began", type="TIMESTAMP", kind="datetime", samples=("2026-01-02 08:30:00",)),
        Column(name="km", type="DOUBLE", kind="number"),
        Column(name="town", type="VARCHAR", kind="text"),
        Column(name="late", type="BOOLEAN", kind="boolean"),
        Column(name="tags", type="VARCHAR[]", kind="other"),
        Column(name="duration", type="TIME", kind="text"),
    )
    schema = Schema(
        source="rides",
        dialect="duckdb",
        level="detailed",
        tables=(Table(name="rides", columns=columns, row_estimate=40),),
    )
    catalogue = profile(schema, lambda sql: connection.execute(sql).fetchall(), today=TODAY)
    connection.close()
    assert kinds(catalogue.tables["rides"]) == {
        "id": "key", "began": "date", "km": "measure", "town": "category", "late": "flag", "tags": "other",
        "duration": "measure",
    }  # fmt: skip
    assert column(catalogue, "rides", "duration").date_format == "time"
    assert column(catalogue, "rides", "town").values == (("Moor", 27), ("Lindau", 13))
    assert column(catalogue, "rides", "late").values == ((True, 10), (False, 30))
    began = column(catalogue, "rides", "began")
    assert (began.low, began.high, began.has_time) == (date(2026, 1, 2), date(2026, 2, 10), True)


def test_a_number_of_things_is_no_reference_to_them() -> None:
    memory = Memory(
        "CREATE TABLE hosts(id INTEGER PRIMARY KEY, name TEXT);"
        "CREATE TABLE feasts(id INTEGER PRIMARY KEY, number_of_hosts INTEGER, home_hosts INTEGER, host INTEGER)"
    )
    memory.fill("hosts", [(n, f"Host {n}") for n in range(1, 10)])
    memory.fill("feasts", [(n, n % 5 + 1, n % 4 + 1, n % 9 + 1) for n in range(1, 40)])
    assert memory.catalogue().edges == ((Ref("feasts", "host"), Ref("hosts", "id")),)


def test_a_chinese_table_is_referred_to_without_the_word_for_a_table() -> None:
    memory = Memory(
        "CREATE TABLE 货品档案(编码 TEXT PRIMARY KEY, 品名 TEXT); CREATE TABLE 出库(单号 INTEGER, 货品编码 TEXT)"
    )
    memory.fill("货品档案", [(f"H{n:03}", f"货品{n}") for n in range(1, 400)])
    memory.fill("出库", [(n, f"H{n * 7 % 30 + 1:03}") for n in range(1, 60)])
    assert memory.catalogue().edges == ((Ref("出库", "货品编码"), Ref("货品档案", "编码")),)


def test_the_number_of_a_line_is_no_measure() -> None:
    memory = Memory(
        """
        CREATE TABLE bills(bill_id INTEGER PRIMARY KEY, town TEXT);
        CREATE TABLE bill_lines(bill_id INTEGER REFERENCES bills, ln INTEGER, boxes INTEGER, amount REAL);
        """
    )
    memory.fill("bills", [(n, "Moor") for n in range(1, 41)])
    lines = [(n, ln, 1 + (n + ln) % 4, n * 1.5) for n in range(1, 41) for ln in range(1, 2 + n % 4)]
    memory.fill("bill_lines", lines)
    known = kinds(memory.catalogue().tables["bill_lines"])
    assert (known["ln"], known["boxes"]) == ("code", "measure")


def test_energy_adds_up_in_its_unit_and_is_a_rate_without() -> None:
    memory = Memory("CREATE TABLE charges(id INTEGER PRIMARY KEY, energy_kwh REAL, energy REAL);")
    memory.fill("charges", [(n, n * 1.5, n / 40) for n in range(1, 30)])
    known = kinds(memory.catalogue().tables["charges"])
    assert (known["energy_kwh"], known["energy"]) == ("measure", "rate")


def test_nought_and_one_of_a_few_rows_are_a_flag_unless_the_name_counts() -> None:
    memory = Memory("CREATE TABLE halls(hall_id INTEGER PRIMARY KEY, hall_name TEXT, step_free INTEGER, bars INTEGER);")
    memory.fill("halls", [(1, "Oak room", 1, 1), (2, "Elm room", 0, 0), (3, "Ash room", 1, 0)])
    known = kinds(memory.catalogue().tables["halls"])
    assert (known["step_free"], known["bars"]) == ("flag", "measure")


def test_a_unit_alone_and_in_the_singular_says_when_it_was() -> None:
    memory = Memory("CREATE TABLE goals(goal_id INTEGER PRIMARY KEY, minute INTEGER, minutes INTEGER);")
    memory.fill("goals", [(n, n % 90, n % 45) for n in range(1, 200)])
    known = kinds(memory.catalogue().tables["goals"])
    assert (known["minute"], known["minutes"]) == ("rate", "measure")


def test_the_givers_of_gifts_are_counted_and_not_their_gifts() -> None:
    memory = Memory("CREATE TABLE gifts(gift_id INTEGER PRIMARY KEY, giver_code TEXT, giver_town TEXT, amount REAL);")
    memory.fill("gifts", [(n, f"G-{n % 30:03}", ("Moor", "Hafen")[n % 2], n * 1.5) for n in range(1, 121)])
    found = candidates(link(read("how many givers do we have", today=TODAY), memory.catalogue()))
    assert found[0].query.select == (Agg("count", Col(Ref("gifts", "giver_code")), distinct=True),)
    rows = next(each for each in found if each.query.select == (Agg("count", Col(Ref("gifts", "*"))),))
    assert rows.traits["rows_for_repeated"] == 1.0


def test_numbers_of_tickets_and_calls_are_keys_and_codes_and_never_amounts() -> None:
    memory = Memory('CREATE TABLE support("Ticket #" INTEGER, "Call No." REAL, seq INTEGER, "# Replies" INTEGER)')
    catalogue = memory.fill("support", [(1000 + n, 200 + n / 10, n, n % 4) for n in range(40)]).catalogue()
    assert kinds(catalogue.tables["support"]) == {
        "Ticket #": "key", "Call No.": "code", "seq": "code", "# Replies": "measure",
    }  # fmt: skip


def test_rows_of_a_league_table_are_named_by_the_team_and_not_by_the_rank() -> None:
    memory = Memory("CREATE TABLE league(rank INTEGER, team TEXT, points INTEGER)")
    catalogue = memory.fill("league", [(n, f"Team {n}", 90 - 3 * n) for n in range(1, 21)]).catalogue()
    assert catalogue.tables["league"].naming == (Ref("league", "team"),)


@pytest.mark.parametrize(("table", "key", "words"), [
    ("hr", "Emp No", ("employee",)), ("jira", "Issue key", ("issue",)), ("orders", "Receipt No", ("order",)),
    ("zendesk", "id", ("zendesk",)),
])  # fmt: skip
def test_rows_of_an_export_are_named_by_what_its_key_numbers(table: str, key: str, words: tuple[str, ...]) -> None:
    memory = Memory(f'CREATE TABLE {table}("{key}" INTEGER, city TEXT)')
    memory.fill(table, [(n, f"Town {n % 3}") for n in range(1, 31)])
    known = profile(memory.schema, memory.ask, today=TODAY, concepts_of=concepts_of)
    assert known.tables[table].words == words

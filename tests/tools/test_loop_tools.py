"""The tools that a chat model calls in the loop, over a folder that is really indexed."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest
from msgspec.structs import replace

from kbtui.domain.analysis import ResultTable
from kbtui.domain.ports import CancelToken
from kbtui.domain.tooling import ToolOutput
from kbtui.errors import ToolError
from kbtui.knowledge.base import KnowledgeBase
from kbtui.knowledge.search.grep import GrepSearcher
from kbtui.knowledge.search.ripgrep import PythonFinder
from kbtui.settings.model import Settings, WebSettings
from kbtui.tools import LOOP_TOOLS, TOOLS, ToolContext, load_spec, loop_specs, offered_tools, run_spec
from kbtui.tools.sql import hours_of_days

Call = Callable[..., ToolOutput]

HEAD = "---\ntitle: {title}\nstatus: {status}\ncreated: {created}\n{more}---\n\n# {title}\n\n{text}\n"


def page(number: int, title: str, status: str, created: str, more: str = "", text: str = "Nothing else.") -> str:
    return HEAD.format(title=f"ADR-{number}: {title}", status=status, created=created, more=more, text=text)


PAGES = {
    "adr/0001-a.md": page(1, "Queues", "Final", "2020-01-05", text="Queues are kept in Kafka."),
    "adr/0002-b.md": page(2, "Codes", "Draft", "2021-03-01", "requires: ADR-1\n"),
    "adr/0003-c.md": page(3, "Doors", "Final", "2022-06-01", "requires: ADR-2, ADR-9\n"),
    "adr/0004-d.md": page(4, "Lockers", "Rejected", "2023-01-01", "requires: ADR-3\n", "Kafka again.\nkafka twice."),
    "notes.txt": "A note.\n" * 300,
    "rfc/rfc-0241.md": "---\ntitle: RFC 241\nsuperseded-by: RFC 314\n---\n\n# RFC 241: First\n",
    "rfc/rfc-0314.md": "---\ntitle: RFC 314\nreplaces: RFC 241\nsuperseded-by: RFC 566\n---\n\n# RFC 314: Second\n",
    "config/services.toml": "".join(
        f'[{name}]\nowner = "{owner}"\nport = 840{port}\n'
        for port, (name, owner) in enumerate({"parcels": "Kites", "billing": "Ledger", "notify": "Kites"}.items())
    ),
    **{
        f"talks/{name}.md": f"---\ntitle: Talk {name}\nheld: {day}\nseats: {seats}\n---\n\n# Talk {name}\n"
        for name, day, seats in [
            ("a", "2024-05-01", "9"),
            ("b", "23-07-2014", "10"),
            ("c", "2026-01-15", "200"),
            ("d", "2014-19-19", "many"),
            ("e", "2025-11-30", "31"),
            ("f", "Pending", "8"),
            ("g", "2023-02-02", "7"),
        ]
    },
    # Superseded without having been accepted, so RFC 314 does not say so.
    "rfc/rfc-0426.md": "---\ntitle: RFC 426\nreplaces: RFC 314\nsuperseded-by: RFC 566\n---\n\n# RFC 426: Draft\n",
    "rfc/rfc-0566.md": "---\ntitle: RFC 566\nreplaces: RFC 314\n---\n\n# RFC 566: Last\n",
}


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> KnowledgeBase:
    root = tmp_path_factory.mktemp("loop") / "decisions"
    for name, text in PAGES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        opened = KnowledgeBase(root, Settings())
        opened.ensure_fresh(lambda _event: None, CancelToken())
        opened.index.files()
    return opened


@pytest.fixture
def call(knowledge: KnowledgeBase) -> Call:
    context = ToolContext(knowledge=knowledge, settings=Settings())
    return lambda name, **args: run_spec(load_spec(name), context, args)


def test_an_unknown_field_is_answered_with_the_fields_there_are(call: Call) -> None:
    for tool, args in (
        ("list_documents", {"sort": "-voted"}),
        ("list_documents", {"show": ["voted"]}),
        ("count_documents", {"by": "voted"}),
    ):
        with pytest.raises(ToolError, match="voted") as raised:
            call(tool, kind="adr", **args)
        assert "status" in str(raised.value.hint)


def test_a_list_is_calculated_with_its_values(call: Call) -> None:
    assert call("calc", expression="[round(100 * n / 8, 1) for n in (2, 5, 1)]").text.endswith("= 25.0; 62.5; 12.5")


def test_hours_of_dates_without_a_time_are_warned_about() -> None:
    sql = "SELECT CAST(STRFTIME('%H', day) AS INTEGER) AS hour, SUM(kwh) FROM readings GROUP BY 1"
    midnight = ResultTable(columns=("hour", "sum"), rows=((0, 1218.65),), sql=sql)
    assert "no time of day" in hours_of_days(midnight)
    assert hours_of_days(replace(midnight, rows=((0, 1.0), (13, 2.0)))) == ""
    assert hours_of_days(replace(midnight, sql="SELECT 0 AS hour")) == ""


def test_counts_are_rows_too_so_that_their_shares_can_be_worked_out(call: Call) -> None:
    assert call("count_documents", kind="adr", by="status").artifact.rows == (
        ("Final", 2),
        ("Draft", 1),
        ("Rejected", 1),
    )
    assert call("count_documents", kind="adr", where={"status": "Final"}).artifact.rows == ((2, 4),)


def test_plans_and_the_loop_are_offered_tools_of_their_own() -> None:
    both = {"web_search", "web_fetch"}
    assert {name for name in LOOP_TOOLS if load_spec(name).offered_to == "both"} == both
    assert {load_spec(name).offered_to for name in set(LOOP_TOOLS) - both} == {"loop"}
    assert {load_spec(name).offered_to for name in set(TOOLS) - both} == {"pipeline"}
    assert set(offered_tools(Settings(), [*TOOLS, *LOOP_TOOLS])).isdisjoint(set(LOOP_TOOLS) - both)


def test_a_model_is_offered_what_there_is_to_ask_and_what_is_switched_on() -> None:
    names = [spec.name for spec in loop_specs(Settings(), data=False)]
    assert "sql" not in names
    assert "web_fetch" not in names
    assert names[-1] == "finish"
    assert "grep" not in [spec.name for spec in loop_specs(Settings(), documents=False)]
    assert "web_fetch" in [spec.name for spec in loop_specs(Settings(web=WebSettings(fetch_enabled=True)))]


def test_every_tool_says_what_it_is_for_in_few_words() -> None:
    for name in LOOP_TOOLS:
        spec = load_spec(name)
        assert spec.args is not None
        assert len(spec.description) < 230
        for field in spec.args.model_fields.values():
            assert field.description, name


# search and read


def test_a_search_stays_in_the_folder_it_is_asked_of(call: Call) -> None:
    assert {hit.path for hit in call("search", query="queues kafka").hits} >= {"adr/0001-a.md", "adr/0004-d.md"}
    assert {hit.path for hit in call("search", query="queues kafka", path="adr/0004*").hits} == {"adr/0004-d.md"}
    assert not call("search", query="queues kafka", path="elsewhere").hits


def test_a_search_stays_among_documents_of_a_kind(call: Call) -> None:
    assert all(hit.path.startswith("adr/") for hit in call("search", query="note kafka", kinds=["adr"]).hits)
    with pytest.raises(ToolError, match="kind poem") as caught:
        call("search", query="kafka", kinds=["poem"])
    assert "decision" in caught.value.hint


def test_a_search_stays_among_documents_with_a_value_or_a_date(call: Call) -> None:
    drafts = call("search", query="queues kafka", fields={"status": "Draft"}).hits
    assert {hit.path for hit in drafts} == {"adr/0002-b.md"}
    assert not call("search", query="queues kafka", dates={"before": "1960"}).hits
    with pytest.raises(ToolError, match="field mood"):
        call("search", query="kafka", fields={"mood": "good"})
    with pytest.raises(ToolError, match="not a day"):
        call("search", query="kafka", dates={"after": "soon"})


def test_a_file_is_read_by_its_path_its_end_or_what_it_is_called(call: Call) -> None:
    for name in ("adr/0001-a.md", "0001-a.md", "0001-a", "ADR-1"):
        (hit,) = call("read", path=name).hits
        assert hit.path == "adr/0001-a.md"
        assert "Kafka" in hit.text
    with pytest.raises(ToolError):
        call("read", path="adr/none-such.md")


def test_a_long_file_is_read_in_pieces_and_says_how_to_go_on(call: Call) -> None:
    output = call("read", path="notes.txt", start=5)
    assert (output.hits[0].start_line, output.hits[0].end_line) == (5, 124)
    assert "of 301" in output.note or "of 300" in output.note
    assert "read('notes.txt', start=125)" in output.note
    assert call("read", path="notes.txt", start=2, end=3).hits[0].text == "A note.\nA note."


# grep


def test_lines_are_counted_over_all_files(call: Call) -> None:
    output = call("grep", pattern="kafka")
    assert output.text.startswith("3 lines in 2 files match kafka, of 17 files")
    assert [(hit.path, hit.text) for hit in output.hits][1:] == [
        ("adr/0004-d.md", "Kafka again."),
        ("adr/0004-d.md", "kafka twice."),
    ]
    only = call("grep", pattern="^A note", count_only=True)
    assert only.text.startswith("300 lines in 1 file ")
    assert len(only.hits) == 1


def test_what_is_not_shown_is_counted(call: Call) -> None:
    output = call("grep", pattern="note", path="notes.txt")
    assert len(output.hits) == 12
    assert output.note == "300 lines in 1 file; 1 to 12 shown; more: offset=12"


def test_matching_lines_are_given_on_as_the_note_says(call: Call) -> None:
    given: list[tuple[str, int]] = []
    for _call in range(30):
        output = call("grep", pattern="e", offset=len(given), path="*.md")
        given += [(hit.path, hit.start_line) for hit in output.hits]
        if f"; more: offset={len(given)}" not in output.note:
            break
    everything = call("grep", pattern="e", path="*.md", count_only=True).text
    assert everything.startswith(f"{len(given)} lines in")
    assert len(set(given)) == len(given) > 24
    assert "none from offset=999 on" in call("grep", pattern="e", path="*.md", offset=999).note


def test_what_is_no_expression_is_looked_for_as_it_stands(call: Call) -> None:
    assert "0 lines in 0 files match ((( (taken as plain text)" in call("grep", pattern="(((").text
    # Only backtracking could search this one.
    assert "taken as plain text" in call("grep", pattern=r"(a)\1").text


def test_without_ripgrep_no_pattern_takes_for_ever(knowledge: KnowledgeBase, tmp_path: Path) -> None:
    records = knowledge.file_records()
    plain = GrepSearcher(knowledge.root, knowledge.source, lambda: records, PythonFinder(knowledge.source))
    found, is_literal = plain.matching(r"(A+)+note(x+x+)+y|Queues", records)
    assert (found, is_literal) == ({"adr/0001-a.md": [2, 7, 9]}, False)


# Records


@pytest.mark.parametrize(
    ("where", "numbers"),
    [
        ({}, [1, 2, 3, 4]),
        ({"status": "final"}, [1, 3]),
        ({"Status": "Draft|Rejected"}, [2, 4]),
        ({"status": "!=Final"}, [2, 4]),
        ({"created": ">=2022-01-01"}, [3, 4]),
        ({"created": "2021"}, [2]),
        ({"created": "<2021"}, [1]),
        ({"requires": "3"}, [4]),
        ({"requires": "ADR-2"}, [3]),
        ({"requires": "none"}, [1]),
        ({"requires": "*", "status": "Final"}, [3]),
        ({"title": "~lock"}, [4]),
        ({"status": "Withdrawn"}, []),
    ],
)
def test_documents_are_listed_by_what_they_state(call: Call, where: dict[str, str], numbers: list[int]) -> None:
    output = call("list_documents", kind="adr", where=where)
    assert list(dict.fromkeys(int(hit.path[4:8]) for hit in output.hits)) == numbers
    assert output.text.startswith((str(len(numbers)) if numbers else "No document") if where else "There are 4 doc")
    assert call("count_documents", kind="adr", where=where).text.startswith(output.text[:10])


def test_a_listed_document_comes_with_the_line_that_states_it(call: Call) -> None:
    (hit, *_) = call("list_documents", kind="adr", where={"status": "Final"}, show=["created"]).hits
    assert (hit.start_line, hit.text) == (3, "status: Final")
    assert hit.note == "ADR-1: Queues; status: Final; created: 2020-01-05"


def test_each_of_several_conditions_comes_with_its_own_line(call: Call) -> None:
    hits = call("list_documents", kind="adr", where={"requires": "*", "status": "Final"}).hits
    assert [(hit.start_line, hit.text) for hit in hits] == [(5, "requires: ADR-2, ADR-9"), (3, "status: Final")]
    assert call("count_documents", kind="adr", where={"requires": "*", "status": "Final"}).hits[:2] == tuple(
        replace(hit, tool="query_records", note=f"ADR-3: Doors: {note}")
        for hit, note in zip(hits, ("requires ADR-2", "status Final"), strict=True)
    )


def test_things_that_share_a_file_have_a_line_each(call: Call) -> None:
    hits = call("list_documents", kind="service").hits
    assert [(hit.start_line, hit.text) for hit in hits] == [(1, "[parcels]"), (4, "[billing]"), (7, "[notify]")]


def test_a_document_without_a_condition_comes_with_the_line_of_its_title(call: Call) -> None:
    assert call("list_documents", kind="adr").hits[0].text == "title: ADR-1: Queues"


def test_documents_are_sorted_and_told_in_pieces(call: Call) -> None:
    output = call("list_documents", kind="adr", sort="-created", limit=2)
    assert [hit.path for hit in output.hits] == ["adr/0004-d.md", "adr/0003-c.md"]
    assert output.note == "1 to 2 of 4; more: offset=2"
    assert [hit.path for hit in call("list_documents", kind="adr", sort="-created", limit=2, offset=2).hits] == [
        "adr/0002-b.md",
        "adr/0001-a.md",
    ]


@pytest.mark.parametrize(
    ("sort", "order", "unreadable"),
    [
        ("-held", "ceagbdf", "Talk b (23-07-2014), Talk d (2014-19-19), Talk f (Pending)"),
        ("held", "gaecbdf", "Talk b (23-07-2014), Talk d (2014-19-19), Talk f (Pending)"),
        ("seats", "gfabecd", "Talk d (many)"),
        ("-title", "gfedcba", ""),
    ],
)
def test_values_that_have_no_place_in_an_order_come_last_and_are_named(
    call: Call, sort: str, order: str, unreadable: str
) -> None:
    output = call("list_documents", where={"path": "~talks/"}, sort=sort)
    assert "".join(hit.path[6] for hit in output.hits) == order
    assert unreadable in output.text
    assert ("unreadable" in output.text) == bool(unreadable)


@pytest.mark.parametrize(
    ("name", "args"), [("count_documents", {"by": "colour"}), ("list_documents", {"sort": "-colour"})]
)
def test_a_field_to_count_or_sort_by_that_nothing_states_names_those_there_are(
    call: Call, name: str, args: dict[str, Any]
) -> None:
    with pytest.raises(ToolError, match="'colour'") as caught:
        call(name, kind="adr", **args)
    assert "status" in caught.value.hint


def test_documents_are_counted_by_each_value(call: Call) -> None:
    assert "; by status: Final 2, Draft 1, Rejected 1." in call("count_documents", by="status", kind="adr").text


def test_files_are_a_kind_too(call: Call) -> None:
    assert "There are 17 documents of the kind file" in call("count_documents", kind="file").text
    assert [hit.path for hit in call("list_documents", kind="file", where={"type": "txt"}).hits] == ["notes.txt"]


def test_a_field_that_nothing_states_names_those_there_are(call: Call) -> None:
    with pytest.raises(ToolError, match="'colour'") as caught:
        call("list_documents", kind="adr", where={"colour": "red"})
    assert "status" in caught.value.hint


# Relations


def test_a_relation_is_followed_as_far_as_asked_and_names_what_is_missing(call: Call) -> None:
    output = call("relations", id="ADR-4", relation="requires", direction="from", depth=5)
    notes = [hit.note for hit in output.hits]
    assert [note.split(" «")[0] for note in notes] == [
        "ADR-4 —requires→ ADR-3",
        "ADR-3 —requires→ ADR-2",
        "ADR-2 —requires→ ADR-1",
    ]
    # One line states two of them.
    assert notes[1].endswith("; ADR-3 —requires→ ADR-9 (no such document here)")
    assert "4 relations" in output.text
    assert "No document here: ADR-9. It ends at: ADR-9, ADR-1" in output.text
    assert len(call("relations", id="ADR-4", relation="requires", direction="from").hits) == 1


def test_a_relation_is_seen_from_its_other_end(call: Call) -> None:
    output = call("relations", id="adr/0001-a.md", relation="requires", direction="to", depth=3)
    assert [hit.path for hit in output.hits] == ["adr/0002-b.md", "adr/0003-c.md", "adr/0004-d.md"]


@pytest.mark.parametrize("depth", [5, 10])
def test_a_chain_ends_where_nothing_leads_on_and_counts_what_both_ends_state_once(call: Call, depth: int) -> None:
    text = call("relations", id="RFC 241", relation="superseded-by", depth=depth).text
    assert text.startswith("RFC 241: 4 relations (superseded-by)")
    assert "It ends at: RFC 566." in text
    assert "Backwards" not in text
    back = call("relations", id="RFC 566", relation="replaces", direction="from", depth=depth).text
    assert "4 relations (replaces)" in back
    assert "It ends at: RFC 241." in back
    both = call("relations", id="RFC 314", relation="superseded-by", depth=depth).text
    assert "It ends at: RFC 566. Backwards it ends at: RFC 241." in both


def test_a_name_that_is_only_a_value_is_told_with_what_it_is_a_value_of(call: Call) -> None:
    called = call("relations", id="Billing")
    assert "it is a value: title of 1 service" in called.text
    assert 'list_documents(kind="service", where={"title": "Billing"})' in called.text
    assert [hit.text for hit in called.hits] == ['owner = "Ledger"', "port = 8401"]


def test_a_thing_that_nobody_knows_is_no_dead_end(call: Call) -> None:
    with pytest.raises(ToolError, match="ZZZ-77"):
        call("relations", id="ZZZ-77")


# Data and figures


def test_without_data_the_tools_of_data_say_so(call: Call) -> None:
    for name, args in (("sql", {"statement": "SELECT 1"}), ("schema", {})):
        with pytest.raises(ToolError, match="no source of data"):
            call(name, **cast(Any, args))


def test_a_calculation_shows_what_was_calculated(call: Call) -> None:
    assert call("calc", expression="(12 + 30) * 2").text == "(12 + 30) * 2 = 84"
    with pytest.raises(ToolError):
        call("calc", expression="open('/etc/passwd').read()")

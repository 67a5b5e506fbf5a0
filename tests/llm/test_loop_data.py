"""Questions over data in the loop: the program's own reading first, then what the model makes of it, in words."""

from __future__ import annotations

import re
import sqlite3
from pathlib import Path
from typing import Any

from kbtui.bootstrap import Engine
from kbtui.domain.events import ChartProduced, ReadingChosen, TableProduced, ToolStarted
from kbtui.settings.model import ModelSettings, Settings
from tests.llm.running import PATIENT_S, Run, ask
from tests.support.looping_model import Looper, calls, id_of
from tests.support.model_request import Reply, Request
from tests.support.model_server import ModelServer


def engine_over(shop: Path, folder: Path, server: ModelServer, *moves: Any) -> Engine:
    server.behaviour = Looper(*moves)
    model = ModelSettings(name="openai:scripted", base_url=f"{server.url}/v1", timeout_s=PATIENT_S, mode="loop")
    return Engine(Settings(model=model), folder, sources=(str(shop),), record=False)


def tools(run: Run) -> list[str]:
    return [event.tool for event in run.of(ToolStarted)]


def four_orders(request: Request) -> Reply:
    return Reply(content=f"There are 4 orders [{id_of(request, '1 row')}].")


SPENT = "SELECT c.city, SUM(o.total) AS spent FROM orders o JOIN customers c USING (customer_id) GROUP BY c.city"


def spent(request: Request) -> Reply:
    given = id_of(request, "Bergen | 5")
    return Reply(content=f"Most was spent in Oslo: 47 [{given}]. In Bergen it was 5 [{given}].")


def test_a_reading_of_the_program_is_told_in_words_by_one_call(shop: Path, folder: Path, server: ModelServer) -> None:
    run = ask(engine_over(shop, folder, server, four_orders), "How many orders are there?")
    assert server.stages == ["loop"]
    said = server.chats[0].said
    assert "orders (4 rows): order_id integer" in said
    assert len(re.findall(r"Today is 20\d\d-\d\d-\d\d\.", said)) == 1
    assert "Read as:" in said
    assert "SELECT COUNT(*)" in said
    assert "There are 4 orders [1]." in run.answer.markdown
    (citation,) = run.answer.citations
    assert (citation.kind, citation.source) == ("sql", "shop")
    assert "COUNT(*)" in (citation.sql or "")
    assert [table.rows for table in run.of(TableProduced)] == [((4,),)]
    assert len(run.of(ReadingChosen)) == 1


def test_a_question_about_data_alone_is_told_the_day(shop: Path, tmp_path: Path, server: ModelServer) -> None:
    ask(engine_over(shop, tmp_path, server, four_orders), "How many orders are there?")
    assert len(re.findall(r"Today is 20\d\d-\d\d-\d\d\.", server.chats[0].said)) == 1


def test_a_statement_of_the_models_own_is_shown_cited_and_followed(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    def shorter(request: Request) -> Reply:
        return Reply(content="Oslo: 47 [p1].")

    engine = engine_over(shop, folder, server, calls(("sql", {"statement": SPENT})), spent, shorter)
    run = ask(engine, "Which city spends most, and how much?")
    assert tools(run)[-1] == "sql"
    assert run.of(TableProduced)[-1].columns == ("city", "spent")
    assert {citation.kind for citation in run.answer.citations} == {"sql"}
    assert not run.answer.unsupported
    assert run.of(ReadingChosen)[-1].sql == run.of(TableProduced)[-1].sql
    again = ask(engine, "shorter")
    # Nothing is searched; the statement behind the last answer is run once more, for its rows.
    assert tools(again) == ["sql"]
    assert again.answer.citations[0].sql == run.answer.citations[-1].sql, run.answer
    assert not again.answer.unsupported


def test_a_chart_of_a_statement_of_the_model_is_drawn_beside_its_rows(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    wrong = calls(("chart", {"statement": SPENT, "kind": "pie", "x": "town", "y": ["spent"]}))

    def right(request: Request) -> Reply:
        assert "no column 'town'" in request.said
        assert "Columns: city, spent" in request.said
        return calls(("chart", {"statement": SPENT, "kind": "pie", "x": "City", "y": ["spent"]}))

    run = ask(engine_over(shop, folder, server, wrong, right, spent), "Which city spends most?")
    (drawn,) = run.of(ChartProduced)
    table = run.of(TableProduced)[-1]
    assert (drawn.step_id, table.columns) == (table.step_id, ("city", "spent"))
    assert (drawn.chart.type, drawn.chart.x) == ("pie", ("Oslo", "Bergen"))
    assert list(drawn.chart.series.values()) == [(47.0, 5.0)]
    assert "drawn as a pie chart" in server.chats[-1].said
    assert {citation.kind for citation in run.answer.citations} == {"sql"}


def test_a_wish_does_not_clear_a_sentence_that_was_marked(shop: Path, folder: Path, server: ModelServer) -> None:
    def wrong(request: Request) -> Reply:
        return Reply(content=f"There are 4 orders [{id_of(request, '1 row')}]. Bergen is closed [p1].")

    def reworded(request: Request) -> Reply:
        assert "rows of the last answer" in request.said
        return Reply(content="4 orders [p1]. Bergen is closed [p1].")

    engine = engine_over(shop, folder, server, wrong, wrong, reworded)
    assert ask(engine, "How many orders are there?").answer.unsupported == ("Bergen is closed.",)
    again = ask(engine, "shorter")
    assert again.answer.unsupported == ("Bergen is closed.",)
    assert "4 orders [1]." in again.answer.markdown


def test_what_is_sent_back_names_the_missing_number_and_the_row(shop: Path, folder: Path, server: ModelServer) -> None:
    def wrong(request: Request) -> Reply:
        return Reply(content=f"奥斯陆共 49 [{id_of(request, 'Bergen | 5')}]。")

    ask(engine_over(shop, folder, server, calls(("sql", {"statement": SPENT})), wrong), "Which city spends most?")
    objection = server.chats[-1].said.partition("lack support")[2]
    assert "not borne out: “49”" in objection
    assert "«city: Bergen; spent: 5.0»" in objection
    assert "cites nothing" not in objection


def test_all_that_lacks_support_is_sent_back_with_a_reason(shop: Path, folder: Path, server: ModelServer) -> None:
    def wrong(request: Request) -> Reply:
        given = id_of(request, "1 row")
        return Reply(content=" ".join(f"There are {number} orders [{given}]." for number in range(11, 31)))

    ask(engine_over(shop, folder, server, wrong), "How many orders are there?")
    objection = server.chats[-1].said.partition("lack support")[2]
    assert [number for number in range(11, 31) if f"not borne out: “{number}”" not in objection] == []


def test_of_two_bad_drafts_the_one_with_fewer_refuted_claims_is_shown(
    shop: Path, folder: Path, server: ModelServer
) -> None:
    def refuted(request: Request) -> Reply:
        return Reply(content=f"Oslo spent 5 [{id_of(request, 'Bergen | 5')}].")

    def unread(request: Request) -> Reply:
        given = id_of(request, "Bergen | 5")
        return Reply(content=f"Oslo is the oldest [{given}]. Bergen is the newest [{given}]. Oslo spent 47 [{given}].")

    for drafts in ((refuted, unread), (unread, refuted)):
        engine = engine_over(shop, folder, server, calls(("sql", {"statement": SPENT})), *drafts)
        assert "47" in ask(engine, "Which city spends most, and how much?").answer.markdown


def test_a_filter_that_the_statement_lacks_is_marked(shop: Path, folder: Path, server: ModelServer) -> None:
    def filtered(request: Request) -> Reply:
        return Reply(content=f"There are 4 orders from Bergen [{id_of(request, '1 row')}].")

    run = ask(engine_over(shop, folder, server, filtered), "How many orders are there?")
    assert run.answer.unsupported == ("There are 4 orders from Bergen.",)


def test_no_statement_of_a_model_writes(shop: Path, folder: Path, server: ModelServer) -> None:
    wanted = calls(
        ("sql", {"statement": "DELETE FROM orders"}),
        ("sql", {"statement": "SELECT * FROM pragma_table_info('orders')"}),
        ("sql", {"statement": "SELECT load_extension('x')"}),
        ("sql", {"statement": "SELECT 1; DROP TABLE orders"}),
    )
    run = ask(engine_over(shop, folder, server, wanted, four_orders), "How many orders are there?")
    assert server.chats[1].said.count("sql failed") == 4
    with sqlite3.connect(shop) as connection:
        assert connection.execute("SELECT COUNT(*) FROM orders").fetchone() == (4,)
    connection.close()
    assert "4 orders" in run.answer.markdown


def test_a_number_that_no_row_has_is_sent_back_and_then_marked(shop: Path, folder: Path, server: ModelServer) -> None:
    def wrong(request: Request) -> Reply:
        given = id_of(request, "1 row")
        return Reply(content=f"There are 4 orders [{given}]. They were worth 1,234 euros [{given}].")

    run = ask(engine_over(shop, folder, server, wrong), "How many orders are there?")
    assert run.completed.llm_calls == 2
    assert any("1,234" in sentence for sentence in run.answer.unsupported)


def test_advice_looks_at_columns_and_runs_no_statement(shop: Path, folder: Path, server: ModelServer) -> None:
    advice = (
        "1. Which city orders most: `orders.total` by `customers.city`, as bars. It shows where to advertise.\n"
        "2. Returns over time: `returns.day`, as a line."
    )
    look = calls(("schema", {"tables": ["orders"]}), ("sql", {"statement": SPENT}))
    run = ask(
        engine_over(shop, folder, server, look, advice), "What could I analyse in this data? Give me suggestions."
    )
    assert "execute_sql" not in tools(run)
    assert "sql" not in tools(run)
    assert "schema" in tools(run)
    assert {tool["function"]["name"] for tool in server.chats[0].body["tools"]} == {"schema", "finish"}
    assert "`orders.total` by `customers.city`" in run.answer.markdown
    # A column that there is none of is sent back once, and marked after that.
    assert "returns.day" in server.chats[2].said.partition("lack support")[2]
    assert run.answer.unsupported == ("returns.day",)
    assert run.completed.llm_calls == 3


def test_without_the_model_the_programs_own_answer_stands(shop: Path, folder: Path, server: ModelServer) -> None:
    engine = engine_over(shop, folder, server)
    server.kill()
    run = ask(engine, "How many orders are there?")
    assert "**4**" in run.answer.markdown
    assert len(run.warnings) == 1
    assert "offline" in run.warnings[0]
    assert [table.rows for table in run.of(TableProduced)] == [((4,),)]


def test_documents_may_be_asked_beside_the_data(shop: Path, folder: Path, server: ModelServer) -> None:
    def both(request: Request) -> Reply:
        given, rule = id_of(request, "1 row"), id_of(request, "above two percent")
        return Reply(
            content=f"There are 4 orders [{given}]. Roll back when the error rate stays above two percent [{rule}]."
        )

    engine = engine_over(shop, folder, server, calls(("grep", {"pattern": "error rate stays"})), both)
    run = ask(engine, "How many orders are there?")
    assert {citation.kind for citation in run.answer.citations} == {"sql", "file"}


def test_data_alone_are_asked_with_the_day_and_without_tools_for_documents(
    shop: Path, tmp_path: Path, server: ModelServer
) -> None:
    run = ask(engine_over(shop, tmp_path, server, "NOT_FOUND"), "How many orders are there?")
    assert "Today is " in server.chats[0].said
    assert run.answer.outcome == "not_found"
    assert "folder" not in run.answer.markdown

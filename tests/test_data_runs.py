"""Whole runs over a folder and a database, through the real engine and without a model."""

from __future__ import annotations

import sqlite3
import threading
from pathlib import Path

import pytest
from filelock import FileLock

from kbtui.bootstrap import Engine
from kbtui.domain.events import (
    AnswerCompleted,
    ChartProduced,
    Event,
    PlanCreated,
    Progress,
    QueryRouted,
    RequestClassified,
    RunStarted,
    TableProduced,
    ToolStarted,
    Warned,
)
from kbtui.domain.ports import CancelToken
from kbtui.errors import DataSourceError
from kbtui.settings import paths
from kbtui.settings.model import Settings
from kbtui.view.folding import reduce_all


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "shop.db"
    connection = sqlite3.connect(path)
    connection.executescript(
        """
        CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT, city TEXT);
        CREATE TABLE orders (order_id INTEGER PRIMARY KEY, customer_id INT REFERENCES customers, total REAL);
        INSERT INTO customers VALUES (1, 'Ann', 'Oslo'), (2, 'Bo', 'Bergen'), (3, 'Cy', 'Oslo');
        INSERT INTO orders VALUES (1, 1, 10.0), (2, 1, 30.0), (3, 2, 5.0), (4, 3, 7.0);
        """
    )
    connection.close()
    return path


def ask(engine: Engine, question: str) -> tuple[AnswerCompleted, list[Event]]:
    events: list[Event] = []
    engine.answer_query(question, events.append)
    (answer,) = [event for event in events if isinstance(event, AnswerCompleted)]
    return answer, events


def test_a_question_about_data_is_answered_with_its_statement(kb: Path, shop: Path) -> None:
    answer, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "How many orders are there?")
    assert "4" in answer.markdown
    (citation,) = answer.citations
    assert (citation.kind, citation.source) == ("sql", "shop")
    assert citation.sql is not None
    (table,) = [event for event in events if isinstance(event, TableProduced)]
    assert table.rows == ((4,),)
    with sqlite3.connect(shop) as connection:
        assert connection.execute(citation.sql).fetchall() == [(4,)]


def test_a_question_about_the_documents_asks_the_documents(kb: Path, shop: Path) -> None:
    answer, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "How is a deploy rolled back?")
    assert answer.citations[0].path == "runbooks/rollback.md"
    assert not [event for event in events if isinstance(event, ToolStarted) and event.tool == "execute_sql"]


def test_clock_and_arithmetic_need_neither(kb: Path, shop: Path) -> None:
    answer, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "what is 12 * 12?")
    assert "144" in answer.markdown
    (classified,) = [event for event in events if isinstance(event, RequestClassified)]
    assert classified.quick_path
    assert not [event for event in events if isinstance(event, ToolStarted)]


def test_advice_is_given_without_a_statement(kb: Path, shop: Path) -> None:
    answer, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "对本数据源提出一些分析建议")
    tools = [event.tool for event in events if isinstance(event, ToolStarted)]
    assert tools in ([], ["get_data_source_context"])
    assert "orders" in answer.markdown


def test_what_no_reading_of_the_data_fits_is_looked_for_in_the_documents(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How is a deploy rolled back?")
    answer, _ = ask(engine, "How many minutes is the error rate watched?")
    assert any(citation.path == "runbooks/rollback.md" for citation in answer.citations)


def test_a_source_that_is_gone_is_said_and_the_folder_still_answers(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(f"books={shop}",))
    shop.rename(shop.with_name("moved.db"))
    answer, events = ask(engine, "How is a deploy rolled back?")
    assert answer.outcome == "answered"
    assert any(event.where == "data" for event in events if isinstance(event, Warned))
    shop.with_name("moved.db").rename(shop)
    back, _ = ask(engine, "How many orders are there?")
    assert back.citations[0].source == "books"


def test_a_large_file_is_named_while_it_is_opened(kb: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kbtui.settings.sources._QUICK_BYTES", 100)
    engine = Engine(Settings(), kb, sources=(str(shop),), record=False)
    told = [event for event in ask(engine, "how many orders are there?")[1] if isinstance(event, Progress)]
    assert ("open", "shop") in [(event.stage, event.message) for event in told]
    again = ask(engine, "how many orders are there?")[1]
    assert not [event for event in again if isinstance(event, Progress) and event.stage == "open"]


def test_a_new_table_is_known_at_the_next_question(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How many orders are there?")
    connection = sqlite3.connect(shop)
    connection.executescript(
        "CREATE TABLE refunds (refund_id INTEGER PRIMARY KEY); INSERT INTO refunds VALUES (1), (2);"
    )
    connection.close()
    answer, _ = ask(engine, "How many refunds are there?")
    assert "2" in answer.markdown
    assert "refunds" in (answer.citations[0].sql or "")


def test_sources_are_recorded_by_name_and_never_by_address(kb: Path) -> None:
    engine = Engine(Settings(), kb, sources=("sales=postgresql://u:s3cret@127.0.0.1:1/x",))
    events: list[Event] = []
    engine.answer_query("How is a deploy rolled back?", events.append)
    (started,) = [event for event in events if isinstance(event, RunStarted)]
    assert started.sources == ("sales",)
    assert "s3cret" not in repr(events)


def test_a_statement_of_an_answer_runs_again_and_any_other_is_guarded(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    answer, _ = ask(engine, "How many orders are there?")
    assert engine.rerun(answer.citations[0].sql or "", "shop").rows == ((4,),)
    with pytest.raises(DataSourceError):
        engine.rerun("DELETE FROM orders", "shop")
    with pytest.raises(DataSourceError):
        engine.rerun("SELECT 1", "elsewhere")


def test_a_follow_up_is_asked_of_the_data_in_full(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How many customers are in Oslo?")
    answer, events = ask(engine, "and in Bergen?")
    view = reduce_all(events)
    assert view.query == "and in Bergen?"
    assert "Bergen" in view.standalone
    assert "**1**" in answer.markdown
    assert "Bergen" in engine.history.turns[-1].sql
    ask(engine, "How many customers are there per city?")
    _, events = ask(engine, "as a pie chart")
    assert [event.chart.type for event in events if isinstance(event, ChartProduced)] == ["pie"]
    assert reduce_all(events).request_type == "visualization"


def test_a_chinese_follow_up_is_asked_of_the_data_in_full(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "Oslo有多少客户？")
    answer, events = ask(engine, "Bergen呢？")
    assert "Bergen" in reduce_all(events).standalone
    assert "**1**" in answer.markdown


def test_a_follow_up_about_the_documents_is_not_asked_of_the_data(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How many orders are there?")
    answer, _ = ask(engine, "How is a deploy rolled back?")
    again, _ = ask(engine, "and who approves it?")
    assert answer.citations[0].path == "runbooks/rollback.md"
    assert not [citation for citation in again.citations if citation.kind == "sql"]


def test_a_session_that_is_continued_knows_what_was_asked_of_the_data(kb: Path, shop: Path) -> None:
    first = Engine(Settings(), kb, sources=(str(shop),))
    ask(first, "How many customers are in Oslo?")
    second = Engine(Settings(), kb, sources=(str(shop),))
    second.continue_session(first.session_id)
    _, events = ask(second, "and in Bergen?")
    assert "Bergen" in reduce_all(events).standalone


def test_the_intent_is_settled_once_the_data_are_asked(kb: Path, shop: Path) -> None:
    _, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "How many orders are there?")
    asking = next(n for n, event in enumerate(events) if isinstance(event, ToolStarted))
    assert reduce_all(events[: asking + 1]).stages["intent"].status == "done"


def test_without_a_source_advice_on_data_says_that_there_is_none(kb: Path) -> None:
    engine = Engine(Settings(), kb)
    ask(engine, "How is a deploy rolled back?")
    answer, events = ask(engine, "对本数据源提出一些分析建议")
    assert answer.outcome == "not_found"
    assert "--data" in answer.markdown
    assert not any(isinstance(event, ToolStarted) for event in events)


def test_without_a_source_numbers_in_the_question_are_calculated_with(kb: Path) -> None:
    answer, events = ask(Engine(Settings(), kb), "calculate the standard deviation of 3, 5 and 10")
    assert "3.6056" in answer.markdown
    assert [event.tool for event in events if isinstance(event, ToolStarted)] == ["python_executor"]


def test_news_that_the_folder_has_not_is_said_to_be_on_a_web_that_is_off(kb: Path) -> None:
    answer, events = ask(Engine(Settings(), kb), "what is the latest news about Mars?")
    assert answer.outcome == "not_found"
    (told,) = [event for event in events if isinstance(event, Warned)]
    assert "web.search" in told.message


def test_a_file_that_is_being_loaded_is_let_go_when_the_run_is_cancelled(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from kbtui.data.isolated import IsolatedSource

    table = tmp_path / "sales.csv"
    table.write_text("city,amount\nOslo,1\n", encoding="utf-8")
    engine = Engine(Settings(), kb, sources=(str(table),))
    ask(engine, "total amount")
    (copies,) = (paths.cache_dir() / "data").iterdir()
    table.write_text("city,amount\nOslo,1\nBergen,2\n", encoding="utf-8")
    loading, load = threading.Event(), IsolatedSource._load

    def watched(source: IsolatedSource, cancel: CancelToken | None) -> None:
        loading.set()
        load(source, cancel)

    monkeypatch.setattr(IsolatedSource, "_load", watched)
    events: list[Event] = []
    asking = threading.Thread(target=lambda: engine.answer_query("total amount", events.append))
    # A run that is cancelled raises, which this thread need not tell.
    monkeypatch.setattr(threading, "excepthook", lambda _args: None)
    with FileLock(copies / "lock"):  # as another program that loads the file
        asking.start()
        assert loading.wait(60)
        engine.cancel(events[0].run_id)
        asking.join(60)
        assert not asking.is_alive()
    answer, _ = ask(engine, "total amount")
    assert "**3**" in answer.markdown


def test_what_the_documents_are_asked_after_the_data_is_a_later_pass(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How is a deploy rolled back?")
    _, events = ask(engine, "How many orders per deploy are rolled back?")
    plans = [event.iteration for event in events if isinstance(event, PlanCreated)]
    assert plans[:2] == [1, 2]
    assert min(event.iteration for event in events if isinstance(event, QueryRouted)) == 2
    assert len({event.call_id for event in events if isinstance(event, ToolStarted)}) == len(
        [event for event in events if isinstance(event, ToolStarted)]
    )


def test_the_tools_of_a_run_are_made_once(kb: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import kbtui.tools

    made: list[object] = []
    toolbox = kbtui.tools.Toolbox
    monkeypatch.setattr(kbtui.tools, "Toolbox", lambda *args, **more: made.append(args) or toolbox(*args, **more))
    engine = Engine(Settings(), kb, sources=(str(shop),))
    ask(engine, "How is a deploy rolled back?")
    ask(engine, "How many orders per deploy are rolled back?")
    assert len(made) == 2


def test_what_the_data_answer_opens_no_knowledge_base(kb: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.knowledge.base import KnowledgeBase

    def opened(*_: object) -> None:
        raise AssertionError("it starts a process that nothing needs")

    monkeypatch.setattr(KnowledgeBase, "__init__", opened)
    answer, _ = ask(Engine(Settings(), kb, sources=(str(shop),)), "How many orders are there?")
    assert answer.outcome == "answered"


def test_a_statement_is_guarded_once(kb: Path, shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.data import guard

    looked: list[str] = []
    check = guard.check
    monkeypatch.setattr(guard, "check", lambda sql, *rest: looked.append(sql) or check(sql, *rest))
    _, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "How many orders are there?")
    (table,) = [event for event in events if isinstance(event, TableProduced)]
    assert looked.count(table.sql) == 1


def kind_of(engine: Engine, question: str) -> str:
    _, events = ask(engine, question)
    return next(event.request_type for event in events if isinstance(event, RequestClassified))


@pytest.mark.parametrize(
    "question", ["best customer so far", "anyone in Bergen", "每个城市的情况", "refunds handed out since spring"]
)
def test_without_a_document_to_ask_a_question_goes_to_the_data(tmp_path: Path, shop: Path, question: str) -> None:
    empty = tmp_path / "nothing"
    empty.mkdir()
    assert kind_of(Engine(Settings(), empty, sources=(str(shop),)), question) in ("data_query", "multi_step_analysis")


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("hello!", "simple"),
        ("what is 15% of 240?", "trivial"),
        ("search the web for the price of copper", "web_search"),
        ("对本数据源提出一些分析建议", "consultation"),
    ],
)
def test_what_is_clearly_something_else_does_not_go_to_the_data(
    tmp_path: Path, shop: Path, question: str, kind: str
) -> None:
    empty = tmp_path / "nothing"
    empty.mkdir()
    assert kind_of(Engine(Settings(), empty, sources=(str(shop),)), question) == kind


def test_a_file_of_data_in_the_folder_is_no_document(tmp_path: Path) -> None:
    table = tmp_path / "sales.csv"
    table.write_text("region,amount\nNorth,5\nSouth,7\n")
    assert kind_of(Engine(Settings(), tmp_path, sources=(str(table),)), "North against South") == "data_query"


def test_beside_documents_what_is_read_whole_over_the_data_goes_there(kb: Path, shop: Path) -> None:
    engine = Engine(Settings(), kb, sources=(str(shop),))
    assert kind_of(engine, "customers in Oslo") == "data_query"
    assert kind_of(engine, "who signs off a large refund") == "knowledge"


def test_an_open_request_over_the_data_runs_a_plan_of_statements_and_searches_no_folder(kb: Path, shop: Path) -> None:
    answer, events = ask(Engine(Settings(), kb, sources=(str(shop),)), "Report on orders")
    assert "By " in answer.markdown
    assert not [event for event in events if isinstance(event, QueryRouted)]
    tools = [event.tool for event in events if isinstance(event, ToolStarted)]
    assert tools.count("execute_sql") == len(answer.citations) > 1

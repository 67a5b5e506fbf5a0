"""Answers from data: tables and charts in the pane, saving them, statements to look at, to edit and to run again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.widgets import Input, Static

from kbtui.domain.events import (
    AnswerCompleted,
    Chart,
    ChartProduced,
    Deviation,
    Event,
    PlanCreated,
    PlanStep,
    Progress,
    RequestClassified,
    RunCompleted,
    RunStarted,
    StepFinished,
    TableProduced,
    ToolFinished,
    ToolStarted,
    Warned,
)
from kbtui.settings.model import EditorSettings, Settings
from kbtui.ui.panes.turn import Turn
from kbtui.ui.screens.save import SaveScreen
from kbtui.ui.widgets.chart_view import ChartView
from kbtui.ui.widgets.rows import RowList
from kbtui.ui.widgets.table_view import TableView
from kbtui.view.user_files import edited_statement, statement_path, write_statement
from tests.ui.data_runs import CHART, CITATION, SQL, TABLE, DataEngine, a_data_run
from tests.ui.driving import ask, ask_screen, make_app, proof_of, shown, until
from tests.ui.made import FakeEngine, placed

SIZE = (120, 50)


def run_of(*facts: Event) -> DataEngine:
    def run(query: str, run_id: str) -> list[Event]:
        ends = (AnswerCompleted(markdown="Here [1].", outcome="answered", citations=(CITATION,)), RunCompleted())
        return placed([RunStarted(query=query, sources=("sample.sqlite",)), *facts, *ends], run_id)

    return DataEngine(run=run)


async def test_an_answer_shows_its_table_once_and_its_chart() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "Taipei 台北         █" in shown(app))
        text = shown(app)
        assert "Table · 6 rows · sample.sqlite" in text
        assert text.count("哥本哈根 Copenhagen") == 2
        assert text.count("2,811.25") == 1
        assert "parcels by city · summed" in text


async def test_what_is_waited_for_before_anything_is_known_is_said_in_the_answer_pane() -> None:
    opening = run_of(Progress(stage="open", done=0, total=1, message="big.csv"), TABLE)
    opening.hold_after = 2
    app = make_app(opening)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.ask_screen and app.ask_screen.query("#conversation"))
        ask_screen(app).ask("how many?")
        await until(pilot, lambda: "opening big.csv…" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "⊘ Cancelled." in shown(app))
        assert "not reached" in shown(app)


async def test_a_chart_that_was_asked_for_stands_before_its_table() -> None:
    app = make_app(run_of(RequestClassified(request_type="visualization", confidence=1.0), TABLE, CHART))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "parcels by city · summed" in shown(app) and "Table · 6 rows" in shown(app))
        assert shown(app).index("parcels by city · summed") < shown(app).index("Table · 6 rows")


async def test_of_several_tables_each_says_what_it_is_for() -> None:
    second = replace(TABLE, step_id="s2", columns=("n",), rows=((1,),), row_count=1)
    steps = PlanCreated(
        steps=(
            PlanStep(step_id="s1", tool="execute_sql", purpose="数一数包裹"),
            PlanStep(step_id="s2", tool="execute_sql", purpose="Share of the largest"),
        )
    )
    app = make_app(run_of(steps, replace(TABLE, step_id="s1"), second))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "Table · Share of the largest · 1 row" in shown(app))
        assert "Table · 数一数包裹 · 6 rows" in shown(app)


async def test_what_a_step_found_is_named_where_a_later_step_speaks_of_it() -> None:
    steps = PlanCreated(
        steps=(
            PlanStep(step_id="d2", tool="execute_sql", purpose="the city with most parcels"),
            PlanStep(step_id="d3", tool="execute_sql", purpose="count the lockers of ‹d2.top›"),
            PlanStep(step_id="d4", tool="execute_sql", purpose="parcels of ‹d2›"),
        )
    )
    app = make_app(run_of(steps, replace(TABLE, step_id="d2"), replace(TABLE, step_id="d3", rows=((1,),), row_count=1)))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "Table · count the lockers of “Taipei 台北” · 1 row" in shown(app))
        await until(pilot, lambda: "2 count the lockers of" in shown(app))
        assert "2 count the lockers of “Taipei 台北”" in shown(app)
        assert "parcels of (step 1)" in shown(app)
        assert "‹" not in shown(app)


@pytest.mark.parametrize(
    ("sources", "top"),
    [
        (("harbourlight",), "42 files · harbourlight · offline"),
        (("shop", "仓库"), "42 files · 2 data sources · offline"),
    ],
)
async def test_the_data_beside_the_folder_are_named_before_anything_is_asked(
    sources: tuple[str, ...], top: str
) -> None:
    app = make_app(DataEngine(sources=sources))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: top in shown(app))


async def test_tab_goes_from_the_text_to_the_table_and_the_chart() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: app.screen.query(ChartView))
        app.screen.query_one(Turn).query_one(TableView).focus()
        await pilot.press("tab")
        await until(pilot, lambda: isinstance(app.focused, ChartView))
        await pilot.press("shift+tab", "shift+tab")
        assert app.focused is app.screen.query_one("#conversation")


async def test_ten_thousand_rows_are_made_only_where_they_are_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    real = TableView._row
    monkeypatch.setattr(
        TableView,
        "_row",
        lambda self, texts, styles, number: (made.append(number), real(self, texts, styles, number))[1],
    )
    rows = tuple((index, f"台北 {index}", index / 4) for index in range(10_000))
    engine = run_of(TableProduced(step_id="s", columns=("id", "name", "amount"), rows=rows, row_count=10_000))
    app = make_app(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "first" not in shown(app) and "台北 0" in shown(app))
        table = app.screen.query_one(Turn).query_one(TableView)
        table.focus()
        await pilot.press("end")
        await until(pilot, lambda: "台北 9999" in shown(app))
        assert "id" in shown(app)
        assert "台北 0 " not in shown(app)
        assert len(set(made)) < 1_000


async def test_a_wide_table_is_read_by_going_sideways() -> None:
    columns = tuple(f"column_number_{index}" for index in range(20))
    engine = run_of(TableProduced(step_id="s", columns=columns, rows=(tuple(range(20)),), row_count=1))
    app = make_app(engine)
    async with app.run_test(size=(80, 30)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "column_number_0" in shown(app))
        assert "column_number_19" not in shown(app)
        table = app.screen.query_one(Turn).query_one(TableView)
        table.focus()
        table.scroll_to(x=10_000, animate=False)
        await until(pilot, lambda: "column_number_19" in shown(app))


async def test_numbers_stand_at_the_right_of_wide_names_and_nothing_escapes_into_the_terminal() -> None:
    rows = (("台北车站", 5), ("\x1b[31mOslo\x1b[0m\x07", 12345), ("[bold]x[/bold]", None))
    app = make_app(run_of(TableProduced(step_id="s", columns=("[red]city", "n"), rows=rows, row_count=3)))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "台北车站" in shown(app))
        lines = [line for line in shown(app).split("\n") if "台北车站" in line or "Oslo" in line or "[bold]x" in line]
        ends = {
            len(line[: line.rindex(value) + len(value)].replace("台北车站", "台北车站    "))
            for line, value in zip(lines, ("5", "12345", "–"), strict=True)
        }
        assert len(ends) == 1
        assert "[red]city" in shown(app)
        assert "\x1b" not in shown(app)


async def test_a_replay_that_steps_back_takes_the_parts_away_again() -> None:
    from kbtui.ui.run_view import RunPanes
    from kbtui.view.folding import reduce_all

    app = make_app(DataEngine())
    events = a_data_run()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: len(app.screen.query_one(Turn).parts) == 2)
        panes = app.screen.query_one(RunPanes)
        pane = app.screen.query_one(Turn)
        cut = next(index for index, event in enumerate(events) if isinstance(event, ChartProduced))
        panes.show(reduce_all(events[:cut]))
        await until(pilot, lambda: [type(part) for part in pane.parts] == [TableView])
        panes.show(reduce_all(events))
        await until(pilot, lambda: [type(part) for part in pane.parts] == [TableView, ChartView])


async def test_s_saves_the_chart_under_its_title_and_never_over_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "parcels-by-city.svg").write_text("mine", encoding="utf-8")
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE, notifications=True) as pilot:
        await ask(pilot)
        await pilot.press("escape", "s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and app.screen.focused)
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "parcels-by-city-2.svg").exists())
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))
        assert [n.message for n in app._notifications] == [str(tmp_path / "parcels-by-city-2.svg")]
    assert (tmp_path / "parcels-by-city.svg").read_text(encoding="utf-8") == "mine"


async def test_the_focused_table_is_saved_in_the_format_chosen_and_where_one_likes(tmp_path: Path) -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: app.screen.query(TableView))
        app.screen.query_one(Turn).query_one(TableView).focus()
        await pilot.press("s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and app.screen.focused)
        field = app.screen.query_one(Input)
        field.value = str(tmp_path / "cities.csv")
        await pilot.press("down")
        await until(pilot, lambda: field.value.endswith("cities.md"))
        await pilot.press("enter")
        await until(pilot, lambda: (tmp_path / "cities.md").exists())
    assert "| Malmö | 655 | 2,811.25 |" in (tmp_path / "cities.md").read_text(encoding="utf-8")


async def test_what_cannot_be_saved_says_why_and_stays_open(tmp_path: Path) -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("escape", "s")
        await until(pilot, lambda: isinstance(app.screen, SaveScreen) and app.screen.focused)
        field = app.screen.query_one(Input)
        field.value = str(tmp_path / "nowhere" / "c.svg")
        field.focus()
        await pilot.press("enter")
        await until(pilot, lambda: "cannot be written" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: not isinstance(app.screen, SaveScreen))


async def test_without_data_there_is_nothing_to_save_and_no_key_for_it() -> None:
    app = make_app(FakeEngine())
    async with app.run_test(size=(200, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "s", "R")
        await pilot.pause()
        assert not isinstance(app.screen, SaveScreen)
        footer = shown(app).split("\n")[-1]
        assert "save" not in footer
        assert "schema" not in footer


async def test_a_key_has_the_structure_of_the_sources_read_again() -> None:
    engine = DataEngine()
    app = make_app(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("escape", "R")
        await until(pilot, lambda: engine.refreshed_schemas == 1)


async def test_a_cited_statement_is_shown_with_its_rows() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: proof_of(app) and "GROUP BY s.city" in shown(app))
        text = shown(app)
        assert "[1] sample.sqlite" in text
        assert "Table · 6 rows · sample.sqlite" in text
        assert "as run" in text
        assert "▌" not in text
        assert "cited lines" not in text


async def test_how_far_a_run_was_off_its_plan_stands_beside_the_plan_and_not_under_the_answer() -> None:
    def run(query: str, run_id: str) -> list[Event]:
        off = Deviation(planned=3, actual=1, ratio=0.67, warned=True)
        facts: list[Event] = [
            RunStarted(query=query),
            PlanCreated(steps=(PlanStep(step_id="s1", tool="execute_sql", purpose="count"),)),
            Warned(message="What was done is 67% off the plan.", where="deviation"),
            Warned(message="The model made no plan.", where="plan"),
            AnswerCompleted(markdown="Here.", outcome="answered"),
            RunCompleted(deviation=off),
        ]
        return placed(facts, run_id)

    app = make_app(DataEngine(run=run))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "changed on the way" in shown(app))
        assert "off the plan" not in shown(app)
        assert "! The model made no plan." in shown(app)


async def test_of_a_single_source_no_next_one_is_offered() -> None:
    app = make_app(run_of(TABLE))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: "run again" in shown(app))
        assert "n next" not in shown(app)
        assert "1-9 source" not in shown(app).split("run again")[1].split("\n")[0]


async def test_without_its_rows_a_statement_says_what_is_known_of_them() -> None:
    app = make_app(run_of())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: proof_of(app) and "6 rows, not truncated" in shown(app))
        assert not app.screen.query(TableView)


async def test_a_statement_is_run_again_and_what_changed_is_said() -> None:
    engine = DataEngine()
    app = make_app(engine)
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: proof_of(app) and "GROUP BY" in shown(app))
        await pilot.press("r")
        await until(pilot, lambda: "not the rows of the answer" in shown(app) and "1033" in shown(app))
        assert engine.reruns == [(SQL, "sample.sqlite")]
        assert "Table · 1 row · sample.sqlite" in shown(app)


async def test_a_statement_is_run_again_in_sight_where_its_proof_was_not_shown() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(80, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        assert proof_of(app) is None or not app.screen.query_one("#proof").region
        await pilot.press("r")
        await until(pilot, lambda: "not the rows of the answer" in shown(app) and "1033" in shown(app))


async def test_a_statement_that_is_refused_says_so_and_keeps_its_rows() -> None:
    app = make_app(DataEngine(refuses="The statement was refused: it writes."))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: proof_of(app) and "GROUP BY" in shown(app))
        await pilot.press("r")
        await until(
            pilot,
            lambda: (
                "refused: it writes. Ask for what it reads instead."
                in " ".join(str(app.screen.query_one("#proof-note", Static).content).split())
            ),
        )
        assert "Table · 6 rows" in shown(app)


@pytest.mark.skipif(shutil.which("sh") is None, reason="needs a POSIX shell")
async def test_a_statement_changed_in_the_editor_is_what_is_run_again(tmp_path: Path) -> None:
    script = tmp_path / "edit.sh"
    script.write_text('#!/bin/sh\necho "$1" > "$0.seen"\n', encoding="utf-8")
    script.chmod(0o755)
    engine = DataEngine()
    app = make_app(engine, Settings(editor=EditorSettings(command=f"{script} {{path}}")))
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("1")
        await until(pilot, lambda: proof_of(app) and "GROUP BY" in shown(app))
        path = statement_path(SQL, "sample.sqlite")
        await pilot.press("e")
        await until(pilot, path.exists)
        assert path.read_text(encoding="utf-8") == f"-- source: sample.sqlite\n{SQL}\n"
        path.write_text("-- source: sample.sqlite\nSELECT 2\n", encoding="utf-8")
        await pilot.press("r")
        await until(pilot, lambda: "as it stands in the editor" in shown(app))
        assert engine.reruns == [("SELECT 2", "sample.sqlite")]
        assert "SELECT 2" in shown(app)


def test_a_statement_has_one_private_file_which_keeps_what_was_changed_in_it() -> None:
    path = write_statement(SQL, "shop \x1b[31m/../db")
    assert path.name.startswith("shop-db-")
    assert path.stat().st_mode & 0o077 == 0
    assert edited_statement(SQL, "shop \x1b[31m/../db") == SQL
    path.write_text("select 1", encoding="utf-8")
    assert write_statement(SQL, "shop \x1b[31m/../db") == path
    assert edited_statement(SQL, "shop \x1b[31m/../db") == "select 1"
    path.write_text("  \n", encoding="utf-8")
    assert edited_statement(SQL, "shop \x1b[31m/../db") == SQL


def test_old_statements_are_forgotten() -> None:
    paths = [write_statement(f"select {number}", "db") for number in range(105)]
    assert len(list(paths[0].parent.glob("*.sql"))) == 100
    assert paths[-1].exists()


async def test_what_a_call_said_of_itself_is_not_said_again_as_the_reason_to_go_on() -> None:
    note = "[Using cached schema] shop: 6 tables"
    app = make_app(
        run_of(
            PlanCreated(steps=(PlanStep(step_id="s1", tool="get_data_source_context", schema_level="basic"),)),
            ToolStarted(call_id="c1", tool="get_data_source_context", step_id="s1"),
            ToolFinished(call_id="c1", tool="get_data_source_context", ok=True, cached=True, result_count=6, note=note),
            StepFinished(step_id="s1", reason=note),
        )
    )
    async with app.run_test(size=(80, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "o")
        await until(pilot, lambda: "6 tables · known already" in shown(app))
        assert shown(app).count("6 tables") == 1


async def test_in_one_line_stages_that_a_run_did_not_need_are_left_out() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "understand ✓  plan ✓  search ✓  write ✓" in shown(app))


@pytest.mark.parametrize("width", [80, 60])
async def test_the_steps_say_in_plain_words_what_they_brought_took_and_decided(width: int) -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=(width, 60)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "o")
        await until(pilot, lambda: "Plan" in shown(app) and "Count parcels" in shown(app))
        text = shown(app)
        for part in (
            "known already",
            "3 ms",
            "2 Count parcels by city",
            "47 ms",
            "try 2",
            "goes on: 6 rows",
            "skipped: one period only",
            "− 4 Refunds of the largest city",
            "added",
            "± Taipei has no refunds",
            "5 of 5",
        ):
            assert part in text, part
        for jargon in ("get_data", "execute_sql", "schema", "aggregation", "guess", "~", "⚑"):
            assert jargon not in text, jargon


async def test_a_step_that_was_done_before_says_how_long_it_takes_and_a_guess_is_not_told() -> None:
    steps = (
        PlanStep(step_id="s1", tool="execute_sql", purpose="Count", estimated_ms=40, estimate_note="median of sql"),
        PlanStep(step_id="s2", tool="execute_sql", purpose="Divide", estimated_ms=120, estimate_note="a guess"),
    )
    app = make_app(run_of(PlanCreated(steps=steps)))
    async with app.run_test(size=(80, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "o")
        await until(pilot, lambda: "usually 40 ms" in shown(app))
        assert "0.12 s" not in shown(app)


async def test_a_chart_of_odd_numbers_is_legible_in_sixty_columns() -> None:
    chart = Chart(
        type="bar",
        x=("非常长的车站名字而且还没有结束的那一种", "b"),
        y="n",
        series={"n": (-1.5e9, None)},
    )
    app = make_app(run_of(replace(CHART, chart=chart), TABLE))
    async with app.run_test(size=(60, 50)) as pilot:
        await ask(pilot)
        await until(pilot, lambda: "-1.5B" in shown(app))
        assert "no value" in shown(app)
        assert "…" in shown(app)


async def test_a_source_of_data_is_shown_by_its_statement() -> None:
    app = make_app(DataEngine())
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await until(pilot, lambda: app.screen.query_one("#sources", RowList).display)
        await pilot.press("escape", "j")
        await until(pilot, lambda: proof_of(app) and "GROUP BY" in shown(app))
        assert "[1] SELECT s.city" in shown(app)

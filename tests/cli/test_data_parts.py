"""Tables and charts of an answer on standard output."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pexpect
import pytest
from msgspec import structs
from msgspec.structs import replace

from kbtui.cli import console
from kbtui.cli.answers import print_answer
from kbtui.domain.codec import encode
from kbtui.domain.events import AnswerCompleted
from kbtui.view.folding import reduce_all
from kbtui.view.view_state import RunView
from tests.ui.data_runs import CHART, CITATION, MARKDOWN, TABLE, a_data_run

ROOT = Path(__file__).parents[2]


def view(markdown: str = MARKDOWN) -> RunView:
    events = a_data_run()
    return reduce_all(replace(one, markdown=markdown) if isinstance(one, AnswerCompleted) else one for one in events)


def test_into_a_pipe_goes_the_answer_with_its_own_table_and_nothing_drawn(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(view())
    out = capsys.readouterr().out
    assert out == MARKDOWN
    assert "█" not in out


def test_a_table_that_the_answer_does_not_hold_follows_it_as_markdown(capsys: pytest.CaptureFixture[str]) -> None:
    print_answer(view("Taipei has the most [1]."))
    out = capsys.readouterr().out
    assert out.startswith("Taipei has the most [1].\n\n| city | parcels | revenue |\n|---|---:|---:|\n")
    assert "| 哥本哈根 Copenhagen | 498 | 1,990.75 |" in out
    assert "█" not in out


def test_of_several_tables_the_one_that_the_answer_cites_first_follows_it(capsys: pytest.CaptureFixture[str]) -> None:
    beside = replace(TABLE, columns=("quality", "n"), rows=(("A", 272), ("E", 16)), row_count=2, sql="SELECT quality")
    table = replace(TABLE, sql=CITATION.sql or "")
    found = structs.replace(view("Taipei has the most [1]."), tables=(table, beside), charts=())
    print_answer(found)
    out = capsys.readouterr().out
    assert "| city | parcels | revenue |" in out
    assert "quality" not in out


def test_a_single_figure_that_the_answer_says_gets_no_table(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    one = replace(TABLE, columns=("COUNT(*)",), rows=((4000,),), row_count=1)
    found = structs.replace(view("4000 parcels [1]."), tables=(one,), charts=())
    print_answer(found)
    assert capsys.readouterr().out == "4000 parcels [1].\n"
    monkeypatch.setattr(console, "is_interactive", lambda _stream: True)
    print_answer(found)
    assert "COUNT(*)" not in capsys.readouterr().out.split("[1] sample")[0]


def test_on_a_terminal_the_table_is_set_once_and_the_chart_is_drawn(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "is_interactive", lambda _stream: True)
    print_answer(view())
    out = capsys.readouterr().out
    assert out.count("2,811.25") == 1
    assert "6 rows · sample.sqlite" in out
    assert "parcels by city · summed" in out
    assert "Malmö               █" in out
    assert "[1] sample.sqlite  SELECT s.city" in out
    assert max(len(line) for line in out.split("\n") if "█" in line) <= 100


def test_a_long_table_is_cut_on_a_terminal_and_says_so(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "is_interactive", lambda _stream: True)
    long = replace(TABLE, rows=tuple((f"row {n}", n, None) for n in range(50)), row_count=50)
    print_answer(structs.replace(view("Many [1]."), tables=(long,), charts=()))
    out = capsys.readouterr().out
    assert "row 19" in out
    assert "row 20" not in out
    assert "… 30 more rows" in out


def test_text_of_the_data_cannot_style_or_move_the_terminal(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "is_interactive", lambda _stream: True)
    odd = "\x1b[2J\x1b]0;owned\x07[red]x[/red]"
    table = replace(TABLE, columns=(odd,), rows=((odd,),), row_count=1, source=odd)
    chart = replace(CHART, title=odd, chart=replace(CHART.chart, x=(odd,), series={odd: (1.0,)}, y=odd))
    print_answer(structs.replace(view(f"x {odd}"), tables=(table,), charts=(chart,)))
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\x07" not in out
    assert "[red]x[/red]" in out


def test_a_real_terminal_shows_both_within_its_width(tmp_path: Path) -> None:
    session = tmp_path / "data.jsonl"
    session.write_text("".join(encode(event) + "\n" for event in a_data_run()), encoding="utf-8")
    child = pexpect.spawn(
        sys.executable,
        ["-m", "kbtui", "replay", str(session), "--plain", "--speed", "max"],
        cwd=str(ROOT),
        env={**os.environ, "TERM": "xterm-256color"},
        encoding="utf-8",
        dimensions=(40, 60),
        timeout=60,
    )
    text = child.read()
    child.close()
    assert "2,811.25" in text
    assert "██" in text
    assert CITATION.source is not None
    assert CITATION.source in text

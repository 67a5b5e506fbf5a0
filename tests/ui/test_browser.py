"""What there is to ask about: folding, names into the prompt, suggestions, the editor, the filter."""

from __future__ import annotations

import threading
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from kbtui.domain.codec import encode
from kbtui.domain.document import FileRecord
from kbtui.domain.events import Progress
from kbtui.domain.holdings import Holdings, ToRead
from kbtui.ui import editing
from kbtui.ui.panes import browser
from kbtui.ui.panes.browser import Browser, HoldingsList
from kbtui.ui.panes.browser_head import head, seconds_left
from kbtui.ui.panes.browser_rows import HoldingsTree
from kbtui.ui.panes.reading_rows import reading_rows
from kbtui.ui.run_view import RunPanes
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.workspace import FolderPhase, FolderStatus
from tests.ui.driving import ask, cell_of, make_app, shown, until
from tests.ui.made import FakeEngine, FakeLibrary, Stale
from tests.ui.test_question_queue import child

SIZE = (100, 40)


async def at_the_rows(pilot: Pilot[Any]) -> HoldingsList:
    """The browser with all there is, its rows focused."""
    await until(pilot, lambda: "Documents" in shown(pilot.app))  # type: ignore[arg-type]
    await pilot.press("escape")
    return pilot.app.screen.query_one(HoldingsList)


async def go_to(pilot: Pilot[Any], text: str) -> None:
    """Move down to the row of this text."""
    rows = pilot.app.screen.query_one(Browser)
    for _ in range(60):
        if rows.selected is not None and rows.selected.text == text:
            return
        await pilot.press("j")
    raise AssertionError(f"no row {text}")


async def test_tables_and_folders_are_in_sight_before_anything_is_asked() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Documents" in shown(app))
        text = shown(app)
        assert "harbour.sqlite" in text
        assert "4,000 rows · 3 columns" in text
        assert "2 files · decision: status, date" in text
        assert "2 decision" in text


async def test_a_table_unfolds_into_columns_with_kind_and_three_samples() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await go_to(pilot, "parcels")
        await pilot.press("right")
        await until(pilot, lambda: "Taipei, Oslo, 台南" in shown(app))
        assert "Berlin" not in shown(app)
        assert "number    12.5, 3, 40" in shown(app)
        await pilot.press("down", "left", "left")
        await pilot.pause()
        assert "Taipei" not in shown(app)


@pytest.mark.parametrize(
    ("steps", "mention"),
    [(("parcels", "city"), "@parcels.city "), (("runbooks/", "on call.md"), '@"runbooks/on call.md" ')],
)
async def test_enter_puts_the_name_into_what_is_typed(steps: tuple[str, str], mention: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Documents" in shown(app))
        await pilot.press(*"how many", "escape")
        await go_to(pilot, steps[0])
        await pilot.press("l")
        await go_to(pilot, steps[1])
        await pilot.press("enter")
        await pilot.pause()
        prompt = app.screen.query_one(Prompt)
        assert prompt.text == f"how many {mention}"
        assert prompt.has_focus


async def test_a_document_unfolds_into_its_fields_and_headings_and_opens_at_their_lines(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[Path, int]] = []
    monkeypatch.setattr(editing, "_open", lambda _app, path, spot: opened.append((path, spot.start_line)))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await go_to(pilot, "adr/")
        await pilot.press("space")
        await go_to(pilot, "0007-deploys.md")
        await pilot.press("space")
        await until(pilot, lambda: "accepted" in shown(app))
        await go_to(pilot, "# Decision")
        await pilot.press("e")
        await pilot.pause()
    assert [(path.name, line) for path, line in opened] == [("0007-deploys.md", 12)]


async def test_by_mouse_the_arrow_unfolds_and_the_line_of_a_heading_opens_the_document_there(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    opened: list[tuple[str, int]] = []
    monkeypatch.setattr(editing, "_open", lambda _app, path, spot: opened.append((path.name, spot.start_line)))
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await pilot.click(offset=cell_of(app, "▸ adr/"))
        await until(pilot, lambda: "▾ adr/" in shown(app))
        await pilot.click(offset=cell_of(app, "▸ 0007-deploys.md"))
        await until(pilot, lambda: "accepted" in shown(app))
        await pilot.click(offset=cell_of(app, "line 12"))
        assert opened == [("0007-deploys.md", 12)]
        prompt = app.screen.query_one(Prompt)
        assert prompt.text == ""
        await pilot.click(offset=cell_of(app, "# Decision"))
        assert prompt.text == "@adr/0007-deploys.md "
    assert len(opened) == 1


async def test_what_becomes_known_later_moves_nothing_that_is_on_the_screen() -> None:
    goes_on, asks = threading.Event(), threading.Event()
    library = FakeLibrary(found=("total amount by city", "谁负责回滚？"), wait=goes_on, asks=asks)
    app = make_app(FakeEngine(library=library), suggestions=())
    pictures: list[list[str]] = []
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        pictures.append(shown(app).split("\n"))
        goes_on.set()
        await until(pilot, lambda: "Documents" in shown(app))
        pictures.append(shown(app).split("\n"))
        asks.set()
        await until(pilot, lambda: "谁负责回滚？" in shown(app))
        pictures.append(shown(app).split("\n"))
    for before, after in pairwise(pictures):
        for row, line in enumerate(before[1:-4], 1):
            assert not line.strip() or after[row] == line, row


async def test_questions_of_the_data_are_suggested_while_the_folder_is_read_and_one_of_documents_behind_them(
    tmp_path: Path,
) -> None:
    is_read = tmp_path / "read"
    library = FakeLibrary(
        found=("total amount by city", "谁负责回滚？", "parcels per month"),
        early=("total amount by city", "average amount by city", "number of parcels by city"),
    )
    engine = FakeEngine(library=library, stale=Stale(never_indexed=True))
    waiting = f"import pathlib, time\nwhile not pathlib.Path({str(is_read)!r}).exists(): time.sleep(0.01)"
    app = make_app(engine, suggestions=(), index_argv=child(encode(Progress(stage="walk")), then=waiting))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "average amount by city" in shown(app))
        assert app.workspace.status.phase == "indexing"
        assert "number of parcels by city" not in shown(app), "this row is left free"
        before = shown(app).split("\n")
        is_read.touch()
        await until(pilot, lambda: "谁负责回滚？" in shown(app))
        rows = shown(app).split("\n")
    at = [row.strip() for row in rows].index("› total amount by city")
    assert [row.strip() for row in rows[at : at + 3]] == [
        "› total amount by city",
        "› average amount by city",
        "› 谁负责回滚？",
    ]
    assert before[at : at + 2] == rows[at : at + 2]


async def test_suggestions_that_a_question_interrupted_are_found_after_its_answer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(browser, "_RETRY_S", 0.01)
    asks = threading.Event()
    engine = FakeEngine(library=FakeLibrary(found=("total amount by city",), asks=asks), hold_after=2)
    app = make_app(engine, suggestions=())
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "Documents" in shown(app))
        await pilot.press(*"how", "enter")
        await until(pilot, lambda: engine.asked)
        asks.set()
        await pilot.pause(0.05)
        engine.go_on()
        await until(pilot, lambda: "done" in shown(app))
        await pilot.press("f2")
        await until(pilot, lambda: "total amount by city" in shown(app))


async def test_a_question_that_was_found_is_asked_by_the_keyboard() -> None:
    engine = FakeEngine(library=FakeLibrary(found=("total amount by city",)))
    app = make_app(engine, suggestions=())
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "total amount by city" in shown(app))
        await pilot.press("escape", "j", "enter")
        await until(pilot, lambda: engine.asked)
    assert engine.asked == ["total amount by city"]


async def test_the_suggestions_are_in_the_language_of_the_user(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    app = make_app(suggestions=())
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        assert "这里有什么？" in shown(app)


async def test_a_name_is_found_by_its_parts_wherever_it_is_folded() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await pilot.press("slash", *"roll back", "enter")
        await until(pilot, lambda: "runbooks/rollback.md" in shown(app))
        assert "parcels" not in shown(app)
        await pilot.press("enter")
        await pilot.pause()
        assert app.screen.query_one(Prompt).text == "@runbooks/rollback.md "


async def test_escape_leaves_the_filter_and_everything_is_listed_again() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await pilot.press("slash", *"zebra")
        await until(pilot, lambda: "nothing has such a name" in shown(app))
        await pilot.press("escape")
        await until(pilot, lambda: "runbooks/" in shown(app))
        assert app.screen.query_one(HoldingsList).has_focus


async def test_it_is_within_reach_after_an_answer_and_leads_back() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("escape", "b")
        await pilot.pause()
        assert app.screen.query_one(HoldingsList).has_focus
        assert not app.screen.query_one(RunPanes).display
        await pilot.press("escape")
        await pilot.pause()
        assert app.screen.query_one(RunPanes).display
        await pilot.press("escape", *"/files", "enter")
        await until(pilot, lambda: app.screen.query_one(HoldingsList).has_focus)


async def test_a_question_asked_from_it_shows_its_answer() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await ask(pilot)
        await pilot.press("f2")
        await pilot.pause()
        await pilot.press("slash", "escape", "escape")
        await ask(pilot, "and who announces it?")
        assert app.screen.query_one(RunPanes).display
        assert not app.screen.query_one(Browser).display


async def test_a_folder_that_is_being_indexed_shows_the_tables_at_once() -> None:
    engine = FakeEngine(stale=Stale(never_indexed=True))
    app = make_app(engine, index_argv=child(encode(Progress(stage="walk")), then="import time; time.sleep(600)"))
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, lambda: "4,000 rows" in shown(app))
        assert app.workspace.status.phase == "indexing"


@pytest.mark.parametrize(("files", "phase", "said"), [(0, "ready", True), (3, "ready", False), (0, "indexing", False)])
def test_a_folder_without_anything_to_read_is_told_before_it_is_asked(
    files: int, phase: FolderPhase, said: bool
) -> None:
    lines = head(FolderStatus(kb=Path("/kb"), files=files, phase=phase), Holdings(), 100)
    assert any("nothing to read" in line.plain for line in lines) is said


@pytest.mark.parametrize(("width", "height"), [(36, 8), (60, 8), (72, 5), (120, 5)])
@pytest.mark.parametrize("phase", ["opening", "loading", "indexing", "refreshing", "ready", "failed"])
def test_the_head_has_the_same_height_whatever_it_says(phase: FolderPhase, width: int, height: int) -> None:
    assert len(head(FolderStatus(kb=Path("/kb"), phase=phase, message="m", hint="h"), Holdings(), width)) == height


def test_a_narrow_head_says_in_two_lines_what_does_not_fit_into_one() -> None:
    lines = head(FolderStatus(kb=Path("/kb"), phase="ready", files=3), Holdings(), 36)
    text = " ".join(" ".join(line.plain for line in lines).split())
    assert "every claim names the lines it rests on. No chat model is needed. To add one: kbtui --model" in text


def test_the_size_of_a_small_folder_is_not_rounded_up_and_an_empty_one_has_none() -> None:
    folder = FolderStatus(kb=Path("/kb"), phase="indexing", to_read=ToRead(files=1, bytes=16_400))
    assert head(folder, Holdings(), 100)[2].plain.startswith("Reading 16 kB for the first time.")
    empty = FolderStatus(kb=Path("/kb"), phase="indexing", to_read=ToRead(files=0, bytes=0))
    assert head(empty, Holdings(), 100)[2].plain.startswith("Reading for the first time.")


def test_a_first_reading_says_how_much_how_far_and_about_how_long() -> None:
    progress = Progress(stage="read", done=120, total=736)
    status = FolderStatus(
        kb=Path("/kb"), phase="indexing", to_read=ToRead(files=736, bytes=14_300_000), progress=progress
    )
    lines = [line.plain for line in head(status, Holdings(), 100, 41.0)]
    assert lines[2].startswith("Reading 14.3 MB for the first time.")
    assert lines[3].endswith("120 of 736 · about 41 s left")


def test_the_rest_takes_as_long_as_what_was_read_since_the_look_began() -> None:
    assert seconds_left((10.0, 100), 14.0, 200, 400) == 8.0
    assert seconds_left((10.0, 100), 11.0, 200, 400) is None
    assert seconds_left((10.0, 100), 20.0, 100, 400) is None


def test_what_is_left_out_is_told_with_its_reason() -> None:
    said = "Left out: scan.pdf (no text, whatever the name says). Save it as text."
    status = FolderStatus(kb=Path("/kb"), phase="ready", files=3, left_out=(said,))
    assert said in [line.plain for line in head(status, Holdings(), 100)]


def test_ten_thousand_files_are_listed_as_far_as_they_are_unfolded() -> None:
    records = tuple(FileRecord(path=f"d{n % 100}/f{n}.md", kind="markdown", title=f"Title {n}") for n in range(10_000))
    shelf = HoldingsTree(Holdings(files=records))
    assert len(list(shelf.entries(set(), {}, {}))) == 101
    assert len(list(shelf.entries({"d7/"}, {}, {}))) == 201
    assert [entry.text for entry in shelf.matching_entries(["title 77", "d77"])] == [
        f"d77/f{n}.md" for n in range(10_000) if n % 100 == 77 and "title 77" in f"title {n}"
    ]


TOLD = ToRead(
    files=736,
    bytes=14_300_000,
    kinds=((".md", 402), (".rst", 301), (".txt", 30), ("", 1), (".py", 1), (".html", 1)),
    left_out=(("binary", 41), ("hidden", 2), ("too large", 1)),
)
SAID = ("Left out: big.txt (larger than 5 MB). Raise index.max_file_mb to index what is larger.",)


def texts(status: FolderStatus, *, known: bool, width: int = 120) -> list[str]:
    return [line.plain.strip() for row in reading_rows(status, has_documents=known) for line in row.make(width)]


def test_before_a_first_reading_ends_it_says_what_is_read_what_is_not_and_why_and_how_to_add_a_model() -> None:
    status = FolderStatus(kb=Path("/kb"), phase="indexing", to_read=TOLD, left_out=SAID)
    assert [text for text in texts(status, known=False) if text] == [
        "Read for the first time",
        "736 files, 14.3 MB: 402 .md, 301 .rst, 30 .txt, 1 without an ending, 1 .py, 1 more kind",
        "Chat model",
        "None is needed. To add one: kbtui --model openai:NAME, or model.name in the settings (F4).",
        "Left out",
        "41 binary, 2 hidden, 1 too large",
        "big.txt (larger than 5 MB). Raise index.max_file_mb to index what is larger.",
    ]


def test_below_the_documents_stands_what_is_left_out_and_nothing_where_nothing_is() -> None:
    status = FolderStatus(kb=Path("/kb"), phase="ready", to_read=TOLD, left_out=SAID)
    assert texts(status, known=True)[:3] == ["", "Left out", "41 binary, 2 hidden, 1 too large"]
    assert "Chat model" not in texts(status, known=True)
    assert reading_rows(FolderStatus(kb=Path("/kb"), to_read=ToRead(files=3)), has_documents=True) == []
    assert reading_rows(FolderStatus(kb=Path("/kb")), has_documents=False) == []


def test_a_folder_with_a_chat_model_is_not_told_how_to_add_one() -> None:
    status = FolderStatus(kb=Path("/kb"), phase="indexing", model="openai:x", to_read=TOLD)
    assert "Chat model" not in texts(status, known=False)


@pytest.mark.parametrize("width", [20, 56, 76])
def test_what_is_told_of_the_folder_is_wrapped_not_cut(width: int) -> None:
    status = FolderStatus(kb=Path("/kb"), phase="indexing", to_read=TOLD, left_out=SAID)
    rows = reading_rows(status, has_documents=False)
    assert all(line.cell_length <= width for row in rows for line in row.make(width))
    assert "index what is larger." in " ".join(texts(status, known=False, width=width))


async def test_what_is_left_out_can_be_reached_by_keys_and_choosing_it_does_nothing() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready" and "Documents" in shown(app))
        browser = app.screen.query_one(Browser)
        status = FolderStatus(kb=Path("/kb"), phase="ready", files=6, to_read=TOLD, left_out=SAID)
        browser.show(status)
        browser._show_rows()
        await pilot.press("escape", "end")
        await until(pilot, lambda: "Raise index.max_file_mb" in shown(app))
        await pilot.press("enter", "e")
        await until(pilot, lambda: "That is no file." in " ".join(one.message for one in app._notifications))


async def test_the_footer_says_what_enter_does_with_the_selected_row() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        assert "enter ask " in shown(app)
        for row, word in (("parcels", "enter use name "), ("harbour.sqlite", "enter open ")):
            await go_to(pilot, row)
            await until(pilot, lambda word=word: word in shown(app))


async def test_a_document_that_was_found_by_its_name_unfolds_where_it_stands() -> None:
    app = make_app()
    async with app.run_test(size=SIZE) as pilot:
        await at_the_rows(pilot)
        await pilot.press("slash", *"0007", "enter", "right")
        await until(pilot, lambda: "# Decision" in shown(app))
        await pilot.press("left")
        await until(pilot, lambda: "# Decision" not in shown(app))


def test_the_location_stands_beside_the_name_of_the_folder_on_a_wide_screen() -> None:
    assert head(FolderStatus(kb=Path("/srv/notes")), Holdings(), 200)[0].plain == "notes  /srv"


def test_a_blank_line_separates_the_tables_from_the_documents() -> None:
    entries = [entry.text for entry in HoldingsTree(FakeLibrary().holdings()).entries((), {}, {})]
    assert entries[entries.index("Documents") - 1] == ""

"""From a claim to the line that backs it: previews, editors, links, odd text, odd sizes."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from textual.events import Paste
from textual.geometry import Offset
from textual.widgets import OptionList

from kbtui.domain.answer import Citation
from kbtui.domain.events import AnswerCompleted, Event, EvidenceGraded, RunCompleted, RunStarted
from kbtui.settings.model import EditorSettings, Settings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.panes.proof import ProofPane
from kbtui.ui.panes.transcript import Transcript
from kbtui.ui.run_view import RunPanes
from kbtui.ui.screens.help import HelpScreen
from kbtui.ui.screens.tiny import TinyScreen
from kbtui.ui.widgets.cited_markdown import CitedMarkdown
from kbtui.ui.widgets.key_hints import KeyHints
from kbtui.ui.widgets.prompt import Prompt
from kbtui.ui.widgets.source_text import SourceText, make_excerpt
from tests.ui.driving import ask, cell_of, make_app, proof_of, shown, until
from tests.ui.made import ITEMS, FakeEngine, Source, placed


def marked(app: object) -> list[int]:
    """The line numbers that carry the mark of a citation."""
    rows = [row for row in shown(app).split("\n") if "▌" in row]  # type: ignore[arg-type]
    return [int(row.split("▌")[0].split()[-1]) for row in rows if row.split("▌")[0].split()[-1].isdigit()]


def marked_in_text(app: object) -> str:
    """What stands out in the answer as the mark of the source that is shown."""
    answer = app.screen.query_one(CitedMarkdown)  # type: ignore[attr-defined]
    blocks = [content for part in answer.parts for content in part.shown]
    return "".join(
        block.plain[span.start : span.end] for block in blocks for span in block.spans if "reverse" in str(span.style)
    )


async def opened(pilot: object, app: object) -> ProofPane:
    await until(pilot, lambda: proof_of(app) and marked(app))  # type: ignore[arg-type]
    pane = proof_of(app)
    assert pane is not None
    return pane


async def test_a_number_previews_that_source_with_its_lines_marked() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        pane = await opened(pilot, app)
        assert pane.spot.path == "runbooks/rollback.md"
        assert marked(app) == [12, 13, 14, 15, 16, 17, 18]
        assert "lines 12-18 of 60 · 1 of 4" in shown(app)


async def test_the_title_of_a_proof_that_was_not_on_the_screen_has_all_the_room_there_is() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await opened(pilot, app)
        await until(pilot, lambda: "[1] runbooks/rollback.md ─" in shown(app))


async def test_a_number_previews_from_the_empty_prompt_and_is_typed_into_a_question_that_was_begun() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        prompt = app.screen.query_one(Prompt)
        assert prompt.has_focus
        await pilot.press("2")
        assert (await opened(pilot, app)).spot.path == "adr/0007-deploys.md"
        await pilot.press("escape", "space", "2", "9")
        assert prompt.text == " 29"


async def test_a_number_without_a_source_is_typed() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("9")
        assert app.screen.query_one(Prompt).text == "9"


async def test_a_source_is_previewed_from_the_prompt_with_alt() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        assert app.screen.query_one(Prompt).has_focus
        await pilot.press("alt+2")
        assert (await opened(pilot, app)).spot.path == "adr/0007-deploys.md"


async def test_j_and_k_step_through_the_sources_and_a_sheet_goes_away_with_escape() -> None:
    app = make_app()
    async with app.run_test(size=(80, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "j")
        pane = await opened(pilot, app)
        assert (pane.spot.n, marked_in_text(app)) == (1, "[1]")
        await pilot.press("j", "j")
        assert (pane.spot.n, marked_in_text(app)) == (3, "[3]")
        await pilot.press("k")
        assert pane.spot.n == 2
        await pilot.press("4", "j")
        assert pane.spot.n == 1
        await pilot.press("escape")
        await until(pilot, lambda: not proof_of(app))


async def test_escape_goes_from_a_stage_to_the_conversation_and_only_then_to_the_prompt() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        footer = app.screen.query_one("#hints", KeyHints)
        app.screen.query_one("#evidence-rows").focus()
        await until(pilot, lambda: "esc back" in footer.render().plain)
        await pilot.press("escape")
        assert app.screen.query_one(Transcript).has_focus
        await until(pilot, lambda: "esc ask" in footer.render().plain)
        await pilot.press("escape")
        assert app.screen.query_one(Prompt).has_focus


async def test_a_message_covers_neither_what_is_typed_nor_what_is_read() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await ask(pilot)
        await pilot.press("2", "Y")
        await until(pilot, lambda: app.screen.query("Toast") and app.screen.query_one("Toast").region.height)
        read = (app.screen.query_one(name).region for name in ("#prompt", "#panes", "#status"))
        assert not any(app.screen.query_one("Toast").region.overlaps(region) for region in read)


async def test_a_message_of_many_lines_stands_above_the_prompt() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24), notifications=True) as pilot:
        await ask(pilot)
        app.notify("word " * 60, title="What is wrong")
        await until(pilot, lambda: app.screen.query("Toast") and app.screen.query_one("Toast").region.height > 3)
        toast, prompt = app.screen.query_one("Toast").region, app.screen.query_one("#prompt-line").region
        assert toast.bottom == prompt.y
        assert toast.y > app.screen.query_one("#conversation").region.y + 3


async def test_a_click_on_a_mark_in_the_answer_previews_its_source() -> None:
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await pilot.pause()
        rows = shown(app).split("\n")
        y = next(index for index, row in enumerate(rows) if "[2]." in row)
        x = rows[y].index("[2].") + 1
        await pilot.click(offset=Offset(x, y))
        assert (await opened(pilot, app)).spot.n == 2


async def test_a_click_on_a_row_of_evidence_previews_its_lines() -> None:
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        await pilot.pause()
        rows = shown(app).split("\n")
        y = next(index for index, row in enumerate(rows) if "PROJ-114.md:3" in row)
        await pilot.click(offset=Offset(20, y))
        assert (await opened(pilot, app)).spot.path == "tickets/PROJ-114.md"
        assert marked(app) == [3]


async def test_a_source_that_cannot_be_read_is_shown_by_its_quote() -> None:
    app = make_app(FakeEngine(files={}))
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await opened(pilot, app)
        assert "line 13 of runbooks/rollback.md" in shown(app)
        assert "is not there any more" in shown(app)


def fake_editor(folder: Path) -> tuple[Path, Path]:
    """A graphical editor that writes down how it was called."""
    log = folder / "called.txt"
    script = folder / "fake-editor"
    script.write_text(f'#!/bin/sh\nprintf "%s\\n" "$@" > {log}.part && mv {log}.part {log}\n')
    script.chmod(0o755)
    return script, log


@pytest.fixture
def kb(tmp_path: Path) -> Path:
    for item in ITEMS:
        path = tmp_path / "kb" / item.path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x\n" * 60)
    return tmp_path / "kb"


@pytest.mark.parametrize("keys", [("escape", "j", "j", "enter"), ("escape", "2", "e")], ids=["stepped", "by number"])
async def test_enter_and_e_open_the_editor_at_the_line(kb: Path, tmp_path: Path, keys: tuple[str, ...]) -> None:
    script, log = fake_editor(tmp_path)
    settings = Settings(editor=EditorSettings(command=f"gui:{script} {{path}} +{{line}}"))
    app = make_app(FakeEngine(kb=kb), settings, kb=kb)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
        await until(pilot, log.exists)
    assert log.read_text().split("\n")[:2] == [str(kb / "adr/0007-deploys.md"), "+4"]


def opening(kb: Path, tmp_path: Path, **engine: object) -> tuple[KbtuiApp, Path]:
    """An app that opens files in an editor which writes down how it was called."""
    script, log = fake_editor(tmp_path)
    settings = Settings(editor=EditorSettings(command=f"gui:{script} {{path}} +{{line}}"))
    return make_app(FakeEngine(kb=kb, **engine), settings, kb=kb), log  # type: ignore[arg-type]


async def test_a_click_on_a_cited_line_in_the_proof_opens_the_editor_at_that_line(kb: Path, tmp_path: Path) -> None:
    app, log = opening(kb, tmp_path)
    async with app.run_test(size=(180, 44)) as pilot:
        await ask(pilot)
        await opened(pilot, app)
        await pilot.click(offset=cell_of(app, "14 ▌") + Offset(5, 0))
        await until(pilot, log.exists)
    assert log.read_text().split("\n")[:2] == [str(kb / "runbooks/rollback.md"), "+14"]


async def test_the_cited_line_below_the_mouse_stands_out_and_lines_around_it_open_nothing(
    kb: Path, tmp_path: Path
) -> None:
    app, log = opening(kb, tmp_path)
    async with app.run_test(size=(180, 44)) as pilot:
        await ask(pilot)
        await opened(pilot, app)
        source = app.screen.query_one(SourceText)
        await pilot.hover(offset=cell_of(app, "13 ▌") + Offset(5, 0))
        await until(pilot, lambda: source.pointed == 13)
        await pilot.hover(offset=cell_of(app, "19   ") + Offset(5, 0))
        await until(pilot, lambda: source.pointed == 0)
        await pilot.click(offset=cell_of(app, "19   ") + Offset(5, 0))
        # From a cited line to another one the mouse was dragged, for whatever reason.
        await pilot.mouse_down(offset=cell_of(app, "13 ▌") + Offset(5, 0))
        await pilot.mouse_up(offset=cell_of(app, "16 ▌") + Offset(5, 0))
        await pilot.pause(0.2)
        assert source.has_focus
    assert not log.exists()


async def test_a_click_on_a_source_that_an_answer_rests_on_shows_that_one_and_opens_it(
    kb: Path, tmp_path: Path
) -> None:
    app, log = opening(kb, tmp_path)
    async with app.run_test(size=(180, 44)) as pilot:
        await ask(pilot)
        pane = await opened(pilot, app)
        assert pane.spot.n == 1
        await pilot.click("#sources", offset=Offset(3, 2))
        await until(pilot, log.exists)
        assert (pane.spot.n, marked_in_text(app)) == (2, "[2]")
    assert log.read_text().split("\n")[:2] == [str(kb / "adr/0007-deploys.md"), "+4"]


async def test_a_terminal_editor_where_the_screen_cannot_be_suspended_leaves_the_place_in_the_clipboard(
    kb: Path, tmp_path: Path
) -> None:
    script, log = fake_editor(tmp_path)
    settings = Settings(editor=EditorSettings(command=f"terminal:{script} {{path}}"))
    app = make_app(FakeEngine(kb=kb), settings, kb=kb)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "e")
        await pilot.pause()
        assert app.clipboard == f"{kb / 'runbooks/rollback.md'}:12"
        assert not log.exists()


async def test_a_path_that_leaves_the_folder_is_never_opened(kb: Path, tmp_path: Path) -> None:
    script, log = fake_editor(tmp_path)
    (tmp_path / "secret.txt").write_text("x")

    def escaping(query: str, run_id: str) -> list[Event]:
        citation = Citation(n=1, path="../secret.txt", start_line=1, end_line=1)
        done = AnswerCompleted(markdown="See [1].", outcome="answered", citations=(citation,))
        return placed([RunStarted(query=query), done, RunCompleted()], run_id)

    settings = Settings(editor=EditorSettings(command=f"gui:{script} {{path}}"))
    app = make_app(FakeEngine(kb=kb, run=escaping), settings, kb=kb)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "e")
        await pilot.pause()
        assert [note.title for note in app._notifications] == ["That path leaves the folder."]
    assert not log.exists()


async def test_y_copies_the_answer_with_its_footer() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "y")
        assert "[2] adr/0007-deploys.md:L4" in app.clipboard


HOSTILE = "[bold]not bold[/bold] ] [/] [red \x1b[31mred\x1b]0;title\x07 \u202eoverride [@click=app.quit]quit[/] 漢字"


async def test_copying_the_answer_beside_a_shown_source_names_the_key_that_copies_only_the_quote() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "y")
        await until(pilot, lambda: [notice.message for notice in app._notifications])
        assert [notice.message for notice in app._notifications] == ["The answer is in the clipboard."]
        await pilot.press("2", "y")
        await until(pilot, lambda: len(app._notifications) == 2)
        assert [*app._notifications][1].message == "The answer is in the clipboard. Only the quote of [2]: Y"


async def test_an_answer_without_sources_names_the_key_of_the_answers_before_it() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        screen = app.ask_screen
        assert screen is not None
        last = screen.conversation.runs[-1]
        screen.resume("s", [replace(last, run_id="r8"), replace(last, run_id="r9", answer=None)])
        await pilot.pause()
        await pilot.press("j")
        await until(pilot, lambda: len(app._notifications) == 1)
        message = "This answer has no source to go to. Answers before it: [ alt+←"
        assert [notice.message for notice in app._notifications] == [message]


async def test_a_paste_goes_into_the_prompt_wherever_the_focus_is() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape")
        assert isinstance(app.focused, Transcript)
        app.post_message(Paste("one\ntwo"))
        await until(pilot, lambda: app.screen.query_one(Prompt).text == "one\ntwo")
        assert isinstance(app.focused, Prompt)


async def test_a_sheet_without_room_for_a_source_shows_no_title_of_their_list() -> None:
    app = make_app()
    async with app.run_test(size=(40, 16)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await opened(pilot, app)
        assert "rests on" not in shown(app)
        await pilot.resize_terminal(60, 24)
        await until(pilot, lambda: "rests on" in shown(app))


async def test_markup_and_escape_sequences_from_documents_are_shown_as_text() -> None:
    def hostile(query: str, run_id: str) -> list[Event]:
        item = replace(ITEMS[0], path=f"notes/{HOSTILE}.md", tool=HOSTILE, preview=HOSTILE)
        citation = Citation(n=1, path=item.path, start_line=12, end_line=18, quote=HOSTILE)
        return placed(
            [
                RunStarted(query=f"{query} {HOSTILE}"),
                EvidenceGraded(items=(item,), average=0.9),
                AnswerCompleted(
                    markdown=f"{HOSTILE} <b>html</b> [1]",
                    outcome="answered",
                    citations=(citation,),
                    suggestions=(HOSTILE,),
                ),
                RunCompleted(duration_ms=5),
            ],
            run_id,
        )

    files = {f"notes/{HOSTILE}.md": Source("x", "\n".join([HOSTILE] * 40))}
    app = make_app(FakeEngine(run=hostile, files=files), suggestions=(HOSTILE,))
    async with app.run_test(size=(200, 50)) as pilot:
        assert "[bold]not bold[/bold]" in shown(app)
        await ask(pilot, "what")
        await pilot.pause()
        text = shown(app)
        assert "\x1b" not in text
        assert "\u202e" not in text
        assert "title" not in text
        assert "› what [bold]not bold[/bold] ] [/] [red red override" in text
        assert "[@click=app.quit]quit[/] 漢字" in text
        assert "<b>html</b>" in text
        await pilot.press("escape", "1")
        await opened(pilot, app)
        assert "\x1b" not in shown(app)
        assert "[bold]not bold[/bold] ] [/]" in shown(app)


async def test_a_web_link_in_an_answer_is_copied_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    def linking(query: str, run_id: str) -> list[Event]:
        done = AnswerCompleted(markdown="[here](https://example.org/x)", outcome="answered")
        return placed([RunStarted(query=query), done, RunCompleted()], run_id)

    app = make_app(FakeEngine(run=linking))
    followed: list[str] = []
    monkeypatch.setattr(app, "open_url", followed.append)
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.pause()
        rows = shown(app).split("\n")
        y = next(index for index, row in enumerate(rows) if "here" in row)
        await pilot.click(offset=Offset(rows[y].index("here") + 1, y))
        await pilot.pause()
        assert app.clipboard == "https://example.org/x"
        assert followed == []


async def test_narrow_screens_show_the_conversation_the_stages_in_one_line_that_unfolds() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.pause()

        def visible() -> set[str]:
            return {name for name in ("conversation", "rail", "proof") if app.screen.query_one(f"#{name}").region}

        assert visible() == {"conversation"}
        assert "understand ✓  search ✓  grade ✓  write ✓" in shown(app)
        await pilot.press("escape", "o")
        await until(pilot, lambda: visible() == {"conversation", "rail"})
        await pilot.press("1")
        await until(pilot, lambda: visible() == {"conversation", "proof"})
        await pilot.press("o")
        await until(pilot, lambda: visible() == {"conversation", "rail"})
        await until(pilot, lambda: app.screen.query_one("#evidence-rows").has_focus)
        await pilot.press("enter")
        assert (await opened(pilot, app)).spot.path == "runbooks/rollback.md"


async def test_with_room_for_two_columns_the_stages_give_way_to_the_proof_and_with_more_both_stay() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot)
        parts = [app.screen.query_one(f"#{name}") for name in ("rail", "conversation", "proof")]
        rail, conversation, proof = parts
        await until(pilot, lambda: rail.region and not proof.region)
        assert rail.region.right <= conversation.region.x
        await pilot.press("escape", "j")
        await until(pilot, lambda: proof.region and not rail.region)
        assert proof.region.right <= conversation.region.x
        await pilot.resize_terminal(160, 30)
        await until(pilot, lambda: all(part.region for part in parts))
        assert conversation.region.right <= proof.region.x


async def test_z_gives_one_part_the_whole_screen_and_back() -> None:
    app = make_app()
    async with app.run_test(size=(160, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await opened(pilot, app)
        app.screen.query_one("#source").focus()
        await pilot.press("z")
        proof = app.screen.query_one("#proof")
        await until(pilot, lambda: proof.region.width == 160)
        assert not app.screen.query_one("#conversation").region
        await pilot.press("escape")
        await until(pilot, lambda: app.screen.query_one("#conversation").region)
        assert proof.region.width < 100


async def test_sixty_by_twenty_still_shows_answer_sources_and_prompt() -> None:
    app = make_app()
    async with app.run_test(size=(60, 20)) as pilot:
        await ask(pilot)
        await pilot.pause()
        text = shown(app)
        assert "re-pinning" in text
        assert "How does rollback work, and who announces it?" in text
        await pilot.press("1")
        await until(pilot, lambda: "line 12 of runbooks/rollback.md" in shown(app))
        assert "ask about handbook…" in text


async def test_a_tiny_terminal_says_so_and_comes_back() -> None:
    app = make_app()
    async with app.run_test(size=(20, 10)) as pilot:
        await pilot.pause()
        assert isinstance(app.screen, TinyScreen)
        assert "terminal too small" in " ".join(shown(app).split())
        assert "have 20x10" in " ".join(shown(app).split())
        await pilot.resize_terminal(100, 30)
        await pilot.pause()
        assert not isinstance(app.screen, TinyScreen)
        await ask(pilot)


async def test_a_terminal_that_grows_while_the_help_is_open_shows_the_conversation_again() -> None:
    app = make_app()
    async with app.run_test(size=(30, 10)) as pilot:
        await pilot.pause()
        await pilot.press("f1")
        await until(pilot, lambda: isinstance(app.screen, HelpScreen))
        await pilot.resize_terminal(100, 30)
        await pilot.press("escape")
        await until(pilot, lambda: app.screen is app.ask_screen)


async def test_a_preview_survives_the_terminal_becoming_tiny_and_large_again() -> None:
    app = make_app()
    async with app.run_test(size=(100, 30)) as pilot:
        await ask(pilot)
        await pilot.press("alt+1")
        await opened(pilot, app)
        await pilot.resize_terminal(30, 8)
        await pilot.pause()
        assert isinstance(app.screen, TinyScreen)
        await pilot.resize_terminal(100, 30)
        await opened(pilot, app)


def test_lines_are_counted_as_they_are_cited_whatever_else_could_end_one() -> None:
    text = "one\x0cstill one\u2028still one\r\ntwo\rthree\n\x1b[31mfour\x1b[0m\n"
    excerpt = make_excerpt(text, "x.py", "python", 3, 4)
    assert [line.plain for line in excerpt.lines] == ["one still one still one", "two", "three", "four"]
    assert (excerpt.start_line, excerpt.end_line, excerpt.total) == (3, 4, 4)


def test_a_long_file_is_shown_around_the_cited_lines_with_its_own_numbers() -> None:
    excerpt = make_excerpt("\n".join(f"line {n}" for n in range(1, 5001)), "x.txt", "", 3000, 3002)
    assert excerpt.lines[3000 - excerpt.first].plain == "line 3000"
    assert len(excerpt.lines) < 1000


def test_lines_past_the_end_of_a_file_that_shrank_mark_its_last_line() -> None:
    excerpt = make_excerpt("a\nb\n", "x.txt", "", 40, 50)
    assert (excerpt.start_line, excerpt.end_line) == (2, 2)


async def test_long_lines_are_wrapped_and_keep_their_number() -> None:
    files = {"runbooks/rollback.md": Source("x", "\n".join(["short", "词语" * 200, "end"] * 8))}
    app = make_app(FakeEngine(files=files))
    async with app.run_test(size=(80, 40)) as pilot:
        await ask(pilot)
        await pilot.press("alt+1")
        await opened(pilot, app)
        assert app.screen.query_one(SourceText).virtual_size.height > 24 + 8


async def test_any_state_in_any_order_shows_the_same() -> None:
    from kbtui.view.folding import reduce_all
    from tests.ui.made import a_run

    events = a_run()
    whole, part = reduce_all(events), reduce_all(events[:14])
    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        panes = app.screen.query_one(RunPanes)

        async def after(*views: object) -> str:
            for view in views:
                panes.show(view)  # type: ignore[arg-type]
            await pilot.pause()
            return "\n".join(shown(app).split("\n")[1:-5])

        first = await after(part)
        assert await after(whole, part) == first
        second = await after(whole)
        assert await after(part, whole) == second
        assert first != second


async def test_the_selected_evidence_stays_selected_when_more_comes() -> None:
    from kbtui.view.folding import reduce_all
    from tests.ui.made import a_run

    app = make_app()
    async with app.run_test(size=(140, 44)) as pilot:
        await ask(pilot)
        rows = app.screen.query_one("#evidence-rows", OptionList)
        rows.highlighted = 2
        more = EvidenceGraded(items=(replace(ITEMS[0], evidence_id="e9", score=0.99), *ITEMS), average=0.9)
        app.screen.query_one(RunPanes).show(reduce_all([*a_run(), *placed([more])]))
        await pilot.pause()
        assert rows.highlighted == 3


async def test_the_title_of_the_proof_is_a_link_to_the_line_for_terminals_that_know_links() -> None:
    app = make_app()
    async with app.run_test(size=(120, 40)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "1")
        await opened(pilot, app)
        links = [
            (segment.text, segment.style.link)
            for strip in app.screen._compositor.render_strips()
            for segment in strip
            if segment.style is not None and segment.style.link
        ]
        assert [text for text, _ in links] == ["[1] runbooks/rollback.md"]
        assert links[0][1].endswith("/kb/handbook/runbooks/rollback.md#L12")


async def test_on_a_narrow_screen_the_proof_that_covers_the_answer_is_what_is_zoomed() -> None:
    app = make_app()
    async with app.run_test(size=(80, 24)) as pilot:
        await ask(pilot)
        await pilot.press("escape", "j")
        await until(pilot, lambda: app.screen.query_one("#proof").region)
        await pilot.press("z")
        await until(pilot, lambda: not app.screen.query_one("#conversation").region)
        assert app.screen.query_one("#proof").region.height > 15
        await until(pilot, lambda: app.screen.query_one("#proof").has_focus_within)


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_on_a_narrow_screen_the_conversation_begins_below_the_status_line(size: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=size) as pilot:
        await ask(pilot)
        lines = shown(app).split("\n")
        question = next(line for line in lines[1:] if line.lstrip().startswith("›"))
        assert question.index("›") == len(lines[0]) - len(lines[0].lstrip()) == 2

"""The screen where Chinese is spoken: no English word of the program is left on it.

Questions, documents and data are Chinese here, so whatever is Latin on the screen is a name or a fault.
"""

from __future__ import annotations

import re
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from kbtui import i18n
from kbtui.domain.codec import encode
from kbtui.domain.events import Event
from kbtui.domain.health import Check
from kbtui.errors import EditorError
from kbtui.sessions.ids import utc_now
from kbtui.sessions.recording import Recording
from kbtui.sessions.store import SessionStore
from kbtui.settings.model import Settings, UiSettings
from kbtui.settings.private import private_folder
from kbtui.settings.reference import all_settings
from kbtui.ui.app import KbtuiApp
from kbtui.ui.commands import COMMANDS, translated
from kbtui.ui.exporting import export
from kbtui.ui.notices import show_error
from kbtui.ui.panes.base import StagePane
from kbtui.ui.replay_app import ReplayApp
from kbtui.ui.screens.compare import CompareScreen
from kbtui.ui.screens.doctor import DoctorScreen
from kbtui.ui.screens.help import help_lines
from kbtui.ui.screens.sessions import NameScreen, SessionsScreen
from kbtui.ui.started import Started
from kbtui.ui.widgets.prompt import Prompt
from kbtui.view.folding import reduce_all
from tests.ui.apps import settled
from tests.ui.chinese_runs import KB, QUESTION, SUGGESTIONS, ChineseEngine, a_data_run, a_run, not_understood
from tests.ui.driving import ask, ask_screen, make_app, shown, until
from tests.ui.test_snapshots import at_rest

SIZES = [(80, 24), (120, 36), (200, 50)]
WIDE = (200, 50)

_NAMES = {
    # Of the program, of formats, of what is typed in a shell.
    *("kbtui", "Markdown", "JSON", "HTML", "SVG", "PNG", "CSV", "Parquet", "Textual", "BM", "token", "shell", "fg"),
    *("openai", "NAME", "model", "md", "html", "jsonl", "svg", "png", "csv", "parquet", "kB"),
    # Of keys.
    *("enter", "esc", "ctrl", "alt", "shift", "tab", "space", "home", "end", "del", "pgup", "pgdn"),
    # Of a decision and a method, as the specifications call them.
    *("GENERATE", "grep"),
}
_STATEMENT = {"SELECT", "COUNT", "AS", "FROM", "GROUP", "BY"}
_IDENTIFIER = re.compile(r"[a-z]+_[a-z_]*|/[a-z-]+|--?[a-z]+|\b\w+\.(?:md|jsonl|svg)\b")
"""Tools, commands after a slash, options, files."""


def english(text: str) -> set[str]:
    """What is left of words in Latin letters; single letters are keys."""
    return set(re.findall(r"[A-Za-z]{2,}", _IDENTIFIER.sub(" ", text))) - _NAMES


def an_app(engine: ChineseEngine | None = None, *, suggestions: tuple[str, ...] = SUGGESTIONS) -> KbtuiApp:
    settings = Settings(ui=UiSettings(language="zh"))
    return make_app(engine or ChineseEngine(), settings, kb=KB, suggestions=suggestions)


async def asked(pilot: Pilot[Any], query: str = QUESTION) -> KbtuiApp:
    """Ask, and go to the answer."""
    app = pilot.app
    assert isinstance(app, KbtuiApp)
    await until(pilot, lambda: app.workspace.status.phase == "ready")
    await ask(pilot, query)
    await pilot.press("escape")
    await settled(pilot)
    return app


def recorded(*runs: list[Event]) -> Recording:
    return Recording(path=Path("20261120-210301-7f3a.jsonl"), events=tuple(event for run in runs for event in run))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_before_the_first_question(size: tuple[int, int]) -> None:
    app = an_app(suggestions=())
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert not english(shown(app))
        assert "这里有什么？" in shown(app)
        await until(pilot, lambda: "4,000 行" in shown(app))
        await until(pilot, lambda: "有哪些表？" in shown(app))
        assert not english(shown(app))
        await pilot.press("escape", *["j", "l"] * 12)
        await settled(pilot)
        assert not english(shown(app))
        await pilot.press("slash", *"没有这个")
        await until(pilot, lambda: "没有这样的名称" in shown(app))
        assert not english(shown(app))


@pytest.mark.parametrize("size", [(60, 20), *SIZES], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_an_answer_its_proof_and_its_stages(size: tuple[int, int]) -> None:
    app = an_app()
    async with app.run_test(size=size) as pilot:
        await asked(pilot)
        assert "部分回答" in shown(app)
        assert not english(shown(app))
        await pilot.press("j")
        await until(pilot, lambda: "全部来源" in shown(app))
        await pilot.press("j")
        await settled(pilot)
        assert not english(shown(app))
        await pilot.press("p", "o")
        for pane in app.screen.query(StagePane):
            if not pane.is_open:
                pane.action_unfold()
        await settled(pilot)
        assert not english(shown(app))
        await pilot.press("slash", *"回滚")
        await settled(pilot)
        assert not english(shown(app))


async def test_while_a_question_is_answered() -> None:
    for held in (1, 3, 6, 10):
        app = an_app(ChineseEngine(hold_after=held))
        async with app.run_test(size=WIDE) as pilot:
            await until(pilot, lambda app=app: app.ask_screen and app.ask_screen.query("#conversation"))
            ask_screen(app).query_one(Prompt).put(QUESTION)
            await pilot.press("enter")
            await until(
                pilot,
                lambda app=app, held=held: (latest := ask_screen(app).conversation.latest) and latest.events == held,
            )
            ask_screen(app).ask("什么时候回滚？")
            await settled_screen(pilot)
            assert not english(shown(app)), held
            await pilot.press("escape", "escape")
            await pilot.pause()
            assert not english(shown(app)), held
            app.workspace.engine.go_on()  # type: ignore[union-attr]


async def settled_screen(pilot: Pilot[Any]) -> None:
    for _look in range(3):
        await pilot.pause()


async def test_an_answer_from_data() -> None:
    app = an_app(ChineseEngine(run=a_data_run))
    async with app.run_test(size=WIDE) as pilot:
        await asked(pilot, "哪个城市的包裹最多？")
        for pane in app.screen.query(StagePane):
            if not pane.is_open:
                pane.action_unfold()
        await pilot.press("j", "o")
        await settled(pilot)
        assert "图表" in shown(app)
        assert english(shown(app)) <= _STATEMENT
        await pilot.press("s")
        await settled(pilot)
        assert "保存图表" in shown(app)
        assert english(shown(app)) <= _STATEMENT


async def test_what_was_not_understood() -> None:
    app = an_app(ChineseEngine(run=not_understood))
    async with app.run_test(size=(120, 36)) as pilot:
        await asked(pilot, "各城市包裹的平均胖瘦")
        assert "未识别" in shown(app)
        assert not english(shown(app))


async def test_an_explanation_of_evidence_and_the_decisions() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await asked(pilot)
        app.screen.query_one("#evidence-rows").focus()
        await pilot.press("w")
        await settled(pilot)
        assert "第 2 名" in shown(app)
        assert not english(shown(app))
        await pilot.press("escape", "ctrl+backslash")
        await settled(pilot)
        app.screen.query_one("#audit-detail").display = False  # JSON, as it was recorded
        await pilot.pause()
        assert "决策记录" in shown(app)
        assert not english(shown(app))


async def test_commands_themes_and_sessions(tmp_path: Path) -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await asked(pilot)
        await pilot.press("ctrl+p")
        await settled(pilot)
        assert "搜索命令" in shown(app)
        assert not english(shown(app))
        await pilot.press(*"没有", "pause")
        await until(pilot, lambda: "没有匹配的命令" in shown(app))
        await pilot.press("escape", "escape", "ctrl+t")
        await settled(pilot)
        labels = set(re.findall(r"[A-Za-z]{2,}", " ".join(theme.label for theme in app.screen._themes)))  # type: ignore[attr-defined]
        assert "深色" in shown(app)
        assert english(shown(app)) <= labels
        await pilot.press("escape", "ctrl+o")
        await settled(pilot)
        assert "还没有提问" in shown(app)
        assert not english(shown(app))
        await pilot.press("escape")
        ask_screen(app).query_one(Prompt).focus()
        await pilot.press("slash")
        await until(pilot, lambda: "/export" in shown(app))
        await settled(pilot)
        assert not english(shown(app))
        await pilot.press("backspace", "@")
        await settled(pilot)
        assert "文件夹" in shown(app)
        assert not english(shown(app))


async def test_recorded_sessions_and_what_can_be_done_with_them(tmp_path: Path) -> None:
    store = SessionStore(tmp_path / "sessions")
    private_folder(store.folder)
    for name, run in (("20260301-090000-aaaa", a_run()), ("20260301-091500-bbbb", a_data_run())):
        store.path_of(name).write_text("".join(encode(event) + "\n" for event in run), encoding="utf-8")
    store.labels.pin("20260301-091500-bbbb", True)
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        for after in (timedelta(), timedelta(minutes=5), timedelta(days=1)):
            await app.push_screen(SessionsScreen(store, clock=lambda after=after: utc_now() - after))
            await settled(pilot)
            assert "置顶" in shown(app)
            assert english(shown(app)) <= {"aaaa", "bbbb"}
            await pilot.press("escape")
        await app.push_screen(NameScreen("", QUESTION))
        await settled(pilot)
        assert not english(shown(app))
        await pilot.press("escape")
        export(app, recorded(a_run()), Path("/库"))
        await settled(pilot)
        assert "网页" in shown(app)
        assert not english(shown(app))
        await pilot.press("escape")
        await app.push_screen(CompareScreen(reduce_all(a_run()), reduce_all(a_data_run(QUESTION))))
        await settled(pilot)
        assert "处差异" in shown(app)
        assert english(shown(app)) <= {"UTC", "CST"} | _STATEMENT


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_the_settings(size: tuple[int, int]) -> None:
    i18n.use("zh")
    values = [
        text
        for one in all_settings().values()
        for text in (one.key, one.allowed, str(one.default), i18n._(one.description))
    ]
    names = set(re.findall(r"[A-Za-z]{2,}", " ".join(values))) | {"toml", "kbtui", "config"}
    app = an_app()
    async with app.run_test(size=size) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        await pilot.press("f4")
        await settled(pilot)
        assert "设置" in shown(app)
        for _setting in range(12):
            assert english(shown(app)) <= names
            await pilot.press("j", "j", "j")
        await pilot.press("enter")
        await settled(pilot)
        # The dialog stands over parts of words of the list.
        assert all(any(word in name for name in names) for word in english(shown(app)))


async def test_the_doctor() -> None:
    app = an_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.status.phase == "ready")
        await pilot.app.push_screen(DoctorScreen(lambda: iter(())))
        await until(pilot, lambda: "这里没有可检查的内容" in shown(app))
        assert not english(shown(app))


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
async def test_a_replay(size: tuple[int, int]) -> None:
    recording = recorded(a_run(), a_data_run(run_id="r2"))
    app = ReplayApp(recording, Settings(ui=UiSettings(language="zh")), title="回滚")
    async with app.run_test(size=size) as pilot:
        await pilot.press("space", "end")
        await settled(pilot)
        for _step in range(len(recording.events)):
            assert english(shown(app)) <= _STATEMENT
            await pilot.press("left")
        await pilot.press("plus", "plus", "plus", "plus", "plus")
        await pilot.pause()
        assert english(shown(app)) <= _STATEMENT


async def test_findings_errors_and_warnings_that_were_made_in_english() -> None:
    low = Check(name="disk space", status="warn", detail="1.0 GB free at /", todo="Free some space and ask again.")
    app = make_app(
        ChineseEngine(), Settings(ui=UiSettings(language="zh")), kb=KB, started=Started(checks=lambda: iter([low]))
    )
    async with app.run_test(size=WIDE, notifications=True) as pilot:
        await pilot.pause()
        app.push_screen(DoctorScreen())
        await until(pilot, lambda: "磁盘空间  / 处剩余 1.0 GB" in shown(app))
        assert "请腾出空间后再问。" in shown(app)
        show_error(app, EditorError("There is no editor to open the file with.", "Check the network."))
        await until(pilot, lambda: "没有可打开文件的编辑器。" in shown(app))
        assert "请检查网络。" in shown(app)


async def test_a_terminal_that_is_too_small() -> None:
    app = an_app()
    async with app.run_test(size=(36, 10)) as pilot:
        await pilot.pause()
        assert "终端太小" in shown(app).replace("\n", "").replace(" ", "")
        assert english(shown(app)) <= {"x"}


def test_every_command_is_explained_in_chinese() -> None:
    i18n.use("zh")
    text = "\n".join(line.plain for line in help_lines(100, translated(COMMANDS)))
    assert not english(text)


async def test_chinese_stays_with_the_app_that_speaks_it() -> None:
    async with an_app().run_test(size=(80, 24)):
        assert i18n.language() == "zh"
    async with make_app().run_test(size=(80, 24)) as pilot:
        await pilot.pause()
        assert "Answered on this machine" in shown(pilot.app)  # type: ignore[arg-type]


# Pictures


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_an_answer_in_chinese_looks_as_it_should(snap_compare: Any, size: tuple[int, int]) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await asked(pilot)
        await at_rest(pilot)

    assert snap_compare(an_app(), terminal_size=size, run_before=run)


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_help_in_chinese_looks_as_it_should(snap_compare: Any, size: tuple[int, int]) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        await at_rest(pilot)
        await pilot.press("f1")
        await pilot.pause()

    assert snap_compare(an_app(), terminal_size=size, run_before=run)


@pytest.mark.parametrize("size", SIZES[:2], ids=lambda size: f"{size[0]}x{size[1]}")
def test_the_browser_in_chinese_looks_as_it_should(snap_compare: Any, size: tuple[int, int]) -> None:
    async def run(pilot: Pilot[Any]) -> None:
        app = pilot.app
        assert isinstance(app, KbtuiApp)
        await at_rest(pilot)
        await until(pilot, lambda: "4,000 行" in shown(app))
        await pilot.press("escape", "j", "j", "j", "l")
        await until(pilot, lambda: "台南" in shown(app))
        await pilot.pause()

    assert snap_compare(an_app(), terminal_size=size, run_before=run)

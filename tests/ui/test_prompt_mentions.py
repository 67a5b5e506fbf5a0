"""Files and tables that a question names behind an ``@``."""

from __future__ import annotations

from kbtui.ui.widgets.prompt import Prompt
from tests.ui.driving import make_app, shown, until
from tests.ui.made import FakeEngine
from tests.ui.test_prompt_offers import offered


async def test_an_at_sign_offers_files_folders_tables_and_columns_with_their_kind() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.engine)
        await pilot.press(*"why @")
        await until(pilot, lambda: offered(app))
        assert offered(app)[:3] == ["adr/", "runbooks/", "中文/"]
        assert {"runbooks/rollback.md", "parcels", "parcels.city"} <= set(offered(app))
        await until(pilot, lambda: "folder" in shown(app))


async def test_a_name_that_is_nearly_typed_is_offered_and_enter_writes_it() -> None:
    engine = FakeEngine()
    app = make_app(engine)
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.engine)
        await pilot.press(*"why @rolback")
        await until(pilot, lambda: offered(app))
        assert offered(app) == ["runbooks/rollback.md"]
        await pilot.press("enter")
        assert app.screen.query_one(Prompt).text == "why @runbooks/rollback.md "
        assert offered(app) == []
        await pilot.press(*"not", "enter")
        await until(pilot, lambda: engine.asked)
        assert engine.asked == ["why @runbooks/rollback.md not"]


async def test_a_name_with_a_space_is_quoted_and_one_in_the_middle_is_completed_there() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.engine)
        prompt = app.screen.query_one(Prompt)
        prompt.put("see in detail")
        prompt.move_cursor((0, 4))
        await pilot.press(*"@on ca"[:3])
        await until(pilot, lambda: "runbooks/on call.md" in offered(app))
        while offered(app)[app.screen.query_one("#offers").highlighted] != "runbooks/on call.md":  # type: ignore[attr-defined]
            await pilot.press("down")
        await pilot.press("tab")
        assert prompt.text == 'see @"runbooks/on call.md" in detail'


async def test_an_address_offers_nothing_and_escape_leaves_the_name_as_typed() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.engine)
        prompt = app.screen.query_one(Prompt)
        await pilot.press(*"me@run")
        assert offered(app) == []
        await pilot.press(*" @run")
        await until(pilot, lambda: offered(app))
        await pilot.press("escape")
        assert offered(app) == []
        assert prompt.text == "me@run @run"


async def test_a_chinese_sentence_needs_no_space_before_the_name() -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await until(pilot, lambda: app.workspace.engine)
        prompt = app.screen.query_one(Prompt)
        prompt.put("请看@值班")
        await until(pilot, lambda: offered(app) == ["中文/值班.md"])
        await pilot.press("tab")
        assert prompt.text == "请看@中文/值班.md "

"""Another size: the styles that were looked at are all that it can have changed."""

from __future__ import annotations

from typing import Any

import pytest
from textual.css.styles import RulesMap
from textual.dom import DOMNode
from textual.widget import Widget

from kbtui.ui.screens.sessions import SessionsScreen
from tests.ui.driving import ask, make_app, until


def rules(top: DOMNode) -> dict[DOMNode, RulesMap]:
    """What the style sheet says of every part of the screen, as it was looked at last."""
    return {node: node.styles.base.get_rules().copy() for node in top.walk_children(Widget, with_self=True)}


@pytest.mark.parametrize("opens", ["", "sessions"])
async def test_after_another_size_every_style_is_as_if_all_had_been_looked_at(opens: str) -> None:
    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        if opens:
            await app.push_screen(SessionsScreen())
        for size in ((80, 24), (200, 50), (100, 30), (80, 24), (120, 36)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda size=size: app.screen.size == size)
            await pilot.pause()
            known = rules(app.screen)
            app.screen.update_node_styles(animate=False)
            assert known == rules(app.screen), size


async def test_of_all_parts_of_the_screen_few_are_looked_at(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    select_first: list[DOMNode] = []

    def note(nodes: Any, animate: bool = False) -> None:
        select_first.extend(nodes)

    app = make_app()
    async with app.run_test(size=(120, 36)) as pilot:
        await ask(pilot)
        everything = len(list(app.screen.walk_children(Widget, with_self=True)))
        monkeypatch.setattr(app.stylesheet, "update_nodes", note)
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: select_first)
        assert {node.id for node in select_first} >= {"proof", "rail", "prompt-line"}
        assert len(select_first) < everything / 4

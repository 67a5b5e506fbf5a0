"""How much room the proof has: by key, by mouse, within bounds."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from textual.events import MouseDown, MouseMove, MouseUp
from textual.geometry import Offset, Region

from kbtui.ui.arrangement import Layout, is_edge
from kbtui.ui.run_view import RunPanes
from tests.ui.driving import ask, make_app, proof_of, until
from tests.ui.made import FakeEngine

SIZES = {"wide": (160, 40), "two": (120, 40), "narrow": (80, 40)}


async def shown_proof(pilot: Any, app: Any) -> Any:
    await ask(pilot)
    await pilot.press("escape", "1")
    await until(pilot, lambda: proof_of(app))
    return app.screen.query_one("#proof")


def extent(layout: str, region: Region) -> int:
    return region.height if layout == "narrow" else region.width


@pytest.mark.parametrize("layout", SIZES)
async def test_the_keys_give_the_proof_more_room_and_take_it_within_bounds(layout: str) -> None:
    app = make_app()
    async with app.run_test(size=SIZES[layout]) as pilot:
        proof = await shown_proof(pilot, app)
        conversation = app.screen.query_one("#conversation")
        first, beside = extent(layout, proof.region), extent(layout, conversation.region)
        await pilot.press(">")
        await until(pilot, lambda: extent(layout, proof.region) > first)
        if layout != "two":
            assert extent(layout, conversation.region) < beside
        await pilot.press("<", "<")
        await until(pilot, lambda: extent(layout, proof.region) < first)
        await pilot.press(*"<" * 12)
        await pilot.pause()
        assert extent(layout, proof.region) >= 6
        await pilot.press(*">" * 16)
        await pilot.pause()
        assert extent(layout, conversation.region) >= (8 if layout == "narrow" else 30)


async def test_the_share_is_kept_while_the_proof_is_hidden_and_zoomed() -> None:
    app = make_app()
    async with app.run_test(size=SIZES["wide"]) as pilot:
        proof = await shown_proof(pilot, app)
        await pilot.press(*">>")
        await pilot.pause()
        width = proof.region.width
        app.screen.query_one("#source").focus()
        await pilot.press("z")
        await until(pilot, lambda: proof.region.width == 160)
        await pilot.press("z")
        await until(pilot, lambda: proof.region.width == width)
        await pilot.press("p")
        await until(pilot, lambda: not proof.region)
        await pilot.press("p")
        await until(pilot, lambda: proof.region.width == width)


@pytest.mark.parametrize(("layout", "to"), [("wide", (90, 15)), ("two", (30, 15)), ("narrow", (40, 12))])
async def test_the_border_can_be_dragged(layout: str, to: tuple[int, int]) -> None:
    app = make_app()
    async with app.run_test(size=SIZES[layout]) as pilot:
        proof = await shown_proof(pilot, app)
        region = proof.region
        edge = {"wide": (region.x, 15), "two": (region.right - 1, 15), "narrow": (40, region.y)}[layout]
        await pilot.mouse_down(offset=edge)
        await pilot.hover(offset=to)
        await pilot.mouse_up(offset=to)
        await pilot.pause()
        now = proof.region
        at = {"wide": (now.x, 15), "two": (now.right - 1, 15), "narrow": (40, now.y)}[layout]
        assert max(abs(at[0] - to[0]), abs(at[1] - to[1])) <= 1
        await pilot.hover(offset=edge)
        await pilot.pause()
        assert proof.region == now


async def test_a_drag_that_is_over_before_the_proof_looks_at_it_moves_the_border_and_lets_it_go() -> None:
    app = make_app()
    async with app.run_test(size=SIZES["wide"]) as pilot:
        proof = await shown_proof(pilot, app)
        x, to = proof.region.x, proof.region.x - 12
        proof.call_later(asyncio.sleep, 0.2)
        await asyncio.sleep(0)
        for kind, column, button in ((MouseDown, x, 1), (MouseMove, x - 6, 1), (MouseMove, to, 1), (MouseUp, to, 1)):
            app.post_message(kind(None, column, 15, 0, 0, button, False, False, False))
        await until(pilot, lambda: abs(proof.region.x - to) <= 1)
        await pilot.pause()
        assert app.mouse_captured is None


def test_a_press_before_the_panes_are_made_holds_nothing() -> None:
    RunPanes(FakeEngine().read_source).take_hold(MouseDown(None, 40, 15, 0, 0, 1, False, False, False))


def test_only_the_border_that_faces_the_conversation_is_taken_hold_of() -> None:
    proof = Region(10, 5, 20, 10)
    edges: dict[Layout, tuple[int, int]] = {"wide": (10, 8), "two": (29, 8), "narrow": (12, 5)}
    for layout, edge in edges.items():
        assert is_edge(layout, Offset(*edge), proof)
        assert not is_edge(layout, Offset(15, 8), proof)
        assert not is_edge(layout, Offset(60, 60), proof)

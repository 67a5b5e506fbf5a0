"""`kbtui serve` as people use it: the real command, a real HTTP client, and Chromium."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import urlsplit

import pyte
import pytest

from tests.support.chromium import BROWSER, PATIENCE_S, Page, opened

aiohttp = pytest.importorskip("aiohttp", reason="the extra serve is not installed")


@contextlib.asynccontextmanager
async def serving(kb: Path) -> AsyncIterator[tuple[str, Process]]:
    """The command and the address that it printed."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "kbtui", "serve", str(kb), "--port", "0"), stdout=PIPE, stderr=PIPE
    )
    assert process.stdout is not None
    try:
        address = (await asyncio.wait_for(process.stdout.readline(), PATIENCE_S)).decode().strip()
        assert address.startswith("http://127.0.0.1:"), address
        yield address, process
    finally:
        with contextlib.suppress(ProcessLookupError):
            process.send_signal(signal.SIGINT)
        await asyncio.wait_for(process.wait(), PATIENCE_S)


def screen_of(address: str) -> str:
    """The address of the connection that a page makes."""
    return address.replace("http:", "ws:").replace("/?", "/ws?")


class Shown:
    """What a page shows, from what its connection is sent."""

    def __init__(self, page: Page) -> None:
        self._page = page
        self._read = 0
        self._screen = pyte.Screen(200, 80)
        self._stream = pyte.ByteStream(self._screen)

    async def wait(self, words: str) -> None:
        await self._page.until(lambda: words in self._text())

    def _text(self) -> str:
        received = self._page.received
        self._stream.feed(bytes(received[self._read :]))
        self._read = len(received)
        return "\n".join(line.rstrip() for line in self._screen.display)


def visitors_of(process: Process) -> list[int]:
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    return [int(number) for number in children.read_text().split()]


async def until_gone(*numbers: int) -> None:
    async with asyncio.timeout(PATIENCE_S):
        while any(Path(f"/proc/{number}").exists() for number in numbers):
            await asyncio.sleep(0.05)


async def test_only_who_carries_the_token_gets_anything(kb: Path) -> None:
    async with serving(kb) as (address, _), aiohttp.ClientSession() as stranger:
        page = f"http://{urlsplit(address).netloc}"
        for path in ("/", "/ws", "/static/js/textual.js", "/download/x", "/nothing", "/?token=wrong"):
            async with stranger.get(page + path) as answer:
                assert answer.status == 403, path
        async with stranger.get(address, headers={"Host": "rebound.example"}) as answer:
            assert answer.status == 403
        async with stranger.get(address, headers={"Origin": "http://evil.example"}) as answer:
            assert answer.status == 403
        with pytest.raises(aiohttp.WSServerHandshakeError, match="403"):
            await stranger.ws_connect(f"{page}/ws")

        jar = aiohttp.CookieJar(unsafe=True)  # which keeps cookies of addresses
        async with aiohttp.ClientSession(cookie_jar=jar) as guest:
            async with guest.get(address) as answer:
                assert answer.status == 200
                assert "kbtui · handbook" in await answer.text()
            for path in ("/", "/static/js/textual.js"):
                async with guest.get(page + path) as answer:
                    assert answer.status == 200, path
            async with guest.get(f"{page}/download/x") as answer:
                assert answer.status == 404


async def test_each_visitor_has_a_process_that_ends_with_the_page(kb: Path) -> None:
    async with serving(kb) as (address, process), aiohttp.ClientSession() as session:
        async with session.ws_connect(screen_of(address)) as first, session.ws_connect(screen_of(address)) as second:
            assert await first.receive_bytes()
            assert await second.receive_bytes()
            one, other = visitors_of(process)
            await first.close()
            await until_gone(one)
            assert visitors_of(process) == [other]
        await until_gone(other)


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL])
async def test_however_the_server_ends_its_visitors_end(kb: Path, number: signal.Signals) -> None:
    async with (
        serving(kb) as (address, process),
        aiohttp.ClientSession() as session,
        session.ws_connect(screen_of(address)) as connection,
    ):
        assert await connection.receive_bytes()
        visitors = visitors_of(process)
        assert len(visitors) == 1
        process.send_signal(number)
        await asyncio.wait_for(process.wait(), PATIENCE_S)
        await until_gone(*visitors)
    assert process.returncode == {signal.SIGINT: 0, signal.SIGTERM: 143, signal.SIGKILL: -9}[number]


@pytest.mark.skipif(BROWSER is None, reason="no Chromium is installed")
async def test_a_question_typed_in_a_browser_is_answered(kb: Path, tmp_path: Path) -> None:
    async with serving(kb) as (address, _), opened(address, tmp_path / "profile") as page:
        shown = Shown(page)
        await shown.wait("ask about handbook")
        assert await page.value("location.search") == ""
        assert await page.value("document.title") == "kbtui · handbook"
        await page.type("When is a deploy rolled back?")
        await shown.wait("When is a deploy rolled back?")
        await page.press("Enter", 13)
        await shown.wait("error rate stays above two percent")
        await shown.wait("done")
        await page.press("Escape", 27)
        await shown.wait("enter editor")
        await page.press("Enter", 13)
        await shown.wait("## When")
        await page.press("Enter", 13)
        await shown.wait("A browser has no editor to open.")
        if folder := os.environ.get("KBTUI_PICTURES"):
            picture = await page.call("Page.captureScreenshot")
            Path(folder, "serve.png").write_bytes(base64.b64decode(picture["data"]))
        assert {urlsplit(one).netloc for one in page.requested} == {urlsplit(address).netloc}
        assert page.complaints == []

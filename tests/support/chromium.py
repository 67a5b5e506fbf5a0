"""Chromium without a window, driven over its own protocol: opens a page, types, hears what is sent to it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import itertools
import shutil
from asyncio.subprocess import DEVNULL, Process
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")

PATIENCE_S = 60.0


class Page:
    """One page; what its WebSockets received is kept.

    Attributes:
        received: Bytes that came over its WebSockets.
        requested: Addresses that it asked for.
        complaints: What it wrote to the console as an error.
    """

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self._numbers = itertools.count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._heard = asyncio.Event()
        self.received = bytearray()
        self.requested: list[str] = []
        self.complaints: list[str] = []

    async def listen(self) -> None:
        async for message in self._connection:
            said = message.json()
            if (waiting := self._answers.pop(said.get("id", 0), None)) is not None:
                waiting.set_result(said)
            match said.get("method"):
                case "Network.webSocketFrameReceived":
                    frame = said["params"]["response"]
                    self.received += base64.b64decode(frame["payloadData"]) if frame["opcode"] == 2 else b""
                case "Network.requestWillBeSent":
                    self.requested.append(said["params"]["request"]["url"])
                case "Log.entryAdded" if said["params"]["entry"]["level"] == "error":
                    self.complaints.append(str(said["params"]["entry"]))
                case "Runtime.exceptionThrown":
                    self.complaints.append(str(said["params"]))
            self._heard.set()

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._connection.send_json({"id": number, "method": method, "params": params})
        said = await asyncio.wait_for(self._answers[number], PATIENCE_S)
        assert "error" not in said, said
        return said["result"]

    async def value(self, script: str) -> Any:
        return (await self.call("Runtime.evaluate", expression=script, returnByValue=True))["result"].get("value")

    async def type(self, text: str) -> None:
        await self.call("Input.insertText", text=text)

    async def press(self, key: str, code: int) -> None:
        text = {"text": "\r"} if key == "Enter" else {}
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key, windowsVirtualKeyCode=code, **text)
            text = {}

    async def until(self, holds: Callable[[], bool]) -> None:
        async with asyncio.timeout(PATIENCE_S):
            while not holds():
                self._heard.clear()
                await self._heard.wait()


@contextlib.asynccontextmanager
async def opened(address: str, profile: Path) -> AsyncIterator[Page]:
    """A page at this address, before it is loaded."""
    import aiohttp

    assert BROWSER is not None
    browser: Process = await asyncio.create_subprocess_exec(
        BROWSER,
        *("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0"),
        *("--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", "--window-size=1200,800"),
        *(f"--user-data-dir={profile}", "about:blank"),
        stdout=DEVNULL,
        stderr=DEVNULL,
    )
    try:
        port = await _port(profile / "DevToolsActivePort")
        async with aiohttp.ClientSession() as session:
            async with session.get(f"http://127.0.0.1:{port}/json/list") as listed:
                target = next(one for one in await listed.json() if one["type"] == "page")
            async with session.ws_connect(target["webSocketDebuggerUrl"], max_msg_size=0) as connection:
                page = Page(connection)
                listening = asyncio.create_task(page.listen())
                for domain in ("Network", "Log", "Runtime", "Page"):
                    await page.call(f"{domain}.enable")
                await page.call("Page.navigate", url=address)
                yield page
                listening.cancel()
    finally:
        browser.terminate()
        await browser.wait()


async def _port(file: Path) -> int:
    async with asyncio.timeout(PATIENCE_S):
        while True:
            with contextlib.suppress(OSError, ValueError, IndexError):
                return int(file.read_text().split()[0])
            await asyncio.sleep(0.05)

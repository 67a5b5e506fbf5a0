"""Answers of a server that are no UTF-8 throughout, read with U+FFFD where they are not.

Servers of local models send half a character where a token ends inside of it. The clients of OpenAI and Anthropic give
the whole answer up for that; everything else in it is sound.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterator
from functools import cache
from typing import Any


def read_leniently(model: Any) -> None:
    """Have a chat model's client read its answers so, where the client is one that can be told to.

    Neither client takes a hook when it is made without also losing what it does with the environment's proxies, so it
    is put in afterwards; where these names change, the client is as strict as it was.
    """
    for name in ("root_async_client", "_async_client"):
        client = getattr(getattr(model, name, None), "_client", None)
        hooks = getattr(client, "event_hooks", None)
        # LangChain hands the same client to every model of an address.
        if isinstance(hooks, dict) and read_as_utf8 not in hooks.get("response", ()):
            client.event_hooks = {**hooks, "response": [*hooks.get("response", ()), read_as_utf8]}  # type: ignore[union-attr]


async def read_as_utf8(response: Any) -> None:
    """A hook of httpx, or of its fork httpx2: makes UTF-8 of a body that is not compressed."""
    base = next((kind for kind in type(response.stream).__mro__ if kind.__name__ == "AsyncByteStream"), None)
    if base is not None and not response.headers.get("content-encoding"):
        response.stream = _stream_class(base)(response.stream)


class _Utf8:
    """The bytes of ``stream`` as UTF-8, whatever they were and wherever they are cut."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream

    async def __aiter__(self) -> AsyncIterator[bytes]:
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        async for piece in self._stream:
            if text := decoder.decode(piece):
                yield text.encode()
        if rest := decoder.decode(b"", final=True):
            yield rest.encode()

    async def aclose(self) -> None:
        await self._stream.aclose()


@cache
def _stream_class(base: type) -> type[_Utf8]:
    """The same as a stream of that library, which takes no other."""
    return type("Utf8Stream", (_Utf8, base), {})

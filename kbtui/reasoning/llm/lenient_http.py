"""Makes HTTP clients decode invalid UTF-8 in responses with U+FFFD instead of failing.

Servers of local models send half a character if a token ends inside it. The clients of OpenAI and Anthropic then
discard the whole reply.
"""

from __future__ import annotations

import codecs
from collections.abc import AsyncIterator
from functools import cache
from typing import Any


def read_leniently(model: Any) -> None:
    """Add the decoding hook to the HTTP client of a chat model, if it has one.

    Passing a hook to the constructor would disable the proxies of the environment, so it is added afterwards. If the
    attribute names change, the client stays strict.
    """
    for name in ("root_async_client", "_async_client"):
        client = getattr(getattr(model, name, None), "_client", None)
        hooks = getattr(client, "event_hooks", None)
        # LangChain shares one client among all models with the same URL.
        if isinstance(hooks, dict) and read_as_utf8 not in hooks.get("response", ()):
            client.event_hooks = {**hooks, "response": [*hooks.get("response", ()), read_as_utf8]}  # type: ignore[union-attr]


async def read_as_utf8(response: Any) -> None:
    """Response hook of httpx (or its fork httpx2) that decodes an uncompressed body leniently."""
    base = next((kind for kind in type(response.stream).__mro__ if kind.__name__ == "AsyncByteStream"), None)
    if base is not None and not response.headers.get("content-encoding"):
        response.stream = _stream_class(base)(response.stream)


class _Utf8:
    """A byte stream re-encoded as valid UTF-8, whatever the boundaries of its chunks."""

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
    """A subclass of `_Utf8` and of the stream class that the library requires."""
    return type("Utf8Stream", (_Utf8, base), {})

"""What is no UTF-8 is read as U+FFFD, and nothing else changes."""

from __future__ import annotations

from collections.abc import AsyncIterator

import httpx
import pytest

from kbtui.reasoning.llm.lenient_http import read_as_utf8


class Pieces(httpx.AsyncByteStream):
    def __init__(self, *pieces: bytes) -> None:
        self.pieces = pieces
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for piece in self.pieces:
            yield piece

    async def aclose(self) -> None:
        self.closed = True


async def read(*pieces: bytes, **headers: str) -> tuple[bytes, bool]:
    stream = Pieces(*pieces)
    response = httpx.Response(200, headers={n.replace("_", "-"): v for n, v in headers.items()}, stream=stream)
    await read_as_utf8(response)
    return await response.aread(), stream.closed


@pytest.mark.parametrize("cut", [1, 2, 3, 5])
async def test_sound_text_comes_through_however_it_is_cut(cut: int) -> None:
    text = '{"a": "每周三 ✓ 🦀"}'.encode()
    assert await read(*(text[at : at + cut] for at in range(0, len(text), cut))) == (text, True)


@pytest.mark.parametrize("pieces", [(b'{"a": "\xff\xfe"}',), (b'{"a": "\xff', b'\xfe"}')])
async def test_what_is_none_is_marked(pieces: tuple[bytes, ...]) -> None:
    assert (await read(*pieces))[0].decode() == '{"a": "��"}'


async def test_half_a_character_at_the_end_is_marked() -> None:
    assert (await read(b"a", b"\xe6\xaf"))[0].decode() == "a�"


async def test_what_is_compressed_is_left_alone() -> None:
    import gzip

    assert (await read(gzip.compress(b"\xffa"), content_encoding="gzip"))[0] == b"\xffa"

"""The messages between a worker and its parent: a length of four bytes, then MessagePack."""

from __future__ import annotations

import os
from typing import Final

import msgspec

from kbtui.worker.job import LARGEST_MESSAGE

HEADER: Final = 4
_LARGEST_REQUEST: Final = 4 * LARGEST_MESSAGE


class Call(msgspec.Struct, frozen=True, array_like=True):
    """A request.

    Attributes:
        job: Name of the job, ``package.module:ATTRIBUTE``.
        body: The encoded request of the job.
        cpu_s: Seconds of processor time that it may take.
    """

    job: str
    body: bytes
    cpu_s: float


class Outcome(msgspec.Struct, frozen=True, array_like=True):
    """A response.

    Attributes:
        body: The encoded response of the job; empty after an error.
        error: Empty, the name of a class of ``kbtui.errors``, ``MemoryError`` or ``Exception``.
    """

    body: bytes = b""
    error: str = ""
    message: str = ""
    hint: str = ""
    rule: str = ""


def encode_frame(body: bytes) -> bytes:
    """``body`` with its length in front."""
    return len(body).to_bytes(HEADER, "big") + body


def read_frame(pipe: int) -> bytes | None:
    """The next message, in the worker; None when the pipe has ended."""
    header = _read(pipe, HEADER)
    if header is None:
        return None
    size = int.from_bytes(header, "big")
    return _read(pipe, size) if size <= _LARGEST_REQUEST else None


def write_frame(pipe: int, body: bytes) -> None:
    """Send a message, in the worker."""
    view = memoryview(encode_frame(body))
    while view:
        view = view[os.write(pipe, view) :]


def _read(pipe: int, size: int) -> bytes | None:
    parts = []
    while size:
        part = os.read(pipe, min(size, 1 << 20))
        if not part:
            return None
        parts.append(part)
        size -= len(part)
    return b"".join(parts)

"""The text of files that a command of the settings prints (``index.commands``).

The command runs as a child of the worker, so the kernel holds it to the limits of the worker: its memory, no written
file, none of the keys in the environment. It is started without a shell, and what it prints is bounded. A form feed
begins a new page, as in the output of ``pdftotext``.
"""

from __future__ import annotations

import os
import selectors
import shlex
import signal
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, TextBuilder
from kbtui.text.decoding import decode
from kbtui.text.terminal import one_line

_MAX_BYTES: Final = 2 * MAX_CHARS
_MAX_ERROR_BYTES: Final = 4_096
_READ: Final = 1 << 16
_SETTING: Final = "look at index.commands in your settings"


def command_line(command: str, location: Path) -> list[str]:
    """The arguments of a command for a file.

    Raises:
        KnowledgeBaseError: A quote in it is not closed, or it is empty.
    """
    try:
        arguments = shlex.split(command)
    except ValueError as error:
        raise KnowledgeBaseError(f"its command cannot be taken apart: {error}", _SETTING) from error
    if not arguments:
        raise KnowledgeBaseError("its command is empty", _SETTING)
    return [argument.replace("{path}", str(location)) for argument in arguments]


def extract_by_command(data: bytes, location: Path, command: str, seconds: float) -> Extracted:
    """The text that a command prints for a file, with a place for each page.

    Args:
        data: The bytes of the file, which a command without ``{path}`` reads from standard input.
        seconds: Longest time.

    Raises:
        KnowledgeBaseError: It is not installed, fails, takes too long, or prints nothing or too much.
    """
    arguments = command_line(command, location)
    takes_path = any("{path}" in argument for argument in shlex.split(command))
    printed = _run(arguments, b"" if takes_path else data, seconds)
    builder = TextBuilder()
    pages = decode(printed).text.split("\f")
    for number, page in enumerate(pages, 1):
        if builder.full():
            break
        if len(pages) > 1 and page.strip():
            builder.begin(f"p.{number}")
        builder.add(page.strip("\n"))
    extracted = builder.done()
    if not extracted.text.strip():
        raise KnowledgeBaseError(f"{_name(arguments)} printed nothing", _SETTING)
    return extracted


def _name(arguments: list[str]) -> str:
    return one_line(os.path.basename(arguments[0]), 60)  # noqa: PTH119


def _run(arguments: list[str], data: bytes, seconds: float) -> bytes:
    name = _name(arguments)
    try:
        process = subprocess.Popen(
            arguments,
            stdin=subprocess.PIPE if data else subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            cwd="/",
        )
    except (OSError, ValueError) as error:
        reason = (error.strerror if isinstance(error, OSError) else "") or str(error)
        raise KnowledgeBaseError(f"{name} cannot be started: {reason}", _SETTING) from error
    try:
        printed, complaint = _exchange(process, data, time.monotonic() + seconds)
    except TimeoutError as error:
        raise KnowledgeBaseError(f"{name} took longer than {seconds:g} s", "raise index.command_s") from error
    finally:
        _end(process)
    if len(printed) > _MAX_BYTES:
        raise KnowledgeBaseError(f"{name} printed more than {_MAX_BYTES // 1_000_000} MB", _SETTING)
    if process.returncode != 0:
        why = one_line(complaint.decode("utf-8", "replace").strip().split("\n")[-1], 120)
        raise KnowledgeBaseError(f"{name} ended with an error: {why or _exit(process.returncode)}", _SETTING)
    return printed


def _exit(code: int) -> str:
    if code == -signal.SIGXFSZ:
        return "it may write no file"
    return f"exit code {code}" if code > 0 else f"ended by signal {-code}"


def _exchange(process: subprocess.Popen[bytes], data: bytes, until: float) -> tuple[bytes, bytes]:
    """Write ``data`` to a command and read what it prints, up to a little more than it may, until it has ended.

    Raises:
        TimeoutError: It was not done in time.
    """
    assert process.stdout is not None
    assert process.stderr is not None
    output, complaint = bytearray(), bytearray()
    rest = memoryview(data)
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ, output)
        selector.register(process.stderr, selectors.EVENT_READ, complaint)
        if process.stdin is not None:
            os.set_blocking(process.stdin.fileno(), False)
            selector.register(process.stdin, selectors.EVENT_WRITE)
        while selector.get_map() and len(output) <= _MAX_BYTES:
            ready = selector.select(max(0.0, until - time.monotonic()))
            if not ready:
                raise TimeoutError
            for key, _ in ready:
                buffer: bytearray | None = key.data
                if buffer is not None:
                    part = os.read(key.fd, _READ)
                    buffer.extend(part)
                    is_done = not part
                    del complaint[_MAX_ERROR_BYTES:]
                else:
                    rest = _write(key.fd, rest)
                    is_done = not rest
                if is_done:
                    selector.unregister(key.fileobj)
                    _close(process.stdin if buffer is None else None)
    if len(output) <= _MAX_BYTES:
        try:
            process.wait(max(0.0, until - time.monotonic()))
        except subprocess.TimeoutExpired as error:
            raise TimeoutError from error
    return bytes(output), bytes(complaint)


def _write(descriptor: int, rest: memoryview) -> memoryview:
    """What is left of ``rest`` after a write; nothing where the command reads no further."""
    try:
        return rest[os.write(descriptor, rest[:_READ]) :]
    except BlockingIOError:
        return rest
    except BrokenPipeError:
        return rest[:0]


def _close(stream: IO[bytes] | None) -> None:
    if stream is not None:
        with suppress(OSError):
            stream.close()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a command that still runs, and where the system lists processes, all that it has started.

    They share the process group of the worker, so that they end with it, whatever happens here.
    """
    process.kill()
    for stream in (process.stdin, process.stdout, process.stderr):
        _close(stream)
    process.wait()
    own, group = os.getpid(), os.getpgrp()
    if own != group:
        return  # not in a worker
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            pid = int(entry.parent.name)
            if pid != own and int(entry.read_text("utf-8", "replace").rpartition(")")[2].split()[2]) == group:
                os.kill(pid, signal.SIGKILL)

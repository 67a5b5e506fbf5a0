"""ZIP, TAR and compressed files: the text of their members, within limits."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import re
import tarfile
import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import IO, Any, Final

from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.reading.decoding import SAMPLE_BYTES, decode, is_binary
from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged, unreadable
from kbtui.knowledge.reading.formats.packages import DAMAGED, check_proportions
from kbtui.text.plurals import counted

_MOST_MEMBERS: Final = 2_000
"""Members that are read."""
_MOST_LISTED: Final = 100_000
_LARGEST_MEMBER: Final = 8 << 20
_MOST_BYTES: Final = 128 << 20
"""Of all members together."""
_MOST_CHARS: Final = 8_000_000
_BROKEN: Final = (*DAMAGED, tarfile.TarError, lzma.LZMAError, RuntimeError, NotImplementedError, RecursionError)
_PROSE: Final = (".md", ".markdown", ".txt", ".rst", "readme", "license", "changelog")
_COMPRESSED: Final = re.compile(r"\.(?:gz|bz2|xz)$", re.IGNORECASE)

Inner = Callable[[bytes, str], Extracted | None]
"""Extracts the text of a member; None where it is read as it is, or not at all."""

_Member = tuple[str, int, Callable[[], IO[bytes]]]
"""Path, bytes and what opens it."""


def extract_zip(data: bytes, path: str) -> Extracted:
    """The members of a ZIP archive, with a place for each.

    Raises:
        KnowledgeBaseError: It is protected by a password, damaged, or made to exhaust memory.
    """
    del path
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_proportions(archive)
            parts = [part for part in archive.infolist() if not part.is_dir()]
            if parts and all(part.flag_bits & 1 for part in parts):
                raise unreadable("protected by a password", "unpack it beside")
            return _members(
                (part.filename, part.file_size, partial(archive.open, part)) for part in parts if not part.flag_bits & 1
            )
    except _BROKEN as error:
        raise damaged() from error


def extract_tar(data: bytes, path: str) -> Extracted:
    """The members of a TAR archive, compressed or not, with a place for each.

    Raises:
        KnowledgeBaseError: It is damaged.
    """
    del path

    def opener(member: tarfile.TarInfo) -> IO[bytes]:
        stream = archive.extractfile(member)
        return stream or io.BytesIO()

    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return _members((member.name, member.size, partial(opener, member)) for member in archive if member.isreg())
    except _BROKEN as error:
        raise damaged() from error


def extract_compressed(data: bytes, path: str) -> Extracted | None:
    """The one file that a compressed file is; its lines are those of that file.

    Raises:
        KnowledgeBaseError: It is damaged.
    """
    openers: dict[str, Any] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    try:
        with openers[path.rpartition(".")[2].lower()](io.BytesIO(data)) as stream:
            unpacked = stream.read(4 * _LARGEST_MEMBER + 1)
    except _BROKEN as error:
        raise damaged() from error
    if len(unpacked) > 4 * _LARGEST_MEMBER:
        raise unreadable(f"unpacks to more than {4 * _LARGEST_MEMBER >> 20} MB", "unpack it beside")
    name = _COMPRESSED.sub("", path)
    extracted = _inner(unpacked, name)
    if extracted is None:
        raise unreadable("holds no text")
    return extracted


def _members(members: Iterator[_Member]) -> Extracted:
    builder = TextBuilder(_MOST_CHARS)
    seen = read = left_out = 0
    room = _MOST_BYTES
    for name, size, open_member in members:
        path = name.removeprefix("./")
        seen += 1
        if seen > _MOST_LISTED or builder.full():
            break
        if any(_is_hidden(part) for part in path.split("/")):
            continue
        if read >= _MOST_MEMBERS or size > min(_LARGEST_MEMBER, room):
            left_out += 1
            continue
        with open_member() as stream:
            data = stream.read(min(_LARGEST_MEMBER, room) + 1)
        room -= len(data)
        try:
            inner = _inner(data, path)
        except KnowledgeBaseError:
            inner = None
        if inner is None or not inner.text.strip():
            left_out += 1
            continue
        read += 1
        _write_member(builder, path, inner)
    if left_out:
        builder.blank()
        builder.place("")
        builder.add(f"[Not read of this archive: {counted(left_out, 'member')}, without text or too large.]")
    return builder.done("markdown")


def _is_hidden(part: str) -> bool:
    return (part.startswith(".") and part.strip(".") != "") or part == "__MACOSX"


def _write_member(builder: TextBuilder, path: str, inner: Extracted) -> None:
    builder.blank()
    builder.place(path)
    builder.add(f"# {path}")
    builder.blank()
    if inner.kind in ("markdown", "text", "rst", "html"):
        builder.add_extracted(inner, path)
        return
    fence = "```"
    while fence in inner.text:
        fence += "`"
    builder.add(fence)
    builder.add_extracted(inner, path)
    builder.add(fence)


def _inner(data: bytes, path: str) -> Extracted | None:
    """The text of a member; None where it has none. An archive in an archive stays closed."""
    from kbtui.knowledge.reading.formats import extracted, format_of
    from kbtui.knowledge.reading.loaders import kind_of

    known = format_of(path)
    if known is not None and known.is_archive:
        return None
    if known is not None and known.is_installed:
        inner = extracted(data, path)
        if inner is not None:
            return inner
    if is_binary(data[:SAMPLE_BYTES]):
        return None
    text = decode(data).text
    return Extracted(text=text, kind=kind_of(path, text[:4000]))

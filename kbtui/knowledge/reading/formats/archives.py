"""The text of the members of ZIP, TAR and compressed files, within limits."""

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
from kbtui.knowledge.reading.formats.base import Extracted, TextBuilder, damaged_error
from kbtui.knowledge.reading.formats.packages import DAMAGED, check_proportions
from kbtui.text.code_marks import fence_for
from kbtui.text.decoding import SAMPLE_BYTES, decode, is_binary
from kbtui.text.plurals import counted

_MAX_MEMBERS: Final = 2_000
"""Members whose text is extracted."""
_MAX_LISTED: Final = 100_000
_MAX_MEMBER_BYTES: Final = 8 << 20
_MAX_TOTAL_BYTES: Final = 128 << 20
"""Total size of all members that are read."""
_MAX_CHARS: Final = 8_000_000
_ERRORS_OF_DAMAGED: Final = (
    *DAMAGED,
    tarfile.TarError,
    lzma.LZMAError,
    RuntimeError,
    NotImplementedError,
    RecursionError,
)
_COMPRESSED: Final = re.compile(r"\.(?:gz|bz2|xz)$", re.IGNORECASE)

Inner = Callable[[bytes, str], Extracted | None]
"""A function that extracts the text of a member; None where it has none."""

_Member = tuple[str, int, Callable[[], IO[bytes]]]
"""Path, size in bytes, and a function that opens the member."""


def extract_zip(data: bytes, _path: str) -> Extracted:
    """The text of the members of a ZIP archive, with a place for each.

    Raises:
        KnowledgeBaseError: The file is protected by a password, damaged, or made to exhaust memory.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            check_proportions(archive)
            parts = [part for part in archive.infolist() if not part.is_dir()]
            if parts and all(part.flag_bits & 1 for part in parts):
                raise KnowledgeBaseError("protected by a password", "unpack it beside")
            return _members(
                (part.filename, part.file_size, partial(archive.open, part)) for part in parts if not part.flag_bits & 1
            )
    except _ERRORS_OF_DAMAGED as error:
        raise damaged_error() from error


def extract_tar(data: bytes, _path: str) -> Extracted:
    """The text of the members of a TAR archive, compressed or not, with a place for each.

    Raises:
        KnowledgeBaseError: The file is damaged.
    """

    def opener(member: tarfile.TarInfo) -> IO[bytes]:
        stream = archive.extractfile(member)
        return stream or io.BytesIO()

    try:
        with tarfile.open(fileobj=io.BytesIO(data)) as archive:
            return _members((member.name, member.size, partial(opener, member)) for member in archive if member.isreg())
    except _ERRORS_OF_DAMAGED as error:
        raise damaged_error() from error


def extract_compressed(data: bytes, path: str) -> Extracted | None:
    """The text of a compressed file, with the line numbers of the file in it.

    Raises:
        KnowledgeBaseError: The file is damaged.
    """
    openers: dict[str, Any] = {"gz": gzip.open, "bz2": bz2.open, "xz": lzma.open}
    try:
        with openers[path.rpartition(".")[2].lower()](io.BytesIO(data)) as stream:
            unpacked = stream.read(4 * _MAX_MEMBER_BYTES + 1)
    except _ERRORS_OF_DAMAGED as error:
        raise damaged_error() from error
    if len(unpacked) > 4 * _MAX_MEMBER_BYTES:
        raise KnowledgeBaseError(f"unpacks to more than {4 * _MAX_MEMBER_BYTES >> 20} MB", "unpack it beside")
    name = _COMPRESSED.sub("", path)
    extracted = _member_text(unpacked, name)
    if extracted is None:
        raise KnowledgeBaseError("holds no text")
    return extracted


def _members(members: Iterator[_Member]) -> Extracted:
    builder = TextBuilder(_MAX_CHARS)
    member_count = read_count = left_out = 0
    remaining_bytes = _MAX_TOTAL_BYTES
    for name, size, open_member in members:
        path = name.removeprefix("./")
        member_count += 1
        if member_count > _MAX_LISTED or builder.full():
            break
        if any(_is_hidden(part) for part in path.split("/")):
            continue
        if read_count >= _MAX_MEMBERS or size > min(_MAX_MEMBER_BYTES, remaining_bytes):
            left_out += 1
            continue
        with open_member() as stream:
            data = stream.read(min(_MAX_MEMBER_BYTES, remaining_bytes) + 1)
        remaining_bytes -= len(data)
        try:
            inner = _member_text(data, path)
        except KnowledgeBaseError:
            inner = None
        if inner is None or not inner.text.strip():
            left_out += 1
            continue
        read_count += 1
        _write_member(builder, path, inner)
    if left_out:
        builder.begin("")
        builder.add(f"[Not read of this archive: {counted(left_out, 'member')}, without text or too large.]")
    return builder.done("markdown")


def _is_hidden(part: str) -> bool:
    return (part.startswith(".") and part.strip(".") != "") or part == "__MACOSX"


def _write_member(builder: TextBuilder, path: str, inner: Extracted) -> None:
    builder.begin(path)
    builder.add(f"# {path}")
    builder.blank()
    if inner.kind in ("markdown", "text", "rst", "html"):
        builder.add_extracted(inner, path)
        return
    fence = fence_for(inner.text)
    builder.add(fence)
    builder.add_extracted(inner, path)
    builder.add(fence)


def _member_text(data: bytes, path: str) -> Extracted | None:
    """The text of a member; None where it has none. Archives within archives are not opened."""
    from kbtui.knowledge.reading.formats import extract_text, format_of
    from kbtui.knowledge.reading.loaders import kind_of

    file_format = format_of(path)
    if file_format is not None and file_format.is_archive:
        return None
    if file_format is not None and file_format.is_installed:
        inner = extract_text(data, path)
        if inner is not None:
            return inner
    if is_binary(data[:SAMPLE_BYTES]):
        return None
    text = decode(data).text
    return Extracted(text=text, kind=kind_of(path, text[:4000]))

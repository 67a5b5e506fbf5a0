"""Seals the files of an index with checksums, by which damage is detected.

LanceDB detects missing and truncated files, but its pages have no checksums, so that an overwritten one may be read as
other text. Its files never change, so their checksums are recorded once. Later a file is read again only where its size
or modification time differs from the record.

While a writer is active, and after one was killed, a mark shows that the index is not sealed: files in the record may
then have been deleted. In a sealed index, a missing file is lost.
"""

from __future__ import annotations

import contextlib
import os
import zlib
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from kbtui.knowledge.store.index_tables import write_text

_SEAL_FILE: Final = "seal.json"
_OPEN_MARK: Final = "unsealed"
_SUFFIXES: Final = (".lance", ".manifest", ".arrow", ".bin")
_BLOCK: Final = 1 << 20

Mark = tuple[int, int, int]
"""Size, modification time in nanoseconds, CRC-32."""

_MARKS: TypeAdapter[dict[str, Mark]] = TypeAdapter(dict[str, Mark])


def unseal(generation: Path) -> None:
    """Mark the index as not sealed, before files are added or deleted.

    Raises:
        OSError: The mark cannot be written.
    """
    (generation / _OPEN_MARK).touch()


def is_sealed(generation: Path) -> bool:
    """Whether the index is sealed; not while a writer is active, or after one was killed."""
    return not (generation / _OPEN_MARK).exists()


def seal(generation: Path) -> None:
    """Record the present files with their checksums, and mark the index as sealed.

    Raises:
        OSError: A file cannot be read, or the record cannot be written.
    """
    recorded = _read_record(generation)
    marks: dict[str, Mark] = {}
    for name in _immutable_files(generation):
        status = (generation / name).stat()
        mark = recorded.get(name)
        if mark is None or mark[:2] != (status.st_size, status.st_mtime_ns):
            mark = (status.st_size, status.st_mtime_ns, _checksum(generation / name))
        marks[name] = mark
    if marks != recorded:
        write_text(generation / _SEAL_FILE, _MARKS.dump_json(marks).decode("ascii"))
    with contextlib.suppress(FileNotFoundError):
        (generation / _OPEN_MARK).unlink()


def check_seal(generation: Path) -> None:
    """Compare the files with the record; files that are not in it, or were deleted by a writer, are skipped.

    Raises:
        ValueError: A file was changed or lost, or the record is damaged.
    """
    recorded = _read_record(generation)
    lost = ""
    for name, mark in recorded.items():
        path = generation / name
        try:
            status = path.stat()
            if (status.st_size, status.st_mtime_ns) == mark[:2]:
                continue
            is_intact = status.st_size == mark[0] and _checksum(path) == mark[2]
        except FileNotFoundError:
            lost = name
            continue
        if not is_intact:
            raise ValueError(f"{name} is not what was written")
    # The record differs where a writer has finished meanwhile.
    if lost and is_sealed(generation) and _read_record(generation) == recorded:
        raise ValueError(f"{lost} is gone")


def _read_record(generation: Path) -> dict[str, Mark]:
    try:
        return _MARKS.validate_json((generation / _SEAL_FILE).read_bytes())
    except FileNotFoundError:
        return {}
    except ValidationError as error:
        raise ValueError("the seal is broken") from error


def _immutable_files(generation: Path) -> list[str]:
    return [
        os.path.relpath(Path(folder) / name, generation)
        for folder, _, names in os.walk(generation)
        for name in names
        if name.endswith(_SUFFIXES)
    ]


def _checksum(path: Path) -> int:
    checksum = 0
    with path.open("rb") as stream:
        while block := stream.read(_BLOCK):
            checksum = zlib.crc32(block, checksum)
    return checksum

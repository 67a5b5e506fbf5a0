"""Whether the files of an index are the ones that were written.

LanceDB notices a file that is gone or cut, but its pages carry no checksums: an overwritten one may read as other text.
The files it writes never change, so their checksums are noted once. Later a file is read again only when its size or
modification time is no longer what was noted.

While a writer is at work, and after one was killed, a mark stands beside the note: files may then have been tidied away
that the note still names. Without it, one that is gone is lost.
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
    """Say that files are about to come and go.

    Raises:
        OSError: The mark cannot be made.
    """
    (generation / _OPEN_MARK).touch()


def is_sealed(generation: Path) -> bool:
    """False while a writer is at work, and after one was killed."""
    return not (generation / _OPEN_MARK).exists()


def seal(generation: Path) -> None:
    """Note the files that are there now, and that they are to stay.

    Raises:
        OSError: They cannot be read, or the note cannot be written.
    """
    known = _read(generation)
    marks: dict[str, Mark] = {}
    for name in _immutable_files(generation):
        status = (generation / name).stat()
        mark = known.get(name)
        if mark is None or mark[:2] != (status.st_size, status.st_mtime_ns):
            mark = (status.st_size, status.st_mtime_ns, _checksum(generation / name))
        marks[name] = mark
    if marks != known:
        write_text(generation / _SEAL_FILE, _MARKS.dump_json(marks).decode("ascii"))
    with contextlib.suppress(FileNotFoundError):
        (generation / _OPEN_MARK).unlink()


def check_seal(generation: Path) -> None:
    """Compare the files with what was noted; those that came later or were tidied away are passed over.

    Raises:
        ValueError: One of them was changed or lost, or the note itself is broken.
    """
    known = _read(generation)
    lost = ""
    for name, mark in known.items():
        path = generation / name
        try:
            status = path.stat()
            if (status.st_size, status.st_mtime_ns) == mark[:2]:
                continue
            is_whole = status.st_size == mark[0] and _checksum(path) == mark[2]
        except FileNotFoundError:
            lost = name
            continue
        if not is_whole:
            raise ValueError(f"{name} is not what was written")
    # A writer that came and went meanwhile has left another note.
    if lost and is_sealed(generation) and _read(generation) == known:
        raise ValueError(f"{lost} is gone")


def _read(generation: Path) -> dict[str, Mark]:
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

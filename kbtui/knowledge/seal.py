"""Whether the files of an index are the ones that were written.

LanceDB notices a file that is gone or cut, but its pages carry no checksums: an overwritten one may read as other text.
The files it writes never change, so their checksums are noted once. Later a file is read again only when its size or
modification time is no longer what was noted.
"""

from __future__ import annotations

import os
import zlib
from pathlib import Path
from typing import Final

from pydantic import TypeAdapter, ValidationError

from kbtui.knowledge.index_tables import write_text

_SEAL_FILE: Final = "seal.json"
_SUFFIXES: Final = (".lance", ".manifest", ".arrow", ".bin")
_BLOCK: Final = 1 << 20

Mark = tuple[int, int, int]
"""Size, modification time in nanoseconds, CRC-32."""

_MARKS: TypeAdapter[dict[str, Mark]] = TypeAdapter(dict[str, Mark])


def seal(generation: Path) -> None:
    """Note the files that are there now.

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


def check_seal(generation: Path) -> None:
    """Compare the files with what was noted; those that came later or were tidied away are passed over.

    Raises:
        ValueError: One of them was changed, or the note itself is broken.
    """
    for name, mark in _read(generation).items():
        path = generation / name
        try:
            status = path.stat()
            if (status.st_size, status.st_mtime_ns) == mark[:2]:
                continue
            is_whole = status.st_size == mark[0] and _checksum(path) == mark[2]
        except FileNotFoundError:
            continue
        if not is_whole:
            raise ValueError(f"{name} is not what was written")


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

"""Files of data as UTF-8, which is all that DuckDB's readers take: copied where they are in something else."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import Final

from kbtui.errors import DataSourceError
from kbtui.regular_files import open_regular
from kbtui.text.decoding import legacy_encoding, wide_encoding

_BLOCK: Final = 1 << 20
_SAMPLE: Final = 256 << 10


def as_utf8(path: Path, copy: Path) -> tuple[Path, str]:
    """The file, or a ``copy`` of it in UTF-8, and the encoding it is in (empty for UTF-8).

    Raises:
        DataSourceError: It is empty or no text.
        OSError: It cannot be read, or the copy cannot be written.
    """
    with open_regular(path) as stream:
        head = stream.read(_SAMPLE)
    if not head.strip():
        raise DataSourceError(f"{path.name} is empty.", "Write the data into it first.")
    encoding = wide_encoding(head)
    if encoding is None and b"\0" in head:
        raise DataSourceError(f"{path.name} is no text file.", "Is its ending the right one?")
    if encoding in (None, "utf-8-sig") and _is_utf8(path):
        return path, ""
    # The sample is cut at a line's end: half a character would rule out the right encoding.
    encoding = encoding or legacy_encoding(head[: head.rfind(b"\n") + 1] or head)
    with (
        io.TextIOWrapper(open_regular(path), encoding=encoding, errors="replace", newline="") as source,
        copy.open("w", encoding="utf-8", newline="") as target,
    ):
        while block := source.read(_BLOCK):
            target.write(block)
    return copy, encoding


def _is_utf8(path: Path) -> bool:
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        with open_regular(path) as stream:
            while block := stream.read(_BLOCK):
                decoder.decode(block)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError:
        return False
    return True

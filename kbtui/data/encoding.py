"""Files of data as UTF-8, which is all that DuckDB's readers take: copied where they are in something else."""

from __future__ import annotations

import codecs
import io
from pathlib import Path
from typing import Final

from kbtui.errors import DataSourceError
from kbtui.regular_files import open_regular

_BLOCK: Final = 1 << 20
_SAMPLE: Final = 256 << 10
_MARKS: Final = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LIKELY: Final = (
    *("gb18030", "big5", "shift_jis", "euc_jp", "euc_kr", "cp1252", "cp1250", "cp1251", "koi8_r"),
    *("cp1253", "cp1254", "cp1255", "cp1256"),
)
"""What spreadsheets are saved in; a short file would fit a hundred others."""


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
    encoding = next((name for mark, name in _MARKS if head.startswith(mark)), "")
    if not encoding:
        if b"\0" in head:
            raise DataSourceError(f"{path.name} is no text file.", "Is its ending the right one?")
        if _is_utf8(path):
            return path, ""
        encoding = _guessed(head)
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


def _guessed(sample: bytes) -> str:
    from charset_normalizer import from_bytes

    # The sample is cut at a line's end: half a character would rule out the right encoding.
    matches = from_bytes(sample[: sample.rfind(b"\n") + 1] or sample, cp_isolation=list(_LIKELY))
    best = matches.best()
    if best is None:
        return "cp1252"
    # Of Western code pages that fit equally well, cp1252 is the most frequent.
    equals = [match for match in matches if match.chaos <= best.chaos]
    return next((match.encoding for match in equals if match.encoding == "cp1252"), best.encoding)

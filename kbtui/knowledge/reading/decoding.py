"""Bytes to text, whatever they were written in: no file of a folder may stop it from being read.

Order: byte order mark, UTF-8, UTF-16 by its zero bytes, then the legacy encodings of Chinese, Japanese and Korean by
how many of their pairs are common characters, then what charset-normalizer says. The last resort is UTF-8 with what
cannot be read replaced.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Final

SAMPLE_BYTES: Final = 8192
"""How much of a file decides whether it is binary; as much as git looks at."""

_BOMS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_MAGIC: Final = (
    *(b"%PDF-", b"PK\x03\x04", b"\x89PNG", b"GIF8", b"\xff\xd8\xff", b"\x1f\x8b", b"BZh", b"\xfd7zXZ", b"7z\xbc\xaf"),
    *(
        b"\x28\xb5\x2f\xfd",
        b"\x7fELF",
        b"SQLite format 3",
        b"{\\rtf",
        b"\xd0\xcf\x11\xe0",
        b"wOF2",
        b"OggS",
        b"ID3",
        b"Rar!",
    ),
)
# Escape, backspace and form feed are left out: logs and old manuals are full of them and still text.
_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in (8, 9, 10, 12, 13, 27))
_MOST_CONTROLS = 0.05
_WESTERN: Final = ("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "tis_620")
_WESTERN_LETTERS: Final = (
    "àâçèéêëîïôùûüäößñáíóúÀÂÇÈÉÊËÎÏÔÙÛÜÄÖÑÁÍÓÚåæøÅÆØœŒ‘’“”–—…€«»§°·©®¿¡".encode("cp1252") + b"\xa0"
)
_LEGACY_SAMPLE = 262_144
_NEWLINES = re.compile("\r\n?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text with ``\\n`` line ends, and the Python codec it was read with."""

    text: str
    encoding: str


def is_binary(sample: bytes) -> bool:
    """True when the first bytes of a file (`SAMPLE_BYTES` are enough) are no text in any encoding."""
    if any(sample.startswith(mark) for mark, _ in _BOMS):
        return False
    if sample.startswith(_MAGIC):
        return True
    if b"\x00" in sample:
        return _utf16_without_mark(sample) is None
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > _MOST_CONTROLS * len(sample)


def decode(data: bytes) -> Decoded:
    """``data`` as text. Never fails; a byte order mark is not part of the text."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return _decoded(data, encoding)
    if b"\x00" not in data[:SAMPLE_BYTES]:
        try:
            return Decoded(text=_unix(data.decode("utf-8")), encoding="utf-8")
        except UnicodeDecodeError:
            return _decoded(data, _legacy(data))
    return _decoded(data, _utf16_without_mark(data[:SAMPLE_BYTES]) or "utf-8")


def _decoded(data: bytes, encoding: str) -> Decoded:
    text = data.decode(encoding, errors="replace").removeprefix("\ufeff")
    return Decoded(text=_unix(text), encoding=encoding)


def _unix(text: str) -> str:
    return _NEWLINES.sub("\n", text) if "\r" in text else text


def _utf16_without_mark(sample: bytes) -> str | None:
    """The byte order of UTF-16 text without a mark; None when it is something else."""
    sample = sample[: len(sample) // 2 * 2]
    # Two letters of plain text would be one Chinese character, too.
    letters = sum(1 for at in range(0, len(sample), 2) if 32 <= sample[at] < 127 and 32 <= sample[at + 1] < 127)
    if len(sample) < 4 or letters >= 0.25 * len(sample):
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        # A pair of surrogates may be cut at the end of the sample.
        text = sample.decode(encoding, errors="ignore")
        expected = sum(1 for character in text if _is_usual(ord(character)))
        if expected >= 0.95 * len(sample) / 2:
            return encoding
    return None


def _is_usual(code: int) -> bool:
    return (
        32 <= code < 127
        or code in (9, 10, 13)
        or 0xA0 <= code < 0x530
        or 0x2010 <= code < 0x2040
        or (0x3000 <= code < 0x3100 or 0x4E00 <= code < 0xA000 or 0xAC00 <= code < 0xD7A4 or 0xFF00 <= code < 0xFFF0)
    )


def _legacy(data: bytes) -> str:
    """The encoding of bytes that are not UTF-8."""
    head = data[:_LEGACY_SAMPLE]
    if len(data) > len(head):
        # End at a line, so that no character is cut.
        head = head[: head.rfind(b"\n") + 1] or head
    if _broken_utf8(head):
        return "utf-8"
    return _east_asian(head) or _western(head)


def _broken_utf8(data: bytes) -> bool:
    """True for UTF-8 in which only some bytes are damaged."""
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    good = sum(1 for character in text if character > "\x7f") - bad
    return good >= 4 * bad


def _east_asian(data: bytes) -> str | None:
    """gb18030, big5, shift_jis, euc_jp or euc_kr where most pairs of bytes are common characters of it; else None."""
    candidates: dict[str, float] = {}
    total = common = kana = low = 0
    at = 0
    # One pass in pairs: EUC family and Big5 share their lead bytes and differ in where common characters lie.
    big5_total = big5_common = 0
    while at < len(data) - 1:
        lead, trail = data[at], data[at + 1]
        if lead < 0x81:
            at += 1
            continue
        total += 1
        big5_total += 1
        if trail >= 0xA1:
            common += 0xB0 <= lead <= 0xD7 or 0xA1 <= lead <= 0xA5
            kana += lead in (0xA4, 0xA5)
            low += 0xB0 <= lead <= 0xC8
        big5_common += 0xA4 <= lead <= 0xC6 and (0x40 <= trail <= 0x7E or trail >= 0xA1)
        big5_common += lead == 0xA1 and trail < 0xFF
        at += 2
    if not total:
        return None
    if common >= 0.7 * total:
        if kana >= 0.15 * total:
            candidates["euc_jp"] = 1.0
        # Hangul fills exactly the first leads; Chinese of some length goes beyond them.
        elif low >= 0.9 * total and total >= 20:
            candidates["euc_kr"] = 1.0
        candidates["gb18030"] = 0.9
    if big5_common >= 0.9 * big5_total:
        candidates["big5hkscs"] = 0.8
    if _kana_in_shift_jis(data) >= 0.2:
        candidates["shift_jis"] = 0.85
    for encoding in sorted(candidates, key=lambda name: -candidates[name]):
        try:
            data.decode(encoding)
        except UnicodeDecodeError:
            continue
        return encoding
    return None


def _kana_in_shift_jis(data: bytes) -> float:
    """Share of Kana among the characters of ``data`` read as Shift JIS; 0 when it is none."""
    try:
        text = data.decode("shift_jis")
    except UnicodeDecodeError:
        return 0.0
    wide = [character for character in text if character > "\x7f"]
    if not wide or any("\uff61" <= character <= "\uff9f" for character in wide[:200]):
        return 0.0
    return sum(1 for character in wide if "\u3040" <= character <= "\u30ff") / len(wide)


def _western(data: bytes) -> str:
    high = len(data) - len(data.translate(None, bytes(range(0x80, 0x100))))
    usual = len(data) - len(data.translate(None, _WESTERN_LETTERS))
    # A few accents and curly quotes are too little for statistics.
    if high < 0.02 * len(data) or high < 3 or usual >= 0.95 * high:
        return "cp1252"
    # 20 ms to import, and hardly a folder needs it.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:65536], cp_isolation=list(_WESTERN)).best()
    return best.encoding if best else "cp1252"

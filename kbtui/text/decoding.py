"""Detects the encoding of bytes and decodes them; decoding never fails.

The order is: byte order mark, UTF-8, UTF-16 by its zero bytes, legacy encodings of Chinese, Japanese and Korean by the
share of common characters, then charset-normalizer. The last resort is UTF-8 with replacement characters.
"""

from __future__ import annotations

import codecs
import re
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

SAMPLE_BYTES: Final = 8192
"""Bytes that decide whether a file is binary; as many as git reads."""

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
# Escape, backspace and form feed are not included, because logs and old manuals contain many of them.
_CONTROL_BYTES = bytes(byte for byte in range(32) if byte not in (8, 9, 10, 12, 13, 27))
_MAX_CONTROL_SHARE = 0.05
_WESTERN: Final = ("cp1252", "cp1250", "cp1251", "koi8_r", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257", "tis_620")
_WESTERN_LETTERS: Final = (
    "àâçèéêëîïôùûüäößñáíóúÀÂÇÈÉÊËÎÏÔÙÛÜÄÖÑÁÍÓÚåæøÅÆØœŒ‘’“”–—…€«»§°·©®¿¡".encode("cp1252") + b"\xa0"
)
_LEGACY_SAMPLE = 262_144
_NEWLINES = re.compile("\r\n?")
_USUAL = re.compile("[ -~\t\n\r\xa0-\u052f\u2010-\u203f\u3000-\u30ff\u4e00-\u9fff\uac00-\ud7a3\uff00-\uffef]")
_PAIR = re.compile(rb"[\x81-\xff].", re.DOTALL)
_KINDS_OF_PAIRS = (
    re.compile(rb"[\xa1-\xa5\xb0-\xd7][\xa1-\xff]"),
    re.compile(rb"[\xa4\xa5][\xa1-\xff]"),
    re.compile(rb"[\xb0-\xc8][\xa1-\xff]"),
    re.compile(rb"[\xa4-\xc6][\x40-\x7e\xa1-\xff]|\xa1[^\xff]"),
)
"""Pairs of bytes that are common characters in EUC, kana in EUC-JP, Hangul in EUC-KR, common characters in Big5."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Decoded:
    """Text with ``\\n`` line ends, and the Python codec that decoded it."""

    text: str
    encoding: str


def is_binary(sample: bytes) -> bool:
    """Whether the first bytes of a file (`SAMPLE_BYTES` suffice) are not text in any encoding."""
    if any(sample.startswith(mark) for mark, _ in _BOMS):
        return False
    if sample.startswith(_MAGIC):
        return True
    if b"\x00" in sample:
        return _utf16_without_mark(sample) is None
    controls = len(sample) - len(sample.translate(None, _CONTROL_BYTES))
    return controls > _MAX_CONTROL_SHARE * len(sample)


def decode(data: bytes) -> Decoded:
    """Decode ``data``, which never fails; a byte order mark is removed."""
    encoding = wide_encoding(data)
    try:
        text = data.decode(
            encoding or "utf-8", errors="replace" if encoding or b"\x00" in data[:SAMPLE_BYTES] else "strict"
        )
    except UnicodeDecodeError:
        encoding = legacy_encoding(data)
        text = data.decode(encoding, errors="replace")
    text = text.removeprefix("\ufeff")
    return Decoded(text=_NEWLINES.sub("\n", text) if "\r" in text else text, encoding=encoding or "utf-8")


def wide_encoding(data: bytes) -> str | None:
    """The encoding of a text with a byte order mark, or with zero bytes as UTF-16 has them; None for others."""
    marked = next((encoding for mark, encoding in _BOMS if data.startswith(mark)), None)
    sample = data[:SAMPLE_BYTES]
    return marked or (_utf16_without_mark(sample) if b"\x00" in sample else None)


def _utf16_without_mark(sample: bytes) -> str | None:
    """The UTF-16 encoding of a text without byte order mark; None for anything else."""
    sample = sample[: len(sample) // 2 * 2]
    # Two ASCII letters decode to one Chinese character, so text of ASCII letters must be excluded first.
    letters = sum(
        1 for index in range(0, len(sample), 2) if 32 <= sample[index] < 127 and 32 <= sample[index + 1] < 127
    )
    if len(sample) < 4 or letters >= 0.25 * len(sample):
        return None
    for encoding in ("utf-16-le", "utf-16-be"):
        # Errors are ignored because the sample may end within a surrogate pair.
        text = sample.decode(encoding, errors="ignore")
        if len(_USUAL.findall(text)) >= 0.95 * len(sample) / 2:
            return encoding
    return None


def legacy_encoding(data: bytes) -> str:
    """The most likely encoding of bytes that are not UTF-8."""
    head = data[:_LEGACY_SAMPLE]
    if len(data) > len(head):
        # The sample ends at a line end, so that no character is cut.
        head = head[: head.rfind(b"\n") + 1] or head
    if _is_damaged_utf8(head):
        return "utf-8"
    return _east_asian(head) or _western(head)


def _is_damaged_utf8(data: bytes) -> bool:
    """Whether data is UTF-8 with a few damaged bytes."""
    text = data.decode("utf-8", errors="replace")
    bad = text.count("\ufffd")
    good = sum(1 for character in text if character > "\x7f") - bad
    return good >= 4 * bad


def _east_asian(data: bytes) -> str | None:
    """The East Asian encoding in which most byte pairs are common characters; None where there is none."""
    # EUC encodings and Big5 share lead bytes and differ in the ranges of common characters.
    pairs = _PAIR.findall(data)
    if not pairs:
        return None
    common, kana, low, big5 = (sum(map(bool, map(kind.match, pairs))) / len(pairs) for kind in _KINDS_OF_PAIRS)
    candidates: list[str] = []
    if common >= 0.7 and kana >= 0.15:
        candidates.append("euc_jp")
    # Hangul only uses the first lead bytes; a longer Chinese text uses others too.
    elif common >= 0.7 and low >= 0.9 and len(pairs) >= 20:
        candidates.append("euc_kr")
    candidates += ["gb18030"] if common >= 0.7 else []
    candidates += ["shift_jis"] if _kana_in_shift_jis(data) >= 0.2 else []
    candidates += ["big5hkscs"] if big5 >= 0.9 else []
    for encoding in candidates:
        with suppress(UnicodeDecodeError):
            data.decode(encoding)
            return encoding
    return None


def _kana_in_shift_jis(data: bytes) -> float:
    """Share of kana among the non-ASCII characters of ``data`` as Shift JIS; 0 where it is not Shift JIS."""
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
    # A few accents and curly quotes are too few for statistics.
    if high < 0.02 * len(data) or high < 3 or usual >= 0.95 * high:
        return "cp1252"
    # Imported late: it takes 20 ms, and few folders need it.
    from charset_normalizer import from_bytes

    best = from_bytes(data[:65536], cp_isolation=[*_WESTERN, "shift_jis"]).best()
    return best.encoding if best else "cp1252"

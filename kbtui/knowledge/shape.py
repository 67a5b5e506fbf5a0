"""Text that was written for machines: minified code, search indexes, embedded data. Told by its shape, not its name."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import BinaryIO, Final

from kbtui.knowledge.decoding import decode

_SAMPLE_BYTES: Final = 32_768
"""Of the beginning, the middle and the end of a file each."""
_LONG_LINE: Final = 5000
"""Characters. Documents whose paragraphs are one line each have lines of up to 3,000 as a rule."""
_LONG_SHARE: Final = 0.8
"""Share of the characters that stand in long lines."""
_LEAST_PROSE: Final = 0.2
"""Share of the long lines that is prose: .5 and more in documents, at most .15 in minified code."""

_PROSE: Final = re.compile(r"(?<!\S)\(?[^\W\d_]{2,}[,.;:!?)]{0,2}(?!\S)|[^\W\d_\x00-\x7f]")
"""A word between white space (in quotes it is data), or a letter of a script that may have no spaces between words."""


def samples(stream: BinaryIO, beginning: bytes) -> list[bytes]:
    """Parts of a file: its ``beginning``, which was just read, and more from its middle and its end."""
    found = [beginning + stream.read(_SAMPLE_BYTES - len(beginning))]
    size = os.fstat(stream.fileno()).st_size
    if size > 3 * _SAMPLE_BYTES:
        for offset in (size // 2, size - _SAMPLE_BYTES):
            stream.seek(offset // 4 * 4)  # between two characters of UTF-16 and UTF-32
            found.append(stream.read(_SAMPLE_BYTES))
    return found


def is_minified(parts: Iterable[bytes]) -> bool:
    """True when nearly all of the text in ``parts`` of a file stands in very long lines with hardly any prose."""
    characters = long = prose = 0
    for part in parts:
        if max(map(len, part.split(b"\n"))) < _LONG_LINE:
            characters += len(part)
            continue
        for line in decode(part).text.split("\n"):
            characters += len(line)
            if len(line) >= _LONG_LINE:
                long += len(line)
                prose += sum(len(match[0]) for match in _PROSE.finditer(line))
    return long > 0 and long >= _LONG_SHARE * characters and prose < _LEAST_PROSE * long

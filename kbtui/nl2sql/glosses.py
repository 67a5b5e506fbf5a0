"""English glosses of Chinese words: CC-CEDICT, compiled by `benchmarks/make_glosses.py`, and the project's glossaries.

CC-CEDICT is kept as one sorted text that is searched as it is: to unpack it takes 10 ms, a dictionary of it 100 ms.
"""

from __future__ import annotations

import zlib
from contextlib import suppress
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from kbtui.settings import paths
from kbtui.text.glossary import translations
from kbtui.text.tokenise import stem
from kbtui.text.word_lists import rows_in, rows_of

FILE: Final = "glosses.z"


@lru_cache(maxsize=4096)
def glosses_of(word: str) -> tuple[str, ...]:
    """Glosses of a simplified Chinese word, each as the stems of its words joined by spaces; none for unknown words.

    Those of the project's own glossaries come before those of the dictionary.
    """
    glosses = (*_own().get(word, ()), *translations(word).get(word, ()), *_listed(word))
    return tuple(dict.fromkeys(" ".join(map(stem, gloss.lower().split())) for gloss in glosses))


@cache
def _own() -> dict[str, tuple[str, ...]]:
    """`glossary.tsv`, and the file of that name in the settings folder; values have ``=`` before them."""
    rows = rows_in("kbtui.nl2sql", "glossary.tsv")
    with suppress(OSError, UnicodeDecodeError):
        rows += rows_of((paths.config_dir() / "glossary.tsv").read_text("utf-8"))
    return {word: tuple(gloss.lstrip("=") for gloss in glosses) for word, *glosses in rows}


@lru_cache(maxsize=65536)
def sounds_of(word: str) -> str:
    """How a Chinese word is read, character by character, without tones and blanks; empty where one is not known."""
    sounds = [_line(character)[1] for character in word] if word and not word.isascii() else []
    return "".join(sounds) if all(sounds) else ""


def _listed(word: str) -> tuple[str, ...]:
    glosses = _line(word)[0]
    return tuple(glosses.split(",")) if glosses else ()


def _line(word: str) -> tuple[str, str]:
    """Glosses and reading of a word, by binary search over the lines of the dictionary."""
    lines = _dictionary()
    key = word.encode() + b"\t"
    low, high = 0, len(lines)
    while low < high:
        middle = (low + high) // 2
        start = lines.rfind(b"\n", 0, middle) + 1
        if lines[start : start + len(key)] < key:
            low = lines.find(b"\n", middle) + 1
        else:
            high = start
    if not lines.startswith(key, low):
        return "", ""
    glosses, _, reading = lines[low + len(key) : lines.find(b"\n", low)].decode().partition("\t")
    return glosses, reading


@cache
def _dictionary() -> bytes:
    return zlib.decompress(files("kbtui.nl2sql").joinpath(FILE).read_bytes())

"""CC-CEDICT, the Chinese-English dictionary, both ways; compiled by ``benchmarks/make_dictionary.py``.

It is kept as one sorted text that is searched as it is: to unpack it takes 10 ms, a dictionary of it 100 ms. A line is
a simplified Chinese word, its English glosses with commas between, most usual first, and, of single characters, how
they are read; tabs between the three.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from importlib.resources import files
from typing import Final

from kbtui.text.tokenise import stem

FILE: Final = "dictionary.z"
MAX_LENGTH: Final = 12
"""Characters of the longest Chinese word in it."""

_MIN_PREFIX: Final = 3


@lru_cache(maxsize=4096)
def glosses(word: str) -> tuple[str, ...]:
    """English glosses of a simplified Chinese word, lower case, most usual first; none for a word that is not there."""
    listed = _entry(word)[0]
    return tuple(listed.split(",")) if listed else ()


def reading(character: str) -> str:
    """How a Chinese character is read, without its tone; empty where that is not known."""
    return _entry(character)[1]


def words_for(gloss: str) -> tuple[str, ...]:
    """Chinese words that have an English word or phrase among their glosses, whatever its endings.

    Those of which it is the first gloss come first, among these the words of two characters, which are the usual ones.
    """
    parts = gloss.lower().split()
    return _words_by_gloss_start(parts[0]).get(tuple(map(stem, parts)), ()) if parts else ()


@lru_cache(maxsize=1024)
def _words_by_gloss_start(first: str) -> dict[tuple[str, ...], tuple[str, ...]]:
    """By the stems of a gloss that begins with an English word: the Chinese words that have it, best first."""
    wanted = stem(first)
    places: dict[tuple[str, ...], dict[str, tuple[int, int]]] = {}
    # Stems have an i for the y of the word: "librari".
    begin = wanted.removesuffix("i")
    for line, gloss in _glosses_like(begin if len(begin) >= _MIN_PREFIX and first.startswith(begin) else first):
        stems = tuple(map(stem, gloss.split()))
        if stems[0] == wanted:
            word, listed, _ = line.split("\t")
            places.setdefault(stems, {})[word] = (listed.split(",").index(gloss), abs(len(word) - 2))
    return {
        stems: tuple(sorted(ranks, key=lambda word, ranks=ranks: (ranks[word], word)))  # type: ignore[misc]
        for stems, ranks in places.items()
    }


def _glosses_like(prefix: str) -> Iterator[tuple[str, str]]:
    """Every gloss that begins with ``prefix``, with the line in which it stands."""
    lines = _dictionary()
    for before in (b"\t", b","):
        wanted = before + prefix.encode()
        at = lines.find(wanted)
        while at >= 0:
            start, stop = lines.rfind(b"\n", 0, at) + 1, lines.find(b"\n", at)
            line = lines[start:stop]
            # The match at the end of the line is a reading.
            if (reading := line.rfind(b"\t")) > at - start:
                yield line.decode(), line[at - start + 1 : reading].split(b",", 1)[0].decode()
            at = lines.find(wanted, at + 1)


def _entry(word: str) -> tuple[str, str]:
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
    found, _, read = lines[low + len(key) : lines.find(b"\n", low)].decode().partition("\t")
    return found, read


@cache
def _dictionary() -> bytes:
    return zlib.decompress(files(__package__).joinpath(FILE).read_bytes())

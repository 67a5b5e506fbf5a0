"""Words for the lexical side (BM25, overlap) and for keywords.

CJK text has no spaces, so its runs become single characters and overlapping pairs: with pairs, BM25 finds the right
Chinese passage where single characters alone do not, and no dictionary is needed. Identifiers and ticket numbers are
kept whole *and* taken apart, so that ``__class_getitem__`` matches itself best and ``class`` a little.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from itertools import chain
from typing import Any

import snowballstemmer

from kbtui import late_patterns
from kbtui.text.language import CJK
from kbtui.text.stop_words import CHINESE, CHINESE_WHOLE, ENGLISH, STOP_WORDS

__all__ = ["STOP_WORDS", "content_words", "stem", "tokens", "words"]

_LATIN = f"[^\\W{CJK}]"
_RUN = late_patterns.pattern(
    f"([{CJK}]+)"
    r"|([A-Za-z](?:\+\+|#)(?!\w))"
    f"|({_LATIN}+(?:[.\\-'’]{_LATIN}+)*)"
)
# The pattern of runs without groups, with which `findall` is three times as fast.
_ANY_RUN = late_patterns.pattern(rf"[{CJK}]+|[A-Za-z](?:\+\+|#)(?!\w)|{_LATIN}+(?:[.\-'’]{_LATIN}+)*")
# Maps ASCII characters outside of runs to spaces; `str.translate` looks a string up faster than a dictionary.
_ONLY_RUNS = "".join(chr(code) if chr(code).isalnum() or chr(code) in "_.-'+#" else " " for code in range(128))
_CJK_CHARACTER = late_patterns.pattern(f"[{CJK}]")
# The number after a word (``PEP 509``); the search starts at numbers, because there are fewer of them.
_NUMBER = late_patterns.pattern(r" (\d{1,9})(?![.\w])")
_WORD_BEFORE = late_patterns.pattern(r"(?<![^\W\d])[^\W\d_]{2,12}\Z")
_MAX_BEFORE = 13
_CAMEL = late_patterns.pattern(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[^\W\dA-Z_]+|[A-Z]+|\d+")
_NAME_PARTS = late_patterns.pattern(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\dA-Za-z_]+")
_ACRONYMS = late_patterns.pattern(r"[A-Z]{2,}s")
_SIMPLE = late_patterns.pattern(r"[^\W\d_]?[^\W\dA-Z_]*")
_SEPARATORS = late_patterns.pattern(r"[._\-'’]+")
_CHINESE_CUT = late_patterns.pattern("|".join(sorted(CHINESE | CHINESE_WHOLE, key=lambda word: (-len(word), word))))

# Limits the length of words that are stemmed and cached: minified files have huge ones.
_MAX_LENGTH = 200
_MAX_REMEMBERED = 262_144

_stemmer: Any = snowballstemmer.stemmer("english")
# The stemmer in C, where it is installed, keeps a cache of its own, which is not safe in threads.
_stemmer.maxCacheSize = 0


@lru_cache(maxsize=131072)
def stem(word: str) -> str:
    """The English Snowball stem of a lower-case word; words of other scripts come back as they are."""
    if not word.isascii() or not word.isalpha() or len(word) > _MAX_LENGTH:
        return word
    stemmed: str = _stemmer.stemWord(word)
    return stemmed


class _Tokens(dict[str, Sequence[str]]):
    """Tokens by run. A dictionary that fills itself is looked up without a call, which counts a million times over."""

    def __missing__(self, run: str) -> Sequence[str]:
        if not run.isascii() and _CJK_CHARACTER.match(run):
            # CJK runs hardly ever recur, so they are not remembered.
            return _cjk(run)
        run_tokens = (run.lower(),) if run[-1] in "#+" else _parts(run)
        if len(self) >= _MAX_REMEMBERED:
            self.clear()
        self[run] = run_tokens
        return run_tokens


def _parts(run: str) -> tuple[str, ...]:
    """Tokens of one Latin run: the stem of a plain word; whole and parts of anything composed. Stop words give ()."""
    lowered = run.lower().replace("’", "'")
    if lowered in ENGLISH:
        return ()
    if lowered.endswith("'s"):
        return _parts(run[:-2])
    if _SIMPLE.fullmatch(run) or _ACRONYMS.fullmatch(run) or (run.isupper() and run.isalpha()):
        return (stem(lowered),)
    if len(run) > _MAX_LENGTH:
        return (lowered,)
    stems = dict.fromkeys([stem(lowered), stem(lowered.strip("_"))])
    pieces = [piece for piece in _SEPARATORS.split(run) if piece]
    # Parts that are all digits (3.11) carry no meaning; those of PROJ-100 do.
    if not all(piece.isdigit() for piece in pieces):
        for piece in pieces:
            split = [] if _ACRONYMS.fullmatch(piece) else _CAMEL.findall(piece)
            # Single letters and digits (the v and 1 of v1.2) match everywhere.
            stems |= dict.fromkeys(stem(part.lower()) for part in (piece, *split) if len(part) > 1)
    return tuple(token for token in stems if token and token not in ENGLISH)


def name_parts(name: str) -> list[str]:
    """The words of an identifier as it writes them: ``OrderItems2`` and ``order_items2``; other scripts by runs.

    The plural of an acronym is one word: ``PDFs``.
    """
    return _NAME_PARTS.findall(name)


def _cjk(run: str) -> list[str]:
    return [*run, *map(str.__add__, run, run[1:])]


class _Pieces(dict[str, Sequence[str]]):
    """Tokens by piece of text between white space, of which no run holds any: to cut there takes half as long."""

    def __missing__(self, piece: str) -> Sequence[str]:
        piece_tokens = tuple(chain.from_iterable(map(_tokens.__getitem__, _ANY_RUN.findall(piece))))
        if len(piece) <= _MAX_LENGTH and (piece.isascii() or not _CJK_CHARACTER.search(piece)):
            if len(self) >= _MAX_REMEMBERED:
                self.clear()
            self[piece] = piece_tokens
        return piece_tokens


_tokens = _Tokens()
_pieces = _Pieces()


def tokens(text: str) -> list[str]:
    """Tokens for lexical matching, lower case, in order of appearance; duplicates are kept.

    CJK runs give characters and pairs; a word and the number after it (``PEP 509``) also give ``pep-509``; English is
    stemmed. Stop words are dropped unless there is nothing else.
    """
    if text.isascii():
        pieces = text.translate(_ONLY_RUNS).split()
    else:
        text = unicodedata.normalize("NFKC", text)
        pieces = text.split()
    terms = list(chain.from_iterable(map(_pieces.__getitem__, pieces)))
    for match in _NUMBER.finditer(text):
        before = _WORD_BEFORE.search(text[max(0, match.start() - _MAX_BEFORE) : match.start()])
        if before and (word := before[0].lower()) not in ENGLISH:
            terms.append(f"{word}-{match[1]}")
    return terms or [match[0].lower() for match in _RUN.finditer(text)]


def words(text: str) -> list[str]:
    """Surface words in order, as written: Latin words and identifiers whole, Chinese runs cut at function words."""
    return [word for word, _ in _surface(text)]


def content_words(text: str) -> list[str]:
    """Surface words without English and Chinese function words; empty when there is nothing else."""
    return [word for word, function in _surface(text) if not function]


def _surface(text: str) -> list[tuple[str, bool]]:
    pairs: list[tuple[str, bool]] = []
    for match in _RUN.finditer(text):
        if match[1] is None:
            pairs.append((match[0], match[0].lower().replace("’", "'") in ENGLISH))
        else:
            pairs += _chinese(match[0])
    return pairs


def _chinese(run: str) -> list[tuple[str, bool]]:
    """A CJK run cut at function words; protected words stay in the content around them."""
    pairs: list[tuple[str, bool]] = []
    start = 0
    for match in _CHINESE_CUT.finditer(run):
        if match[0] not in CHINESE:
            continue
        if match.start() > start:
            pairs.append((run[start : match.start()], False))
        pairs.append((match[0], True))
        start = match.end()
    if start < len(run):
        pairs.append((run[start:], False))
    return pairs

"""Which kind of question it is, by its wording: small features with fitted weights, summed up.

The features are words and their neighbours (a word that few kinds of question share is read as ``_``, so that no topic
decides), pairs of words in order, words by their class (``@file``, ``@relation``: `words/asking.toml`), letters of
longer words, runs of Chinese characters, and what is named literally. ``benchmarks/fit_routing.py`` fits the weights of
``kinds.tsv`` (multinomial logistic regression); what weighs in a decision can be shown. Small talk is six kinds of its
own, and the words and characters that it is made of are known: with another one in it, a question asks for something.
"""

from __future__ import annotations

import math
import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Final, Literal, get_args

from msgspec import Struct

from kbtui import late_patterns
from kbtui.domain.routing import QUERY_TYPES, QueryType
from kbtui.question.lexicon import words
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

TalkKind = Literal["greeting", "thanks", "farewell", "identity", "capability", "smalltalk"]
TALK: Final[tuple[TalkKind, ...]] = get_args(TalkKind)
KINDS: Final[tuple[str, ...]] = (*(name for name in QUERY_TYPES if name != "chitchat"), *TALK)
"""The classes of the model; those of small talk are ``chitchat`` together."""

_PIECE: Final = late_patterns.pattern(r"‹\w+›|[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+|[?]|[:;][-']?[()dp]|\*\.?\w*|=")
_MOST_TOLD: Final = 3
_PAIRED: Final = 12
"""Words from the beginning of a question that make pairs."""


class Weights(Struct, frozen=True):
    """The fitted weights.

    Attributes:
        words: Stems that may be features; every other word is read as ``_``.
        talk: Stems and Chinese characters that small talk is made of.
        rows: Sorted; each a feature and a weight in hundredths for each of `KINDS`, tabs between them. Lines as they
            are in the file, because a question needs a hundred of twelve thousand.
    """

    words: frozenset[str]
    talk: frozenset[str]
    rows: Sequence[bytes]

    def of(self, feature: str) -> tuple[float, ...]:
        """The weights of a feature, one for each of `KINDS`; empty where it has none."""
        start = f"{feature}\t".encode("utf-8", "surrogatepass")
        at = bisect_left(self.rows, start)
        if at == len(self.rows) or not self.rows[at].startswith(start):
            return ()
        return tuple(int(weight) / 100 for weight in self.rows[at].removeprefix(start).split(b"\t"))


@cache
def fitted() -> Weights:
    """The weights of ``kinds.tsv``."""
    _, _, spoken, talk, *rows = files("kbtui.question").joinpath("kinds.tsv").read_bytes().splitlines()
    return Weights(
        words=frozenset(_listed(spoken)),
        talk=frozenset((*_listed(talk), *map(stem, words("greetings")))),
        rows=rows,
    )


def _listed(line: bytes) -> list[str]:
    """The words of a line, behind its name."""
    return line.decode().partition("\t")[2].split(" ")


@cache
def classes() -> Mapping[str, str]:
    """The class of a stem that has one."""
    table: dict[str, str] = toml_in("kbtui.question", "words/asking.toml")["classes"]
    return {stem(word): f"@{name}" for name, words in table.items() for word in words.split()}


def pieces(read: str) -> list[str]:
    """Words, Chinese runs, masked mentions and telling signs of a question."""
    return _PIECE.findall(read)


def features(
    read: str, *, words: Collection[str], mentions: Sequence[str] = (), courtesy: bool = False
) -> frozenset[str]:
    """The features of a question.

    Args:
        read: In lower case and simplified characters, mistypings mended, mentions masked.
        words: The stems that may be features.
        mentions: Kinds of what it names literally.
        courtesy: Something social was taken off in front.
    """
    found = pieces(read)
    row = ["^", *_row(found, words), "$"]
    known = classes()
    names = {f"w:{run}" for run in _runs(row, (1, 2, 3)) if run.strip("_^$ ")}
    by_class = [known.get(word, word) for word in row]
    names |= {f"k:{run}" for run in _runs(by_class, (1, 2, 3)) if "@" in run}
    spoken = [word for word in by_class if word != "_"][:_PAIRED]
    names |= {f"s:{first} .. {word}" for at, first in enumerate(spoken) for word in spoken[at + 1 :]}
    names |= {letters for piece in found if piece.isascii() and len(piece) > 4 for letters in _letters(piece)}
    names |= set(_chinese(found)) | {f"mention {kind}" for kind in mentions}
    unknown = sum(
        len(piece) > 2 and piece.isascii() and piece[0].isalpha() and stem(piece) not in words for piece in found
    )
    han = sum(len(word) for word in content_words(read) if _is_han(word[0]))
    length = len(found) + sum(len(piece) for piece in found if _is_han(piece[0])) // 2
    names |= {f"topic words {min(unknown, 3)}", f"topic characters {min(han, 8)}", f"length {_rounded(length)}"}
    names |= {"several mentions"} if len(mentions) > 1 else set()
    return frozenset(names | {"courtesy"} if courtesy else names)


class Shares(Struct, frozen=True):
    """How likely each type is, 0 to 1, together 1; and the likeliest kind of small talk."""

    types: Mapping[QueryType, float]
    talk: TalkKind


def judged(found: Iterable[str]) -> Shares:
    """What the features of a question say of its type."""
    model = fitted()
    totals = list(model.of("bias"))
    for name in found:
        for at, weight in enumerate(model.of(name)):
            totals[at] += weight
    top = max(totals)
    powers = {name: math.exp(total - top) for name, total in zip(KINDS, totals, strict=True)}
    whole = sum(powers.values())
    types = {name: sum(powers[kind] for kind in _kinds_of(name)) / whole for name in QUERY_TYPES}
    return Shares(types, max(TALK, key=lambda kind: powers[kind]))


def strange(read: str) -> tuple[str, ...]:
    """The words and Chinese characters with content of a text that no small talk is made of."""
    talk = fitted().talk
    parts = [part for word in content_words(read) for part in (word if _is_han(word[0]) else (word,))]
    return tuple(part for part in parts if (part if _is_han(part) else stem(part.lower())) not in talk)


def told(found: Iterable[str], query_type: QueryType) -> list[tuple[str, float]]:
    """The wordings that speak most for a type: at most three, strongest first, no two sharing a word.

    Each with its weight against the mean of the other types; what speaks inside a wording counts for it, so that "where
    did we" is told and not "we".
    """
    model = fitted()
    own = [KINDS.index(kind) for kind in _kinds_of(query_type)]
    margins: dict[str, float] = {}
    for name in found:
        if name[:2] in ("w:", "z:") and (shown := _shown(name)) and (row := model.of(name)):
            others = [weight for at, weight in enumerate(row) if at not in own]
            margin = max(row[at] for at in own) - sum(others) / len(others)
            margins[shown] = margins.get(shown, 0.0) + margin
    sums = {
        shown: sum(margin for inner, margin in margins.items() if f" {inner} " in f" {shown} " or _is_run(inner, shown))
        for shown in margins
    }
    kept: list[tuple[str, float]] = []
    for shown, total in sorted(sums.items(), key=lambda row: (-row[1], row[0])):
        if total <= 0 or len(kept) == _MOST_TOLD:
            break
        if not any(_parts_of(shown) & _parts_of(other) for other, _ in kept):
            kept.append((shown, round(total, 2)))
    return kept


def _kinds_of(query_type: QueryType) -> Sequence[str]:
    return TALK if query_type == "chitchat" else (query_type,)


def _is_han(character: str) -> bool:
    return "\u3400" <= character[0] <= "\u9fff"


def _row(found: Sequence[str], words: Collection[str]) -> list[str]:
    """A question as words that may be features: others as one ``_``, numbers as ``#``, patterns of names as ``*``."""
    row: list[str] = []
    for piece in found:
        word = "_"
        if piece.isdigit():
            word = "#"
        elif piece[0] == "*":
            word = "*"
        elif piece[0].isalpha() and piece.isascii():
            word = base if (base := stem(piece)) in words else "_"
        elif not _is_han(piece[0]):
            word = piece
        if word != "_" or row[-1:] != ["_"]:
            row.append(word)
    return row


def _runs(row: Sequence[str], sizes: Sequence[int]) -> Iterator[str]:
    for size in sizes:
        for at in range(len(row) - size + 1):
            yield " ".join(row[at : at + size])


def _letters(piece: str) -> set[str]:
    """Four and five letters of a word at a time, most of which survive a mistyping."""
    edged = f"<{piece}>"
    return {f"c:{edged[at : at + size]}" for size in (4, 5) for at in range(len(edged) - size + 1)}


def _chinese(found: Sequence[str]) -> Iterator[str]:
    """Runs of one to three characters, with ``^`` and ``$`` for the ends of the question and ``‹`` for a mention."""
    for at, piece in enumerate(found):
        if not _is_han(piece[0]):
            continue
        before, after = (found[at - 1] if at else "^"), (found[at + 1] if at + 1 < len(found) else "$")
        text = f"{before[0] if before[0] in '^‹' else ''}{piece}{after[0] if after[0] in '$‹' else ''}"
        for size in (1, 2, 3):
            for start in range(len(text) - size + 1):
                if text[start : start + size] not in ("^", "$", "‹"):
                    yield f"z:{text[start : start + size]}"
        if before[0] == "‹":
            yield from (f"y:{before}{piece[:size]}" for size in (1, 2))
        if after[0] == "‹":
            yield from (f"y:{piece[-size:]}{after}" for size in (1, 2))


def _parts_of(shown: str) -> set[str]:
    """Words, and single Chinese characters."""
    return set(shown.split()) if shown.isascii() else set(shown) - {" "}


def _is_run(inner: str, shown: str) -> bool:
    """True for Chinese characters inside Chinese characters, which no space separates."""
    return not inner.isascii() and inner in shown


def _rounded(length: int) -> str:
    return next((str(bound) for bound in (1, 2, 4, 8, 20) if length <= bound), "more")


def _shown(name: str) -> str:
    """A feature as a reader sees it: ``w:^ where did`` is ``where did``; nothing of one that is a mention alone."""
    words = re.sub(r"[\^$]", " ", name[2:]).replace("_", "…").split()
    return "" if all(word[0] in "‹…#" for word in words) else " ".join(words).strip("… ‹")

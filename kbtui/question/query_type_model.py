"""The model of query types: a linear classifier over the wording of a question.

The features are word n-grams (words of topics are read as ``_``, so that no topic decides), ordered pairs of words,
word classes (``@file``, ``@relation``: `words/asking.toml`), letter n-grams of longer words, n-grams of Chinese
characters, and the kinds of mentions. ``benchmarks/fit_routing.py`` fits the weights of ``query_type_model.tsv``
(multinomial logistic regression); the strongest wordings can be shown. Small talk is six classes, with a list of its
words and characters: a text with other words in it asks for something.
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
from kbtui.question.lexicon import word_set
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

TalkKind = Literal["greeting", "thanks", "farewell", "identity", "capability", "smalltalk"]
TALK: Final[tuple[TalkKind, ...]] = get_args(TalkKind)
KINDS: Final[tuple[str, ...]] = (*(name for name in QUERY_TYPES if name != "chitchat"), *TALK)
"""The classes of the model; the classes of small talk together are the query type ``chitchat``."""

_PIECE: Final = late_patterns.pattern(r"‹\w+›|[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+|[?]|[:;][-']?[()dp]|\*\.?\w*|=")
_MAX_WORDINGS: Final = 3
_MAX_PAIRED_WORDS: Final = 12
"""Words at the beginning of a question that form pairs, at most."""


class Weights(Struct, frozen=True):
    """The fitted weights.

    Attributes:
        words: Stems that may be features; every other word is read as ``_``.
        talk: Stems and Chinese characters that occur in small talk.
        rows: Sorted; each a feature and a weight in hundredths for each of `KINDS`, tabs between them. Lines as they
            are in the file, because a question needs a hundred of twelve thousand.
    """

    words: frozenset[str]
    talk: frozenset[str]
    rows: Sequence[bytes]

    def feature_weights(self, feature: str) -> tuple[float, ...]:
        """The weights of a feature, one for each of `KINDS`; empty where it has none."""
        start = f"{feature}\t".encode("utf-8", "surrogatepass")
        at = bisect_left(self.rows, start)
        if at == len(self.rows) or not self.rows[at].startswith(start):
            return ()
        return tuple(int(weight) / 100 for weight in self.rows[at].removeprefix(start).split(b"\t"))


@cache
def fitted_weights() -> Weights:
    """The weights of ``query_type_model.tsv``."""
    _, _, spoken, talk, *rows = files("kbtui.question").joinpath("query_type_model.tsv").read_bytes().splitlines()
    return Weights(
        words=frozenset(_words_of_line(spoken)),
        talk=frozenset((*_words_of_line(talk), *map(stem, word_set("greetings")))),
        rows=rows,
    )


def _words_of_line(line: bytes) -> list[str]:
    """The words of a line, behind its name."""
    return line.decode().partition("\t")[2].split(" ")


@cache
def classes() -> Mapping[str, str]:
    """The class of a stem that has one."""
    table: dict[str, str] = toml_in("kbtui.question", "words/asking.toml")["classes"]
    return {stem(word): f"@{name}" for name, row in table.items() for word in row.split()}


def split_pieces(read: str) -> list[str]:
    """The pieces of a question: words, Chinese runs, masked mentions, numbers and signs."""
    return _PIECE.findall(read)


def features(
    read: str, *, known_stems: Collection[str], mentions: Sequence[str] = (), courtesy: bool = False
) -> frozenset[str]:
    """The features of a question.

    Args:
        read: In lower case and simplified characters, mistypings mended, mentions masked.
        known_stems: The stems that may be features.
        mentions: Kinds of what it names literally.
        courtesy: A courtesy was stripped from its beginning.
    """
    split = split_pieces(read)
    row = ["^", *_feature_words(split, known_stems), "$"]
    word_classes = classes()
    names = {f"w:{run}" for run in _ngrams(row, (1, 2, 3)) if run.strip("_^$ ")}
    by_class = [word_classes.get(word, word) for word in row]
    names |= {f"k:{run}" for run in _ngrams(by_class, (1, 2, 3)) if "@" in run}
    class_words = [word for word in by_class if word != "_"][:_MAX_PAIRED_WORDS]
    names |= {f"s:{first} .. {word}" for at, first in enumerate(class_words) for word in class_words[at + 1 :]}
    names |= {letters for piece in split if piece.isascii() and len(piece) > 4 for letters in _letter_ngrams(piece)}
    names |= set(_chinese_ngrams(split)) | {f"mention {kind}" for kind in mentions}
    unknown = sum(
        len(piece) > 2 and piece.isascii() and piece[0].isalpha() and stem(piece) not in known_stems for piece in split
    )
    han = sum(len(word) for word in content_words(read) if _is_han(word[0]))
    length = len(split) + sum(len(piece) for piece in split if _is_han(piece[0])) // 2
    names |= {f"topic words {min(unknown, 3)}", f"topic characters {min(han, 8)}", f"length {_length_bucket(length)}"}
    names |= {"several mentions"} if len(mentions) > 1 else set()
    return frozenset(names | {"courtesy"} if courtesy else names)


class TypeProbabilities(Struct, frozen=True):
    """The probability of each query type (sum 1), and the most probable kind of small talk."""

    types: Mapping[QueryType, float]
    talk: TalkKind


def type_probabilities(feature_names: Iterable[str]) -> TypeProbabilities:
    """The probabilities of query types given the features of a question."""
    model = fitted_weights()
    totals = list(model.feature_weights("bias"))
    for name in feature_names:
        for at, weight in enumerate(model.feature_weights(name)):
            totals[at] += weight
    top = max(totals)
    powers = {name: math.exp(total - top) for name, total in zip(KINDS, totals, strict=True)}
    total_power = sum(powers.values())
    types = {name: sum(powers[kind] for kind in _kinds_of(name)) / total_power for name in QUERY_TYPES}
    return TypeProbabilities(types, max(TALK, key=lambda kind: powers[kind]))


def words_outside_small_talk(read: str) -> tuple[str, ...]:
    """The content words and Chinese characters of a text that do not occur in small talk."""
    talk = fitted_weights().talk
    parts = [part for word in content_words(read) for part in (word if _is_han(word[0]) else (word,))]
    return tuple(part for part in parts if (part if _is_han(part) else stem(part.lower())) not in talk)


def strongest_wordings(feature_names: Iterable[str], query_type: QueryType) -> list[tuple[str, float]]:
    """The wordings with the largest weight for a type: at most three, strongest first, without common words.

    The weight of a wording is its margin over the mean of the other types; weights of shorter wordings inside it are
    added, so that "where did we" is preferred to "we".
    """
    model = fitted_weights()
    class_indexes = [KINDS.index(kind) for kind in _kinds_of(query_type)]
    margins: dict[str, float] = {}
    for name in feature_names:
        if name[:2] in ("w:", "z:") and (shown := _displayed(name)) and (row := model.feature_weights(name)):
            others = [weight for at, weight in enumerate(row) if at not in class_indexes]
            margin = max(row[at] for at in class_indexes) - sum(others) / len(others)
            margins[shown] = margins.get(shown, 0.0) + margin
    sums = {
        shown: sum(
            margin
            for inner, margin in margins.items()
            if f" {inner} " in f" {shown} " or _is_chinese_substring(inner, shown)
        )
        for shown in margins
    }
    wordings: list[tuple[str, float]] = []
    for shown, total in sorted(sums.items(), key=lambda row: (-row[1], row[0])):
        if total <= 0 or len(wordings) == _MAX_WORDINGS:
            break
        if not any(_words_or_characters(shown) & _words_or_characters(other) for other, _ in wordings):
            wordings.append((shown, round(total, 2)))
    return wordings


def _kinds_of(query_type: QueryType) -> Sequence[str]:
    return TALK if query_type == "chitchat" else (query_type,)


def _is_han(character: str) -> bool:
    return "\u3400" <= character[0] <= "\u9fff"


def _feature_words(split: Sequence[str], known_stems: Collection[str]) -> list[str]:
    """A question as a row of feature words: runs of other words as ``_``, numbers as ``#``, name patterns as ``*``."""
    row: list[str] = []
    for piece in split:
        word = "_"
        if piece.isdigit():
            word = "#"
        elif piece[0] == "*":
            word = "*"
        elif piece[0].isalpha() and piece.isascii():
            word = base if (base := stem(piece)) in known_stems else "_"
        elif not _is_han(piece[0]):
            word = piece
        if word != "_" or row[-1:] != ["_"]:
            row.append(word)
    return row


def _ngrams(row: Sequence[str], sizes: Sequence[int]) -> Iterator[str]:
    for size in sizes:
        for at in range(len(row) - size + 1):
            yield " ".join(row[at : at + size])


def _letter_ngrams(piece: str) -> set[str]:
    """The letter n-grams (4 and 5) of a word, most of which survive a typo."""
    edged = f"<{piece}>"
    return {f"c:{edged[at : at + size]}" for size in (4, 5) for at in range(len(edged) - size + 1)}


def _chinese_ngrams(split: Sequence[str]) -> Iterator[str]:
    """Character n-grams (1 to 3) of Chinese runs; ``^`` and ``$`` are the ends of the question, ``‹`` is a mention."""
    for at, piece in enumerate(split):
        if not _is_han(piece[0]):
            continue
        before, after = (split[at - 1] if at else "^"), (split[at + 1] if at + 1 < len(split) else "$")
        text = f"{before[0] if before[0] in '^‹' else ''}{piece}{after[0] if after[0] in '$‹' else ''}"
        for size in (1, 2, 3):
            for start in range(len(text) - size + 1):
                if text[start : start + size] not in ("^", "$", "‹"):
                    yield f"z:{text[start : start + size]}"
        if before[0] == "‹":
            yield from (f"y:{before}{piece[:size]}" for size in (1, 2))
        if after[0] == "‹":
            yield from (f"y:{piece[-size:]}{after}" for size in (1, 2))


def _words_or_characters(shown: str) -> set[str]:
    """The words of a wording, or its single Chinese characters."""
    return set(shown.split()) if shown.isascii() else set(shown) - {" "}


def _is_chinese_substring(inner: str, shown: str) -> bool:
    """Whether a Chinese wording is a substring of another, which no space separates."""
    return not inner.isascii() and inner in shown


def _length_bucket(length: int) -> str:
    return next((str(bound) for bound in (1, 2, 4, 8, 20) if length <= bound), "more")


def _displayed(name: str) -> str:
    """A feature as it is displayed: ``w:^ where did`` is ``where did``; empty if it is only a mention."""
    shown = re.sub(r"[\^$]", " ", name[2:]).replace("_", "…").split()
    return "" if all(word[0] in "‹…#" for word in shown) else " ".join(shown).strip("… ‹")

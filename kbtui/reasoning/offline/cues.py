"""The wording of a question as evidence for its type: small cues with learned weights, summed up.

The rules of ``rules.toml`` name what people usually say; they miss what nobody thought of. This is the other half:
words, their neighbours, letters and Chinese characters, each with a weight a type, fitted by
``benchmarks/fit_routing.py`` (multinomial logistic regression). What the rules found are cues among the others, so one
sum decides, and whatever weighs in it can be shown. No embedding is needed, and no word of a topic can be a cue: those
that few kinds of question share are read as ``_``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache

from msgspec import Struct

from kbtui.domain.routing import QueryType
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import rows_in

_PIECE = re.compile(r"‹\w+›|[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+|[?]|[:;][-']?[()dp]|\*\.?\w*|=")
_LARGEST_SUM = 3.0
"""Above this a sum of rule weights says nothing more."""
_MOST_TOLD = 3


class Weights(Struct, frozen=True):
    """The fitted weights.

    Attributes:
        types: In the order of the weights.
        words: Stems that may be cues; every other word is read as ``_``.
        weights: Of each cue, one a type.
    """

    types: tuple[QueryType, ...]
    words: frozenset[str]
    weights: Mapping[str, tuple[float, ...]]


@cache
def fitted() -> Weights:
    """The weights of ``cues.tsv``."""
    rows = rows_in("kbtui.reasoning.offline", "cues.tsv")
    types: tuple[QueryType, ...] = tuple(rows[0][1:])  # type: ignore[arg-type]
    return Weights(
        types=types,
        words=frozenset(rows[1][1].split(" ")),
        weights={row[0]: tuple(float(value) for value in row[1:]) for row in rows[2:]},
    )


def pieces(read: str) -> list[str]:
    """Words, Chinese runs, masked mentions and telling signs of a question as the rules read it."""
    return _PIECE.findall(read)


def cues(
    read: str,
    *,
    words: Collection[str],
    kinds: Sequence[str] = (),
    sums: Mapping[QueryType, float] | None = None,
    small_talk: bool = False,
    courtesy: bool = False,
) -> dict[str, float]:
    """The cues of one question and how much of each there is (1 for all but the sums of the rules).

    Args:
        read: Lower case, simplified, mended, mentions masked.
        words: The stems that may be cues.
        kinds: Of its mentions.
        sums: What the rules add up to, a type.
        small_talk: The rules of small talk hold for it.
        courtesy: Something social was taken off in front.
    """
    found = pieces(read)
    names = _word_cues(found, words) | _chinese_cues(found) | {f"mention {kind}" for kind in kinds}
    unknown = sum(
        len(piece) > 2 and piece.isascii() and piece[0].isalpha() and stem(piece) not in words for piece in found
    )
    han = sum(len(word) for word in content_words(read) if "\u3400" <= word[0] <= "\u9fff")
    length = len(found) + sum(len(piece) for piece in found if "\u3400" <= piece[0] <= "\u9fff") // 2
    names |= {f"topic words {min(unknown, 3)}", f"topic characters {min(han, 8)}", f"length {_rounded(length)}"}
    if small_talk:
        names.add("small talk")
        if length <= 3:
            names.add("small talk, short")
    if courtesy:
        names.add("courtesy")
    weighed = dict.fromkeys(names, 1.0)
    for query_type, total in (sums or {}).items():
        if total:
            weighed[f"rules {query_type}"] = min(total, _LARGEST_SUM)
    return weighed


def judged(found: Mapping[str, float]) -> dict[QueryType, float]:
    """The share of each type, 0 to 1, together 1."""
    model = fitted()
    totals = list(model.weights["bias"])
    for name, amount in found.items():
        for at, weight in enumerate(model.weights.get(name, ())):
            totals[at] += weight * amount
    top = max(totals)
    powers = [math.exp(total - top) for total in totals]
    return {name: power / sum(powers) for name, power in zip(model.types, powers, strict=True)}


def told(found: Iterable[str], query_type: QueryType) -> list[tuple[str, float]]:
    """The wordings that speak most for a type: at most three, strongest first, no two sharing a word.

    Each with its weight against the mean of the other types; what speaks inside a wording counts for it, so that "where
    did we" is told and not "we".
    """
    model = fitted()
    at, others = model.types.index(query_type), len(model.types) - 1
    margins: dict[str, float] = {}
    for name in found:
        if name[:2] in ("w:", "z:") and (shown := _shown(name)):
            weights = model.weights.get(name)
            own = (weights[at] * (others + 1) - sum(weights)) / others if weights else 0.0
            margins[shown] = margins.get(shown, 0.0) + own
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


def _parts_of(shown: str) -> set[str]:
    """Words, and single Chinese characters."""
    return set(shown.split()) if shown.isascii() else set(shown) - {" "}


def _is_run(inner: str, shown: str) -> bool:
    """True for Chinese characters inside Chinese characters, which no space separates."""
    return not inner.isascii() and inner in shown


def _word_cues(found: Sequence[str], words: Collection[str]) -> set[str]:
    """Runs of one to three words, unknown ones as ``_``; and the letters of longer words, which survive a slip."""
    names: set[str] = set()
    row = ["^"]
    for piece in found:
        word = "_"
        if piece.isdigit():
            word = "#"
        elif piece[0] == "*":
            word = "*"
        elif piece[0].isalpha() and piece.isascii():
            base = stem(piece)
            word = base if base in words else "_"
            if len(piece) > 4:
                edged = f"<{piece}>"
                names |= {f"c:{edged[at : at + size]}" for size in (4, 5) for at in range(len(edged) - size + 1)}
        elif not "\u3400" <= piece[0] <= "\u9fff":
            word = piece
        if word != "_" or row[-1] != "_":
            row.append(word)
    row.append("$")
    for size in (1, 2, 3):
        for at in range(len(row) - size + 1):
            run = row[at : at + size]
            if size == 3 or any(word not in "_^$" for word in run):
                names.add(f"w:{' '.join(run)}")
    return names


def _chinese_cues(found: Sequence[str]) -> set[str]:
    """Runs of one to three characters, with ``^`` and ``$`` for the ends of the question."""
    names: set[str] = set()
    for at, piece in enumerate(found):
        if not "\u3400" <= piece[0] <= "\u9fff":
            continue
        text = f"{'^' if at == 0 else ''}{piece}{'$' if at == len(found) - 1 else ''}"
        names |= {f"z:{text[start : start + size]}" for size in (1, 2, 3) for start in range(len(text) - size + 1)}
    return names - {"z:^", "z:$"}


def _rounded(length: int) -> str:
    return next((str(bound) for bound in (1, 2, 4, 8, 20) if length <= bound), "more")


def _shown(name: str) -> str:
    """A cue as a reader sees it: ``w:^ where did`` is ``where did``; nothing of one that is a mention alone."""
    words = re.sub(r"[\^$]", " ", name[2:]).replace("_", "…").split()
    return "" if all(word[0] in "‹…#" for word in words) else " ".join(words).strip("… ")

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
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from kbtui.domain.routing import QueryType
from kbtui.text.tokenise import content_words, stem

_PIECE = re.compile(r"‹\w+›|[a-z]+(?:'[a-z]+)?|\d+|[\u3400-\u9fff]+|[?]|[:;][-']?[()dp]|\*\.?\w*|=")
_LONGEST_SUM = 3.0
"""Above this a sum of rule weights says nothing more."""


@dataclass(frozen=True, slots=True)
class Weights:
    """The fitted weights.

    Attributes:
        types: In the order of the weights.
        words: Stems that may be cues; every other word is read as ``_``.
        weights: Of each cue, one a type.
    """

    types: tuple[QueryType, ...]
    words: frozenset[str]
    weights: Mapping[str, tuple[float, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """What the cues say.

    Attributes:
        shares: Of each type, 0 to 1, together 1.
        told: For each type the wordings that speak most for it, strongest first, with the weight of each against the
            mean of the other types.
    """

    shares: Mapping[QueryType, float]
    told: Mapping[QueryType, tuple[tuple[str, float], ...]]


@cache
def fitted() -> Weights:
    """The weights of ``cues.tsv``."""
    lines = files("kbtui.reasoning.offline").joinpath("cues.tsv").read_text(encoding="utf-8").split("\n")
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
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
            weighed[f"rules {query_type}"] = min(total, _LONGEST_SUM)
    return weighed


def judge(found: Mapping[str, float]) -> Verdict:
    """Adds up the weights of the cues."""
    model = fitted()
    totals = list(model.weights["bias"])
    telling: list[tuple[str, tuple[float, ...]]] = []
    for name, amount in found.items():
        weights = model.weights.get(name)
        if weights is None:
            continue
        for at, weight in enumerate(weights):
            totals[at] += weight * amount
        if name[:2] in ("w:", "z:"):
            telling.append((name, weights))
    top = max(totals)
    powers = [math.exp(total - top) for total in totals]
    told = {}
    for at, query_type in enumerate(model.types):
        others = len(model.types) - 1
        margins = [
            (_shown(name), round((weights[at] * (others + 1) - sum(weights)) / others, 2)) for name, weights in telling
        ]
        told[query_type] = tuple(_distinct(sorted((row for row in margins if row[1] > 0), key=lambda row: -row[1])))
    return Verdict(
        shares={name: power / sum(powers) for name, power in zip(model.types, powers, strict=True)}, told=told
    )


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
    """A cue as a reader sees it: ``w:^ where did`` is ``where did``."""
    return " ".join(word for word in re.sub(r"[\^$]", " ", name[2:]).replace("_", "…").split()).strip("… ")


def _distinct(rows: Sequence[tuple[str, float]]) -> list[tuple[str, float]]:
    """The first three wordings of which none contains another."""
    kept: list[tuple[str, float]] = []
    for shown, weight in rows:
        if shown and not shown.startswith("‹") and not any(shown in other or other in shown for other, _ in kept):
            kept.append((shown, weight))
        if len(kept) == 3:
            break
    return kept

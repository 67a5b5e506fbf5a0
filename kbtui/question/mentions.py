"""Finds mentions, which name something literally: identifiers, ticket ids, document numbers, files, quoted strings.

The router weighs them, keyword search keeps them whole, and questions are never split inside one.
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

from kbtui import late_patterns
from kbtui.question.lexicon import word_set
from kbtui.question.normalise import clean
from kbtui.text.patterns import needle_pattern
from kbtui.text.word_lists import filled, toml_in

MentionKind = Literal["code", "quote", "ticket", "document", "path", "identifier", "errorcode", "flag", "name"]


class Mention(Struct, frozen=True, kw_only=True):
    """Something named literally.

    Attributes:
        text: What is named, without its quotes or backticks.
        start: Offset of the mention in the question, quotes included.
        end: Offset behind it.
    """

    kind: MentionKind
    text: str
    start: int
    end: int


# Terms that look like ticket ids and are none.
_STANDARD = late_patterns.pattern(
    r"(?:UTF|SHA|ISO|AES|RSA|MD|GPT|COVID|HTTP|TLS|SSL|IPV|BASE|RS|IEEE|ASCII|CP|CRC|UCS|EC|GB|P|H|X|F|Q|L)-?\d+\Z",
    re.I,
)

# Products whose spelling looks like an identifier; people write them as ordinary words.
_BRANDS = word_set("brands")

_TABLES = toml_in("kbtui.question", "words/mentions.toml")
PATTERNS: tuple[tuple[MentionKind, re.Pattern[str]], ...] = tuple(
    (row["kind"], needle_pattern(filled(row["pattern"], _TABLES["blanks"]))) for row in _TABLES["mention"]
)

# Errno names start with E and are upper case, and so are many English words typed in capitals.
_ERRNO = word_set("errno")

_DOMAIN_OR_ABBREVIATION = late_patterns.pattern(
    r"(?:[\w-]+\.)+(?:com|org|net|ai|io|dev|edu|gov|co|uk|de|cn|app)|(?:[a-z]\.)+[a-z]|[\w-]+\.?(?:js|NET)", re.I
)
_STANDARD_ABBREVIATIONS = word_set("abbreviations")


def find_mentions(question: str) -> tuple[Mention, ...]:
    """The mentions of ``question`` in order, without overlaps; earlier kinds of the table take precedence.

    Args:
        question: As typed, NFKC-normalised.
    """
    mentions: list[Mention] = []
    for kind, pattern in PATTERNS:
        for match in pattern.finditer(question):
            text = next((group for group in match.groups() if group), "").strip()
            if not text or any(match.start() < other.end and other.start < match.end() for other in mentions):
                continue
            if _is_false_mention(kind, text):
                continue
            mentions.append(Mention(kind=kind, text=text, start=match.start(), end=match.end()))
    return tuple(sorted(mentions, key=lambda mention: mention.start))


def _is_false_mention(kind: MentionKind, text: str) -> bool:
    """Whether ``text`` only looks like a mention of that kind."""
    if kind in ("ticket", "errorcode") and _STANDARD.match(text):
        return True
    if kind == "identifier":
        if re.fullmatch(r"E[A-Z]{4,9}", text):
            return text not in _ERRNO
        return text.lower() in _BRANDS or _DOMAIN_OR_ABBREVIATION.fullmatch(text) is not None
    if kind == "name":
        return text.lower() in _BRANDS or (text.endswith("s") and text[:-1].isupper())
    if kind == "document":
        return text.split()[0].rstrip("#").strip() in _STANDARD_ABBREVIATIONS
    return False


def sole_mention(question: str) -> Mention | None:
    """The mention that is the whole question; None if it has other words."""
    text = clean(question)
    mentions = find_mentions(text)
    if len(mentions) != 1 or re.search(r"\w", text[: mentions[0].start] + text[mentions[0].end :]):
        return None
    return mentions[0]


def mask_mentions(question: str, mentions: tuple[Mention, ...]) -> str:
    """``question`` in lower case with each mention replaced by ``‹kind›``, so that patterns never match inside one."""
    parts: list[str] = []
    position = 0
    for mention in mentions:
        parts += [question[position : mention.start].lower(), f"‹{mention.kind}›"]
        position = mention.end
    parts.append(question[position:].lower())
    return "".join(parts)

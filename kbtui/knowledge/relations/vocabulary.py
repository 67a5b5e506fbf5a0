"""Phrases that state relations, in English and Chinese, with the names of the relations."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbtui.knowledge.relations.words import word_set
from kbtui.text.word_lists import toml_in

_TABLES = toml_in(__package__, "vocabulary.toml")
NUMBER_FIELDS = word_set(_TABLES["number_fields"])
"""Fields in which a bare number is a document of the same series: ``Superseded-By: 699`` in PEP 509 means PEP 699."""
ATTRIBUTES = word_set(_TABLES["attributes"])
"""Keys, or last words of keys, whose values are attributes of a thing and not its name."""

_STATEMENTS: dict[str, str] = {
    phrase: relation for relation, phrases in _TABLES["statements"].items() for phrase in phrases
}


def _phrases() -> str:
    """A pattern of all phrases, longest first and grouped by first letter, so that most lines fail at once."""
    endings: dict[str, list[str]] = {}
    for phrase in sorted(_STATEMENTS, key=len, reverse=True):
        endings.setdefault(phrase[0], []).append(re.escape(phrase[1:]).replace(r"\ ", r"[\s-]+"))
    return "|".join(f"{first}(?:{'|'.join(ends)})" for first, ends in endings.items())


_STATEMENT = re.compile(
    r"^\s*(?:>\s*)?(?:[-*+]\s+|\d+[.)]\s+)?(?:(?:this|the)\s+\w+\s+(?:is\s+|was\s+|has\s+been\s+)?)?[*_`]{0,2}"
    rf"(?P<phrase>{_phrases()})(?P<mark>[*_`]{{0,2}}\s*[:：]?[*_`]{{0,2}})(?=$|[\s\[#`]|(?<=[:：]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation stated at the start of a line.

    Attributes:
        end: Offset at which its target begins.
        explicit: Whether it is written as a key with a colon.
    """

    relation: str
    end: int
    explicit: bool


def statement_at(line: str) -> Statement | None:
    """The relation that ``line`` begins with (``Blocked by: …``, ``Superseded by [ADR 9]``, ``阻塞：``), if any."""
    match = _STATEMENT.match(line)
    if match is None:
        return None
    phrase = " ".join(re.split(r"[\s-]+", match["phrase"].casefold()))
    relation = _STATEMENTS.get(phrase) or _STATEMENTS[match["phrase"].casefold()]
    return Statement(relation, match.end(), ":" in match["mark"] or "：" in match["mark"])


_JOINED: dict[str, str] = {
    name.replace("-", ""): name for name in (*_TABLES["statements"], *NUMBER_FIELDS) if "-" in name
}


def relation_name(key: str) -> str:
    """The relation name for the key of a field: ``Superseded-By`` → ``superseded-by``, ``Rust Issue #`` →
    ``rust-issue``.

    A known relation written as one word gets its hyphen: ``seealso`` → ``see-also``.
    """
    plain = re.sub(r"\((s|es)\)", r"\1", key.strip(), flags=re.IGNORECASE)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", plain)
    name = re.sub(r"[^\w]+|_+", "-", spaced.casefold()).strip("-")
    return _JOINED.get(name, name)

"""Names in a question behind an ``@`` (``@runbooks/rollback.md``, ``@status:open``): writes and parses them."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final, Literal

from msgspec import Struct

from kbtui.late_patterns import pattern

KIND: Final = "kind"
"""Key of a condition on the kind of documents."""
AFTER, BEFORE = "after", "before"
DATES: Final = (AFTER, BEFORE)
"""Keys of conditions on the date of documents."""
_SPACED = pattern(r"\s")
# An address (me@example.org) is no mention; a Chinese sentence has no space before one.
_BEFORE: Final = r"(?<![A-Za-z0-9._%+@-])@"
_UNFINISHED = pattern(_BEFORE + r"(?:\"[^\"\n]*|[^\s@\"]*)$")
_MENTION = pattern(_BEFORE + r"(?:\"(?P<quoted>[^\"\n]+)\"|(?P<bare>[^\s@\"]+))")
_NAME_CONTINUATION = pattern(r"[A-Za-z0-9_/-]|\.[A-Za-z0-9]")
_CONDITION = pattern(r"(?P<key>[^\W\d][\w-]*):(?P<value>[^\s:/].*)")
_MARKS: Final = ".,;:!?。，；：！？"
_REPEATED_SPACES = pattern(r"[ \t]{2,}")
_BEFORE_MARK = pattern(rf"[ \t]+(?=[{_MARKS}])")


class Named(Struct, frozen=True):
    """A thing that can be mentioned.

    Attributes:
        name: A path, a table, a column, or a condition on documents (``kind:ticket``, ``status:open``, ``after:2025``).
    """

    name: str
    kind: Literal["file", "folder", "table", "column", "kind", "field", "date"]


class Condition(Struct, frozen=True):
    """A mentioned condition on documents: ``status:open``."""

    key: str
    value: str


class Mentions(Struct, frozen=True):
    """A question with its mentions.

    Attributes:
        text: The question without mentions at its edges, and without the ``@`` of the others.
        names: The mentioned names in order, without repeats.
    """

    text: str
    names: tuple[str, ...] = ()


def names_of_files(paths: Iterable[str]) -> list[Named]:
    """The files and their folders (``runbooks/``) as things to mention."""
    files = sorted(paths)
    folders = {f"{folder}/" for path in files for folder in PurePosixPath(path).parents if folder.name}
    return [*(Named(folder, "folder") for folder in sorted(folders)), *(Named(path, "file") for path in files)]


def written(name: str) -> str:
    """A name as a mention, in quotes if it has spaces."""
    return f'@"{name}"' if _SPACED.search(name) else f"@{name}"


def begun(before: str) -> str | None:
    """The unfinished mention at the end of ``before``, including ``@``; None if there is none."""
    match = _UNFINISHED.search(before)
    return match[0] if match else None


def condition_in(name: str) -> Condition | None:
    """The condition of a name; None if the name has another form."""
    match = _CONDITION.fullmatch(name)
    return Condition(match["key"], match["value"].strip('"')) if match is not None else None


def may_mention(text: str) -> bool:
    """Whether ``text`` has the form of a mention somewhere."""
    return _MENTION.search(text) is not None


def may_state_condition(text: str) -> bool:
    """Whether ``text`` has the form of a mentioned condition somewhere."""
    return any(condition_in(match["quoted"] or match["bare"]) is not None for match in _MENTION.finditer(text))


def mentions(
    text: str, known: Container[str], spoken: Container[str] = (), keys: Container[str] = frozenset()
) -> Mentions:
    """The mentions of ``known`` names in ``text``; other words after ``@`` stay text.

    Args:
        spoken: Names that stay in the text even at its edges, because the question is about them.
        keys: Keys that conditions may have, in lower case with hyphens.
    """
    mentions = [
        (match.start(), name, match)
        for match in _MENTION.finditer(text)
        if (name := _mentioned_name(match, known, keys))
    ]
    if not mentions:
        return Mentions(text)
    spans = [(start, match.end() if match["quoted"] else start + 1 + len(name)) for start, name, match in mentions]
    # The text between the names; names at the edges are dropped.
    between = [text[a:b] for (_, a), (b, _) in pairwise([(0, 0), *spans, (len(text), 0)])]
    parts = [between[0]]
    for number, (_, name, _) in enumerate(mentions, start=1):
        at_edge = not _has_text("".join(between[:number])) or not _has_text("".join(between[number:]))
        parts += ["" if at_edge and name not in spoken else _name_in_text(name, keys), between[number]]
    remainder = _REPEATED_SPACES.sub(" ", "".join(parts)).strip()
    return Mentions(_BEFORE_MARK.sub("", remainder), tuple(dict.fromkeys(name for _, name, _ in mentions)))


def _has_text(text: str) -> bool:
    return bool(text.strip(" \t\n" + _MARKS))


def _mentioned_name(match: re.Match[str], known: Container[str], keys: Container[str]) -> str | None:
    """The longest known name at the beginning of the match that is not followed by a character of names.

    Otherwise the condition of the match, if its key is one of ``keys``.
    """
    if match["quoted"]:
        quoted: str = match["quoted"]
        return quoted if quoted in known or _is_condition(quoted, keys) else None
    bare = match["bare"]
    lengths = range(len(bare), 0, -1)
    name = next((bare[:n] for n in lengths if bare[:n] in known and not _NAME_CONTINUATION.match(bare, n)), None)
    if name is not None and not (":" in name and bare[len(name) : len(name) + 1] == "|"):
        return name
    stated = bare.rstrip(_MARKS + ")]）】")
    return stated if _is_condition(stated, keys) else None


def _name_in_text(name: str, keys: Container[str]) -> str:
    """The text of a name in a question: the value of a condition; empty for one with an operator or on a date."""
    condition = condition_in(name) if _is_condition(name, keys) else None
    if condition is None:
        return name
    is_plain = condition.key.lower() not in DATES and condition.value[0].isalnum()
    return condition.value.replace("|", ", ") if is_plain else ""


def _is_condition(name: str, keys: Container[str]) -> bool:
    condition = condition_in(name)
    return condition is not None and condition.key.lower().replace("_", "-") in keys

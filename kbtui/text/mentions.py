"""Names in a question behind an ``@`` (``@runbooks/rollback.md``, ``@status:open``): written, and found again."""

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
_BEGUN = pattern(_BEFORE + r"(?:\"[^\"\n]*|[^\s@\"]*)$")
_MENTION = pattern(_BEFORE + r"(?:\"(?P<quoted>[^\"\n]+)\"|(?P<bare>[^\s@\"]+))")
_GOES_ON = pattern(r"[A-Za-z0-9_/-]|\.[A-Za-z0-9]")
_CONDITION = pattern(r"(?P<key>[^\W\d][\w-]*):(?P<value>[^\s:/].*)")
_MARKS: Final = ".,;:!?。，；：！？"
_LOOSE = pattern(r"[ \t]{2,}")
_BEFORE_MARK = pattern(rf"[ \t]+(?=[{_MARKS}])")


class Named(Struct, frozen=True):
    """Something that can be mentioned.

    Attributes:
        name: A path, a table, a column, or a condition on documents (``kind:ticket``, ``status:open``, ``after:2025``).
    """

    name: str
    kind: Literal["file", "folder", "table", "column", "kind", "field", "date"]


class Condition(Struct, frozen=True):
    """A condition on documents, as it is mentioned: ``status:open``."""

    key: str
    value: str


class Mentions(Struct, frozen=True):
    """A question and what it names.

    Attributes:
        text: Without the names at its edges, and without the ``@`` of the others.
        names: In order, each once.
    """

    text: str
    names: tuple[str, ...] = ()


def names_of_files(paths: Iterable[str]) -> list[Named]:
    """The files, and the folders they are in (``runbooks/``)."""
    files = sorted(paths)
    folders = {f"{folder}/" for path in files for folder in PurePosixPath(path).parents if folder.name}
    return [*(Named(folder, "folder") for folder in sorted(folders)), *(Named(path, "file") for path in files)]


def written(name: str) -> str:
    """How a name is mentioned: one with spaces in it is quoted."""
    return f'@"{name}"' if _SPACED.search(name) else f"@{name}"


def begun(before: str) -> str | None:
    """What is typed of a mention at the end of ``before``, ``@`` and all; None where there is none."""
    match = _BEGUN.search(before)
    return match[0] if match else None


def condition_in(name: str) -> Condition | None:
    """The condition that a name states; None where the name is of another form."""
    match = _CONDITION.fullmatch(name)
    return Condition(match["key"], match["value"].strip('"')) if match is not None else None


def may_mention(text: str) -> bool:
    """Whether anything in ``text`` is written like a mention."""
    return _MENTION.search(text) is not None


def may_state_condition(text: str) -> bool:
    """Whether anything in ``text`` is written like a condition behind an ``@``."""
    return any(condition_in(match["quoted"] or match["bare"]) is not None for match in _MENTION.finditer(text))


def mentions(
    text: str, known: Container[str], spoken: Container[str] = (), keys: Container[str] = frozenset()
) -> Mentions:
    """What ``text`` mentions of ``known``; what looks like a mention of anything else is text.

    Args:
        spoken: Names that stay in the text wherever they stand: what is asked says something of them.
        keys: What conditions of any value may be on, in lower case with hyphens.
    """
    found = [(match.start(), name, match) for match in _MENTION.finditer(text) if (name := _name(match, known, keys))]
    if not found:
        return Mentions(text)
    spans = [(start, match.end() if match["quoted"] else start + 1 + len(name)) for start, name, match in found]
    # What stands between the names: at the edges nothing is said with them.
    between = [text[a:b] for (_, a), (b, _) in pairwise([(0, 0), *spans, (len(text), 0)])]
    parts = [between[0]]
    for number, (_, name, _) in enumerate(found, start=1):
        at_edge = not _says("".join(between[:number])) or not _says("".join(between[number:]))
        parts += ["" if at_edge and name not in spoken else _said(name, keys), between[number]]
    said = _LOOSE.sub(" ", "".join(parts)).strip()
    return Mentions(_BEFORE_MARK.sub("", said), tuple(dict.fromkeys(name for _, name, _ in found)))


def _says(text: str) -> bool:
    return bool(text.strip(" \t\n" + _MARKS))


def _name(match: re.Match[str], known: Container[str], keys: Container[str]) -> str | None:
    """The longest known name that the match begins with, and ends with or is followed by what no name goes on with.

    Without one, the condition that the match states on one of ``keys``.
    """
    if match["quoted"]:
        quoted: str = match["quoted"]
        return quoted if quoted in known or _is_condition(quoted, keys) else None
    bare = match["bare"]
    lengths = range(len(bare), 0, -1)
    name = next((bare[:n] for n in lengths if bare[:n] in known and not _GOES_ON.match(bare, n)), None)
    if name is not None and not (":" in name and bare[len(name) : len(name) + 1] == "|"):
        return name
    stated = bare.rstrip(_MARKS + ")]）】")
    return stated if _is_condition(stated, keys) else None


def _said(name: str, keys: Container[str]) -> str:
    """A name within a question: of a condition its value, and of one with an operator or on a date nothing."""
    condition = condition_in(name) if _is_condition(name, keys) else None
    if condition is None:
        return name
    is_plain = condition.key.lower() not in DATES and condition.value[0].isalnum()
    return condition.value.replace("|", ", ") if is_plain else ""


def _is_condition(name: str, keys: Container[str]) -> bool:
    condition = condition_in(name)
    return condition is not None and condition.key.lower().replace("_", "-") in keys

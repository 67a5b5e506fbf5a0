"""Names in a question behind an ``@`` (``@runbooks/rollback.md``): written, and found again."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Final, Literal

from msgspec import Struct

_SPACED = re.compile(r"\s")
# An address (me@example.org) is no mention; a Chinese sentence has no space before one.
_BEFORE: Final = r"(?<![A-Za-z0-9._%+@-])@"
_BEGUN = re.compile(_BEFORE + r"(?:\"[^\"\n]*|[^\s@\"]*)$")
_MENTION = re.compile(_BEFORE + r"(?:\"(?P<quoted>[^\"\n]+)\"|(?P<bare>[^\s@\"]+))")
_GOES_ON = re.compile(r"[A-Za-z0-9_/-]|\.[A-Za-z0-9]")
_MARKS: Final = ".,;:!?。，；：！？"
_LOOSE = re.compile(r"[ \t]{2,}")
_BEFORE_MARK = re.compile(rf"[ \t]+(?=[{_MARKS}])")


class Named(Struct, frozen=True):
    """Something that can be mentioned."""

    name: str
    kind: Literal["file", "folder", "table", "column"]


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


def may_mention(text: str) -> bool:
    """Whether anything in ``text`` is written like a mention."""
    return _MENTION.search(text) is not None


def mentions(text: str, known: Collection[str], spoken: Collection[str] = ()) -> Mentions:
    """What ``text`` mentions of ``known``; what looks like a mention of anything else is text.

    Args:
        spoken: Names that stay in the text wherever they stand: what is asked says something of them.
    """
    found = [(match.start(), name, match) for match in _MENTION.finditer(text) if (name := _name(match, known))]
    if not found:
        return Mentions(text)
    spans = [(start, match.end() if match["quoted"] else start + 1 + len(name)) for start, name, match in found]
    # What stands between the names: at the edges nothing is said with them.
    between = [text[a:b] for (_, a), (b, _) in pairwise([(0, 0), *spans, (len(text), 0)])]
    parts = [between[0]]
    for number, (_, name, _) in enumerate(found, start=1):
        at_edge = not _says("".join(between[:number])) or not _says("".join(between[number:]))
        parts += ["" if at_edge and name not in spoken else name, between[number]]
    said = _LOOSE.sub(" ", "".join(parts)).strip()
    return Mentions(_BEFORE_MARK.sub("", said), tuple(dict.fromkeys(name for _, name, _ in found)))


def _says(text: str) -> bool:
    return bool(text.strip(" \t\n" + _MARKS))


def _name(match: re.Match[str], known: Collection[str]) -> str | None:
    """The longest known name that the match begins with, and ends with or is followed by what no name goes on with."""
    if match["quoted"]:
        return match["quoted"] if match["quoted"] in known else None
    bare = match["bare"]
    lengths = range(len(bare), 0, -1)
    return next((bare[:n] for n in lengths if bare[:n] in known and not _GOES_ON.match(bare, n)), None)

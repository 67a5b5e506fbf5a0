"""Conditions on files in a question about a set of them: the folder, the language, the family of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kbtui.text.patterns import Patterns

if TYPE_CHECKING:
    from kbtui.records.families import Family
    from kbtui.records.selection import Selection

_RE: Final = Patterns(__package__, "selecting.toml")
_LEAST: Final = 6
"""Letters of a folder's name by which alone a question may mean it."""


def read_family(chosen: Selection, families: Iterable[Family], says: Mapping[str, str]) -> None:
    """Files whose names differ in numbers alone, by the letters of the names: *the yearly roadmaps*."""
    for family in families:
        match = family.pattern.search(chosen.rest)
        if match is None:
            continue
        chosen.take(match)
        chosen.rest = (_RE.by_year if family.has_years else _RE.by_version).sub(" ", chosen.rest)
        chosen.things = [thing for thing in chosen.kind.things if thing.path in family.members]
        chosen.said.append(says["names"].format(what=match[0]))
        return


def read_places(chosen: Selection, says: Mapping[str, str]) -> None:
    """The folder that files are in, with those below it, and the language that they are written in."""
    folders = {fact.value for thing in chosen.kind.things for fact in thing.facts.get("folder", ())}
    folders |= {folder[:at] for folder in folders for at, char in enumerate(folder) if char == "/"}
    place = next(_named_by_place(chosen.rest, folders), None) or next(_named_alone(chosen.rest, folders), None)
    if place is not None:
        match, folder = place
        chosen.take(match)
        below = folder.replace("'", "''")
        chosen.add(f"(\"folder\" = '{below}' OR \"folder\" LIKE '{below}/%')", f"{folder}/")
        chosen.rest = _RE.part.sub(" ", chosen.rest)
    for language in ("zh", "en"):
        if chosen.takes(getattr(_RE, f"in_{language}")):
            chosen.add(f"\"language\" = '{language}'", says[f"in_{language}"])


def _named_by_place(text: str, folders: Iterable[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Folders behind words that say where something is."""
    for match in _RE.place.finditer(text):
        name = next(group for group in match.groups() if group).strip("/")
        found = [one for one in folders if one.lower() == name or one.lower().endswith(f"/{name}")]
        yield from ((match, one) for one in sorted(found, key=len)[:1])


def _named_alone(text: str, folders: Iterable[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Folders whose parts a question asks for, named in one word or several: *chapters of the wiki course*."""
    if _RE.part.search(text) is None:
        return
    for folder in sorted(folders, key=len):
        letters = [char for char in folder.rpartition("/")[2].lower() if char.isalnum()]
        if len(letters) >= _LEAST:
            pattern = r"(?<!\w)" + r"[\s_-]?".join(map(re.escape, letters)) + r"(?!\w)"
            yield from ((match, folder) for match in re.finditer(pattern, text))

"""Conditions on a set of files: folder, language and family of names."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Final

from kbtui.text.patterns import Patterns

if TYPE_CHECKING:
    from kbtui.records.families import Family
    from kbtui.records.selection import Selection

_RE: Final = Patterns(__package__, "selecting.toml")
_MIN_LETTERS: Final = 6
"""Fewest letters of a folder name that a question may give without a preposition."""


def read_family(selection: Selection, families: Iterable[Family], says: Mapping[str, str]) -> None:
    """Read the name of a family of files and restrict the selection to its members: *the yearly roadmaps*."""
    for family in families:
        match = family.pattern.search(selection.rest)
        if match is None:
            continue
        selection.take(match)
        selection.rest = (_RE.by_year if family.has_years else _RE.by_version).sub(" ", selection.rest)
        selection.things = [thing for thing in selection.kind.things if thing.path in family.members]
        selection.phrases.append(says["names"].format(what=match[0]))
        return


def read_places(selection: Selection, says: Mapping[str, str]) -> None:
    """Read the folder (subfolders included) and the language of files into conditions."""
    folders = {fact.value for thing in selection.kind.things for fact in thing.facts.get("folder", ())}
    folders |= {folder[:at] for folder in folders for at, char in enumerate(folder) if char == "/"}
    place = next(_folders_after_preposition(selection.rest, folders), None) or next(
        _folders_by_name(selection.rest, folders), None
    )
    if place is not None:
        match, folder = place
        selection.take(match)
        below = folder.replace("'", "''")
        selection.add(f"(\"folder\" = '{below}' OR \"folder\" LIKE '{below}/%')", f"{folder}/")
        selection.rest = _RE.part.sub(" ", selection.rest)
    for language in ("zh", "en"):
        if selection.takes(getattr(_RE, f"in_{language}")):
            selection.add(f"\"language\" = '{language}'", says[f"in_{language}"])


def _folders_after_preposition(text: str, folders: Iterable[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Folders named after a preposition of place, each with its match."""
    for match in _RE.place.finditer(text):
        name = next(group for group in match.groups() if group).strip("/")
        candidates = [folder for folder in folders if folder.lower() == name or folder.lower().endswith(f"/{name}")]
        yield from ((match, folder) for folder in sorted(candidates, key=len)[:1])


def _folders_by_name(text: str, folders: Iterable[str]) -> Iterator[tuple[re.Match[str], str]]:
    """Folders named in a question for parts of them, as one word or several: *chapters of the wiki course*."""
    if _RE.part.search(text) is None:
        return
    for folder in sorted(folders, key=len):
        letters = [char for char in folder.rpartition("/")[2].lower() if char.isalnum()]
        if len(letters) >= _MIN_LETTERS:
            pattern = r"(?<!\w)" + r"[\s_-]?".join(map(re.escape, letters)) + r"(?!\w)"
            yield from ((match, folder) for match in re.finditer(pattern, text))

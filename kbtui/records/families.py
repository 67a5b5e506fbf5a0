"""Files of one folder whose names differ in numbers alone, as ``roadmap-2017.md`` and ``whatsnew-5.0.rst`` do.

A question names such a family by the letters of its file names, with any spacing (*what's new*), and one member by
these letters and the last number of its name (*the 2019 roadmap*).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

_MIN_FILES: Final = 3
"""Fewest files of a family."""
_MIN_LETTERS: Final = 4
"""Fewest letters of a family's name; shorter names occur inside other words of a question."""
_MIN_SAME_BEGINNING: Final = 5
_NEARLY_ALL: Final = 0.95
"""Share of the names in a folder that begin with a word, from which the word does not tell them apart."""
_SEPARATOR: Final = re.compile(r"[-_]")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


class Family(Struct, frozen=True, kw_only=True):
    """Files of one folder whose names differ in numbers only.

    Attributes:
        name: The letters of their names, in lower case.
        members: Last number of the file name, by path.
    """

    name: str
    members: Mapping[str, str]

    @property
    def has_years(self) -> bool:
        """Whether the numbers of all members are years."""
        return all(_YEAR.fullmatch(number) for number in self.members.values())

    @property
    def pattern(self) -> re.Pattern[str]:
        """Matches the name in a question, as one word or several, singular or plural."""
        letters = r"['’\s_-]?".join(map(re.escape, self.name))
        return re.compile(rf"(?<!\w){letters}(?:['’]?s)?(?!\w)", re.IGNORECASE)


def group_families(paths: Iterable[str], known: Collection[str] = ()) -> tuple[Family, ...]:
    """All families of a folder, largest first.

    Args:
        known: Names of numbered series, whose documents are named by label instead.
    """
    groups: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for path in paths:
        folder, base = posixpath.split(path)
        numbers = _NUMBER.findall(posixpath.splitext(base)[0])
        if numbers:
            groups[folder, _NUMBER.sub("#", base).lower()][path] = numbers[-1]
    families = []
    for (_, shape), members in groups.items():
        name = re.sub(r"[\W\d_]+", "", posixpath.splitext(shape)[0])
        if len(name) >= _MIN_LETTERS and name not in known and len(set(members.values())) >= _MIN_FILES:
            families.append(Family(name=name, members=members))
    return tuple(sorted(families, key=lambda family: -len(family.members)))


def find_members(question: str, families: Iterable[Family]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start, end and paths for each mention of a member by family name and number."""
    for family in families:
        for match in family.pattern.finditer(question):
            for path, number in family.members.items():
                number_pattern = re.compile(rf"(?<![\w.])v?{re.escape(number)}(?![\w%]|\.\d)")
                before = re.search(rf"{number_pattern.pattern}(?:\s+\w+){{0,2}}?\s+$", question[: match.start()])
                after = re.match(rf"(?:\s+\w+){{0,3}}?\s+{number_pattern.pattern}", question[match.end() :])
                if before is not None:
                    yield before.start(), match.end(), (path,)
                elif after is not None:
                    yield match.start(), match.end() + after.end(), (path,)


def names_without_beginnings(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """File names without the one or two words that nearly all names of their folder begin with, by path.

    ``README_mod_sasl2.md`` among similar names gives *mod_sasl2* and *sasl2*.
    """
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path in paths:
        folder, base = posixpath.split(path)
        folders[folder][path] = posixpath.splitext(base)[0]
    short_names: dict[str, tuple[str, ...]] = {}
    for names in folders.values():
        for words in (1, 2):
            split = {path: _SEPARATOR.split(name, maxsplit=words) for path, name in names.items()}
            begun = Counter(tuple(parts[:words]) for parts in split.values())
            beginning, count = begun.most_common(1)[0]
            if count < max(_MIN_SAME_BEGINNING, _NEARLY_ALL * len(names)):
                break
            for path, parts in split.items():
                if len(parts) > words and tuple(parts[:words]) == beginning:
                    short_names[path] = (*short_names.get(path, ()), parts[words])
    return short_names


def year_of(path: str) -> str:
    """The year in the name of a file; empty if it has none or several."""
    years = [number for number in _NUMBER.findall(posixpath.basename(path)) if _YEAR.fullmatch(number)]
    return years[0] if len(years) == 1 else ""

"""Files beside one another whose names differ in numbers alone, as ``roadmap-2017.md`` and ``whatsnew-5.0.rst`` do.

Such a family is called by the letters of its names, however a question writes them (*what's new*), and one of its
members by the last number of its name besides (*the 2019 roadmap*).
"""

from __future__ import annotations

import posixpath
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from msgspec import Struct

_FEWEST: Final = 3
"""Files that make a family."""
_LEAST: Final = 4
"""Letters of its name; fewer occur in other words of a question too easily."""
_FEWEST_BEGUN: Final = 5
_NEARLY_ALL: Final = 0.95
"""Share of the names beside one another that begin with a word, from which it says nothing of one of them."""
_SEPARATOR: Final = re.compile(r"[-_]")
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)*")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")


class Family(Struct, frozen=True, kw_only=True):
    """Files that are named alike.

    Attributes:
        name: The letters of their names, in lower case.
        members: By path the last number of the name, which is what tells them apart.
    """

    name: str
    members: Mapping[str, str]

    @property
    def has_years(self) -> bool:
        """Whether its files are told apart by a year."""
        return all(_YEAR.fullmatch(number) for number in self.members.values())

    @property
    def pattern(self) -> re.Pattern[str]:
        """Finds its name in a question, in one word or several, in the singular or the plural."""
        letters = r"['’\s_-]?".join(map(re.escape, self.name))
        return re.compile(rf"(?<!\w){letters}(?:['’]?s)?(?!\w)", re.IGNORECASE)


def families_of(paths: Iterable[str], known: Collection[str] = ()) -> tuple[Family, ...]:
    """All families of a folder, largest first.

    Args:
        known: Names of numbered series; their documents are called by label.
    """
    groups: dict[tuple[str, str], dict[str, str]] = defaultdict(dict)
    for path in paths:
        folder, base = posixpath.split(path)
        numbers = _NUMBER.findall(posixpath.splitext(base)[0])
        if numbers:
            groups[folder, _NUMBER.sub("#", base).lower()][path] = numbers[-1]
    found = []
    for (_, shape), members in groups.items():
        name = re.sub(r"[\W\d_]+", "", posixpath.splitext(shape)[0])
        if len(name) >= _LEAST and name not in known and len(set(members.values())) >= _FEWEST:
            found.append(Family(name=name, members=members))
    return tuple(sorted(found, key=lambda family: -len(family.members)))


def members_in(question: str, families: Iterable[Family]) -> Iterator[tuple[int, int, tuple[str, ...]]]:
    """Start, end and paths of members that a question calls by the name of their family and their number."""
    for family in families:
        for match in family.pattern.finditer(question):
            for path, number in family.members.items():
                own = re.compile(rf"(?<![\w.])v?{re.escape(number)}(?![\w%]|\.\d)")
                before = re.search(rf"{own.pattern}(?:\s+\w+){{0,2}}?\s+$", question[: match.start()])
                behind = re.match(rf"(?:\s+\w+){{0,3}}?\s+{own.pattern}", question[match.end() :])
                if before is not None:
                    yield before.start(), match.end(), (path,)
                elif behind is not None:
                    yield match.start(), match.end() + behind.end(), (path,)


def names_without_beginnings(paths: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """By path what is left of a file's name behind the one or two words that nearly all names beside it begin with.

    ``README_mod_sasl2.md`` among its like is *mod_sasl2*, and *sasl2*.
    """
    folders: dict[str, dict[str, str]] = defaultdict(dict)
    for path in paths:
        folder, base = posixpath.split(path)
        folders[folder][path] = posixpath.splitext(base)[0]
    found: dict[str, tuple[str, ...]] = {}
    for names in folders.values():
        for words in (1, 2):
            split = {path: _SEPARATOR.split(name, maxsplit=words) for path, name in names.items()}
            begun = Counter(tuple(parts[:words]) for parts in split.values())
            beginning, count = begun.most_common(1)[0]
            if count < max(_FEWEST_BEGUN, _NEARLY_ALL * len(names)):
                break
            for path, parts in split.items():
                if len(parts) > words and tuple(parts[:words]) == beginning:
                    found[path] = (*found.get(path, ()), parts[words])
    return found


def year_of(path: str) -> str:
    """The one year that the name of a file has; empty where it has none or several."""
    years = [number for number in _NUMBER.findall(posixpath.basename(path)) if _YEAR.fullmatch(number)]
    return years[0] if len(years) == 1 else ""

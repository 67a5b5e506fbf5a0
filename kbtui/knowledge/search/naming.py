"""Which files a question names: by label (PEP 509), path, file name or whole title."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from kbtui.domain.document import FileRecord
from kbtui.knowledge.reading.terms import query_terms
from kbtui.knowledge.search.keywords import split_keywords


class FileNames:
    """The names of a folder's files, gathered once for each version of its index.

    Args:
        files: The files the index knows; the same list as long as the index is the same.
    """

    def __init__(self, files: Callable[[], Sequence[FileRecord]]) -> None:
        self._files = files
        self._known: tuple[Sequence[FileRecord], dict[str, list[str]]] = ((), {})

    def called(self, keywords: Sequence[str]) -> dict[str, set[int]]:
        """Paths of the files that a keyword names, each with the positions of those keywords."""
        names = self._names()
        found: dict[str, set[int]] = {}
        for position, keyword in enumerate(keywords):
            for path in names.get(keyword.casefold(), ()):
                found.setdefault(path, set()).add(position)
        return found

    def named(self, keywords: str) -> dict[str, frozenset[str]]:
        """Paths of the files that one of the keywords names, each with the terms of those; phrases in double quotes."""
        asked = [keyword for keyword, _ in split_keywords(keywords)]
        return {
            path: frozenset(term for position in positions for term in query_terms(asked[position]))
            for path, positions in self.called(asked).items()
        }

    def _names(self) -> dict[str, list[str]]:
        files = self._files()
        if self._known[0] is not files:
            names: dict[str, list[str]] = {}
            for record in files:
                name = record.path.rsplit("/", 1)[-1]
                known = (*record.labels, record.path, name, name.rsplit(".", 1)[0], record.title)
                for each in {one.casefold() for one in known if one}:
                    names.setdefault(each, []).append(record.path)
            self._known = (files, names)
        return self._known[1]

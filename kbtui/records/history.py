"""Reads questions about the Git history of files: who, when and why of a file, a section or a line; what changed when.

A question is read only if every word of it is part of one of the forms of ``history.toml``, and what it names is a file
of the folder. Whether the folder is in a repository is found out only then.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct

from kbtui.errors import KbtuiError
from kbtui.knowledge.relations.labels import label_key
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import Collection
from kbtui.records.scoping import FileScopes
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.knowledge.history.log import Commit, FileHistory, History, LineOrigin
    from kbtui.question.model import Period

Asked = Literal["who", "when", "why"]

_EDGES: Final = " \t\n?？。.!！,，\"'“”‘’「」`"
_MAX_CHARS: Final = 200
"""A longer question asks for more than this."""
_FILE_WORDS: Final = word_set("file files document documents doc docs page pages note notes 文件 文档")


class PlaceHistory(Struct, frozen=True, kw_only=True):
    """The history of a file, or of lines of it.

    Attributes:
        asked: What is asked for.
        of_making: It is asked of the first commit, not of the latest.
        origins: The commits of the lines, for lines and sections.
        first, last: The lines asked about; 0 for a whole file.
        title: Title of the file.
    """

    asked: Asked
    path: str
    of_making: bool
    file: FileHistory
    title: str
    first: int = 0
    last: int = 0
    origins: tuple[LineOrigin, ...] = ()


class ChangedFiles(Struct, frozen=True, kw_only=True):
    """The files that were changed in a period, or not since it began.

    Attributes:
        untouched: The files were not changed since ``since``.
        since, until: Days, both included; None for an open end.
        files: Path and title of each file, and its commits in the period, newest first; of an untouched one, its last
            commit.
        total: Number of files that were looked at.
        is_whole: Whether no older commits were left out.
    """

    untouched: bool
    since: date | None
    until: date | None
    files: tuple[tuple[str, str, tuple[Commit, ...]], ...]
    total: int
    is_whole: bool = True


HistoryAnswer = PlaceHistory | ChangedFiles


class HistoryReader:
    """Answers questions from the Git history of a folder.

    Args:
        collection: The things of the folder.
        root: The folder.
        history: Returns its history; None where it is in no repository.
        lines: Returns the lines of a file.
        headings: Returns the headings of a file with their levels and lines.
        today: The day that "last week" is counted from.
    """

    def __init__(
        self,
        collection: Collection,
        root: Path,
        history: Callable[[], History | None],
        lines: Callable[[str], list[str]],
        headings: Callable[[str], list[tuple[str, int, int]]],
        today: Callable[[], date],
    ) -> None:
        self._collection = collection
        self._root = root
        self._history = history
        self._lines = lines
        self._headings = headings
        self._today = today

    def read(self, question: str) -> HistoryAnswer | None:
        """The answer to a question about history; None for any other question, and where there is no repository."""
        text = question.strip(_EDGES)
        if not text or len(text) > _MAX_CHARS:
            return None
        forms = _forms("zh" if has_cjk(text) else "en")
        return self._read_place(text, forms) or self._read_changes(text, forms)

    def _read_place(self, text: str, forms: Mapping[str, list[re.Pattern[str]]]) -> PlaceHistory | None:
        if (also := forms["also"][0].search(text)) is not None:
            text = text[: also.start()].strip(_EDGES)
        for asked in ("who", "when", "why"):
            for pattern in forms[asked]:
                match = pattern.fullmatch(text)
                if match is None:
                    continue
                groups = match.groupdict()
                is_latest = any(groups.get(name) for name in ("last", "last_too", "last_end"))
                of_making = not is_latest and bool(groups.get("made") or groups.get("made_too"))
                found = self._place_history(asked, match["place"].strip(_EDGES), of_making, forms)
                if found is not None:
                    return found
        return None

    def _place_history(
        self, asked: Asked, place: str, of_making: bool, forms: Mapping[str, list[re.Pattern[str]]]
    ) -> PlaceHistory | None:
        """The history of a place as it is written; None where it names no file with a history."""
        from kbtui.knowledge.history.git import GitFailed
        from kbtui.knowledge.history.log import origins_of

        for path, first, last in self._places(place, forms):
            history = self._history()
            file = history.files.get(path) if history is not None else None
            if file is None:
                continue
            title = self._collection.links.records[path].title
            if not first:
                return PlaceHistory(asked=asked, path=path, of_making=of_making, file=file, title=title)
            try:
                origins = origins_of(self._root, path, self._lines(path), first, last)
            except (GitFailed, KbtuiError, OSError):
                continue
            if origins:
                return PlaceHistory(
                    asked=asked,
                    path=path,
                    of_making=of_making,
                    file=file,
                    title=title,
                    first=first,
                    last=origins[-1].last,
                    origins=tuple(origins),
                )
        return None

    def _places(self, place: str, forms: Mapping[str, list[re.Pattern[str]]]) -> Iterator[tuple[str, int, int]]:
        """The file that a place names with the lines asked about, 0 for all of them."""
        if match := re.fullmatch(r"(?P<file>.+?):L?(?P<first>\d{1,7})(?:-L?(?P<end>\d{1,7}))?", place):
            yield from self._lines_of(match)
        if match := forms["lines"][0].fullmatch(place):
            yield from self._lines_of(match)
        if match := forms["section"][0].fullmatch(place):
            groups = match.groupdict()
            heading = str(groups.get("heading") or groups.get("heading_too") or "").strip(_EDGES)
            path = self._file_called(match["file"])
            if path and (span := self._section(path, heading)) is not None:
                yield path, *span
        if match := forms["named"][0].fullmatch(place):
            path = self._file_called(place) or self._file_called(match["file"])
            if path:
                yield path, 0, 0

    def _lines_of(self, match: re.Match[str]) -> Iterator[tuple[str, int, int]]:
        if path := self._file_called(match["file"]):
            first = int(match["first"])
            yield path, first, max(first, int(match["end"] or first))

    def _file_called(self, written: str) -> str:
        """The one file that a name means; empty where none or several do."""
        name = written.strip(_EDGES).removeprefix("./")
        if name in self._collection.links.records:
            return name
        paths = self._collection.links.aliases.get(label_key(name), ())
        return paths[0] if len(paths) == 1 else ""

    def _section(self, path: str, heading: str) -> tuple[int, int] | None:
        """First and last line of the section under a heading; None where the file has no such heading."""
        try:
            headings, lines = self._headings(path), self._lines(path)
        except (KbtuiError, OSError):
            return None
        wanted = heading.casefold()
        for position, (text, level, line) in enumerate(headings):
            if text.casefold().strip(_EDGES) == wanted:
                end = next((other - 1 for _, deeper, other in headings[position + 1 :] if deeper <= level), len(lines))
                while end > line and not lines[end - 1].strip():
                    end -= 1
                return line, end
        return None

    def _read_changes(self, text: str, forms: Mapping[str, list[re.Pattern[str]]]) -> ChangedFiles | None:
        from kbtui.question.reader import read

        question = read(text, today=self._today())
        if len(question.periods) != 1:
            return None
        period = question.periods[0]
        start, end = question.tokens[period.span.first].start, question.tokens[period.span.last - 1].end
        rest = re.sub(r"\s+", " ", f"{text[:start]} {text[end:]}").strip(_EDGES)
        rest = re.sub(r" (?:in|on|during|over|for|since|within)$", "", rest)
        rest = rest.replace(" ", "") if has_cjk(text) else rest
        for untouched in (True, False):
            for pattern in forms["untouched" if untouched else "changes"]:
                if (match := pattern.fullmatch(rest)) is None:
                    continue
                groups = match.groupdict()
                kind = str(groups.get("kind") or groups.get("kind_too") or "")
                paths = self._paths_of(kind)
                history = self._history() if paths is not None else None
                if history is not None and paths is not None:
                    return self._changed(history, paths, period, untouched=untouched)
        return None

    def _changed(self, history: History, paths: frozenset[str], period: Period, *, untouched: bool) -> ChangedFiles:
        since, until = period.first, period.last
        records = self._collection.links.records
        files: list[tuple[str, str, tuple[Commit, ...]]] = []
        tracked = [path for path in paths if path in history.files]
        for path in tracked:
            commits = history.files[path].commits
            if untouched:
                # "for a year", "since 2023": the day the period begins; "before May": the day it ends.
                bound = since or until
                chosen = commits[:1] if bound is not None and commits[0].day < bound else ()
            else:
                chosen = tuple(commit for commit in commits if _is_between(commit.day, since, until))
            if chosen:
                files.append((path, records[path].title, chosen))
        files.sort(key=lambda item: item[0])
        files.sort(key=lambda item: item[2][0].day, reverse=not untouched)
        return ChangedFiles(
            untouched=untouched,
            since=since,
            until=until,
            files=tuple(files),
            total=len(tracked),
            is_whole=history.is_whole,
        )

    def _paths_of(self, kind: str) -> frozenset[str] | None:
        """The files of a kind of documents; all for a general word, None for a word that names no kind."""
        if not kind or kind.lower() in _FILE_WORDS:
            return frozenset(self._collection.links.records)
        return FileScopes(self._collection).of_kind(kind)


def _is_between(day: date, since: date | None, until: date | None) -> bool:
    return (since is None or day >= since) and (until is None or day <= until)


@cache
def _forms(language: str) -> Mapping[str, list[re.Pattern[str]]]:
    """The patterns of a language by what they read."""
    table = toml_in(__package__, "history.toml")
    words = {f"%{name.upper()}%": f"(?:{pattern})" for name, pattern in table["words"].items()}

    def compiled(pattern: str) -> re.Pattern[str]:
        for name, choice in words.items():
            pattern = pattern.replace(name, choice)
        return re.compile(pattern, re.IGNORECASE)

    forms: Mapping[str, str | list[str]] = table[language]
    return {
        name: [compiled(pattern) for pattern in ([given] if isinstance(given, str) else given)]
        for name, given in forms.items()
    }

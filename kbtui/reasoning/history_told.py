"""An answer from the Git history of files, in words: each commit by author, day, hash and subject, with its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from kbtui.domain.answer import WrittenAnswer
from kbtui.domain.evidence import Hit
from kbtui.errors import KbtuiError
from kbtui.reasoning.citing import Citations, ReadsLines
from kbtui.records.history import ChangedFiles, HistoryAnswer, PlaceHistory
from kbtui.text.language import has_cjk
from kbtui.text.phrases import Phrases
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.history.log import Commit

TOOL: Final = "git_history"
_MAX_FILES: Final = 40
_MAX_ORIGINS: Final = 12
_MAX_AUTHORS: Final = 5
_TITLE_LINES: Final = 30
"""First lines of a file among which its title is looked for."""
_ESCAPED: Final = re.compile(r"([\\`*_\[\]<|])")


class _Telling:
    """One answer while it is written."""

    def __init__(self, found: HistoryAnswer, source: ReadsLines | None, question: str) -> None:
        self.found = found
        self.source = source
        self.words = Phrases(__package__, "history_told.toml", "zh" if has_cjk(question) else "en")
        self.citations = Citations(source)
        self.hits: dict[tuple[str, int, int], Hit] = {}

    def lines(self) -> Iterator[str]:
        if isinstance(self.found, ChangedFiles):
            yield from self._changed(self.found)
        elif self.found.origins:
            yield from self._origins(self.found)
        else:
            yield from self._file(self.found)

    def _file(self, found: PlaceHistory) -> Iterator[str]:
        file, words, mark = found.file, self.words, self._title_mark(found.path, found.title)
        if len(file.commits) == 1:
            yield f"{words.only.format(**_values(file.first))} {mark}{words.stop}"
            return
        first, latest = words.first.format(**_values(file.first)), words.latest.format(**_values(file.last))
        told = (first, latest) if found.of_making else (latest,) if found.asked != "who" else (latest, first)
        yield from (f"{text} {mark}{words.stop}" for text in told)
        if found.asked == "who":
            shares = words.comma.join(
                words.share.format(author=_escaped(author), count=count)
                for author, count in file.authors[:_MAX_AUTHORS]
            )
            yield words.shares.format(count=len(file.commits), shares=shares) + words.stop

    def _origins(self, found: PlaceHistory) -> Iterator[str]:
        words, several = self.words, len(found.origins) > 1
        for origin in found.origins[:_MAX_ORIGINS]:
            where = (words.line if origin.first == origin.last else words.lines).format(
                first=origin.first, last=origin.last
            )
            mark = self._mark(found.path, origin.first, origin.last)
            if origin.commit is None:
                text = words.uncommitted.format(where=where)
            else:
                text = words.origin.format(where=where, **_values(origin.commit))
            yield f"{'- ' if several else ''}{text} {mark}"

    def _changed(self, found: ChangedFiles) -> Iterator[str]:
        words = self.words
        days = {"since": str(found.since or ""), "until": str(found.until or "")}
        shape = "between" if found.since and found.until else "since" if found.since else "until"
        shape = "on" if found.since is not None and found.since == found.until else shape
        period = getattr(words, shape).format(**days)
        form = ("untouched" if found.untouched else "changed") + ("" if found.files else "_none")
        day = str(found.since or found.until or "")
        yield (
            getattr(words, form).format(count=len(found.files), total=found.total, period=period, day=day) + words.stop
        )
        if found.files:
            yield ""
        for path, title, commits in found.files[:_MAX_FILES]:
            more = words.more_commits.format(count=len(commits) - 1) if len(commits) > 1 else ""
            told = words.file.format(path=_plain(path), **_values(commits[0]))
            yield f"- {told}{more} {self._title_mark(path, title)}"
        if len(found.files) > _MAX_FILES:
            yield f"- {words.more_files.format(count=len(found.files) - _MAX_FILES)}"
        if not found.is_whole:
            yield ""
            yield words.cut

    def _title_mark(self, path: str, title: str) -> str:
        """The number of the citation of the line with the title of a file, else of its first line with text."""
        lines = self._lines(path)
        titled = (number for number, line in enumerate(lines[:_TITLE_LINES], 1) if title and title in line)
        line = next(titled, 0) or next((number for number, line in enumerate(lines, 1) if line.strip()), 1)
        return self._mark(path, line, line)

    def _lines(self, path: str) -> Sequence[str]:
        try:
            return self.source.lines(path) if self.source is not None else ()
        except (KbtuiError, OSError):
            return ()

    def _mark(self, path: str, first: int, last: int) -> str:
        """The number of the citation of these lines."""
        lines = self._lines(path)
        hit = Hit(
            path=path,
            start_line=first,
            end_line=last,
            text="\n".join(lines[first - 1 : last]),
            score=1.0,
            tool=TOOL,
            matched_lines=tuple(range(first, last + 1)),
        )
        self.hits.setdefault((path, first, last), hit)
        return f"[{self.citations.number(self.citations.excerpt(hit, whole=False), first, last)}]"


def told_history(
    found: HistoryAnswer, source: ReadsLines | None, question: str
) -> tuple[WrittenAnswer, tuple[Hit, ...], str]:
    """The answer in the language of the question, the lines it cites, and what was read, in words."""
    telling = _Telling(found, source, question)
    block = "\n".join(telling.lines())
    footer = telling.citations.footer()
    words = telling.words
    says = (
        words.says_changes.format(total=found.total)
        if isinstance(found, ChangedFiles)
        else words.says_place.format(path=one_line(found.path))
    )
    markdown = f"{block}\n\n{footer}" if footer else block
    answer = WrittenAnswer(markdown=markdown, outcome="answered", citations=telling.citations.all)
    return answer, tuple(telling.hits.values()), says


def _values(commit: Commit) -> dict[str, str]:
    return {
        "author": _escaped(commit.author),
        "day": commit.day.isoformat(),
        "hash": commit.short,
        "subject": _escaped(commit.subject),
    }


def _escaped(text: str) -> str:
    return _ESCAPED.sub(r"\\\1", one_line(text))


def _plain(path: str) -> str:
    return one_line(path).replace("`", "'")

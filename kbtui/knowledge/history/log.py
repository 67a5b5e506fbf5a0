"""The commits that changed the files of a folder, and the commit of each line."""

from __future__ import annotations

import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from difflib import SequenceMatcher
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.knowledge.history.git import GitFailed, run_git
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.base import KnowledgeBase

_MAX_COMMITS: Final = 20_000
_MAX_LINES: Final = 20_000
"""Lines of a file from which its lines are not compared with those of the last commit."""
_MAX_CHARS: Final = 200
_KEPT: Final = 8
_RECORD, _FIELD = "\x1e", "\x1f"


class Commit(Struct, frozen=True):
    """A commit; its author and subject are cleaned, and of one line."""

    hash: str
    day: date
    author: str
    subject: str

    @property
    def short(self) -> str:
        """The first characters of its hash."""
        return self.hash[:8]


class FileHistory(Struct, frozen=True, kw_only=True):
    """The commits of a file, also under the names it had before, newest first."""

    commits: tuple[Commit, ...]

    @property
    def last(self) -> Commit:
        return self.commits[0]

    @property
    def first(self) -> Commit:
        return self.commits[-1]

    @property
    def authors(self) -> list[tuple[str, int]]:
        """The authors with the number of their commits, most first."""
        return Counter(commit.author for commit in self.commits).most_common()


class History(Struct, frozen=True, kw_only=True):
    """The history of a folder.

    Attributes:
        files: By path.
        changes: Each commit with the files that it changed, newest first.
        is_whole: Whether no older commits were left out.
    """

    files: Mapping[str, FileHistory]
    changes: tuple[tuple[Commit, tuple[str, ...]], ...]
    is_whole: bool = True


class LineOrigin(Struct, frozen=True, kw_only=True):
    """Lines of a file and the commit that made them what they are; None for lines that were never committed."""

    first: int
    last: int
    commit: Commit | None


_KNOWN: Final[OrderedDict[tuple[str, str], History]] = OrderedDict()
_LOCK: Final = threading.Lock()


def history_of(knowledge: KnowledgeBase) -> History | None:
    """The history of an open folder; of several folders, that of those in a repository. None where there is none."""
    from kbtui.settings.joined import members_of

    members = members_of(knowledge.root)
    if not members:
        return _history_at(knowledge.root)
    each = {name: found for name, folder in members.items() if (found := _history_at(folder)) is not None}
    if not each:
        return None
    changes = [
        (commit, tuple(f"{name}/{path}" for path in paths))
        for name, history in each.items()
        for commit, paths in history.changes
    ]
    return History(
        files={f"{name}/{path}": file for name, history in each.items() for path, file in history.files.items()},
        changes=tuple(sorted(changes, key=lambda change: change[0].day, reverse=True)),
        is_whole=all(history.is_whole for history in each.values()),
    )


def origins_of(root: Path, path: str, lines: Sequence[str], first: int, last: int) -> list[LineOrigin]:
    """The commits of lines of a file, as the file is now; neighbouring lines of one commit are taken together.

    Args:
        root: The folder, or one that stands for several.
        lines: The lines of the file, to find them in the last commit.

    Raises:
        GitFailed: The file was never committed, or git could not answer.
    """
    from kbtui.settings.joined import members_of

    name, _, within = path.partition("/")
    member = members_of(root).get(name)
    folder, path = (root, path) if member is None else (member, within)
    committed = run_git(folder, ["cat-file", "blob", f"HEAD:./{path}"]).output.decode("utf-8", "replace").split("\n")
    places = _places_in(lines, [line.rstrip("\r") for line in committed], first, last)
    known = [place for place in places.values() if place is not None]
    commits: dict[int, Commit] = {}
    if known:
        span = f"{min(known)},{max(known)}"
        # Of the last commit: to look at the file itself would run filters that the repository names.
        arguments = ["blame", "--porcelain", "--no-textconv", "-L", span, "HEAD", "--", f"./{path}"]
        commits = dict(_blamed(run_git(folder, arguments).output.decode("utf-8", "replace")))
    origins: list[LineOrigin] = []
    for line, place in places.items():
        commit = commits.get(place) if place is not None else None
        if origins and origins[-1].commit == commit:
            origins[-1] = replace(origins[-1], last=line)
        else:
            origins.append(LineOrigin(first=line, last=line, commit=commit))
    return origins


def _history_at(folder: Path) -> History | None:
    try:
        head = run_git(folder, ["rev-parse", "--verify", "--quiet", "HEAD"]).output.decode("ascii", "replace").strip()
    except GitFailed:
        return None
    key = (str(folder), head)
    with _LOCK:
        if key in _KNOWN:
            _KNOWN.move_to_end(key)
            return _KNOWN[key]
    try:
        history = _read_log(folder)
    except GitFailed:
        return None
    with _LOCK:
        _KNOWN[key] = history
        while len(_KNOWN) > _KEPT:
            _KNOWN.popitem(last=False)
    return history


def _read_log(folder: Path) -> History:
    fields = _FIELD.join(("%H", "%ad", "%an", "%s"))
    arguments = ["log", f"--max-count={_MAX_COMMITS}", f"--format={_RECORD}{fields}", "--date=short", "--no-color"]
    # Exact renames alone: others would compare the text of all files.
    arguments += ["--no-ext-diff", "--no-textconv", "--name-status", "-M100%", "-z", "--relative", "HEAD", "--", "."]
    result = run_git(folder, arguments)
    text = result.output.decode("utf-8", "surrogateescape")
    now: dict[str, str] = {}
    commits: dict[str, list[Commit]] = {}
    changes: list[tuple[Commit, tuple[str, ...]]] = []
    records = text.split(_RECORD)[1:]
    # Of the last record of a log that was cut, a part is missing.
    for record in records[:-1] if result.is_cut else records:
        commit, paths = _commit_in(record)
        if commit is None:
            continue
        changed = []
        for path, former in paths:
            # Older commits know a file by the name it had then.
            current = now.get(path, path)
            if former is not None:
                now.pop(path, None)
            if former:
                now[former] = current
            commits.setdefault(current, []).append(commit)
            changed.append(current)
        changes.append((commit, tuple(changed)))
    files = {path: FileHistory(commits=tuple(found)) for path, found in commits.items()}
    is_whole = not result.is_cut and len(records) < _MAX_COMMITS
    return History(files=files, changes=tuple(changes), is_whole=is_whole)


def _commit_in(record: str) -> tuple[Commit | None, list[tuple[str, str | None]]]:
    """A commit, and the files that it changed with their former names: empty for new ones, None for kept names."""
    head, *parts = record.split("\0")
    fields = head.split(_FIELD)
    if len(fields) < 4 or (day := _day(fields[1])) is None:
        return None, []
    commit = Commit(fields[0], day, one_line(fields[2], _MAX_CHARS), one_line(_FIELD.join(fields[3:]), _MAX_CHARS))
    paths: list[tuple[str, str | None]] = []
    rest = iter(parts)
    for status in rest:
        kind = status.strip()[:1]
        path = next(rest, "") if kind else ""
        if kind in ("R", "C"):
            paths.append((next(rest, ""), path if kind == "R" else ""))
        elif path and kind != "D":
            paths.append((path, "" if kind == "A" else None))
    return commit, paths


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None


def _places_in(lines: Sequence[str], committed: Sequence[str], first: int, last: int) -> dict[int, int | None]:
    """For each line its number in the last commit, None for one that is not there."""
    wanted = range(first, min(last, len(lines)) + 1)
    if list(lines) == list(committed) or max(len(lines), len(committed)) > _MAX_LINES:
        same = {line: line for line in wanted if line <= len(committed) and lines[line - 1] == committed[line - 1]}
        return {line: same.get(line) for line in wanted}
    places: dict[int, int | None] = dict.fromkeys(wanted)
    for block in SequenceMatcher(None, lines, committed, autojunk=False).get_matching_blocks():
        for offset in range(block.size):
            if block.a + offset + 1 in places:
                places[block.a + offset + 1] = block.b + offset + 1
    return places


def _blamed(text: str) -> Iterator[tuple[int, Commit]]:
    """Line numbers with their commits, from what ``git blame --porcelain`` prints."""
    known: dict[str, dict[str, str]] = {}
    number, fields = 0, dict[str, str]()
    for line in text.split("\n"):
        if line.startswith("\t"):
            yield number, _commit_of(fields)
            continue
        key, _, value = line.partition(" ")
        if len(key) in (40, 64) and value[:1].isdigit():
            number = int(value.split(" ")[1])
            fields = known.setdefault(key, {"hash": key})
        else:
            fields.setdefault(key, value)


def _commit_of(fields: Mapping[str, str]) -> Commit:
    from datetime import datetime, timedelta, timezone

    seconds, zone = fields.get("author-time", "0"), fields.get("author-tz", "+0000")
    minutes = int(f"{zone[:1]}{int(zone[1:3]) * 60 + int(zone[3:5])}") if zone[1:5].isdigit() else 0
    try:
        day = datetime.fromtimestamp(int(seconds), timezone(timedelta(minutes=minutes))).date()
    except (ValueError, OverflowError, OSError):
        day = date.min
    author, subject = fields.get("author", ""), fields.get("summary", "")
    return Commit(fields["hash"], day, one_line(author, _MAX_CHARS), one_line(subject, _MAX_CHARS))

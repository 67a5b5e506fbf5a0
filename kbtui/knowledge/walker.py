"""Which files of a folder are part of the knowledge base, and how many were left out for which reason.

Ignore files work as in git: each ``.gitignore`` and ``.kbtuiignore`` rules its own folder, the deepest one that has
something to say wins, and what stands in an ignored folder cannot be brought back.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

from kbtui.domain.ports import CancelToken
from kbtui.errors import FolderNotFound, KnowledgeBaseError, SettingsError
from kbtui.knowledge.decoding import SAMPLE_BYTES, is_binary
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedFile:
    """A file to index.

    Attributes:
        path: POSIX path relative to the folder.
        absolute: Where it is; for a link, the link itself.
        size: In bytes.
        mtime_ns: Modification time.
    """

    path: str
    absolute: Path
    size: int
    mtime_ns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What was found, by path, and how many entries (files, or folders as a whole) were left out.

    Reasons: ``ignored``, ``hidden``, ``binary``, ``oversized``, ``unreadable``, ``symlink`` (broken, to a folder, out
    of the knowledge base, or to a file that is indexed anyway), ``special`` (no regular file), ``name`` (not UTF-8).

    Attributes:
        named: Paths by reason, where somebody may have counted on them: documents that are too large, unreadable or
            no text, and names that are not UTF-8.
    """

    root: Path
    files: tuple[WalkedFile, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


IGNORE_FILES: Final = (".gitignore", ".kbtuiignore")

# Version control keeps its own database beside the work; nobody asks about it.
_NEVER = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})

_BINARY_WORDS = """
7z a aac ai apk avi bin blend bmp bz2 class crx db deb dex dll dmg doc docx dot duckdb dylib eot epub exe flac gif gz
h5 hdf5 heic ico icns img iso jar jpeg jpg key lance lib lz lz4 lzma m4a m4v mkv mo mobi mov mp3 mp4 mpeg mpg msi npy
npz numbers o obj odp ods odt ogg onnx opus otf pages parquet pdb pdf pickle pkl png ppt pptx psd pt pth pyc pyd pyo
rar rpm safetensors so sqlite sqlite3 swf tar tgz tif tiff ttf wasm wav webm webp whl wim wma wmv woff woff2 xls xlsx
xz zip zst
"""
_BINARY_EXTENSIONS = frozenset(_BINARY_WORDS.split())
_TEXT_WORDS = "adoc csv htm html json jsonl markdown md org rst tex toml tsv txt xml yaml yml"
_TEXT_EXTENSIONS = frozenset(_TEXT_WORDS.split())
_NAMED = frozenset({"oversized", "unreadable", "name"})


def walk(
    root: Path,
    settings: IndexSettings,
    cancel: CancelToken | None = None,
    known: Mapping[str, tuple[int, int]] | None = None,
) -> Walk:
    """Find the files of ``root``, sorted by path.

    Args:
        known: Size and modification time of files that were text; those that still have them are not looked into.

    Raises:
        FolderNotFound: There is no such folder.
        KnowledgeBaseError: It cannot be read.
        SettingsError: ``index.exclude`` holds a pattern that is none.
        Cancelled: ``cancel`` was set.
    """
    root = checked_root(root)
    try:
        excluded = _Rules(tuple(GitIgnoreSpecPattern(line) for line in settings.exclude), 0)
    except (ValueError, re.error) as error:
        raise SettingsError(
            f"index.exclude holds a pattern that cannot be read: {one_line(str(error), 200)}",
            "Write it as in a .gitignore file.",
        ) from error
    return _Walker(root, settings, excluded, cancel or CancelToken(), known or {}).run()


def checked_root(root: Path) -> Path:
    """``root`` resolved, once it is certain that it is a folder that can be read.

    Raises:
        FolderNotFound: There is no such folder.
        KnowledgeBaseError: It cannot be read.
    """
    shown = one_line(str(root), 200)
    try:
        resolved = root.expanduser().resolve()
        if not resolved.exists():
            raise FolderNotFound(f"There is no folder {shown}.", "Give the path of a folder that exists.")
        if not resolved.is_dir():
            raise FolderNotFound(f"{shown} is a file, not a folder.", "Give the folder it is in.")
        with os.scandir(resolved):
            return resolved
    except PermissionError as error:
        raise KnowledgeBaseError(
            f"The folder {shown} cannot be read: permission denied.", "Give yourself the right to read it."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise FolderNotFound(f"{shown} cannot be opened: {error}.", "Give the path of a folder that exists.") from error


@dataclass(frozen=True, slots=True)
class _Rules:
    """One folder's ignore files; ``base`` is how many characters of a relative path lie above it."""

    patterns: tuple[GitIgnoreSpecPattern, ...]
    base: int

    def decision(self, path: str) -> bool | None:
        """Whether ``path`` (with a slash at the end for a folder) is ignored; None when no pattern matches it."""
        relative = path[self.base :]
        return next((bool(rule.include) for rule in reversed(self.patterns) if _matches(rule, relative)), None)


def _matches(pattern: GitIgnoreSpecPattern, path: str) -> bool:
    """True when ``pattern`` matches the entry ``path`` itself.

    The library also matches what lies below a folder that matches (its group ``ps_d`` is that folder's slash). Git
    asks only about the entry, because it never enters an ignored folder; so do we.
    """
    regex = pattern.regex
    assert regex is not None
    if "ps_d" not in regex.groupindex:
        match = regex.search(path)
        # ``folder/**`` is everything in the folder, but not the folder.
        return match is not None and not (regex.pattern.endswith("/") and match.end() == len(path))
    return any(not match["ps_d"] or match.end("ps_d") == len(path) for match in regex.finditer(path))


class _Walker:
    def __init__(
        self,
        root: Path,
        settings: IndexSettings,
        excluded: _Rules,
        cancel: CancelToken,
        known: Mapping[str, tuple[int, int]],
    ) -> None:
        self.root = root
        self.known = known
        self.hidden = settings.hidden
        self.largest = int(settings.max_file_mb * 1024 * 1024)
        self.excluded = excluded
        self.cancel = cancel
        self.skipped: Counter[str] = Counter()
        self.named: dict[str, list[str]] = {}
        self.files: list[WalkedFile] = []
        self.links: list[tuple[str, str]] = []

    def run(self) -> Walk:
        folders: list[tuple[str, tuple[_Rules, ...]]] = [("", ())]
        while folders:
            self.cancel.check()
            folder, rules = folders.pop()
            folders += self._folder(folder, rules)
        self._follow_links()
        if "unreadable" in self.skipped:
            # When the folder itself went away meanwhile, nothing may be concluded from what was not found.
            checked_root(self.root)
        return Walk(
            root=self.root,
            files=tuple(sorted(self.files, key=lambda file: file.path)),
            skipped=dict(sorted(self.skipped.items())),
            named={reason: tuple(sorted(paths)) for reason, paths in self.named.items()},
        )

    def _leave_out(self, reason: str, path: str, told: bool = False) -> None:
        self.skipped[reason] += 1
        if told or reason in _NAMED:
            self.named.setdefault(reason, []).append(path)

    def _folder(self, folder: str, rules: tuple[_Rules, ...]) -> list[tuple[str, tuple[_Rules, ...]]]:
        """Take in the files of one folder; returns the folders in it with the rules that hold there."""
        try:
            with os.scandir(os.path.join(self.root, folder)) as scan:  # noqa: PTH118 - Path costs half of a large walk
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            self._leave_out("unreadable", folder)
            return []
        rules = self._with_ignore_files(folder, entries, rules)
        below = []
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                path = folder + entry.name
                if reason := self._reason(entry, path, is_folder, rules):
                    self._leave_out(reason, path)
                elif is_folder:
                    below.append((path + "/", rules))
                elif entry.is_symlink():
                    self.links.append((path, entry.path))
                else:
                    self._file(path, entry.path, entry.stat(follow_symlinks=False))
            except OSError:
                self._leave_out("unreadable", folder + entry.name)
        return below

    def _with_ignore_files(
        self, folder: str, entries: Iterable[os.DirEntry[str]], rules: tuple[_Rules, ...]
    ) -> tuple[_Rules, ...]:
        names = {entry.name for entry in entries}
        lines: list[str] = []
        for name in IGNORE_FILES:
            if name in names:
                lines += _read_patterns(self.root / folder / name)
        return (_Rules(_patterns(lines), len(folder)), *rules) if lines else rules

    def _reason(self, entry: os.DirEntry[str], path: str, is_folder: bool, rules: tuple[_Rules, ...]) -> str | None:
        """Why an entry is left out by its name; None when it is not."""
        name = entry.name
        if not name.isascii():
            try:
                name.encode("utf-8")
            except UnicodeEncodeError:
                return "name"
        if name in _NEVER or (name[0] == "." and not self.hidden):
            return "hidden"
        matched = path + "/" if is_folder else path
        if self.excluded.decision(matched) or _is_ignored(matched, rules):
            return "ignored"
        return None

    def _file(self, path: str, location: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self.skipped["special"] += 1
            return
        extension = path.rpartition(".")[2].lower()
        if extension in _BINARY_EXTENSIONS:
            self.skipped["binary"] += 1
        elif status.st_size > self.largest:
            self._leave_out("oversized", path)
        elif self._is_text(path, location, status):
            file = WalkedFile(path=path, absolute=Path(location), size=status.st_size, mtime_ns=status.st_mtime_ns)
            self.files.append(file)
        else:
            self._leave_out("binary", path, told=extension in _TEXT_EXTENSIONS)

    def _is_text(self, path: str, location: str, status: os.stat_result) -> bool:
        if self.known.get(path) == (status.st_size, status.st_mtime_ns):
            return True
        with open(location, "rb") as stream:  # noqa: PTH123 - as above
            return not is_binary(stream.read(SAMPLE_BYTES))

    def _follow_links(self) -> None:
        """Take in links to files of the folder that are not indexed themselves, each file once."""
        known = {str(file.absolute) for file in self.files} if self.links else set()
        for path, location in sorted(self.links):
            try:
                target = Path(location).resolve(strict=True)
                if not target.is_relative_to(self.root) or not target.is_file() or str(target) in known:
                    self.skipped["symlink"] += 1
                    continue
                known.add(str(target))
                self._file(path, location, target.stat())
            # A loop of links is a RuntimeError before Python 3.13.
            except (OSError, RuntimeError):
                self.skipped["symlink"] += 1


def _is_ignored(path: str, rules: tuple[_Rules, ...]) -> bool:
    """Ask the deepest folder first; the first with a matching pattern decides."""
    for rule in rules:
        decision = rule.decision(path)
        if decision is not None:
            return decision
    return False


def _read_patterns(path: Path) -> list[str]:
    try:
        return path.read_text("utf-8", errors="replace").removeprefix("\ufeff").split("\n")
    except OSError:
        return []


def _patterns(lines: Iterable[str]) -> tuple[GitIgnoreSpecPattern, ...]:
    """The patterns of an ignore file; like git, those that cannot be read are passed over."""
    found = []
    for line in lines:
        try:
            pattern = GitIgnoreSpecPattern(line.rstrip("\r"))
        # The library lets what its translation to a regular expression makes wrong (`[z-a]`) through.
        except (ValueError, re.error):
            continue
        if pattern.include is not None:
            found.append(pattern)
    return tuple(found)

"""Which files of a folder are part of the knowledge base, and how many were left out for which reason.

Ignore files work as in git: each ``.gitignore`` and ``.kbtuiignore`` rules its own folder, the deepest one that has
something to say wins, and what stands in an ignored folder cannot be brought back.
"""

from __future__ import annotations

import os
import re
import stat
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import BinaryIO, Final

from kbtui.domain.ports import CancelToken
from kbtui.errors import FolderNotFound, KnowledgeBaseError, SettingsError
from kbtui.knowledge.reading.decoding import SAMPLE_BYTES, decode, is_binary
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.ignore_rules import IgnoreRules, PatternError
from kbtui.knowledge.reading.walked import ReadingRules, Walk, WalkedFile
from kbtui.regular_files import open_regular
from kbtui.text.terminal import one_line

_SAMPLE_BYTES: Final = 32_768
"""Of the beginning, the middle and the end of a file each."""
_LONG_LINE: Final = 5000
"""Characters. Documents whose paragraphs are one line each have lines of up to 3,000 as a rule."""
_LONG_SHARE: Final = 0.8
"""Share of the characters that stand in long lines."""
_LEAST_PROSE: Final = 0.2
"""Share of the long lines that is prose: .5 and more in documents, at most .15 in minified code."""

_PROSE: Final = re.compile(r"(?<!\S)\(?[^\W\d_]{2,}[,.;:!?)]{0,2}(?!\S)|[^\W\d_\x00-\x7f]")
"""A word between white space (in quotes it is data), or a letter of a script that may have no spaces between words."""


def samples(stream: BinaryIO, beginning: bytes) -> list[bytes]:
    """Parts of a file: its ``beginning``, which was just read, and more from its middle and its end."""
    found = [beginning + stream.read(_SAMPLE_BYTES - len(beginning))]
    size = os.fstat(stream.fileno()).st_size
    if size > 3 * _SAMPLE_BYTES:
        for offset in (size // 2, size - _SAMPLE_BYTES):
            stream.seek(offset // 4 * 4)  # between two characters of UTF-16 and UTF-32
            found.append(stream.read(_SAMPLE_BYTES))
    return found


def is_minified(parts: Iterable[bytes]) -> bool:
    """True when nearly all of the text in ``parts`` of a file stands in very long lines with hardly any prose."""
    characters = long = prose = 0
    for part in parts:
        if max(map(len, part.split(b"\n"))) < _LONG_LINE:
            characters += len(part)
            continue
        for line in decode(part).text.split("\n"):
            characters += len(line)
            if len(line) >= _LONG_LINE:
                long += len(line)
                prose += sum(len(match[0]) for match in _PROSE.finditer(line))
    return long > 0 and long >= _LONG_SHARE * characters and prose < _LEAST_PROSE * long


IGNORE_FILES: Final = (".gitignore", ".kbtuiignore")
LARGEST_IGNORE_FILE: Final = 1 << 20
"""Bytes of an ignore file that are read."""

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
_NAMED = frozenset({"oversized", "unreadable", "name", "minified", "extra"})
_DOCUMENT_TIMES: Final = 20
"""Times ``max_file_mb`` that a file may have whose text is taken out of it: most of it is pictures and mark-up."""
_ENDING: Final = 12
"""Characters of the end of a name that stand for a kind."""
# One record a line, however long it is.
_RECORD_EXTENSIONS = frozenset({"csv", "tsv", "jsonl", "ndjson"})


def walk(
    root: Path,
    settings: ReadingRules,
    cancel: CancelToken | None = None,
    known: Mapping[str, tuple[int, int]] | None = None,
    on_entry: Callable[[str], object] = str,
) -> Walk:
    """Find the files of ``root``, sorted by path.

    Args:
        known: Size and modification time of files that were text; those that still have them are not looked into.
        on_entry: Told the path of each file and folder before it is opened.

    Raises:
        FolderNotFound: There is no such folder.
        KnowledgeBaseError: It cannot be read.
        SettingsError: ``index.exclude`` holds a pattern that is none, or too many.
        Cancelled: ``cancel`` was set.
    """
    root = checked_root(root)
    try:
        excluded = IgnoreRules(settings.exclude, strict=True)
    except PatternError as error:
        raise SettingsError(
            f"index.exclude holds a pattern that cannot be read: {one_line(str(error), 200)}",
            "Write it as in a .gitignore file.",
        ) from error
    if not excluded.is_complete:
        raise SettingsError(
            f"index.exclude holds more patterns than can be matched; the first {excluded.count:,} could be.",
            "Name folders instead of the files in them.",
        )
    return _Walker(root, settings, excluded, cancel or CancelToken(), known or {}, on_entry).run()


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


class _Walker:
    def __init__(
        self,
        root: Path,
        settings: ReadingRules,
        excluded: IgnoreRules,
        cancel: CancelToken,
        known: Mapping[str, tuple[int, int]],
        on_entry: Callable[[str], object],
    ) -> None:
        self.root = root
        self.known = known
        self.hidden = settings.hidden
        self.largest = int(settings.max_file_mb * 1024 * 1024)
        self.excluded = excluded
        self.cancel = cancel
        self.on_entry = on_entry
        self.skipped: Counter[str] = Counter()
        self.binary: Counter[str] = Counter()
        self.named: dict[str, list[str]] = {}
        self.files: list[WalkedFile] = []
        self.links: list[tuple[str, str]] = []

    def run(self) -> Walk:
        folders: list[tuple[str, tuple[IgnoreRules, ...]]] = [("", ())]
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
            binary=dict(self.binary.most_common()),
        )

    def _leave_out(self, reason: str, path: str, told: bool = False) -> None:
        self.skipped[reason] += 1
        if reason == "binary":
            name = path.rpartition("/")[2]
            self.binary[name.rpartition(".")[2].lower()[:_ENDING] if "." in name else ""] += 1
        if told or reason in _NAMED:
            self.named.setdefault(reason, []).append(path)

    def _folder(self, folder: str, rules: tuple[IgnoreRules, ...]) -> list[tuple[str, tuple[IgnoreRules, ...]]]:
        """Take in the files of one folder; returns the folders in it with the rules that hold there."""
        self.on_entry(folder)
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
        self, folder: str, entries: Iterable[os.DirEntry[str]], rules: tuple[IgnoreRules, ...]
    ) -> tuple[IgnoreRules, ...]:
        names = {entry.name for entry in entries}
        for name in IGNORE_FILES:
            if name in names:
                rules = self._with_ignore_file(folder, name, rules)
        return rules

    def _with_ignore_file(self, folder: str, name: str, rules: tuple[IgnoreRules, ...]) -> tuple[IgnoreRules, ...]:
        path = folder + name
        self.on_entry(path)
        try:
            # Like git: an ignore file that is a link does not count.
            with open_regular(os.path.join(self.root, path), follow_links=False) as stream:  # noqa: PTH118
                text = stream.read(LARGEST_IGNORE_FILE + 1)
        except OSError:
            self.named.setdefault("rules", []).append(path)
            return rules
        lines = text[:LARGEST_IGNORE_FILE].decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
        if len(text) > LARGEST_IGNORE_FILE:
            lines.pop()  # may be half a pattern
        found = IgnoreRules(lines, len(folder), rules)
        if len(text) > LARGEST_IGNORE_FILE or not found.is_complete:
            self.named.setdefault("patterns", []).append(path)
        return (found, *rules) if found.count else rules

    def _reason(
        self, entry: os.DirEntry[str], path: str, is_folder: bool, rules: tuple[IgnoreRules, ...]
    ) -> str | None:
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
        form = format_of(path)
        is_whole = form is None or form.in_place
        if form is not None and not form.is_installed:
            self._leave_out("extra", path)
        elif form is None and extension in _BINARY_EXTENSIONS:
            self._leave_out("binary", path)
        elif status.st_size > (self.largest if is_whole else _DOCUMENT_TIMES * self.largest):
            self._leave_out("oversized", path)
        elif (form is None or not form.binary) and (
            reason := self._content_reason(path, location, extension, status, is_whole)
        ):
            self._leave_out(reason, path, told=extension in _TEXT_EXTENSIONS)
        else:
            file = WalkedFile(root=self.root, path=path, size=status.st_size, mtime_ns=status.st_mtime_ns)
            self.files.append(file)

    def _content_reason(self, path: str, location: str, extension: str, status: os.stat_result, is_whole: bool) -> str:
        """Why a file is left out by its first bytes; empty when it is not.

        Args:
            is_whole: Its lines are those that are read.
        """
        if self.known.get(path) == (status.st_size, status.st_mtime_ns):
            return ""
        self.on_entry(path)
        with open_regular(location) as stream:
            beginning = stream.read(SAMPLE_BYTES)
            if is_binary(beginning):
                return "binary"
            if is_whole and extension not in _RECORD_EXTENSIONS and is_minified(samples(stream, beginning)):
                return "minified"
        return ""

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


def _is_ignored(path: str, rules: tuple[IgnoreRules, ...]) -> bool:
    """Ask the deepest folder first; the first with a matching pattern decides."""
    for rule in rules:
        decision = rule.decision(path)
        if decision is not None:
            return decision
    return False

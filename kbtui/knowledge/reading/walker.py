"""Walks a folder for the files of the knowledge base, and counts those left out by reason.

Ignore files work as in git: each ``.gitignore`` and ``.kbtuiignore`` applies to its folder, the deepest one with a
matching pattern wins, and files in an ignored folder cannot be included again.
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
from kbtui.knowledge.reading.formats import format_of
from kbtui.knowledge.reading.ignore_rules import IgnoreRules, PatternError
from kbtui.knowledge.reading.walk_types import ReadingRules, Walk, WalkedFile
from kbtui.regular_files import open_regular
from kbtui.text.decoding import SAMPLE_BYTES, decode, is_binary
from kbtui.text.terminal import one_line

_SAMPLE_BYTES: Final = 32_768
"""Bytes of each sample: of the beginning, the middle and the end of a file."""
_LONG_LINE_CHARS: Final = 5000
"""Documents with a line for each paragraph usually have lines of up to 3,000 characters."""
_MIN_LONG_SHARE: Final = 0.8
"""Least share of the characters that are in long lines in minified text."""
_MIN_PROSE_SHARE: Final = 0.2
"""Share of prose in long lines below which text is minified: at most .15 in minified code, .5 and more in documents."""

_PROSE: Final = re.compile(r"(?<!\S)\(?[^\W\d_]{2,}[,.;:!?)]{0,2}(?!\S)|[^\W\d_\x00-\x7f]")
"""A word between white space (a quoted word is data), or a letter of a script without spaces between words."""


def samples(stream: BinaryIO, beginning: bytes) -> list[bytes]:
    """Samples of a file: its ``beginning``, which was just read, extended, and parts of its middle and end."""
    result = [beginning + stream.read(_SAMPLE_BYTES - len(beginning))]
    size = os.fstat(stream.fileno()).st_size
    if size > 3 * _SAMPLE_BYTES:
        for offset in (size // 2, size - _SAMPLE_BYTES):
            stream.seek(offset // 4 * 4)  # between two characters of UTF-16 and UTF-32
            result.append(stream.read(_SAMPLE_BYTES))
    return result


def is_minified(parts: Iterable[bytes]) -> bool:
    """Whether nearly all text in ``parts`` of a file is in very long lines with hardly any prose."""
    characters = long_chars = prose_chars = 0
    for part in parts:
        if max(map(len, part.split(b"\n"))) < _LONG_LINE_CHARS:
            characters += len(part)
            continue
        for line in decode(part).text.split("\n"):
            characters += len(line)
            if len(line) >= _LONG_LINE_CHARS:
                long_chars += len(line)
                prose_chars += sum(len(match[0]) for match in _PROSE.finditer(line))
    return long_chars > 0 and long_chars >= _MIN_LONG_SHARE * characters and prose_chars < _MIN_PROSE_SHARE * long_chars


IGNORE_FILES: Final = (".gitignore", ".kbtuiignore")
MAX_IGNORE_FILE_BYTES: Final = 1 << 20
"""Longer ignore files are read up to here."""

# Databases of version control systems.
_VCS_FOLDERS = frozenset({".git", ".hg", ".svn", ".jj", ".bzr"})

_BINARY_WORDS = """
7z a aac ai apk avi bin blend bmp bz2 class crx db deb dex dll dmg doc docx dot duckdb dylib eot epub exe flac gif gz
h5 hdf5 heic ico icns img iso jar jpeg jpg key lance lib lz lz4 lzma m4a m4v mkv mo mobi mov mp3 mp4 mpeg mpg msi npy
npz numbers o obj odp ods odt ogg onnx opus otf pages parquet pdb pdf pickle pkl png ppt pptx psd pt pth pyc pyd pyo
rar rpm safetensors so sqlite sqlite3 swf tar tgz tif tiff ttf wasm wav webm webp whl wim wma wmv woff woff2 xls xlsx
xz zip zst
"""
_BINARY_EXTENSIONS = frozenset(_BINARY_WORDS.split())
_TEXT_WORDS = "adoc asciidoc csv htm html json jsonl ltx markdown md org pod rst srt tex toml tsv txt vtt xml yaml yml"
_TEXT_EXTENSIONS = frozenset(_TEXT_WORDS.split())
_NAMED_REASONS = frozenset({"oversized", "unreadable", "name", "minified", "extra"})
_EXTRACTED_SIZE_FACTOR: Final = 20
"""Factor of ``max_file_mb`` for files whose text is extracted, since most of their bytes are images and mark-up."""
_MAX_EXTENSION_CHARS: Final = 12
"""Characters of an extension that are counted by."""
# Formats with one record on each line, however long.
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
        known: Size and modification time of files known to be text; unchanged ones are not opened.
        on_entry: Called with the path of each file and folder before it is opened.

    Raises:
        FolderNotFound: There is no such folder.
        KnowledgeBaseError: It cannot be read.
        SettingsError: ``index.exclude`` contains an invalid pattern, or too many.
        Cancelled: ``cancel`` was set.
    """
    root = resolve_root(root)
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


def resolve_root(root: Path) -> Path:
    """``root`` resolved, after a check that it is a readable folder.

    Raises:
        FolderNotFound: There is no such folder.
        KnowledgeBaseError: It cannot be read.
    """
    printed_path = one_line(str(root), 200)
    try:
        resolved = root.expanduser().resolve()
        if not resolved.exists():
            raise FolderNotFound(f"There is no folder {printed_path}.", "Give the path of a folder that exists.")
        if not resolved.is_dir():
            raise FolderNotFound(f"{printed_path} is a file, not a folder.", "Give the folder it is in.")
        with os.scandir(resolved):
            return resolved
    except PermissionError as error:
        raise KnowledgeBaseError(
            f"The folder {printed_path} cannot be read: permission denied.", "Give yourself the right to read it."
        ) from error
    except (OSError, ValueError, RuntimeError) as error:
        raise FolderNotFound(
            f"{printed_path} cannot be opened: {error}.", "Give the path of a folder that exists."
        ) from error


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
        self.commands = settings.commands
        self.largest = int(settings.max_file_mb * 1024 * 1024)
        self.excluded = excluded
        self.cancel = cancel
        self.on_entry = on_entry
        self.skipped: Counter[str] = Counter()
        self.binary: Counter[str] = Counter()
        self.paths_by_reason: dict[str, list[str]] = {}
        self.files: list[WalkedFile] = []
        self.links: list[tuple[str, str]] = []

    def run(self) -> Walk:
        folders: list[tuple[str, tuple[IgnoreRules, ...]]] = [("", ())]
        while folders:
            self.cancel.check()
            folder, rules = folders.pop()
            folders += self._add_folder(folder, rules)
        self._follow_links()
        if "unreadable" in self.skipped:
            # Where the folder itself was removed meanwhile, its missing files must not count as deleted.
            resolve_root(self.root)
        return Walk(
            root=self.root,
            files=tuple(sorted(self.files, key=lambda file: file.path)),
            skipped=dict(sorted(self.skipped.items())),
            paths_by_reason={reason: tuple(sorted(paths)) for reason, paths in self.paths_by_reason.items()},
            binary=dict(self.binary.most_common()),
        )

    def _leave_out(self, reason: str, path: str, always_named: bool = False) -> None:
        self.skipped[reason] += 1
        if reason == "binary":
            name = path.rpartition("/")[2]
            self.binary[name.rpartition(".")[2].lower()[:_MAX_EXTENSION_CHARS] if "." in name else ""] += 1
        if always_named or reason in _NAMED_REASONS:
            self.paths_by_reason.setdefault(reason, []).append(path)

    def _add_folder(self, folder: str, rules: tuple[IgnoreRules, ...]) -> list[tuple[str, tuple[IgnoreRules, ...]]]:
        """Add the files of one folder, and return its subfolders with their rules."""
        self.on_entry(folder)
        try:
            with os.scandir(os.path.join(self.root, folder)) as scan:  # noqa: PTH118 - Path costs half of a large walk
                entries = sorted(scan, key=lambda entry: entry.name)
        except OSError:
            self._leave_out("unreadable", folder)
            return []
        rules = self._with_ignore_files(folder, entries, rules)
        subfolders = []
        for entry in entries:
            try:
                is_folder = entry.is_dir(follow_symlinks=False)
                path = folder + entry.name
                if reason := self._reason_by_name(entry, path, is_folder, rules):
                    self._leave_out(reason, path)
                elif is_folder:
                    subfolders.append((path + "/", rules))
                elif entry.is_symlink():
                    self.links.append((path, entry.path))
                else:
                    self._add_file(path, entry.path, entry.stat(follow_symlinks=False))
            except OSError:
                self._leave_out("unreadable", folder + entry.name)
        return subfolders

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
            # As in git, an ignore file that is a link is not used.
            with open_regular(os.path.join(self.root, path), follow_links=False) as stream:  # noqa: PTH118
                text = stream.read(MAX_IGNORE_FILE_BYTES + 1)
        except OSError:
            self.paths_by_reason.setdefault("rules", []).append(path)
            return rules
        lines = text[:MAX_IGNORE_FILE_BYTES].decode("utf-8", "replace").removeprefix("\ufeff").split("\n")
        if len(text) > MAX_IGNORE_FILE_BYTES:
            lines.pop()  # may be half a pattern
        own_rules = IgnoreRules(lines, len(folder), rules)
        if len(text) > MAX_IGNORE_FILE_BYTES or not own_rules.is_complete:
            self.paths_by_reason.setdefault("patterns", []).append(path)
        return (own_rules, *rules) if own_rules.count else rules

    def _reason_by_name(
        self, entry: os.DirEntry[str], path: str, is_folder: bool, rules: tuple[IgnoreRules, ...]
    ) -> str | None:
        """The reason to leave out an entry by its name; None where there is none."""
        name = entry.name
        if not name.isascii():
            try:
                name.encode("utf-8")
            except UnicodeEncodeError:
                return "name"
        if name in _VCS_FOLDERS or (name[0] == "." and not self.hidden):
            return "hidden"
        path_to_match = path + "/" if is_folder else path
        if self.excluded.decision(path_to_match) or _is_ignored(path_to_match, rules):
            return "ignored"
        return None

    def _add_file(self, path: str, location: str, status: os.stat_result) -> None:
        if not stat.S_ISREG(status.st_mode):
            self.skipped["special"] += 1
            return
        extension = path.rpartition(".")[2].lower()
        file_format = format_of(path, self.commands)
        is_whole = file_format is None or file_format.in_place
        if file_format is not None and not file_format.is_installed:
            self._leave_out("extra", path)
        elif file_format is None and extension in _BINARY_EXTENSIONS:
            self._leave_out("binary", path)
        elif status.st_size > (self.largest if is_whole else _EXTRACTED_SIZE_FACTOR * self.largest):
            self._leave_out("oversized", path)
        elif (file_format is None or not file_format.binary) and (
            reason := self._reason_by_content(path, location, extension, status, is_whole)
        ):
            self._leave_out(reason, path, always_named=extension in _TEXT_EXTENSIONS)
        else:
            file = WalkedFile(root=self.root, path=path, size=status.st_size, mtime_ns=status.st_mtime_ns)
            self.files.append(file)

    def _reason_by_content(
        self, path: str, location: str, extension: str, status: os.stat_result, is_whole: bool
    ) -> str:
        """The reason to leave out a file by its content; empty where there is none.

        Args:
            is_whole: Whether its own lines are indexed, not those of an extracted text.
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
        """Add links to files of the folder that are not indexed themselves, each file once."""
        indexed = {str(file.absolute) for file in self.files} if self.links else set()
        for path, location in sorted(self.links):
            try:
                target = Path(location).resolve(strict=True)
                if not target.is_relative_to(self.root) or not target.is_file() or str(target) in indexed:
                    self.skipped["symlink"] += 1
                    continue
                indexed.add(str(target))
                self._add_file(path, location, target.stat())
            # Before Python 3.13, a loop of links raises RuntimeError.
            except (OSError, RuntimeError):
                self.skipped["symlink"] += 1


def _is_ignored(path: str, rules: tuple[IgnoreRules, ...]) -> bool:
    """Whether a path is ignored: the rules of the deepest folder with a matching pattern decide."""
    for rule in rules:
        decision = rule.decision(path)
        if decision is not None:
            return decision
    return False

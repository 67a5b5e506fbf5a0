"""Finding lines: ripgrep run over exactly the files the index knows, and a slower search in Python where it is missing.

Both answer the same question (which lines of which files match), so whoever searches need not know which of them
works. Files are passed by name: what is hidden, ignored or excluded was decided when the folder was walked, and ripgrep
must not decide again.
"""

from __future__ import annotations

import codecs
import os
import re
import shutil
import stat
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from kbtui.domain.document import EXTRACTED, FileRecord
from kbtui.domain.ports import CancelToken
from kbtui.errors import KbtuiError, ToolError

if TYPE_CHECKING:
    from kbtui.knowledge.reading.source import SourceReader

NOT_FOUND_NOTE: Final = "ripgrep was not found; searching slower"

_TIMEOUT_S: Final = 20.0
_POLL_S: Final = 0.05
# Well below what common systems allow an argument list and its environment to take (macOS: 1 MB).
_ARGUMENT_BYTES: Final = 160_000
# What rg prints for one file: its name, a NUL, and `12:` for each match.
_BLOCK: Final = re.compile(rb"([^\0]+)\0((?:\d+:\n)+)\n?")
_META: Final = frozenset(r"\.+*?()|[]{}^$")

_TELLS_ITSELF: Final = frozenset({"utf-8", "utf-8-sig", "ascii", "utf-16"})

# Labels of the WHATWG Encoding Standard, which ripgrep takes, by the name Python's codec registry gives.
_WHATWG: Final = {
    "gbk": "gbk",
    "gb2312": "gbk",
    "gb18030": "gb18030",
    "big5": "big5",
    "big5hkscs": "big5",
    "cp950": "big5",
    "shift_jis": "shift_jis",
    "cp932": "shift_jis",
    "euc_jp": "euc-jp",
    "iso2022_jp": "iso-2022-jp",
    "euc_kr": "euc-kr",
    "cp949": "euc-kr",
    "utf-16-le": "utf-16le",
    "utf-16-be": "utf-16be",
    "iso8859-1": "windows-1252",
    "cp1252": "windows-1252",
    "iso8859-9": "windows-1254",
    "koi8-r": "koi8-r",
    "koi8-u": "koi8-u",
    "cp866": "ibm866",
    **{f"cp{number}": f"windows-{number}" for number in range(1250, 1259)},
    **{f"iso8859-{part}": f"iso-8859-{part}" for part in (2, 3, 4, 5, 6, 7, 8, 10, 13, 14, 15, 16)},
}


_Batches = dict[str, list[list[str]]]
"""Paths by the label of their encoding, in lists that fit in one call."""

BOUNDARY: Final = "\0"
"""In the body of a pattern: an edge of an ASCII word. ``使用Python开发`` has one on each side of ``Python``, where
Unicode sees none."""


@dataclass(frozen=True)
class LinePattern:
    """A pattern both searches understand; case is ignored.

    Attributes:
        body: Syntax common to Rust's ``regex`` and Python's ``re``, and `BOUNDARY`.
    """

    body: str

    @property
    def rust(self) -> str:
        return self.body.replace(BOUNDARY, r"(?-u:\b)")

    @cached_property
    def python(self) -> re.Pattern[str]:
        return re.compile(self.body.replace(BOUNDARY, r"(?a:\b)"), re.IGNORECASE)


class WrittenPattern(LinePattern):
    """A regular expression that somebody wrote: searched in Python too without ever taking more than linear time."""

    @classmethod
    def of(cls, body: str) -> WrittenPattern | None:
        """The expression; None where it is none, or one that only backtracking can search."""
        import re2

        options = re2.Options()
        options.log_errors = False
        options.case_sensitive = False
        try:
            compiled = re2.compile(body, options)
        except re2.error:
            return None
        made = cls(body)
        made.__dict__["python"] = compiled
        return made


def escape(text: str) -> str:
    """``text`` as a literal in both syntaxes (``re.escape`` escapes more than older Rust versions allow)."""
    return "".join(f"\\{char}" if char in _META else char for char in text)


def find_ripgrep() -> Path | None:
    """``rg`` of this Python environment, else of the PATH."""
    own = Path(sys.executable).parent / ("rg.exe" if os.name == "nt" else "rg")
    if own.is_file() and os.access(own, os.X_OK):
        return own
    found = shutil.which("rg")
    return Path(found) if found else None


def open_finder(
    root: Path, source: SourceReader, locate: Callable[[], Path | None] = find_ripgrep
) -> PythonFinder | Ripgrep:
    """ripgrep where there is one, else the search in Python, whose ``note`` says so."""
    plain = PythonFinder(source)
    executable = locate()
    return Ripgrep(executable, root, plain, source.text_file) if executable else plain


class PythonFinder:
    """Searches line by line in Python: some fifty times slower than ripgrep, and needs nothing."""

    note = NOT_FOUND_NOTE

    def __init__(self, source: SourceReader) -> None:
        self._source = source

    def lines(
        self, pattern: LinePattern, files: Sequence[FileRecord], cancel: CancelToken, most: int | None = None
    ) -> dict[str, list[int]]:
        """Numbers of the matching lines by path, ascending; at most ``most`` (the first ones) of each file.

        Raises:
            ToolError: It takes too long, or cannot be run.
            Cancelled: The run was stopped.
        """
        result = {}
        for record in files:
            cancel.check()
            try:
                text = self._source.lines(record.path)
            except (OSError, KbtuiError):
                continue
            if found := matching_lines(pattern, text)[:most]:
                result[record.path] = found
        return result


def matching_lines(pattern: LinePattern, lines: Sequence[str]) -> list[int]:
    """Numbers (from 1) of the lines that match."""
    search = pattern.python.search
    return [number for number, line in enumerate(lines, 1) if search(line)]


class _Listing(NamedTuple):
    """Files that a run searches.

    Attributes:
        batches: What to search, as arguments of calls, by encoding.
        others: The files that ripgrep cannot decode.
        texts: Paths of the files whose text was taken out of them, by the argument that stands for that text.
        found: What was found in them by pattern and most lines: the parts of a question share words.
    """

    files: Sequence[FileRecord]
    batches: _Batches
    others: list[FileRecord]
    texts: dict[str, str]
    found: dict[tuple[str, int | None], dict[str, list[int]]]


class Ripgrep:
    """Runs ``rg``. Files in an encoding it does not know are searched by ``plain``.

    Args:
        text_file: Where the text is that was taken out of a file; None where it is not kept.
    """

    note = ""

    def __init__(
        self,
        executable: Path,
        root: Path,
        plain: PythonFinder,
        text_file: Callable[[str], Path | None] = lambda _path: None,
    ) -> None:
        self._executable = executable
        self._root = root
        self._plain = plain
        self._text_file = text_file
        self._lock = threading.Lock()
        self._run_of: tuple[CancelToken | None, list[_Listing]] = None, []

    def lines(
        self, pattern: LinePattern, files: Sequence[FileRecord], cancel: CancelToken, most: int | None = None
    ) -> dict[str, list[int]]:
        """See `PythonFinder.lines`. What comes again with the same token, in one run, is not looked at again."""
        listing, asked = self._listing(files, cancel), (pattern.rust, most)
        if asked not in listing.found:
            listing.found[asked] = self._searched(pattern, listing, cancel, most)
        return dict(listing.found[asked])

    def _searched(
        self, pattern: LinePattern, listing: _Listing, cancel: CancelToken, most: int | None
    ) -> dict[str, list[int]]:
        result = self._plain.lines(pattern, listing.others, cancel, most) if listing.others else {}
        flags = ["--line-number", "--only-matching", "--replace", ""]
        if most is not None:
            flags += ["--max-count", str(most)]
        for output in self._outputs(flags, pattern, listing.batches, cancel):
            for name, numbers in _BLOCK.findall(output):
                # A line that matches twice is printed twice.
                path = os.fsdecode(name)
                result[listing.texts.get(path, path)] = list(
                    dict.fromkeys(map(int, numbers.replace(b":", b"").split()))
                )
        return result

    def _listing(self, files: Sequence[FileRecord], cancel: CancelToken) -> _Listing:
        with self._lock:
            if self._run_of[0] is not cancel:
                self._run_of = cancel, []
            listings = self._run_of[1]
            known = next((one for one in listings if one.files is files or one.files == files), None)
            if known is None:
                root = str(self._root)
                there = [record for record in files if _is_regular(root, record.path)]
                groups, others = _by_encoding(there)
                texts = {str(text): one.path for one in others if (text := self._text_of(one)) is not None}
                if texts:
                    taken = frozenset(texts.values())
                    others = [record for record in others if record.path not in taken]
                    groups[""] = [*groups.get("", ()), *texts]
                batches = {encoding: list(_batches(paths)) for encoding, paths in groups.items()}
                known = _Listing(files, batches, others, texts, {})
                listings.append(known)
            return known

    def _text_of(self, record: FileRecord) -> Path | None:
        return self._text_file(record.path) if record.encoding == EXTRACTED else None

    def _outputs(
        self, flags: list[str], pattern: LinePattern, groups: _Batches, cancel: CancelToken
    ) -> Iterator[bytes]:
        """Standard output of each call: one for each encoding, and more where the list of files is too long for one."""
        deadline = time.monotonic() + _TIMEOUT_S
        for encoding, batches in groups.items():
            fixed = [
                *("--no-config", "--no-messages", "--color=never", "--heading", "--with-filename", "--null"),
                *("--text", "--ignore-case", "--threads=1", *flags),
                *([f"--encoding={encoding}"] if encoding else []),
                *("--regexp", pattern.rust, "--"),
            ]
            for batch in batches:
                yield self._run([*fixed, *batch], cancel, deadline)

    def _run(self, arguments: list[str], cancel: CancelToken, deadline: float) -> bytes:
        cancel.check()
        try:
            process = subprocess.Popen(
                [str(self._executable), *arguments],
                cwd=self._root,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        except OSError as error:
            raise ToolError(
                f"ripgrep could not be started: {error.strerror or error}.",
                "Run `kbtui doctor` to see which rg is used.",
            ) from error
        with process:
            try:
                while True:
                    try:
                        output, complaint = process.communicate(timeout=_POLL_S)
                        break
                    except subprocess.TimeoutExpired:
                        cancel.check()
                        if time.monotonic() > deadline:
                            raise ToolError(
                                f"ripgrep took longer than {_TIMEOUT_S:.0f} seconds and was stopped.",
                                "Use rarer keywords, or a smaller folder.",
                            ) from None
            finally:
                if process.poll() is None:
                    process.kill()
        # 2 without any complaint is a file that vanished since it was indexed (its message is switched off).
        if process.returncode not in (0, 1) and complaint.strip():
            reason = complaint.decode("utf-8", "replace").strip().split("\n", 1)[0]
            raise ToolError(f"ripgrep failed: {reason}", "Run `kbtui doctor` to see which rg is used.")
        return output


def _is_regular(root: str, path: str) -> bool:
    """False for what was replaced since it was indexed: ripgrep would wait for a pipe that it is given by name."""
    try:
        return stat.S_ISREG(os.stat(f"{root}/{path}").st_mode)  # noqa: PTH116 - asked for every file
    except (OSError, ValueError):
        return False


def _by_encoding(files: Sequence[FileRecord]) -> tuple[dict[str, list[str]], list[FileRecord]]:
    """Paths by the label ripgrep is to be told (empty: it finds out itself), and the files it cannot decode."""
    groups: dict[str, list[str]] = {}
    others = []
    for record in files:
        label = _label(record.encoding)
        if label is None:
            others.append(record)
        else:
            groups.setdefault(label, []).append(record.path)
    return groups, others


@cache
def _label(encoding: str) -> str | None:
    """Empty where ripgrep tells by itself: UTF-8, and UTF-16 by its byte order mark. None where it has no decoder."""
    try:
        name = codecs.lookup(encoding or "utf-8").name
    except LookupError:
        return None
    return "" if name in _TELLS_ITSELF else _WHATWG.get(name)


def _batches(paths: Sequence[str]) -> Iterator[list[str]]:
    batch: list[str] = []
    size = 0
    for path in paths:
        length = len(os.fsencode(path)) + 1
        if batch and size + length > _ARGUMENT_BYTES:
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += length
    if batch:
        yield batch

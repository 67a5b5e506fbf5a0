"""The result of a walk over a folder: the files to index, and those left out, by reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkedFile:
    """A file to index.

    Attributes:
        root: The folder that was walked.
        path: POSIX path relative to the folder.
        size: Size in bytes.
        mtime_ns: Modification time in nanoseconds.
        index: Directory of the index of the folder, where a text may be stored in place of the file.
    """

    root: Path
    path: str
    size: int
    mtime_ns: int
    index: Path | None = None

    @property
    def absolute(self) -> Path:
        """Its absolute path; for a link, that of the link itself."""
        return self.root / self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """The settings ``index.*`` that decide which files are read and how they are cut, without pydantic."""

    hidden: bool
    max_file_mb: float
    exclude: tuple[str, ...]
    chunk_chars: int
    commands: Mapping[str, str]
    command_s: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The files found, sorted by path, and the number of entries (files or whole folders) left out, by reason.

    Reasons: ``ignored``, ``hidden``, ``binary``, ``minified`` (very long lines without prose), ``oversized``,
    ``unreadable``, ``symlink`` (broken, to a folder, out of the knowledge base, or to a file that is indexed anyway),
    ``special`` (no regular file), ``name`` (not UTF-8), ``extra`` (its reader is not installed).

    Attributes:
        paths_by_reason: Paths to report, by reason: documents that are too large, unreadable, minified or not text,
            names that are not UTF-8, ignore files that are not used (``rules``) or only in part (``patterns``), and
            documents that an extra of kbtui could read (``extra``).
        binary: Number of binary files by extension, in lower case and without the dot, the most frequent first.
    """

    root: Path
    files: tuple[WalkedFile, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    paths_by_reason: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    binary: Mapping[str, int] = field(default_factory=dict)

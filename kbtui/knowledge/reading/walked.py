"""What a walk over a folder gives back: the files to index, and what was left out for which reason."""

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
        size: In bytes.
        mtime_ns: Modification time.
    """

    root: Path
    path: str
    size: int
    mtime_ns: int

    @property
    def absolute(self) -> Path:
        """Where it is; for a link, the link itself."""
        return self.root / self.path


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingRules:
    """What of the settings ``index.*`` decides which files are read and how they are cut, without pydantic."""

    hidden: bool
    max_file_mb: float
    exclude: tuple[str, ...]
    chunk_chars: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """What was found, by path, and how many entries (files, or folders as a whole) were left out.

    Reasons: ``ignored``, ``hidden``, ``binary``, ``minified`` (very long lines without prose), ``oversized``,
    ``unreadable``, ``symlink`` (broken, to a folder, out of the knowledge base, or to a file that is indexed anyway),
    ``special`` (no regular file), ``name`` (not UTF-8), ``extra`` (what reads it is not installed).

    Attributes:
        named: Paths by reason, where somebody may have counted on them: documents that are too large, unreadable,
            minified or no text, names that are not UTF-8; and ignore files that do not count (``rules``) or of which
            only the beginning does (``patterns``); and documents that an extra of kbtui would read (``extra``).
        binary: How many files are binary, by the end of their names in lower case, without the dot; the most first.
    """

    root: Path
    files: tuple[WalkedFile, ...] = ()
    skipped: Mapping[str, int] = field(default_factory=dict)
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    binary: Mapping[str, int] = field(default_factory=dict)

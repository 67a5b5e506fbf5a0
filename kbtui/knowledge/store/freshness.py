"""Compares files with their index entries, and the index with its folder.

The comparison is made before every question, and again when a run indexes the folder. Both must have the same result,
or the folder would still be outdated after the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kbtui.domain.holdings import ToRead
    from kbtui.knowledge.reading.cutting import CuttingAhead
    from kbtui.knowledge.reading.walk_types import Walk, WalkedFile
    from kbtui.knowledge.store.index_rows import StoredFile

Digests = Callable[[Sequence["WalkedFile"]], Mapping[str, str]]
"""Returns the SHA-256 of each readable file, by path."""

_MIN_FILES: Final = 300
"""Fewer files are indexed in the time of a first answer."""
_MIN_BYTES: Final = 4 << 20
_MAX_FILES: Final = 200_000
_MAX_BYTES: Final = 1 << 30
"""A larger folder takes ripgrep too long: half a second for each gigabyte and word."""
_MIN_UNREAD_SHARE: Final = 0.25
"""Least share of unread files for the indexed ones to be too few for an answer."""

_RACY_NS: Final = 2_000_000_000
"""A file that changed so shortly before it was checked may change again within the same tick of its clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """The differences between the index and the folder, by size and modification time.

    Attributes:
        never_indexed: Whether there is no usable index.
        changed: Number of files to read again, including those that another version of kbtui has cut.
        rebuild_reason: Why everything has to be indexed anew; else empty.
        vector_share: Share of the indexed chunks with a vector of the configured model, 0 to 1.
        left_out: Sentences on files that are not indexed.
        nothing_to_read: Message and hint where there is no file to index; else empty.
        to_read: Numbers of files that are read, and of those left out.
        walk: The walk over the folder, so that an update need not repeat it.
        ahead: Cuts the files of ``walk`` in advance.
    """

    never_indexed: bool
    added: int = 0
    changed: int = 0
    removed: int = 0
    rebuild_reason: str = ""
    vector_share: float = 1.0
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    to_read: ToRead | None = None
    walk: Walk | None = field(default=None, compare=False, repr=False)
    ahead: CuttingAhead | None = field(default=None, compare=False, repr=False)

    @property
    def is_stale(self) -> bool:
        """Whether the indexed text differs from the folder."""
        return self.never_indexed or bool(self.added or self.changed or self.removed or self.rebuild_reason)

    @property
    def is_complete(self) -> bool:
        """Whether a run would have nothing to do."""
        return not self.is_stale and self.vector_share == 1.0


def is_trusted_by_stat(stored: StoredFile, recipe: str) -> bool:
    """Whether equal size and modification time imply equal content, read and cut by ``recipe``."""
    return not stored.error and stored.recipe == recipe and stored.record.mtime_ns < stored.checked_ns - _RACY_NS


def is_settled(file: WalkedFile, stored: StoredFile | None, recipe: str) -> bool:
    """Whether nothing about a file has to be written."""
    return stored is not None and _has_same_stat(file, stored) and is_trusted_by_stat(stored, recipe)


def unchanged_paths(
    files: Sequence[WalkedFile], stored: Mapping[str, StoredFile], recipe: str, digests: Digests
) -> set[str]:
    """Paths of files that need not be indexed, as by `is_settled`; recently changed files are compared by content.

    A file that could not be read counts as unchanged until it changes, so that not every question reads it again.
    """
    same_stat = [file for file in files if _has_same_stat(file, stored[file.path])]
    trusted = {
        file.path for file in same_stat if stored[file.path].error or is_trusted_by_stat(stored[file.path], recipe)
    }
    return trusted | same_content([file for file in same_stat if file.path not in trusted], stored, recipe, digests)


def same_content(
    files: Sequence[WalkedFile], stored: Mapping[str, StoredFile], recipe: str, digests: Digests
) -> set[str]:
    """Paths of files whose content equals the indexed one, by the same recipe; the files are read."""
    candidates = [
        file
        for file in files
        if (entry := stored.get(file.path)) is not None and not entry.error and entry.recipe == recipe
    ]
    current_digests = digests(candidates) if candidates else {}
    return {path for path, digest in current_digests.items() if digest == stored[path].record.sha256}


def _has_same_stat(file: WalkedFile, stored: StoredFile) -> bool:
    return (stored.record.size, stored.record.mtime_ns) == (file.size, file.mtime_ns)


def is_worth_a_look(state: Staleness) -> bool:
    """Whether a first answer from a few files is worthwhile: many are unread, and ripgrep can search them in time."""
    files = state.walk.files if state.walk is not None else ()
    unread = state.never_indexed or state.added >= _MIN_UNREAD_SHARE * len(files)
    size = sum(file.size for file in files)
    return unread and _MIN_FILES <= len(files) <= _MAX_FILES and _MIN_BYTES <= size <= _MAX_BYTES

"""Whether a file is still what was indexed, and how far the index is behind the folder.

Asked when the folder is compared with its index, before every question, and again when a run takes its text in: both
must come to the same answer, or a folder stays stale after the run that was to end it.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from kbtui.knowledge.index_rows import StoredFile
    from kbtui.knowledge.walked import Walk, WalkedFile

_RACY_NS: Final = 2_000_000_000
"""A file changed this shortly before it was looked at may change again within the same tick of its clock."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Staleness:
    """How far the index is behind the folder, by size and modification time.

    Attributes:
        never_indexed: There is no index that could be used.
        changed: Files to look at again, among them those that another version of kbtui has cut.
        rebuild_reason: Why everything has to be indexed anew; else empty.
        vector_share: How many of the indexed chunks have a vector of the model that is set, 0 to 1.
        left_out: What the folder holds that is not indexed and should be told of.
        nothing_to_read: Message and hint when there is no file to index; else empty.
        walk: What the folder held, so that an update need not look again.
    """

    never_indexed: bool
    added: int = 0
    changed: int = 0
    removed: int = 0
    rebuild_reason: str = ""
    vector_share: float = 1.0
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    walk: Walk | None = field(default=None, compare=False, repr=False)

    @property
    def is_stale(self) -> bool:
        """True when the text is behind: a file would be found as it was, or not at all."""
        return self.never_indexed or bool(self.added or self.changed or self.removed or self.rebuild_reason)

    @property
    def is_complete(self) -> bool:
        """True when a run would find nothing to do."""
        return not self.is_stale and self.vector_share == 1.0


def is_told_by_stat(stored: StoredFile, recipe: str) -> bool:
    """True when equal size and modification time mean equal content, read and cut by ``recipe``."""
    return not stored.error and stored.recipe == recipe and stored.record.mtime_ns < stored.checked_ns - _RACY_NS


def is_settled(file: WalkedFile, stored: StoredFile | None, recipe: str) -> bool:
    """True when nothing about the file has to be written."""
    return stored is not None and _has_same_stat(file, stored) and is_told_by_stat(stored, recipe)


def is_unchanged(file: WalkedFile, stored: StoredFile, recipe: str) -> bool:
    """As `is_settled`, but content decides about a file that changed just before it was indexed.

    A file that could not be read is left alone until it changes, lest every question tries again.
    """
    if not _has_same_stat(file, stored):
        return False
    return bool(stored.error) or is_told_by_stat(stored, recipe) or is_same(file, stored, recipe)


def is_same(file: WalkedFile, stored: StoredFile, recipe: str) -> bool:
    """True when the content is what was indexed, by the same recipe; the file is read to tell."""
    if stored.error or stored.recipe != recipe:
        return False
    try:
        with file.absolute.open("rb") as stream:
            return hashlib.file_digest(stream, "sha256").hexdigest() == stored.record.sha256
    except OSError:
        return False


def _has_same_stat(file: WalkedFile, stored: StoredFile) -> bool:
    return (stored.record.size, stored.record.mtime_ns) == (file.size, file.mtime_ns)

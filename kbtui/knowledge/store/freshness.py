"""Whether a file is still what was indexed, and how far the index is behind the folder.

Asked when the folder is compared with its index, before every question, and again when a run takes its text in: both
must come to the same answer, or a folder stays stale after the run that was to end it.
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
"""The SHA-256 of the content of each file that can be read, by path."""

_LOOK_FROM_FILES: Final = 300
"""Fewer are read whole in the time of a look at some."""
_LOOK_FROM_BYTES: Final = 4 << 20
_LOOK_UP_TO_FILES: Final = 50_000
_LOOK_UP_TO_BYTES: Final = 1 << 30
"""More takes ripgrep itself longer than a first answer may: half a second a gigabyte and word."""
_UNREAD_SHARE: Final = 0.25
"""Of the files, from which those that are read already are too few to answer from."""

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
        to_read: What is read of the folder and what is not, counted.
        walk: What the folder held, so that an update need not look again.
        ahead: Cuts the files of ``walk`` meanwhile.
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


def unchanged(files: Sequence[WalkedFile], stored: Mapping[str, StoredFile], recipe: str, digests: Digests) -> set[str]:
    """Paths of files that need not be indexed: as `is_settled`, but content decides about those that changed just
    before they were indexed.

    A file that could not be read is left alone until it changes, lest every question tries again.
    """
    alike = [file for file in files if _has_same_stat(file, stored[file.path])]
    told = {file.path for file in alike if stored[file.path].error or is_told_by_stat(stored[file.path], recipe)}
    return told | same_content([file for file in alike if file.path not in told], stored, recipe, digests)


def same_content(
    files: Sequence[WalkedFile], stored: Mapping[str, StoredFile], recipe: str, digests: Digests
) -> set[str]:
    """Paths of files whose content is what was indexed, by the same recipe; they are read to tell."""
    candidates = [
        file
        for file in files
        if (before := stored.get(file.path)) is not None and not before.error and before.recipe == recipe
    ]
    found = digests(candidates) if candidates else {}
    return {path for path, digest in found.items() if digest == stored[path].record.sha256}


def _has_same_stat(file: WalkedFile, stored: StoredFile) -> bool:
    return (stored.record.size, stored.record.mtime_ns) == (file.size, file.mtime_ns)


def is_worth_a_look(state: Staleness) -> bool:
    """True when so much is unread that to answer from a few files first is worth its second, and ripgrep can tell
    which."""
    files = state.walk.files if state.walk is not None else ()
    unread = state.never_indexed or state.added >= _UNREAD_SHARE * len(files)
    size = sum(file.size for file in files)
    return (
        unread and _LOOK_FROM_FILES <= len(files) <= _LOOK_UP_TO_FILES and _LOOK_FROM_BYTES <= size <= _LOOK_UP_TO_BYTES
    )

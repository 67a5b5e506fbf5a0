"""The report of a run of the indexer."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """The results of a run.

    Attributes:
        files: Files in the index now.
        chunks: Chunks in the index now.
        relations: Relations in the index now.
        embedded: Texts embedded by this run.
        reused: Chunks of new, changed or renamed files whose text has a vector already, or is embedded for another.
        deleted_files: Files removed from the index because they are no longer in the folder.
        skipped: Number of files that the walk left out, by reason.
        binary: Number of binary files among them, by extension.
        unreadable: Paths of files that could not be read.
        rebuilt: Why everything was indexed anew; else empty.
        left_out: Sentences on files that are not indexed.
        nothing_to_read: Message and hint where there is no file to index; else empty.
    """

    files: int
    chunks: int
    relations: int
    embedded: int
    reused: int
    deleted_files: int
    skipped: Mapping[str, int]
    unreadable: tuple[str, ...]
    duration_s: float
    rebuilt: str = ""
    left_out: tuple[str, ...] = ()
    nothing_to_read: tuple[str, ...] = ()
    binary: Mapping[str, int] = field(default_factory=dict)

"""What a run of the indexer did."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexReport:
    """What a run did.

    Attributes:
        files: Files in the index now.
        chunks: Chunks in the index now.
        relations: Relations in the index now.
        embedded: Texts embedded by this run.
        reused: Chunks of new, changed or renamed files whose vectors were there already, or come with an equal text.
        deleted_files: Files that were in the index and are no longer in the folder.
        skipped: Files the walk left out, counted by reason.
        binary: How many of ``skipped`` are binary, by kind.
        unreadable: Files that could not be read, by path.
        rebuilt: Why everything was made anew; else empty.
        left_out: What the folder holds that is not indexed and should be told of.
        nothing_to_read: Message and hint when there is no file to index; else empty.
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

"""What a folder holds that is not indexed, told so that its owner can do something about it.

That hidden and ignored files stay out is expected and only counted; binary files are counted by kind, with what would
make them readable. That a document is too large, may not be read or holds no text is news, so those are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kbtui.domain.holdings import ToRead
from kbtui.knowledge.reading.formats import format_of
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walked import Walk

WORDS: Final[Mapping[str, str]] = {
    "oversized": "too large",
    "symlink": "links",
    "special": "pipes or devices",
    "name": "with names that are not UTF-8",
    "extra": "that an extra would read",
}
"""The walk's reasons in words, where they differ from their names."""

_KINDS: Final[tuple[tuple[frozenset[str], str, str], ...]] = tuple(
    (frozenset(row["endings"].split()), row["why"], row["remedy"])
    for row in toml_in(__package__, "left_out.toml")["kind"]
)
_MOST_KINDS: Final = 5
_MOST_REASONS: Final = 5
_NAMED = 3
_NAME_CELLS = 60
_REASON_CELLS = 160


def left_out(
    walk: Walk, settings: IndexSettings, failures: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """One sentence for each reason that its owner should hear of, with names or counts by kind, and what to do.

    Args:
        failures: Why files could not be read, by path.
    """
    said = {
        "oversized": (
            *("Left out", f"larger than {settings.max_file_mb:g} MB"),
            "Raise index.max_file_mb to index what is larger.",
        ),
        "unreadable": ("Left out", "may not be read", "Check the permissions."),
        "binary": ("Left out", "no text, whatever the name says", "Save it as text, or exclude it with index.exclude."),
        "minified": ("Left out", "minified: very long lines without prose", "Reformat it, or give JSON to --data."),
        "name": ("Left out", "the name is not UTF-8", "Rename it."),
        "rules": ("Not used", "an ignore file that is a link or cannot be read", "Make it a plain text file."),
        "patterns": ("Used in part", "an ignore file with too many patterns", "Name folders instead of files."),
    }
    named = tuple(
        f"{verb}: {_names(walk.named[reason])} ({why}). {remedy}"
        for reason, (verb, why, remedy) in said.items()
        if walk.named.get(reason)
    )
    return (*_wanting(walk.named.get("extra", ())), *_failed(failures), *named, *_by_kind(walk.binary))


def _wanting(paths: Sequence[str]) -> Iterator[str]:
    """Documents that an extra would read."""
    counted: dict[str, Counter[str]] = {}
    for path in paths:
        form = format_of(path)
        if form is not None:
            counted.setdefault(form.extra, Counter())[form.name] += 1
    for extra, names in counted.items():
        kinds = ", ".join(f"{count:,} {name}" for name, count in names.most_common())
        yield f"Left out: {kinds} (what reads them is not installed). To read them: pip install 'kbtui[{extra}]'"


def _failed(failures: Mapping[str, str]) -> Iterator[str]:
    """Documents whose text could not be taken out."""
    by_reason: dict[str, list[str]] = {}
    for path, reason in sorted(failures.items()):
        by_reason.setdefault(reason, []).append(path)
    reasons = sorted(by_reason, key=lambda reason: -len(by_reason[reason]))
    for reason in reasons[:_MOST_REASONS]:
        yield f"Left out: {_names(tuple(by_reason[reason]))}: {one_line(reason, _REASON_CELLS)}."
    if len(reasons) > _MOST_REASONS:
        more = sum(len(by_reason[reason]) for reason in reasons[_MOST_REASONS:])
        yield f"Left out: {more:,} more files that could not be read. `kbtui index` names them."


def _by_kind(binary: Mapping[str, int]) -> Iterator[str]:
    """Binary files by kind: first those that could be made readable."""
    rest = dict(binary)
    for endings, why, remedy in _KINDS:
        mine = {ending: rest.pop(ending) for ending in list(rest) if ending in endings}
        if mine:
            yield f"Left out: {counts_by_kind(mine)} ({why}). {remedy}"
    if rest:
        yield f"Left out: {counts_by_kind(rest)} (no text)."


def counts_by_kind(binary: Mapping[str, int]) -> str:
    """``4 .png, 2 .mp4 and 3 of other kinds``."""
    order = sorted(binary, key=lambda ending: (-binary[ending], ending))
    shown = [f"{binary[ending]:,} {'.' + one_line(ending) if ending else 'binary'}" for ending in order[:_MOST_KINDS]]
    more = sum(binary[ending] for ending in order[_MOST_KINDS:])
    return ", ".join(shown) + (f" and {more:,} of other kinds" if more else "")


def to_read(walk: Walk) -> ToRead:
    """What the walk found, counted."""
    kinds = Counter(PurePosixPath(file.path).suffix.lower() for file in walk.files)
    return ToRead(
        files=len(walk.files),
        bytes=sum(file.size for file in walk.files),
        kinds=tuple(kinds.most_common()),
        left_out=tuple(
            (WORDS.get(reason, reason), count)
            for reason, count in sorted(walk.skipped.items(), key=lambda one: -one[1])
            if count
        ),
    )


def nothing_to_read(walk: Walk) -> tuple[str, ...]:
    """What to say of a folder without a single file to index: message and hint; empty when there is one."""
    if walk.files:
        return ()
    if not walk.skipped:
        return "There are no files in this folder.", "Put documents into it, or open another folder."
    counted = skipped_words(walk.skipped, walk.binary)
    return (
        f"There is nothing to read in this folder: all of it is left out ({counted}).",
        "Put text files into it, or change what leaves them out: ignore files, or index.* in the settings.",
    )


def skipped_words(skipped: Mapping[str, int], binary: Mapping[str, int]) -> str:
    """``4 .png, 2 .mp4, 1 hidden``: what a walk left out, binary files by kind.

    Args:
        binary: As in `Walk`.
    """
    return ", ".join(
        counts_by_kind(binary) if reason == "binary" and binary else f"{count:,} {WORDS.get(reason, reason)}"
        for reason, count in skipped.items()
        if count
    )


def _names(paths: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(path, _NAME_CELLS) for path in paths[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED:,} more"

"""Reports the files of a folder that are not indexed, with what the user can do about it.

Hidden and ignored files are expected and only counted; binary files are counted by kind, with what would make them
readable. Documents that are too large, unreadable or without text are named.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from types import MappingProxyType
from typing import TYPE_CHECKING, Final

from kbtui.domain.holdings import ToRead
from kbtui.i18n import N_, _, made
from kbtui.knowledge.reading.formats import format_of
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walk_types import Walk

WORDS: Final[Mapping[str, str]] = {
    "oversized": N_("too large"),
    "symlink": N_("links"),
    "special": N_("pipes or devices"),
    "name": N_("with names that are not UTF-8"),
    "extra": N_("that an extra would read"),
    "hidden": N_("hidden"),
    "ignored": N_("ignored"),
    "binary": N_("binary"),
    "unreadable": N_("unreadable"),
    "minified": N_("minified"),
}
"""The reasons of a `Walk`, in words."""

_KINDS: Final[tuple[tuple[frozenset[str], str, str], ...]] = tuple(
    (frozenset(row["endings"].split()), row["why"], row["remedy"])
    for row in toml_in(__package__, "left_out.toml")["kind"]
)
_MAX_KINDS: Final = 5
_MAX_REASONS: Final = 5
_MAX_NAMES = 3
_NAME_CELLS = 60
_REASON_CELLS = 160


def left_out(
    walk: Walk, settings: IndexSettings, failures: Mapping[str, str] = MappingProxyType({})
) -> tuple[str, ...]:
    """One sentence for each reason to report, with names or counts by kind, and what to do.

    Args:
        failures: Reasons why files could not be read, by path.
    """
    reasons = {
        "oversized": (
            *(_("Left out"), _("larger than {size:g} MB", size=settings.max_file_mb)),
            _("Raise index.max_file_mb to index what is larger."),
        ),
        "unreadable": (_("Left out"), _("may not be read"), _("Check the permissions.")),
        "binary": (
            _("Left out"),
            _("no text, whatever the name says"),
            _("Save it as text, or exclude it with index.exclude."),
        ),
        "minified": (
            _("Left out"),
            _("minified: very long lines without prose"),
            _("Reformat it, or give JSON to --data."),
        ),
        "name": (_("Left out"), _("the name is not UTF-8"), _("Rename it.")),
        "rules": (
            _("Not used"),
            _("an ignore file that is a link or cannot be read"),
            _("Make it a plain text file."),
        ),
        "patterns": (
            _("Used in part"),
            _("an ignore file with too many patterns"),
            _("Name folders instead of files."),
        ),
    }
    named_notes = tuple(
        _(
            "{verb}: {names} ({why}). {remedy}",
            verb=verb,
            names=_names(walk.paths_by_reason[reason]),
            why=explanation,
            remedy=remedy,
        )
        for reason, (verb, explanation, remedy) in reasons.items()
        if walk.paths_by_reason.get(reason)
    )
    return (
        *_missing_extras(walk.paths_by_reason.get("extra", ())),
        *_failure_notes(failures),
        *named_notes,
        *_binary_notes(_unnamed_binary_counts(walk)),
    )


def _unnamed_binary_counts(walk: Walk) -> Mapping[str, int]:
    """Counts of binary files by extension, without extensions of text files, such as ``notes.md``, which are named."""
    endings = {PurePosixPath(path).suffix.lstrip(".").lower() for path in walk.paths_by_reason.get("binary", ())}
    return {ending: count for ending, count in walk.binary.items() if ending not in endings}


def _missing_extras(paths: Sequence[str]) -> Iterator[str]:
    """Sentences on documents that an extra of kbtui could read."""
    counts: dict[str, Counter[str]] = {}
    for path in paths:
        form = format_of(path)
        if form is not None:
            counts.setdefault(form.extra, Counter())[form.name] += 1
    for extra, names in counts.items():
        kinds = ", ".join(f"{count:,} {name}" for name, count in names.most_common())
        yield _(
            "Left out: {kinds} (what reads them is not installed). To read them: pip install 'kbtui[{extra}]'",
            kinds=kinds,
            extra=extra,
        )


def _failure_notes(failures: Mapping[str, str]) -> Iterator[str]:
    """Sentences on documents whose text could not be extracted."""
    by_reason: dict[str, list[str]] = {}
    for path, reason in sorted(failures.items()):
        by_reason.setdefault(reason, []).append(path)
    reasons = sorted(by_reason, key=lambda reason: -len(by_reason[reason]))
    for reason in reasons[:_MAX_REASONS]:
        text = one_line(made(reason), _REASON_CELLS)
        yield _("Left out: {names}: {reason}.", names=_names(tuple(by_reason[reason])), reason=text)
    if len(reasons) > _MAX_REASONS:
        more = sum(len(by_reason[reason]) for reason in reasons[_MAX_REASONS:])
        yield _("Left out: {more:,} more files that could not be read. `kbtui index` names them.", more=more)


def _binary_notes(binary: Mapping[str, int]) -> Iterator[str]:
    """Sentences on binary files by kind, those that could be made readable first."""
    rest = dict(binary)
    for endings, why, remedy in _KINDS:
        matching = {ending: rest.pop(ending) for ending in list(rest) if ending in endings}
        if matching:
            counts = counts_by_kind(matching)
            yield _("Left out: {kinds} ({why}). {remedy}", kinds=counts, why=made(why), remedy=made(remedy))
    if rest:
        yield _("Left out: {kinds} (no text).", kinds=counts_by_kind(rest))


def counts_by_kind(binary: Mapping[str, int]) -> str:
    """``4 .png, 2 .mp4 and 3 of other kinds``."""
    order = sorted(binary, key=lambda ending: (-binary[ending], ending))
    shown = [f"{binary[ending]:,} {'.' + one_line(ending) if ending else 'binary'}" for ending in order[:_MAX_KINDS]]
    more = sum(binary[ending] for ending in order[_MAX_KINDS:])
    return ", ".join(shown) + (f" and {more:,} of other kinds" if more else "")


def to_read(walk: Walk) -> ToRead:
    """The numbers of files of a walk, read and left out."""
    kinds = Counter(_ending(file.path) for file in walk.files)
    return ToRead(
        files=len(walk.files),
        bytes=sum(file.size for file in walk.files),
        kinds=tuple(kinds.most_common()),
        left_out=tuple(
            (WORDS.get(reason, reason), count)
            for reason, count in sorted(walk.skipped.items(), key=lambda item: -item[1])
            if count
        ),
    )


def _ending(path: str) -> str:
    """`PurePosixPath.suffix` in lower case, without a path object: every question counts every file of the folder."""
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    return f".{ending}".lower() if stem and ending else ""


def nothing_to_read(walk: Walk) -> tuple[str, ...]:
    """Message and hint for a folder without any file to index; empty where there is one."""
    if walk.files:
        return ()
    if not walk.skipped:
        return "There are no files in this folder.", "Put documents into it, or open another folder."
    counts = skipped_words(walk.skipped, walk.binary)
    return (
        f"There is nothing to read in this folder: all of it is left out ({counts}).",
        "Put text files into it, or change what leaves them out: ignore files, or index.* in the settings.",
    )


def skipped_words(skipped: Mapping[str, int], binary: Mapping[str, int]) -> str:
    """``4 .png, 2 .mp4, 1 hidden``: counts of files that a walk left out, binary files by kind.

    Args:
        binary: As in `Walk`.
    """
    return ", ".join(
        counts_by_kind(binary) if reason == "binary" and binary else f"{count:,} {WORDS.get(reason, reason)}"
        for reason, count in skipped.items()
        if count
    )


def _names(paths: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(path, _NAME_CELLS) for path in paths[:_MAX_NAMES])
    if len(paths) <= _MAX_NAMES:
        return shown
    return _("{names} and {count:,} more", names=shown, count=len(paths) - _MAX_NAMES)

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
from kbtui.i18n import N_, _, made
from kbtui.knowledge.reading.formats import format_of
from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line
from kbtui.text.word_lists import toml_in

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walked import Walk

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
"""The walk's reasons in words."""

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
    named = tuple(
        _("{verb}: {names} ({why}). {remedy}", verb=verb, names=_names(walk.named[reason]), why=why, remedy=remedy)
        for reason, (verb, why, remedy) in said.items()
        if walk.named.get(reason)
    )
    return (*_wanting(walk.named.get("extra", ())), *_failed(failures), *named, *_by_kind(_unnamed(walk)))


def _unnamed(walk: Walk) -> Mapping[str, int]:
    """The binary files of kinds of which none is named: whose name speaks of text, as ``notes.md``, is named."""
    endings = {PurePosixPath(path).suffix.lstrip(".").lower() for path in walk.named.get("binary", ())}
    return {ending: count for ending, count in walk.binary.items() if ending not in endings}


def _wanting(paths: Sequence[str]) -> Iterator[str]:
    """Documents that an extra would read."""
    counted: dict[str, Counter[str]] = {}
    for path in paths:
        form = format_of(path)
        if form is not None:
            counted.setdefault(form.extra, Counter())[form.name] += 1
    for extra, names in counted.items():
        kinds = ", ".join(f"{count:,} {name}" for name, count in names.most_common())
        yield _(
            "Left out: {kinds} (what reads them is not installed). To read them: pip install 'kbtui[{extra}]'",
            kinds=kinds,
            extra=extra,
        )


def _failed(failures: Mapping[str, str]) -> Iterator[str]:
    """Documents whose text could not be taken out."""
    by_reason: dict[str, list[str]] = {}
    for path, reason in sorted(failures.items()):
        by_reason.setdefault(reason, []).append(path)
    reasons = sorted(by_reason, key=lambda reason: -len(by_reason[reason]))
    for reason in reasons[:_MOST_REASONS]:
        told = one_line(made(reason), _REASON_CELLS)
        yield _("Left out: {names}: {reason}.", names=_names(tuple(by_reason[reason])), reason=told)
    if len(reasons) > _MOST_REASONS:
        more = sum(len(by_reason[reason]) for reason in reasons[_MOST_REASONS:])
        yield _("Left out: {more:,} more files that could not be read. `kbtui index` names them.", more=more)


def _by_kind(binary: Mapping[str, int]) -> Iterator[str]:
    """Binary files by kind: first those that could be made readable."""
    rest = dict(binary)
    for endings, why, remedy in _KINDS:
        mine = {ending: rest.pop(ending) for ending in list(rest) if ending in endings}
        if mine:
            counts = counts_by_kind(mine)
            yield _("Left out: {kinds} ({why}). {remedy}", kinds=counts, why=made(why), remedy=made(remedy))
    if rest:
        yield _("Left out: {kinds} (no text).", kinds=counts_by_kind(rest))


def counts_by_kind(binary: Mapping[str, int]) -> str:
    """``4 .png, 2 .mp4 and 3 of other kinds``."""
    order = sorted(binary, key=lambda ending: (-binary[ending], ending))
    shown = [f"{binary[ending]:,} {'.' + one_line(ending) if ending else 'binary'}" for ending in order[:_MOST_KINDS]]
    more = sum(binary[ending] for ending in order[_MOST_KINDS:])
    return ", ".join(shown) + (f" and {more:,} of other kinds" if more else "")


def to_read(walk: Walk) -> ToRead:
    """What the walk found, counted."""
    kinds = Counter(_ending(file.path) for file in walk.files)
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


def _ending(path: str) -> str:
    """`PurePosixPath.suffix` in lower case, without a path object: every question counts every file of the folder."""
    stem, _, ending = path.rpartition("/")[2].rpartition(".")
    return f".{ending}".lower() if stem and ending else ""


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
    if len(paths) <= _NAMED:
        return shown
    return _("{names} and {count:,} more", names=shown, count=len(paths) - _NAMED)

"""What a folder holds that is not indexed, told so that its owner can do something about it.

That hidden, ignored or binary files stay out is expected and only counted. That a document is too large, may not be
read or holds no text is news, so those are named.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kbtui.settings.model import IndexSettings
from kbtui.text.terminal import one_line

if TYPE_CHECKING:
    from kbtui.knowledge.reading.walked import Walk

WORDS: Final[Mapping[str, str]] = {
    "oversized": "too large",
    "symlink": "links",
    "special": "pipes or devices",
    "name": "with names that are not UTF-8",
}
"""The walk's reasons in words, where they differ from their names."""

_NAMED = 3
_NAME_CELLS = 60


def left_out(walk: Walk, settings: IndexSettings) -> tuple[str, ...]:
    """One sentence for each reason that its owner should hear of, with names and what to do; empty for most folders."""
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
    return tuple(
        f"{verb}: {_names(walk.named[reason])} ({why}). {remedy}"
        for reason, (verb, why, remedy) in said.items()
        if walk.named.get(reason)
    )


def nothing_to_read(walk: Walk) -> tuple[str, ...]:
    """What to say of a folder without a single file to index: message and hint; empty when there is one."""
    if walk.files:
        return ()
    if not walk.skipped:
        return "There are no files in this folder.", "Put documents into it, or open another folder."
    counted = ", ".join(f"{count:,} {WORDS.get(reason, reason)}" for reason, count in walk.skipped.items())
    return (
        f"There is nothing to read in this folder: all of it is left out ({counted}).",
        "Put text files into it, or change what leaves them out: ignore files, or index.* in the settings.",
    )


def _names(paths: tuple[str, ...]) -> str:
    shown = ", ".join(one_line(path, _NAME_CELLS) for path in paths[:_NAMED])
    return shown if len(paths) <= _NAMED else f"{shown} and {len(paths) - _NAMED:,} more"

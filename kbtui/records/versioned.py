"""Reads conditions on versions from a question: stages, levels, ranges and release series."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from kbtui.records.series import STAGES
from kbtui.text.patterns import Patterns

if TYPE_CHECKING:
    from kbtui.records.kinds import Kind
    from kbtui.records.selection import Selection

_RE: Final = Patterns(__package__, "selecting.toml")


def versions_of(kind: Kind) -> frozenset[str]:
    """All versions of the things of a kind, and their release series."""
    return frozenset(
        fact.value for thing in kind.things for name in ("version", "series") for fact in thing.facts.get(name, ())
    )


def read_stages(selection: Selection, says: Mapping[str, str]) -> None:
    """Read conditions on the stage (alpha, final …) and level (major, feature, patch) of versions."""
    if (match := _RE.unfinal_left_out.search(selection.rest)) is not None:
        selection.take(match)
        named_stages = [
            name for name in ("alpha", "beta", "rc") if name in match[0] or getattr(_RE, name).search(match[0])
        ]
        if len(named_stages) == 1 and not _RE.unfinal.search(match[0]):
            selection.add(f"\"stage\" <> '{named_stages[0]}'", f"≠ {named_stages[0]}")
        else:
            selection.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
            # The question may say both: only final ones, no candidates.
            selection.takes(_RE.final)
    elif selection.takes(_RE.final):
        selection.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
    elif selection.takes(_RE.unfinal):
        selection.add(f"\"stage\" <> '{STAGES[0]}'", f"≠ {says['final']}")
    else:
        for name in ("rc", "beta", "alpha"):
            if selection.takes(getattr(_RE, name)):
                selection.add(f"\"stage\" = '{name}'", name)
    for level in ("patch", "feature", "major"):
        if selection.takes(getattr(_RE, level)):
            selection.add(f"\"level\" = '{level}'", says[level])


def read_versions(selection: Selection, says: Mapping[str, str], *, is_set: bool) -> None:
    """Read version ranges, release series and single versions.

    Args:
        is_set: The question asks for a set, so that a version which begins several others is a series.
    """
    versions = versions_of(selection.kind)
    for name, signs in (
        ("between", (">=", "<=")),
        ("at_least", (">=",)),
        ("above", (">",)),
        ("at_most", ("<=",)),
        ("below", ("<",)),
    ):
        match = getattr(_RE, name).search(selection.rest)
        if match is None:
            continue
        bounds = [value.lstrip("v. ") for value in match.groups() if value]
        if len(bounds) == len(signs):
            selection.take(match)
            for sign, value in zip(signs, bounds, strict=True):
                selection.add(f"\"version\" {sign} '{value}'", f"{says['version']} {sign} {value}")
    for pattern in (_RE.line, *((_RE.lines_own,) if is_set else ())):
        while (match := pattern.search(selection.rest)) is not None:
            value = next(group for group in match.groups() if group)
            selection.take(match)
            _add_series(selection, value, says)
    values = []
    while (match := _RE.exact.search(selection.rest)) is not None:
        value = match["value"].lstrip("v. ").strip()
        selection.take(match)
        if is_set and value in versions and value.count(".") == 1 and _is_series(selection.kind, value):
            _add_series(selection, value, says)
        else:
            values.append(value)
    if values:
        value_list = ", ".join(f"'{value}'" for value in values)
        condition = f'"version" = {value_list}' if len(values) == 1 else f'"version" IN ({value_list})'
        selection.add(condition, f"{says['version']} {', '.join(values)}")


def _is_series(kind: Kind, value: str) -> bool:
    return sum(any(f.value == value for f in thing.facts.get("series", ())) for thing in kind.things) > 1


def _add_series(selection: Selection, value: str, says: Mapping[str, str]) -> None:
    """Add a condition for all versions that begin with these numbers."""
    parts = value.split(".")
    phrase = f"{says['series']} {value}"
    if len(parts) == 2:
        selection.add(f"\"series\" = '{value}'", phrase)
    else:
        next_series = ".".join([*parts[:-1], str(int(parts[-1]) + 1)])
        selection.add(f"\"version\" >= '{value}.0dev' AND \"version\" < '{next_series}.0dev'", phrase)

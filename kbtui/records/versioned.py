"""Conditions on versions in a question about a set of them: stages, levels, ranges, lines of releases."""

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
    """The versions of things, and the lines of releases that they are of."""
    return frozenset(
        fact.value for thing in kind.things for name in ("version", "series") for fact in thing.facts.get(name, ())
    )


def read_stages(chosen: Selection, says: Mapping[str, str]) -> None:
    """How final versions are, and which part of their numbers they raise."""
    if (match := _RE.unfinal_left_out.search(chosen.rest)) is not None:
        chosen.take(match)
        named = [name for name in ("alpha", "beta", "rc") if name in match[0] or getattr(_RE, name).search(match[0])]
        if len(named) == 1 and not _RE.unfinal.search(match[0]):
            chosen.add(f"\"stage\" <> '{named[0]}'", f"≠ {named[0]}")
        else:
            chosen.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
            # Both may be said: only final ones, no candidates.
            chosen.takes(_RE.final)
    elif chosen.takes(_RE.final):
        chosen.add(f"\"stage\" = '{STAGES[0]}'", says["final"])
    elif chosen.takes(_RE.unfinal):
        chosen.add(f"\"stage\" <> '{STAGES[0]}'", f"≠ {says['final']}")
    else:
        for name in ("rc", "beta", "alpha"):
            if chosen.takes(getattr(_RE, name)):
                chosen.add(f"\"stage\" = '{name}'", name)
    for level in ("patch", "feature", "major"):
        if chosen.takes(getattr(_RE, level)):
            chosen.add(f"\"level\" = '{level}'", says[level])


def read_versions(chosen: Selection, says: Mapping[str, str], *, is_set: bool) -> None:
    """Ranges, lines of releases, single versions; one that begins several is a line where a set is asked for."""
    known = versions_of(chosen.kind)
    for name, signs in (
        ("between", (">=", "<=")),
        ("at_least", (">=",)),
        ("above", (">",)),
        ("at_most", ("<=",)),
        ("below", ("<",)),
    ):
        match = getattr(_RE, name).search(chosen.rest)
        if match is None:
            continue
        bounds = [value.lstrip("v. ") for value in match.groups() if value]
        if len(bounds) == len(signs):
            chosen.take(match)
            for sign, value in zip(signs, bounds, strict=True):
                chosen.add(f"\"version\" {sign} '{value}'", f"{says['version']} {sign} {value}")
    for pattern in (_RE.line, *((_RE.lines_own,) if is_set else ())):
        while (match := pattern.search(chosen.rest)) is not None:
            value = next(group for group in match.groups() if group)
            chosen.take(match)
            _add_line(chosen, value, says)
    values = []
    while (match := _RE.exact.search(chosen.rest)) is not None:
        value = match["value"].lstrip("v. ").strip()
        chosen.take(match)
        if is_set and value in known and value.count(".") == 1 and _begins_several(chosen.kind, value):
            _add_line(chosen, value, says)
        else:
            values.append(value)
    if values:
        listed = ", ".join(f"'{value}'" for value in values)
        condition = f'"version" = {listed}' if len(values) == 1 else f'"version" IN ({listed})'
        chosen.add(condition, f"{says['version']} {', '.join(values)}")


def _begins_several(kind: Kind, value: str) -> bool:
    return sum(any(f.value == value for f in thing.facts.get("series", ())) for thing in kind.things) > 1


def _add_line(chosen: Selection, value: str, says: Mapping[str, str]) -> None:
    """All versions that begin with these numbers."""
    parts = value.split(".")
    said = f"{says['series']} {value}"
    if len(parts) == 2:
        chosen.add(f"\"series\" = '{value}'", said)
    else:
        above = ".".join([*parts[:-1], str(int(parts[-1]) + 1)])
        chosen.add(f"\"version\" >= '{value}.0dev' AND \"version\" < '{above}.0dev'", said)

"""Patterns of ignore files, matched in linear time.

Whoever shares a folder writes its ignore files. Python's ``re`` takes exponential time for some of their patterns
(``*a*a*a*a*b``), so pathspec translates each pattern and RE2 matches it. ``re2.Filter`` looks for the literal parts of
all patterns at once and tries the patterns whose literals are there.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import re2
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

MOST_PATTERNS: Final = 10_000
"""Patterns that hold at one place: those of an ignore file and of the ones in the folders above it."""
MOST_CHARACTERS: Final = 1_000_000
"""Characters of the regular expressions of these patterns: they bound the time and memory of RE2."""
_LONGEST_PATTERN: Final = 4096
"""Characters; no path is longer."""

_GROUP_PATTERNS: Final = 256
_GROUP_CHARACTERS: Final = 8192
"""Limits of one ``re2.Filter``. The automaton for its literals has 8 MB, and finds nothing when it needs more."""

# How pathspec ends a regular expression, for whatever lies below what matches as well. Git asks about the entry alone,
# because it never enters an ignored folder, and so does the walk.
_ENTRY_OR_BELOW: Final = "(?:(?P<ps_d>/)|$)"
_FOLDER_OR_BELOW: Final = "(?P<ps_d>/)"


class PatternError(ValueError):
    """A line is no pattern."""


@dataclass(slots=True)
class _Group:
    """Some consecutive patterns: what finds those that match, and whether each ignores or brings back."""

    filter: Any = field(default_factory=re2.Filter)
    ignores: list[bool] = field(default_factory=list)
    characters: int = 0


class IgnoreRules:
    """The patterns of one folder, in the order in which they are written.

    Args:
        lines: As in an ignore file.
        base: Characters of a path, relative to the root of the walk, that lie above the folder.
        above: The rules of the folders above, nearest first; their patterns count towards the limits.
        strict: Whether a line that is no pattern is an error; git passes over it.

    Attributes:
        count: Patterns in force.
        characters: Of their regular expressions.
        is_complete: False when a limit was reached: the patterns after it do not count.

    Raises:
        PatternError: A line is no pattern, and ``strict`` is on.
    """

    def __init__(
        self, lines: Iterable[str], base: int = 0, above: Sequence[IgnoreRules] = (), *, strict: bool = False
    ) -> None:
        self._base = base
        self.count = 0
        self.characters = 0
        self.is_complete = True
        most = MOST_PATTERNS - sum(rules.count for rules in above)
        most_characters = MOST_CHARACTERS - sum(rules.characters for rules in above)
        groups = [_Group()]
        for line in lines:
            try:
                translated = _translated(line)
                if translated is None:
                    continue
                regex, ignores = translated
                if self.count == most or self.characters + len(regex) > most_characters:
                    self.is_complete = False
                    break
                group = groups[-1]
                if len(group.ignores) == _GROUP_PATTERNS or group.characters + len(regex) > _GROUP_CHARACTERS:
                    group = _Group()
                group.filter.Add(regex, _OPTIONS)
            except (ValueError, re2.error) as error:
                if strict:
                    raise PatternError(line) from error
                continue
            group.ignores.append(ignores)
            group.characters += len(regex)
            if group is not groups[-1]:
                groups.append(group)
            self.count += 1
            self.characters += len(regex)
        self._groups = [group for group in reversed(groups) if group.ignores]
        for group in self._groups:
            group.filter.Compile()

    def decision(self, path: str) -> bool | None:
        """Whether ``path``, relative to the root of the walk and with a slash at the end for a folder, is ignored.

        The last pattern that matches decides; None when none does.
        """
        relative = path[self._base :]
        for group in self._groups:
            found: list[int] | None = group.filter.Match(relative)
            if found:
                return group.ignores[max(found)]
        return None


def _translated(line: str) -> tuple[str, bool] | None:
    """A pattern as a regular expression, and whether it ignores what matches; None for a comment or blank line.

    Raises:
        ValueError: It is no pattern.
    """
    if len(line) > _LONGEST_PATTERN:
        raise ValueError(line)
    regex, ignores = GitIgnoreSpecPattern.pattern_to_regex(line.rstrip("\r"))
    if regex is None or ignores is None:
        return None
    regex = regex.replace(_ENTRY_OR_BELOW, "/?$").replace(_FOLDER_OR_BELOW, "/$")
    # `folder/**` is everything in the folder, but not the folder.
    return (f"{regex}." if regex.endswith("/") else regex), ignores


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.dot_nl = True
    return options


_OPTIONS: Final = _options()

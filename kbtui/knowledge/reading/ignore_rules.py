"""Patterns of ignore files, matched in linear time.

Ignore files are untrusted, and ``re`` takes exponential time for some patterns (``*a*a*a*a*b``), so pathspec translates
each pattern to a regular expression and RE2 matches it. ``re2.Filter`` searches for the literals of all patterns at
once, and only tries the patterns whose literals occur.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import re2
from pathspec.patterns.gitignore.spec import GitIgnoreSpecPattern

MAX_PATTERNS: Final = 10_000
"""Patterns that apply in one folder: those of its ignore files and of the folders above."""
MAX_CHARACTERS: Final = 1_000_000
"""Total length of the regular expressions of these patterns, which bounds the time and memory of RE2."""
_MAX_PATTERN_CHARS: Final = 4096
"""No path is longer."""

_GROUP_PATTERNS: Final = 256
_GROUP_CHARACTERS: Final = 8192
"""Limits of one ``re2.Filter``, whose automaton has 8 MB and matches nothing where it needs more."""

# Endings of the regular expressions of pathspec, which also match paths below a matching folder. As in git, the walk
# only matches entries themselves, because it never enters an ignored folder.
_ENTRY_OR_BELOW: Final = "(?:(?P<ps_d>/)|$)"
_FOLDER_OR_BELOW: Final = "(?P<ps_d>/)"


class PatternError(ValueError):
    """A line is not a valid pattern."""


@dataclass(slots=True)
class _Group:
    """Some consecutive patterns: the filter that matches them, and whether each ignores or includes."""

    filter: Any = field(default_factory=re2.Filter)
    ignores: list[bool] = field(default_factory=list)
    characters: int = 0


class IgnoreRules:
    """The patterns of one folder, in the order in which they are written.

    Args:
        lines: The lines of an ignore file.
        base: Length of the path of the folder, relative to the root of the walk.
        above: The rules of the folders above, nearest first; their patterns count towards the limits.
        strict: Whether an invalid pattern is an error; git skips it.

    Attributes:
        count: Number of patterns.
        characters: Total length of their regular expressions.
        is_complete: False where a limit was reached, and the patterns after it are not used.

    Raises:
        PatternError: A line is not a valid pattern, and ``strict`` is set.
    """

    def __init__(
        self, lines: Iterable[str], base: int = 0, above: Sequence[IgnoreRules] = (), *, strict: bool = False
    ) -> None:
        self._base = base
        self.count = 0
        self.characters = 0
        self.is_complete = True
        max_patterns = MAX_PATTERNS - sum(rules.count for rules in above)
        max_characters = MAX_CHARACTERS - sum(rules.characters for rules in above)
        groups = [_Group()]
        for line in lines:
            try:
                translated = _translate(line)
                if translated is None:
                    continue
                regex, ignores = translated
                if self.count == max_patterns or self.characters + len(regex) > max_characters:
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

        The last matching pattern decides; None where none matches.
        """
        relative = path[self._base :]
        for group in self._groups:
            matches: list[int] | None = group.filter.Match(relative)
            if matches:
                return group.ignores[max(matches)]
        return None


def _translate(line: str) -> tuple[str, bool] | None:
    """The regular expression of a pattern, and whether it ignores matches; None for a comment or blank line.

    Raises:
        ValueError: The line is not a valid pattern.
    """
    if len(line) > _MAX_PATTERN_CHARS:
        raise ValueError(line)
    regex, ignores = GitIgnoreSpecPattern.pattern_to_regex(line.rstrip("\r"))
    if regex is None or ignores is None:
        return None
    regex = regex.replace(_ENTRY_OR_BELOW, "/?$").replace(_FOLDER_OR_BELOW, "/$")
    # `folder/**` matches everything in the folder, but not the folder itself.
    return (f"{regex}." if regex.endswith("/") else regex), ignores


def _options() -> Any:
    options = re2.Options()
    options.log_errors = False
    options.never_capture = True
    options.dot_nl = True
    return options


_OPTIONS: Final = _options()

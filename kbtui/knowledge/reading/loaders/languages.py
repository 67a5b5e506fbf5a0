"""Programming languages: their file names, and patterns of their definitions (``languages.toml``).

A definition is recognised by its line alone, so that files that do not compile have definitions too. The group ``name``
is the name that is defined, ``kind`` the keyword, where the line has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Final

from kbtui.text.word_lists import filled, toml_in


@dataclass(frozen=True, slots=True, kw_only=True)
class Language:
    """One language.

    Attributes:
        name: Name in displays and filters.
        extensions: File name extensions without the dot.
        filenames: Whole file names in lower case.
        interpreters: Programs in a ``#!`` line.
        patterns: Patterns of lines with definitions, with the group ``name`` and optionally ``kind``.
    """

    name: str
    extensions: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    interpreters: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()

    @property
    def definitions(self) -> re.Pattern[str] | None:
        """A pattern of lines with definitions; None where the language has no patterns."""
        return _alternation(self.patterns) if self.patterns else None


@cache
def _alternation(patterns: tuple[str, ...]) -> re.Pattern[str]:
    # A group name may occur only once, so the names are numbered by pattern.
    numbered = [
        pattern.replace("(?P<name>", f"(?P<name{index}>").replace("(?P<kind>", f"(?P<kind{index}>")
        for index, pattern in enumerate(patterns)
    ]
    return re.compile(r"[ \t]*(?:" + "|".join(numbered) + ")")


def _languages() -> Iterator[Language]:
    tables = toml_in(__package__, "languages.toml")
    blanks, languages = tables["blanks"], tables["languages"]
    for name, fields in languages.items():
        patterns = languages[fields.get("like", name)].get("definitions", ())
        yield Language(
            name=name,
            extensions=tuple(fields.get("extensions", "").split()),
            filenames=tuple(fields.get("filenames", "").split()),
            interpreters=tuple(fields.get("interpreters", "").split()),
            patterns=tuple(filled(pattern, blanks) for pattern in patterns),
        )


LANGUAGES: Final = tuple(_languages())

_BY_EXTENSION: Final[Mapping[str, Language]] = {ext: language for language in LANGUAGES for ext in language.extensions}
_BY_FILENAME: Final[Mapping[str, Language]] = {name: language for language in LANGUAGES for name in language.filenames}
_BY_INTERPRETER: Final[Mapping[str, Language]] = {
    program: language for language in LANGUAGES for program in language.interpreters
}
_SHEBANG = re.compile(r"#!\s*(?:\S*/)?(?:env\s+(?:-\S+\s+)*)?([A-Za-z][\w+-]*)")


def find_language(path: str, text: str) -> Language | None:
    """The language of a file by its name, extension or ``#!`` line; None where it is no code."""
    name = path.rpartition("/")[2].lower()
    if language := _BY_FILENAME.get(name):
        return language
    stem, dot, extension = name.rpartition(".")
    if dot and (language := _BY_EXTENSION.get(extension)):
        return language
    if stem in ("dockerfile", "makefile", "containerfile") or name.startswith("dockerfile."):
        return _BY_FILENAME["makefile" if stem == "makefile" else "dockerfile"]
    if text.startswith("#!") and (match := _SHEBANG.match(text[:200])):
        program = match[1].lower().rstrip("0123456789.")
        return _BY_INTERPRETER.get(match[1].lower()) or _BY_INTERPRETER.get(program)
    return None

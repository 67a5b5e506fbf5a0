"""What every loader is and gives back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from kbtui.domain.document import DocumentKind, HeaderField, Heading
from kbtui.text.fields import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """What a loader saw in a text.

    Attributes:
        title: Best title, or empty where the text has none; the file's name is used then.
        headings: In file order.
        fields: In file order.
        language: Programming language of code, else empty.
    """

    title: str = ""
    headings: tuple[Heading, ...] = ()
    fields: tuple[HeaderField, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loader:
    """One format.

    Attributes:
        kind: The name of the format.
        matches: Whether a file is of this format, by its path and the beginning of its text.
        parse: Text and path to what is in it. Must not fail on malformed input, only see less in it.
    """

    kind: DocumentKind
    matches: Callable[[str, str], bool]
    parse: Callable[[str, str], Parsed]


def by_suffix(*suffixes: str) -> Callable[[str, str], bool]:
    """A ``matches`` that looks at the end of the file's name."""
    ends = tuple(suffix.lower() for suffix in suffixes)
    return lambda path, _text: path.lower().endswith(ends)


def stem(path: str) -> str:
    """The file's name without its extension: the title of last resort."""
    name = PurePosixPath(path)
    return name.stem or name.name


def header_fields(fields: tuple[Field, ...]) -> tuple[HeaderField, ...]:
    """Fields by index as fields by line."""
    return tuple(
        HeaderField(key=field.key, value=field.value, start_line=field.start + 1, end_line=field.end + 1)
        for field in fields
    )


def field_value(fields: tuple[HeaderField, ...], *keys: str) -> str:
    """The value of the first of ``keys`` that is there, whatever its case; else empty."""
    values = {field.key.lower(): field.value for field in reversed(fields)}
    return next((values[key] for key in keys if values.get(key)), "")

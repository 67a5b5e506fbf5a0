"""The types of loaders and of their results."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePosixPath

from kbtui.domain.document import DocumentKind, HeaderField, Heading
from kbtui.text.fields import Field


@dataclass(frozen=True, slots=True, kw_only=True)
class Parsed:
    """The structure of a text.

    Attributes:
        title: Best title; empty where the text has none, and the file name is used.
        headings: Headings in file order.
        fields: Fields in file order.
        language: Programming language of code; else empty.
    """

    title: str = ""
    headings: tuple[Heading, ...] = ()
    fields: tuple[HeaderField, ...] = ()
    language: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Loader:
    """The loader of one format.

    Attributes:
        kind: Name of the format.
        matches: Whether a file is of this format, by its path and the beginning of its text.
        parse: Parses text and path; it must not fail on malformed input, but may find less in it.
    """

    kind: DocumentKind
    matches: Callable[[str, str], bool]
    parse: Callable[[str, str], Parsed]


def by_suffix(*suffixes: str) -> Callable[[str, str], bool]:
    """A ``matches`` that compares the end of the file name."""
    ends = tuple(suffix.lower() for suffix in suffixes)
    return lambda path, _text: path.lower().endswith(ends)


def stem(path: str) -> str:
    """The file name without its extension, which is the title of last resort."""
    name = PurePosixPath(path)
    return name.stem or name.name


def header_fields(fields: tuple[Field, ...]) -> tuple[HeaderField, ...]:
    """Convert fields with line indexes to fields with line numbers."""
    return tuple(
        HeaderField(key=field.key, value=field.value, start_line=field.start + 1, end_line=field.end + 1)
        for field in fields
    )


def field_value(fields: tuple[HeaderField, ...], *keys: str) -> str:
    """The value of the first of ``keys`` that exists, ignoring case; empty where there is none."""
    values = {field.key.lower(): field.value for field in reversed(fields)}
    return next((values[key] for key in keys if values.get(key)), "")

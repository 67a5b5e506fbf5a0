"""Reads the tree of a data file: fields of the file itself, and lists of records.

``seealso: [{plugin: …}]`` names plugins, ``options: {depth: {type: int}}`` names options; a single key that wraps all
others is not part of their names. Which lists contain things is decided over all documents (`kbtui.records.listed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kbtui.domain.tree import Node
from kbtui.knowledge.relations.vocabulary import ATTRIBUTES

_NAME_KEYS: Final = ("name", "login", "user", "github", "title", "label", "姓名", "topic", "id", "key", "ref", "path")
"""Keys that name a record, the best first."""
NAMING_KEYS: Final = frozenset((*_NAME_KEYS, "href", "link", "issue"))
_MAX_NESTED: Final = 40
_MIN_SHARE: Final = 0.6
"""Least share of the records that have a field for it to count as shared."""


@dataclass(frozen=True, slots=True)
class FieldLines:
    """A field with its raw lines: the key, and line number and text of each line of the value."""

    key: str
    lines: tuple[tuple[int, str], ...]


def outermost(tree: Node) -> Node:
    """The mapping with the fields of the file: the root, or below keys that wrap it where the root has no values."""
    while tree.entries is not None and not _value_count(tree) and not shared_keys(tree):
        nested = [node for node in tree.entries.values() if node.entries]
        if not nested:
            break
        tree = max(nested, key=_value_count)
    return tree


def _value_count(node: Node) -> int:
    """Number of entries of a mapping that are scalars or lists of scalars."""
    entries = (node.entries or {}).values()
    return sum(entry.value is not None or bool(entry.items and entry.items[0].value is not None) for entry in entries)


def shared_keys(node: Node) -> list[str]:
    """The keys that mappings in a list or mapping share, which makes them records of one kind; empty for others."""
    maps = node.maps
    counts = Counter(key for mapping in maps for key, value in (mapping.entries or {}).items() if value.entries is None)
    return [key for key, count in counts.items() if len(maps) > 1 and count >= max(2, _MIN_SHARE * len(maps))]


def fields_of_tree(tree: Node) -> Iterator[FieldLines]:
    """The fields of a mapping: its values, the names in its lists, and nested values by both keys."""
    for key, node in (tree.entries or {}).items():
        if node.value is not None:
            yield FieldLines(key, ((node.line, node.value),))
        elif lines := tuple(_names_in(key, node)):
            yield FieldLines(key, ((node.line, ""), *lines))
        for inner, value in list((node.entries or {}).items())[:_MAX_NESTED]:
            if value.value is not None:
                yield FieldLines(f"{key}-{inner}", ((value.line, value.value),))
            elif value.items and (lines := tuple(_names_in(inner, value))):
                yield FieldLines(f"{key}-{inner}", ((value.line, ""), *lines))


def _names_in(key: str, node: Node) -> Iterator[tuple[int, str]]:
    """Line and text of each name in a list, a string or a record; in a mapping, the keys where they are names."""
    if node.items is not None:
        for item in node.items:
            if item.value is not None:
                yield item.line, item.value
            elif item.entries is not None and (name_line := name_of(item.entries)) is not None:
                yield name_line
    elif node.entries and (shared_keys(node) or (node.maps and key.endswith("s"))):
        yield from ((item.line, name) for name, item in node.entries.items())


def name_of(entries: Mapping[str, Node]) -> tuple[int, str] | None:
    """Line and text of the name of a record: by a naming key, else its first value that is no attribute."""
    texts = {key: (node.line, node.value) for key, node in entries.items() if node.value}
    name_keys = sorted(
        (key for key in texts if key.lower() in _NAME_KEYS), key=lambda key: _NAME_KEYS.index(key.lower())
    )
    others = [key for key in texts if key.lower().replace("-", "_").rpartition("_")[2] not in ATTRIBUTES]
    return next((texts[key] for key in (*name_keys, *others)), None)

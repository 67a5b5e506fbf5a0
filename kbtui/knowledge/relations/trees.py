"""What the tree of a file of data states: fields of the file itself, and lists of records that are things of their own.

``seealso: [{plugin: …}]`` names plugins, ``options: {depth: {type: int}}`` names options; the one key that wraps all
others is no part of their names. Which lists are things is known only where all documents are (`kbtui.records.listed`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from kbtui.knowledge.relations.structure import Node
from kbtui.knowledge.relations.vocabulary import ATTRIBUTES

_NAMING: Final = ("name", "login", "user", "github", "title", "label", "姓名", "topic", "id", "key", "ref", "path")
"""Keys of what a record is called, the best first."""
NAMING_KEYS: Final = frozenset((*_NAMING, "href", "link", "issue"))
_MOST_NESTED: Final = 40
_SHARED: Final = 0.6
"""Share of records that must have a field for it to be one of them all."""


@dataclass(frozen=True, slots=True)
class FieldLines:
    """A field as it stands: its key, and each line of its value with the line's number."""

    key: str
    lines: tuple[tuple[int, str], ...]


def outermost(tree: Node) -> Node:
    """The mapping that states what the file is about: below the key that wraps it, where outside nothing is stated."""
    while tree.entries is not None and not _states(tree) and not shared_keys(tree):
        inner = [one for one in tree.entries.values() if one.entries]
        if not inner:
            break
        tree = max(inner, key=_states)
    return tree


def _states(node: Node) -> int:
    """How many values a mapping states on a line or in a list of them."""
    entries = (node.entries or {}).values()
    return sum(one.value is not None or bool(one.items and one.items[0].value is not None) for one in entries)


def shared_keys(node: Node) -> list[str]:
    """Keys that the mappings in a list, or several by name, share: they are records of one kind. Empty for others."""
    maps = node.maps
    counted = Counter(key for one in maps for key, value in (one.entries or {}).items() if value.entries is None)
    return [key for key, count in counted.items() if len(maps) > 1 and count >= max(2, _SHARED * len(maps))]


def fields_of_tree(tree: Node) -> Iterator[FieldLines]:
    """Fields of a mapping: its values, what its lists name, and one level below it the values by both keys."""
    for key, node in (tree.entries or {}).items():
        if node.value is not None:
            yield FieldLines(key, ((node.line, node.value),))
        elif lines := tuple(_named(key, node)):
            yield FieldLines(key, ((node.line, ""), *lines))
        for inner, value in list((node.entries or {}).items())[:_MOST_NESTED]:
            if value.value is not None:
                yield FieldLines(f"{key}-{inner}", ((value.line, value.value),))
            elif value.items and (lines := tuple(_named(inner, value))):
                yield FieldLines(f"{key}-{inner}", ((value.line, ""), *lines))


def _named(key: str, node: Node) -> Iterator[tuple[int, str]]:
    """What a list names: its texts, the names of the records in it; of a mapping the keys where those are names."""
    if node.items is not None:
        for one in node.items:
            if one.value is not None:
                yield one.line, one.value
            elif one.entries is not None and (named := name_of(one.entries)) is not None:
                yield named
    elif node.entries and (shared_keys(node) or (node.maps and key.endswith("s"))):
        yield from ((one.line, name) for name, one in node.entries.items())


def name_of(entries: Mapping[str, Node]) -> tuple[int, str] | None:
    """Line and text of what a record is called: by a key that names, else its first value that is no mere attribute."""
    texts = {key: (one.line, one.value) for key, one in entries.items() if one.value}
    naming = sorted((key for key in texts if key.lower() in _NAMING), key=lambda key: _NAMING.index(key.lower()))
    others = [key for key in texts if key.lower().replace("-", "_").rpartition("_")[2] not in ATTRIBUTES]
    return next((texts[key] for key in (*naming, *others)), None)

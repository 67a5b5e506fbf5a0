"""Parses data files into trees with the line of each value: YAML and JSON by parser events, TOML and INI by lines.

The tree of XML comes with its text (`kbtui.knowledge.reading.formats.markup_data`).

An event parser neither recurses nor expands aliases, and the values before a syntax error are kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from kbtui.domain.document import EXTRACTED, Document, FileRecord
from kbtui.domain.tree import Node
from kbtui.text.pairs import PAIR, are_pairs

_KINDS: Final = frozenset({"yaml", "json", "toml"})
_INI: Final = (".ini", ".cfg", ".desktop", ".properties", ".service", ".socket", ".timer")
"""Suffixes of files with ``key = value`` below ``[section]``, of kind *code*."""
_MAX_EVENTS: Final = 60_000
"""Parser events of a file; what begins after them is left out."""
_MAX_DEPTH: Final = 12
_Key = tuple[str, int]
"""A key whose value has not been read yet, and its line."""
_MAX_VALUE_CHARS: Final = 300

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""An escaped surrogate, which JSON allows and YAML does not."""
_TABLE = re.compile(r"\s*(?P<open>\[\[?)\s*(?P<name>[^\[\]]{1,200}?)\s*\]\]?\s*(?:#.*)?$")
_TEXTS = re.compile(r"\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)'|(?P<bare>[\w.+:-]+)")


def is_data(file: Document | FileRecord) -> bool:
    """Whether a file is data with a tree of values."""
    path = file.path.lower()
    return (
        file.kind in _KINDS
        or (file.kind == "code" and path.endswith(_INI))
        or (file.encoding == EXTRACTED and path.endswith(".xml"))
    )


@lru_cache(maxsize=1)
def structure_of(document: Document) -> Node | None:
    """The tree of a data file; None for another file, or an empty one."""
    if document.kind == "text" and document.encoding != EXTRACTED and are_pairs(document.text):
        return _toml(document.text)
    if not is_data(document) or document.path.lower().endswith((".jsonl", ".ndjson")):
        return None
    if document.tree is not None:
        return document.tree
    if document.kind in ("toml", "code"):
        return _toml(document.text)
    text = _SURROGATE.sub("?", document.text) if document.kind == "json" else document.text
    documents = _read(text)
    return documents[0] if len(documents) == 1 else Node(line=1, items=documents) if documents else None


def mapping_of(lines: Sequence[str], before: int) -> dict[str, Node]:
    """The values of YAML front matter by key; ``before`` is the number of lines above ``lines``."""
    documents = _read("\n" * before + "\n".join(lines))
    return (documents[0].entries or {}) if documents else {}


def _read(text: str) -> list[Node]:
    """The trees of the documents in a text; at a syntax error, open nodes end there."""
    # Imported late: it takes 15 ms, and few folders need it.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    root = Node(line=1, items=[])
    open_nodes, keys = [root], list[_Key | None]([None])
    try:
        for count, event in enumerate(yaml.parse(text, Loader=loader)):
            if count >= _MAX_EVENTS:
                break
            _handle_event(event, open_nodes, keys)
    except yaml.YAMLError:
        pass
    return root.items or []


def _handle_event(event: Any, open_nodes: list[Node], keys: list[_Key | None]) -> None:
    """Add what an event describes to the innermost open node; ``keys`` are the open keys of each node."""
    name, line = type(event).__name__, event.start_mark.line + 1
    if name in ("MappingEndEvent", "SequenceEndEvent"):
        closed = open_nodes.pop()
        keys.pop()
        # The end mark of a block is at the token after it.
        end = event.end_mark.line + (event.end_mark.column > 0)
        closed.last = max(closed.line, end)
    elif name in ("MappingStartEvent", "SequenceStartEvent"):
        node = Node(line=line, entries={}) if name == "MappingStartEvent" else Node(line=line, items=[])
        _add_to_open_node(node, open_nodes, keys)
        open_nodes.append(node)
        keys.append(None)
    elif name in ("ScalarEvent", "AliasEvent"):
        value = getattr(event, "value", None)
        if open_nodes[-1].entries is not None and keys[-1] is None:
            keys[-1] = " ".join((value or "").split()), line
            return
        is_text = getattr(event, "style", None) in ("|", ">") or len(value or "") > _MAX_VALUE_CHARS
        value = None if is_text or value is None else " ".join(value.split())
        _add_to_open_node(Node(line=line, last=event.end_mark.line + 1, value=value), open_nodes, keys)


def _add_to_open_node(node: Node, open_nodes: list[Node], keys: list[_Key | None]) -> None:
    parent, key = open_nodes[-1], keys[-1]
    keys[-1] = None
    if len(open_nodes) > _MAX_DEPTH:
        return
    if parent.items is not None:
        parent.items.append(node)
    elif parent.entries is not None and key is not None:
        # A nested node begins at the line of its key.
        node.line = key[1] if node.value is None else node.line
        parent.entries.setdefault(key[0], node)


def _toml(text: str) -> Node | None:
    root = Node(line=1, entries={})
    table, lines = root, text.split("\n")
    index = 0
    while index < len(lines):
        number, line = index + 1, lines[index]
        index += 1
        if (header := _TABLE.match(line)) is not None:
            table.last = number - 1
            table = _table(root, header["name"], number, is_item=header["open"] == "[[")
        elif (pair := PAIR.match(line)) is not None and table.entries is not None:
            value, first = pair["value"], number
            node = Node(line=first, value=" ".join(value.strip("\"'").split()))
            if value.startswith("["):
                node = Node(line=first, items=[])
                while True:
                    node.items += [Node(line=index, value=text) for text in _strings(value)]  # type: ignore[operator]
                    if "]" in value or index >= len(lines):
                        break
                    value = lines[index]
                    index += 1
            node.last = index
            table.entries.setdefault(pair["key"].strip("\"'"), node)
    table.last = len(lines)
    return root if root.entries else None


def _strings(line: str) -> Iterator[str]:
    for match in _TEXTS.finditer(line.partition(" #")[0]):
        yield next(group for group in match.groups() if group is not None)


def _table(root: Node, name: str, line: int, *, is_item: bool) -> Node:
    """The mapping that a table header opens, added to the tree; a table within an item belongs to the last item."""
    node = root
    parts = [part.strip("\"' ") for part in name.split(".")]
    for depth, part in enumerate(parts):
        if node.items is not None:
            node = node.items[-1] if node.items else node
        if node.entries is None:
            return Node(line=line, entries={})
        is_last = depth + 1 == len(parts)
        new_node = Node(line=line, items=[]) if is_last and is_item else Node(line=line, entries={})
        node = node.entries.setdefault(part, new_node)
    if is_item and node.items is not None:
        node.items.append(Node(line=line, entries={}))
    return node.items[-1] if node.items else node

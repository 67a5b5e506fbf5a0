"""Files of data as trees with the line of each value: YAML and JSON by the events of a parser, TOML by its lines.

A parser of events neither recurses nor expands an alias, and what it has read before a mistake is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any, Final

from msgspec import Struct

from kbtui.domain.document import Document

KINDS: Final = frozenset({"yaml", "json", "toml"})
_MOST_EVENTS: Final = 60_000
"""Of a file that holds more, what begins further down is left out."""
_DEEPEST: Final = 12
_Key = tuple[str, int]
"""A key whose value is awaited, and its line."""
_LONGEST_VALUE: Final = 300

_SURROGATE = re.compile(r"\\u[dD][89a-fA-F][0-9a-fA-F]{2}")
"""Half a character, which JSON may write and YAML may not."""
_TABLE = re.compile(r"\s*(?P<open>\[\[?)\s*(?P<name>[^\[\]]{1,200}?)\s*\]\]?\s*(?:#.*)?$")
_PAIR = re.compile(r"""\s*(?P<key>"[^"\n]{1,200}"|'[^'\n]{1,200}'|[\w.-]{1,200})\s*=\s*(?P<value>\S.*)$""")
_TEXTS = re.compile(r"\"(?P<double>(?:[^\"\\]|\\.)*)\"|'(?P<single>[^']*)'|(?P<bare>[\w.+:-]+)")


class Node(Struct):
    """A value with its line: a text, a list, or a mapping; of a long text nothing but where it stands.

    Attributes:
        last: The last line that belongs to it.
        value: Of a text on a line; None of everything else.
        entries: Of a mapping, by key.
        items: Of a list.
    """

    line: int
    last: int = 0
    value: str | None = None
    entries: dict[str, Node] | None = None
    items: list[Node] | None = None

    @property
    def maps(self) -> list[Node]:
        """The mappings in a list, or those that a mapping has by name; empty where something else is among them."""
        inner = list(self.entries.values()) if self.entries is not None else self.items or []
        return inner if all(one.entries is not None for one in inner) else []


@lru_cache(maxsize=1)
def structure_of(document: Document) -> Node | None:
    """The tree of a file of data; None where it is none, or where it holds nothing."""
    if document.kind not in KINDS or document.path.lower().endswith((".jsonl", ".ndjson")):
        return None
    if document.kind == "toml":
        return _toml(document.text)
    text = _SURROGATE.sub("?", document.text) if document.kind == "json" else document.text
    found = _read(text)
    return found[0] if len(found) == 1 else Node(line=1, items=found) if found else None


def mapping_of(lines: Sequence[str], before: int) -> dict[str, Node]:
    """By key what the lines of YAML above a text state; ``before`` are the lines above them."""
    found = _read("\n" * before + "\n".join(lines))
    return (found[0].entries or {}) if found else {}


def _read(text: str) -> list[Node]:
    """The documents of one text; what was open at a mistake ends there."""
    # 15 ms to import, for the folders that need it.
    import yaml

    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    root = Node(line=1, items=[])
    open_nodes, keys = [root], list[_Key | None]([None])
    try:
        for count, event in enumerate(yaml.parse(text, Loader=loader)):
            if count >= _MOST_EVENTS:
                break
            _take(event, open_nodes, keys)
    except yaml.YAMLError:
        pass
    return root.items or []


def _take(event: Any, open_nodes: list[Node], keys: list[_Key | None]) -> None:
    """Put what an event tells into the innermost open node; ``keys`` are those whose values are awaited."""
    name, line = type(event).__name__, event.start_mark.line + 1
    if name in ("MappingEndEvent", "SequenceEndEvent"):
        done = open_nodes.pop()
        keys.pop()
        # The end of a block is told by what follows it.
        end = event.end_mark.line + (event.end_mark.column > 0)
        done.last = max(done.line, end)
    elif name in ("MappingStartEvent", "SequenceStartEvent"):
        node = Node(line=line, entries={}) if name == "MappingStartEvent" else Node(line=line, items=[])
        _put(node, open_nodes, keys)
        open_nodes.append(node)
        keys.append(None)
    elif name in ("ScalarEvent", "AliasEvent"):
        value = getattr(event, "value", None)
        if open_nodes[-1].entries is not None and keys[-1] is None:
            keys[-1] = " ".join((value or "").split()), line
            return
        is_text = getattr(event, "style", None) in ("|", ">") or len(value or "") > _LONGEST_VALUE
        value = None if is_text or value is None else " ".join(value.split())
        _put(Node(line=line, last=event.end_mark.line + 1, value=value), open_nodes, keys)


def _put(node: Node, open_nodes: list[Node], keys: list[_Key | None]) -> None:
    holder, key = open_nodes[-1], keys[-1]
    keys[-1] = None
    if len(open_nodes) > _DEEPEST:
        return
    if holder.items is not None:
        holder.items.append(node)
    elif holder.entries is not None and key is not None:
        # What is nested begins where its key stands.
        node.line = key[1] if node.value is None else node.line
        holder.entries.setdefault(key[0], node)


def _toml(text: str) -> Node | None:
    root = Node(line=1, entries={})
    table, raw = root, text.split("\n")
    at = 0
    while at < len(raw):
        number, line = at + 1, raw[at]
        at += 1
        if (opened := _TABLE.match(line)) is not None:
            table.last = number - 1
            table = _table(root, opened["name"], number, is_item=opened["open"] == "[[")
        elif (pair := _PAIR.match(line)) is not None and table.entries is not None:
            value, first = pair["value"], number
            node = Node(line=first, value=" ".join(value.strip("\"'").split()))
            if value.startswith("["):
                node = Node(line=first, items=[])
                while True:
                    node.items += [Node(line=at, value=text) for text in _texts(value)]  # type: ignore[operator]
                    if "]" in value or at >= len(raw):
                        break
                    value = raw[at]
                    at += 1
            node.last = at
            table.entries.setdefault(pair["key"].strip("\"'"), node)
    table.last = len(raw)
    return root if root.entries else None


def _texts(line: str) -> Iterator[str]:
    for match in _TEXTS.finditer(line.partition(" #")[0]):
        yield next(group for group in match.groups() if group is not None)


def _table(root: Node, name: str, line: int, *, is_item: bool) -> Node:
    """The mapping that a table's header opens, in its place; a table of an item belongs to the last item."""
    node = root
    parts = [part.strip("\"' ") for part in name.split(".")]
    for depth, part in enumerate(parts):
        if node.items is not None:
            node = node.items[-1] if node.items else node
        if node.entries is None:
            return Node(line=line, entries={})
        is_last = depth + 1 == len(parts)
        made = Node(line=line, items=[]) if is_last and is_item else Node(line=line, entries={})
        node = node.entries.setdefault(part, made)
    if is_item and node.items is not None:
        node.items.append(Node(line=line, entries={}))
    return node.items[-1] if node.items else node

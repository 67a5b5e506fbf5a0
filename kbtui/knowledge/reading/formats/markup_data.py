"""The text of XML, and of drawings: SVG, draw.io and Canvas."""

from __future__ import annotations

import base64
import json
import re
import zlib
from collections.abc import Iterator
from typing import Any, Final
from urllib.parse import unquote
from xml.parsers import expat

from kbtui.domain.tree import Node
from kbtui.knowledge.reading.formats.base import MAX_CHARS, Extracted, TextBuilder, damaged_error, plain
from kbtui.knowledge.reading.formats.packages import attribute, local_name, parse_xml
from kbtui.knowledge.reading.formats.pages import markdown_of
from kbtui.text.decoding import decode
from kbtui.text.markup import reads_as_text

_MAX_PAGE_BYTES: Final = 8 << 20
"""Bytes to which a page of a drawing may unpack."""
_MAX_ATTRIBUTES: Final = 20
_MAX_VALUE_CHARS: Final = 2_000
_MAX_FIELD_CHARS: Final = 300
_MAX_NODES: Final = 60_000
"""Elements of a file; what ends after them is not in the tree."""
_MAX_DEPTH: Final = 12
_TITLES: Final = ("title", "label", "name")
"""Values of the root element that are the title of the file, the best first."""
_DECLARATION: Final = re.compile(r"^\s*<\?xml[^>]*\?>")


def extract_xml(data: bytes, _path: str) -> Extracted | None:
    """The elements of XML as ``name: text``, each on its line of the file, with the tree of their values.

    None for pages of text and other files.

    XML that defines entities is not converted.
    """
    text = decode(data).text[:MAX_CHARS]
    if reads_as_text(text) or not text.lstrip().startswith("<"):
        return None
    reader = _XmlReader(text)
    if not reader.is_whole:
        return None
    tree = reader.tree
    root = next(iter((tree.entries or {}).values()), tree)
    title = next((node.value for key in _TITLES if (node := (root.entries or {}).get(key)) and node.value), "")
    return Extracted(text=reader.text, kind="text", title=title, tree=tree)


class _XmlReader:
    """Converts XML to lines of ``name key=value: text``, each on the line of the element, and to a tree.

    In the tree, elements of one name within an element are a list; the text of an element with attributes is its
    value ``text``.
    """

    def __init__(self, text: str) -> None:
        self._lines: list[list[str]] = [[] for _ in range(text.count("\n") + 1)]
        self._open: list[str] = []
        self._nodes = [Node(line=1, entries={})]
        self._texts: list[list[str]] = [[]]
        self._node_count = 0
        self._pending = ""
        parser = expat.ParserCreate("utf-8")
        parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
        parser.StartElementHandler = self._start
        parser.EndElementHandler = self._end
        parser.CharacterDataHandler = self._add_text
        parser.EntityDeclHandler = self._entity
        parser.buffer_text = False
        self._parser = parser
        self.is_whole = True
        try:
            parser.Parse(
                _DECLARATION.sub(lambda match: "\n" * match[0].count("\n"), text).encode("utf-8", "replace"), True
            )
        except (expat.ExpatError, _EntityDefined):
            self.is_whole = False

    @property
    def text(self) -> str:
        return "\n".join(" · ".join(parts) for parts in self._lines)

    @property
    def tree(self) -> Node:
        """A mapping with the root element."""
        return self._nodes[0]

    def _entity(self, *_: Any) -> None:
        raise _EntityDefined

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        self._flush()
        self._open.append(name.rpartition(":")[2])
        self._open_node(attributes)
        attribute_texts = [
            f"{key.rpartition(':')[2]}={' '.join(value.split())[:_MAX_VALUE_CHARS]}"
            for key, value in list(attributes.items())[:_MAX_ATTRIBUTES]
            if not key.startswith("xmlns")
        ]
        self._pending = " ".join([self._open[-1], *attribute_texts])
        if attribute_texts:
            self._flush()
            self._pending = self._open[-1]

    def _flush(self) -> None:
        if " " in self._pending:
            self._append(self._pending)
        self._pending = ""

    def _end(self, _name: str) -> None:
        self._flush()
        if self._open:
            self._close_node(self._open.pop())

    def _open_node(self, attributes: dict[str, str]) -> None:
        line = self._parser.CurrentLineNumber
        entries = {
            _key(name): Node(line=line, last=line, value=text)
            for name, value in attributes.items()
            if not name.startswith("xmlns") and len(text := " ".join(value.split())) <= _MAX_FIELD_CHARS
        }
        self._nodes.append(Node(line=line, entries=entries))
        self._texts.append([])

    def _close_node(self, name: str) -> None:
        node, texts = self._nodes.pop(), self._texts.pop()
        node.last = self._parser.CurrentLineNumber
        self._node_count += 1
        parent, key, text = self._nodes[-1].entries, _key(name), " ".join(texts)
        if parent is None or self._node_count > _MAX_NODES or len(self._nodes) > _MAX_DEPTH:
            return
        if text:
            is_field = len(text) <= _MAX_FIELD_CHARS and node.line == node.last
            value = Node(line=node.line, last=node.last, value=text if is_field else None)
            if node.entries:
                node.entries.setdefault("text", value)
            else:
                node = value
        elif not node.entries:
            return
        if (known := parent.get(key)) is None:
            # An element with an identifier is a record of a list, even if it is the only one.
            is_record = node.entries is not None and "id" in node.entries
            parent[key] = Node(line=node.line, last=node.last, items=[node]) if is_record else node
        elif known.items is not None:
            known.items.append(node)
            known.last = node.last
        else:
            parent[key] = Node(line=known.line, last=node.last, items=[known, node])

    def _add_text(self, text: str) -> None:
        words = " ".join(plain(text).split())
        if words:
            self._texts[-1].append(words)
            self._append(f"{self._pending}: {words}" if self._pending else words)
            self._pending = ""

    def _append(self, text: str) -> None:
        line = min(self._parser.CurrentLineNumber, len(self._lines)) - 1
        self._lines[line].append(text)


def _key(name: str) -> str:
    """The key of an element or attribute: without its namespace, and without the mark of texts to be translated."""
    return name.rpartition(":")[2].lstrip("_")


class _EntityDefined(Exception):
    """The file defines entities."""


def extract_svg(data: bytes, _path: str) -> Extracted:
    """The title, description and texts of a drawing.

    Raises:
        KnowledgeBaseError: The file is damaged.
    """
    builder = TextBuilder()
    tree = _tree(data)
    title = ""
    for element in tree.iter():
        name = local_name(element)
        if name in ("title", "desc", "text"):
            text = " ".join("".join(map(str, element.itertext())).split())
            title = title or (text if name == "title" else "")
            if text:
                builder.blank()
                builder.add(text)
        elif name == "foreignObject":
            builder.add("\n".join(" ".join(str(part).split()) for part in element.itertext() if str(part).strip()))
    return builder.done("text", title=title)


def extract_drawio(data: bytes, _path: str) -> Extracted:
    """The labels of a draw.io drawing, with a place for each page.

    Raises:
        KnowledgeBaseError: The file is damaged.
    """
    builder = TextBuilder()
    tree = _tree(data)
    pages = [element for element in tree.iter() if local_name(element) == "diagram"]
    for number, page in enumerate(pages or [tree], 1):
        name = attribute(page, "name") or str(number)
        builder.begin(f"page {name}")
        builder.add(f"# {name}")
        builder.blank()
        for label in _labels(page):
            builder.add(label)
    return builder.done("markdown")


def _labels(page: Any) -> Iterator[str]:
    """The labels of the shapes of a page, which may be compressed."""
    packed = (page.text or "").strip()
    if packed and not len(page):
        page = _tree(_unpack(packed))
    for element in page.iter():
        label = attribute(element, "value") or attribute(element, "label")
        if label and local_name(element) in ("mxCell", "object", "UserObject"):
            yield " ".join((markdown_of(f"<div>{label}</div>") if "<" in label or "&" in label else label).split())


def _unpack(packed: str) -> bytes:
    try:
        unpacking = zlib.decompressobj(-15)
        markup = unpacking.decompress(base64.b64decode(packed), _MAX_PAGE_BYTES)
    except (ValueError, zlib.error) as error:
        raise damaged_error() from error
    return unquote(markup.decode("utf-8", "replace")).encode("utf-8", "replace")


def extract_canvas(data: bytes, _path: str) -> Extracted:
    """The cards of a canvas, with a place for each, and the edges between them.

    Raises:
        KnowledgeBaseError: The file is not a canvas.
    """
    try:
        canvas = json.loads(decode(data).text or "{}")
        nodes = list(canvas.get("nodes") or ())
        builder = TextBuilder()
        names: dict[str, str] = {}
        for number, node in enumerate(nodes, 1):
            text = next((str(node[key]) for key in ("text", "label", "file", "url") if node.get(key)), "")
            names[str(node.get("id"))] = text.strip().split("\n")[0].lstrip("# ")[:80]
            if text:
                builder.begin(f"card {number}")
                builder.add(f"[[{text}]]" if node.get("type") == "file" else text)
        edges = [edge for edge in canvas.get("edges") or () if edge.get("fromNode") and edge.get("toNode")]
        builder.begin("")
        for edge in edges:
            label = f" ({edge['label']})" if edge.get("label") else ""
            builder.add(f"- {names.get(str(edge['fromNode']), '')} → {names.get(str(edge['toNode']), '')}{label}")
        return builder.done("markdown")
    except (ValueError, AttributeError, TypeError, KeyError, RecursionError) as error:
        raise damaged_error() from error


def _tree(data: bytes) -> Any:
    try:
        return parse_xml(data)
    except ValueError as error:
        raise damaged_error() from error

"""The things a folder is about: each document, or a folder with the file that describes it, and what it states.

Things of one kind (a numbered series, the pages of a folder) state the same fields; a kind becomes a table.
"""

from __future__ import annotations

import posixpath
import re
from collections import defaultdict
from functools import cached_property
from typing import Final

from kbtui.domain.document import FileRecord
from kbtui.knowledge.relations.labels import number_of
from kbtui.records.kinds import Fact, Kind, Thing, kinds_of
from kbtui.records.links import Links

SOURCE: Final = "folder"
"""What the tables go by as a source of data."""

_TEXTUAL: Final = frozenset({"mentions", "links-to", "imports", "columns"})
"""Relations that a text makes in passing; they are asked for one by one, not as columns."""
_DATA_KINDS: Final = frozenset({"yaml", "toml", "json"})


class Collection:
    """All things of a folder by kind.

    Args:
        links: The files and what they state.
        root: What the folder is called.
    """

    def __init__(self, links: Links, root: str = "") -> None:
        self.links = links
        self._root = root
        self._described = {path: one.folder for one in links.described for path in (one.by, one.text) if path}
        self.things = self._things()

    def thing_at(self, node: str) -> Thing | None:
        """The thing that a path belongs to: a document's own, or that of the folder it describes."""
        return self.things.get(self._described.get(node, node)) or self.things.get(node.strip("/"))

    @cached_property
    def kinds(self) -> tuple[Kind, ...]:
        """Kinds of which several things state a field, largest first."""
        return kinds_of(self.things.values(), frozenset(self._described.values()), self._root)

    def _things(self) -> dict[str, Thing]:
        found: dict[str, Thing] = {}
        members: dict[str, list[FileRecord]] = defaultdict(list)
        for record in self.links.files:
            members[self._described.get(record.path, record.path)].append(record)
        for key, records in members.items():
            main = min(records, key=lambda record: record.kind not in _DATA_KINDS) if len(records) > 1 else records[0]
            label = next((name for one in records if (name := self.links.labels.get(one.path))), "")
            number = number_of(label) if label else None
            if number is None:
                number = _leading_number(key)
            title = next((one.title for one in (main, *records) if one.title), "")
            found[key] = Thing(key=key, path=main.path, title=title, name=label, number=number)
        folded = {key.casefold(): key for key in found}
        for edge in self.links.edges:
            thing = found.get(self._described.get(edge.source, edge.source))
            if thing is None or edge.relation in _TEXTUAL:
                continue
            target = self._described.get(edge.target, edge.target)
            fact = Fact(
                field=edge.relation,
                value=edge.label,
                path=edge.source,
                line=edge.line,
                target=target if target in found else folded.get(edge.target.strip("/").casefold(), ""),
            )
            thing.facts.setdefault(edge.relation, []).append(fact)
        return found


def _leading_number(key: str) -> int | None:
    match = re.match(r"0*(\d{1,6})(?=[-_. ]|$)", posixpath.basename(key))
    return int(match[1]) if match else None

"""Relations of one thing, followed as far as asked: what a program asks that needs no sentence read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from typing import Final, Literal

from msgspec import Struct

from kbtui.domain.evidence import Hit
from kbtui.errors import ToolError
from kbtui.knowledge.relations.labels import fold, is_ticket, series_of
from kbtui.records.collection import Collection
from kbtui.records.concepts import concept_of
from kbtui.records.filtering import field_name
from kbtui.records.links import Edge, Links
from kbtui.records.names import CERTAIN

Direction = Literal["from", "to", "both"]

TEXTUAL: Final = frozenset({"mentions", "links-to", "imports"})
"""Relations that texts have by naming something; they are followed only where they are asked for."""
_MOST: Final = 200
_MOST_NAMED: Final = 3
_MOST_OF_NAMED: Final = 14


class Met(Struct, frozen=True, kw_only=True):
    """One relation on the way.

    Attributes:
        depth: Relations between the thing asked about and the far end, from 1.
        end: Node at the far end: a path, or the key of a name that is no file.
        is_missing: The far end goes by the name of a document, and no file here is that document.
    """

    edge: Edge
    depth: int
    end: str
    is_missing: bool = False


class Walk(Struct, frozen=True, kw_only=True):
    """What was met.

    Attributes:
        called: What the thing is called.
        ends: What was reached, going as the relation points and going against it, from which it leads no further.
        textual: How many relations by mere mention it has beside, by name.
        cut: There was more than is told.
    """

    node: str
    called: str
    met: tuple[Met, ...]
    textual: dict[str, int]
    ends: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    cut: bool = False


def node_of(links: Links, name: str) -> str:
    """The thing that goes by a name: a path, a label such as ``PEP 484``, a title, a person.

    Raises:
        ToolError: There is none.
    """
    written = name.strip()
    if written in links.records:
        return links.main_file(written)
    mentions = links.finder.find(f"`{written}`") or links.finder.find(written) or links.finder.people(written.title())
    if mentions:
        return links.main_file(mentions[0].nodes[0])
    if fold(written) in links.reverse:
        return fold(written)
    raise ToolError(
        f"Nothing here is called {written!r}.", "Give a path, an identifier or a title as the documents write it."
    )


def walked(links: Links, name: str, relation: str = "", direction: Direction = "both", depth: int = 1) -> Walk:
    """The relations of a thing, nearest first.

    Args:
        relation: Its name, or another name for the same; every relation that is stated as such where empty.
        direction: ``from`` what the thing states or stands at the beginning of, ``to`` the other end.
        depth: How many relations are followed, one after the other.

    Raises:
        ToolError: There is no such thing.
    """
    node = node_of(links, name)
    ways = [
        list(_followed(links, node, relation, depth, outwards=outwards))
        if direction in ("both", "from" if outwards else "to")
        else []
        for outwards in (True, False)
    ]
    seen: dict[tuple[str, str, str], Met] = {}
    for one in (*ways[0], *ways[1]):
        seen.setdefault(_fact_of(links, one.edge), one)
    every = [*links.forward.get(node, ()), *links.reverse.get(node, ())]
    counts = {name: sum(edge.relation == name for edge in every) for name in sorted(TEXTUAL)}
    return Walk(
        node=node,
        called=links.label_of(node),
        met=tuple(seen.values())[:_MOST],
        ends=(
            _ends(links, node, relation, ways[0], outwards=True),
            _ends(links, node, relation, ways[1], outwards=False),
        ),
        textual={name: count for name, count in counts.items() if count and field_name(relation) != name},
        cut=len(seen) > _MOST,
    )


def stated_of_named(collection: Collection) -> Callable[[str], tuple[Hit, ...]]:
    """Gives the lines that state fields and relations of the things that a text names for certain."""

    def stated(text: str) -> tuple[Hit, ...]:
        links = collection.links
        mentions = [one for one in links.finder.find(text) if one.certainty >= CERTAIN and one.end > one.start]
        met: list[Met] = []
        for mention in mentions[:_MOST_NAMED]:
            node = links.main_file(mention.nodes[0])
            if node not in links.records:
                continue
            of_it = [*_followed(links, node, "", 1, outwards=True), *_followed(links, node, "", 1, outwards=False)]
            met += of_it[:_MOST_OF_NAMED]
        return hits_of(links, met)

    return stated


def hits_of(links: Links, met: Iterable[Met]) -> tuple[Hit, ...]:
    """The lines that state relations, each once, with all that it states in its note."""
    found: dict[tuple[str, int], Hit] = {}
    for one in met:
        hit = hit_of(links, one)
        known = found.get((hit.path, hit.start_line))
        if known is not None and hit.note not in known.note:
            hit = replace(known, note="; ".join(filter(None, (known.note, hit.note))))
        found[hit.path, hit.start_line] = hit
    return tuple(found.values())


def hit_of(links: Links, met: Met) -> Hit:
    """The line that states a relation, with a note that names both ends."""
    edge = met.edge
    target = edge.label if met.is_missing or edge.target not in links.records else links.label_of(edge.target)
    title = "" if met.is_missing else links.title_of(edge.target)
    note = ""
    if met.is_missing or edge.target in links.records or met.end in links.records:
        # Of a plain value the line says everything.
        note = f"{links.label_of(links.main_file(edge.source))} —{edge.relation}→ {target}"
        note += f" «{title}»" if title else ""
        note += " (no such document here)" if met.is_missing else ""
    return Hit(
        path=edge.source,
        start_line=edge.line,
        end_line=edge.line,
        text=edge.text,
        score=1.0,
        tool="relations",
        title=links.title_of(edge.source),
        matched_lines=(edge.line,),
        note=note,
    )


def _fact_of(links: Links, edge: Edge) -> tuple[str, str, str]:
    """What an edge states, whichever end states it: A is *superseded by* B where B *replaces* A."""
    source, found = links.main_file(edge.source), concept_of(edge.relation)
    if found is None or found[0].kind == "value":
        return source, edge.relation, edge.target
    concept, is_forward = found
    is_turned = source > edge.target if concept.kind == "symmetric" else not is_forward
    return (edge.target, concept.name, source) if is_turned else (source, concept.name, edge.target)


def _ends(links: Links, node: str, relation: str, met: Iterable[Met], *, outwards: bool) -> tuple[str, ...]:
    """What the far ends are called from which the relation leads to nothing else."""
    last = [
        end
        for end in dict.fromkeys(one.end for one in met if one.end != node)
        if all(further == end for _, further in _edges(links, end, relation, outwards=outwards))
    ]
    return tuple(dict.fromkeys(map(links.label_of, last)))


def _followed(links: Links, node: str, relation: str, depth: int, *, outwards: bool) -> Iterator[Met]:
    seen, front = {node}, [node]
    for step in range(1, depth + 1):
        reached: list[str] = []
        for here in front:
            for edge, end in _edges(links, here, relation, outwards=outwards):
                if not relation and "://" in edge.label:
                    continue
                is_missing = end not in links.records and _is_document(edge.label)
                yield Met(edge=edge, depth=step, end=end, is_missing=is_missing)
                if end not in seen:
                    seen.add(end)
                    reached.append(end)
        front = [end for end in reached if end in links.records]
        if not front or len(seen) > _MOST:
            return


def _edges(links: Links, node: str, relation: str, *, outwards: bool) -> Iterator[tuple[Edge, str]]:
    """Edges that lead on from a node, each with its far end; what the other end states by the opposite name too."""
    same, opposite = _names(relation)
    own, others = (links.forward, links.reverse) if outwards else (links.reverse, links.forward)
    for edge in own.get(node, ()):
        if edge.relation in same if relation else edge.relation not in TEXTUAL:
            yield edge, edge.target if outwards else links.main_file(edge.source)
    for edge in others.get(node, ()):
        if relation and edge.relation in opposite:
            yield edge, links.main_file(edge.source) if outwards else edge.target


def _names(relation: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names that state a relation, and those that state it from the other end."""
    name = field_name(relation)
    found = concept_of(name)
    if found is None:
        return frozenset({name}), frozenset()
    concept, is_forward = found
    own, other = (concept.forward, concept.inverse) if is_forward else (concept.inverse, concept.forward)
    return own | {name}, other


def _is_document(label: str) -> bool:
    return is_ticket(label) or bool(series_of(label))

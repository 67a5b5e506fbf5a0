"""Traverses the relations of one thing to a given depth, for tools that pass structured arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

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
"""Relations made by mentioning something in a text; followed only if asked for by name."""
_MAX_EDGES: Final = 200
_MAX_MENTIONS: Final = 3
_MAX_EDGES_OF_MENTION: Final = 14


class Step(Struct, frozen=True, kw_only=True):
    """One edge of a traversal.

    Attributes:
        edge: The edge.
        depth: Number of relations between the thing asked about and the far end, from 1.
        end: Node at the far end: a path, or the key of a name that is not a file.
        is_missing: The far end has the label of a document that is not in the folder.
    """

    edge: Edge
    depth: int
    end: str
    is_missing: bool = False


class Walk(Struct, frozen=True, kw_only=True):
    """The result of a traversal.

    Attributes:
        node: The start node.
        label: Display name of the start node.
        edges: The traversed edges, nearest first.
        textual: Number of textual relations of the start node that were not followed, by name.
        ends: Display names of the nodes from which the relation leads no further: along it, and against it.
        cut: The edges are truncated.
    """

    node: str
    label: str
    edges: tuple[Step, ...]
    textual: dict[str, int]
    ends: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    cut: bool = False


def node_of(links: Links, name: str) -> str:
    """The node for a path, a label such as ``PEP 484``, a title or a person.

    Raises:
        ToolError: Nothing has that name.
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


def traverse(links: Links, name: str, relation: str = "", direction: Direction = "both", depth: int = 1) -> Walk:
    """Traverse the relations of a thing, nearest first.

    Args:
        name: Path, label, title or person to start from.
        relation: Name of the relation or a synonym; empty for every relation that is not textual.
        direction: ``from`` for edges that start at the thing, ``to`` for edges that end at it.
        depth: Most relations on a path.

    Raises:
        ToolError: Nothing has that name.
    """
    node = node_of(links, name)
    ways = [
        list(_traverse(links, node, relation, depth, outwards=outwards))
        if direction in ("both", "from" if outwards else "to")
        else []
        for outwards in (True, False)
    ]
    distinct: dict[tuple[str, str, str], Step] = {}
    for step in (*ways[0], *ways[1]):
        distinct.setdefault(_statement_key(links, step.edge), step)
    adjacent = [*links.forward.get(node, ()), *links.reverse.get(node, ())]
    counts = {name: sum(edge.relation == name for edge in adjacent) for name in sorted(TEXTUAL)}
    return Walk(
        node=node,
        label=links.label_of(node),
        edges=tuple(distinct.values())[:_MAX_EDGES],
        ends=(
            _ends(links, node, relation, ways[0], outwards=True),
            _ends(links, node, relation, ways[1], outwards=False),
        ),
        textual={name: count for name, count in counts.items() if count and field_name(relation) != name},
        cut=len(distinct) > _MAX_EDGES,
    )


def relation_lookup(collection: Collection) -> Callable[[str], tuple[Hit, ...]]:
    """A function that returns the lines with fields and relations of the things a text mentions for certain."""

    def hits_for(text: str) -> tuple[Hit, ...]:
        links = collection.links
        mentions = [
            mention
            for mention in links.finder.find(text)
            if mention.certainty >= CERTAIN and mention.end > mention.start
        ]
        steps: list[Step] = []
        for mention in mentions[:_MAX_MENTIONS]:
            node = links.main_file(mention.nodes[0])
            if node not in links.records:
                continue
            adjacent = [*_traverse(links, node, "", 1, outwards=True), *_traverse(links, node, "", 1, outwards=False)]
            steps += adjacent[:_MAX_EDGES_OF_MENTION]
        return hits_of(links, steps)

    return hits_for


def hits_of(links: Links, steps: Iterable[Step]) -> tuple[Hit, ...]:
    """The lines that state relations, each once, with all its relations in the note."""
    hits: dict[tuple[str, int], Hit] = {}
    for step in steps:
        hit = hit_of(links, step)
        previous = hits.get((hit.path, hit.start_line))
        if previous is not None and hit.note not in previous.note:
            hit = replace(previous, note="; ".join(filter(None, (previous.note, hit.note))))
        hits[hit.path, hit.start_line] = hit
    return tuple(hits.values())


def hit_of(links: Links, step: Step) -> Hit:
    """The line that states a relation, with both ends in the note."""
    edge = step.edge
    target = edge.label if step.is_missing or edge.target not in links.records else links.label_of(edge.target)
    title = "" if step.is_missing else links.title_of(edge.target)
    note = ""
    if step.is_missing or edge.target in links.records or step.end in links.records:
        # A plain value needs no note: the line shows it.
        note = f"{links.label_of(links.main_file(edge.source))} —{edge.relation}→ {target}"
        note += f" «{title}»" if title else ""
        note += " (no such document here)" if step.is_missing else ""
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


def _statement_key(links: Links, edge: Edge) -> tuple[str, str, str]:
    """What an edge states, whichever end states it: A is *superseded by* B where B *replaces* A."""
    source, match = links.main_file(edge.source), concept_of(edge.relation)
    if match is None or match[0].kind == "value":
        return source, edge.relation, edge.target
    concept, is_forward = match
    is_turned = source > edge.target if concept.kind == "symmetric" else not is_forward
    return (edge.target, concept.name, source) if is_turned else (source, concept.name, edge.target)


def _ends(links: Links, node: str, relation: str, steps: Iterable[Step], *, outwards: bool) -> tuple[str, ...]:
    """Display names of the reached nodes from which the relation leads to no other node."""
    last = [
        end
        for end in dict.fromkeys(step.end for step in steps if step.end != node)
        if all(further == end for _, further in _edges(links, end, relation, outwards=outwards))
    ]
    return tuple(dict.fromkeys(map(links.label_of, last)))


def _traverse(links: Links, node: str, relation: str, depth: int, *, outwards: bool) -> Iterator[Step]:
    seen, frontier = {node}, [node]
    for step in range(1, depth + 1):
        reached: list[str] = []
        for current in frontier:
            for edge, end in _edges(links, current, relation, outwards=outwards):
                if not relation and "://" in edge.label:
                    continue
                is_missing = end not in links.records and _is_document(edge.label)
                yield Step(edge=edge, depth=step, end=end, is_missing=is_missing)
                if end not in seen:
                    seen.add(end)
                    reached.append(end)
        frontier = [end for end in reached if end in links.records]
        if not frontier or len(seen) > _MAX_EDGES:
            return


def _edges(links: Links, node: str, relation: str, *, outwards: bool) -> Iterator[tuple[Edge, str]]:
    """Edges from a node with their far ends, including those that the far end states by the inverse name."""
    names, inverse_names = _synonyms(relation)
    own, others = (links.forward, links.reverse) if outwards else (links.reverse, links.forward)
    for edge in own.get(node, ()):
        if edge.relation in names if relation else edge.relation not in TEXTUAL:
            yield edge, edge.target if outwards else links.main_file(edge.source)
    for edge in others.get(node, ()):
        if relation and edge.relation in inverse_names:
            yield edge, links.main_file(edge.source) if outwards else edge.target


def _synonyms(relation: str) -> tuple[frozenset[str], frozenset[str]]:
    """The synonyms of a relation name, and the names of its inverse."""
    name = field_name(relation)
    concept_and_direction = concept_of(name)
    if concept_and_direction is None:
        return frozenset({name}), frozenset()
    concept, is_forward = concept_and_direction
    own, other = (concept.forward, concept.inverse) if is_forward else (concept.inverse, concept.forward)
    return own | {name}, other


def _is_document(label: str) -> bool:
    return is_ticket(label) or bool(series_of(label))

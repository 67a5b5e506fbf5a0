"""What stands at the other end of a relation that is asked for: which edges say so, in what order, with which lines."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.knowledge.relations.labels import is_ticket, label_key, series_of
from kbtui.records.concepts import concept_of

if TYPE_CHECKING:
    from kbtui.records.concepts import Concept
    from kbtui.records.links import Edge, Links
    from kbtui.records.names import Mention
    from kbtui.records.one_thing import Asked, ThingQuestion
    from kbtui.records.relating import Step

Direction = Literal["forward", "reverse"]

TOOL: Final = "graph_related"
DIRECT, CONVERSE, LOOSE = 0.95, 0.9, 0.6
_MOST: Final = 300
_TEXTUAL: Final = ("mentions", "links-to")


class Item(Struct, frozen=True, kw_only=True):
    """One thing or value at the other end.

    Attributes:
        label: What it is called: ``PEP 699``, ``Sam Gross``, ``runbooks/rollback.md``.
        path: The file it is, or empty.
        title: Of that file, when it says more than the label.
        relation: As the stating file names it.
        direction: ``forward`` when the stating file speaks of the thing asked about, ``reverse`` when it points at it.
        hit: The line that states it.
    """

    label: str
    path: str
    title: str
    relation: str
    direction: Direction
    hit: Hit


class Items(Struct, frozen=True, kw_only=True):
    """What the folder states about one thing.

    Attributes:
        node: Of the thing.
        entity: What it is called; empty when the question names nothing known.
    """

    node: str = ""
    entity: str = ""
    items: tuple[Item, ...] = ()


class _Found(Struct, frozen=True):
    """An edge seen from the thing asked about, and how directly it answers."""

    edge: Edge
    direction: Direction
    score: float

    @property
    def other(self) -> str:
        return self.edge.target if self.direction == "forward" else self.edge.source


def items_of(links: Links, question: ThingQuestion, asked: Asked, about: str = "") -> Items:
    """Every item for one relation, in natural order, each with its line.

    Args:
        about: A file in place of what the question names.
    """
    mention = question.entity
    if mention is None:
        return Items()
    nodes = (about,) if about else mention.nodes
    node, found = nodes[0], list[_Found]()
    for group in _likeliest(links, nodes, asked):
        # Two files by one label (a moved document and its successor) are one thing to whoever asks.
        edges = [one for member in group for one in _edges(links, member, asked) if one.other not in group]
        node, found = group[0], _narrowed(links, _deduplicated(edges), question)
        if found:
            break
    is_grouped = asked.concept is None or asked.concept.kind == "value"
    entity = question.spelt(links.label_of(node))
    listed = _ordered(links, found, is_grouped=is_grouped)[:_MOST]
    return Items(node=node, entity=entity, items=tuple(_item(links, one, entity, question) for one in listed))


def hits_of(steps: Sequence[Step]) -> list[Hit]:
    """The stating lines, each once, neighbours of one relation joined, with a note that names every item."""
    merged: list[tuple[Hit, list[Step]]] = []
    for step in steps:
        item = step.item
        for index, (hit, group) in enumerate(merged):
            first = group[0]
            alike = (first.via, hit.path, first.item.relation, first.item.direction)
            if (
                alike == (step.via, item.hit.path, item.relation, item.direction)
                and hit.start_line - 1 <= item.hit.start_line <= hit.end_line + 1
            ):
                merged[index] = (_joined(hit, item.hit), [*group, step])
                break
        else:
            merged.append((item.hit, [step]))
    return [_noted(hit, group[0].via, [step.item for step in group]) for hit, group in merged]


def _joined(hit: Hit, other: Hit) -> Hit:
    if hit.start_line <= other.start_line <= hit.end_line:
        return hit
    first, last = sorted((hit, other), key=lambda one: one.start_line)
    return dataclasses.replace(
        first,
        end_line=last.end_line,
        text=f"{first.text}\n{last.text}",
        matched_lines=first.matched_lines + last.matched_lines,
    )


def _noted(hit: Hit, entity: str, group: Sequence[Item]) -> Hit:
    """The hit with what it says in one readable line: ``PEP 443 —replaces→ PEP 245 «Python Interface Syntax»``."""
    titles = [f" «{item.title.replace('»', '>')}»" if item.title else "" for item in group]
    named = "; ".join(f"{item.label}{title}" for item, title in zip(group, titles, strict=True))
    left, right = (entity, named) if group[0].direction == "forward" else (named, entity)
    return dataclasses.replace(hit, note=" ".join(f"{left} —{group[0].relation}→ {right}".split()))


def _likeliest(links: Links, nodes: Sequence[str], asked: Asked) -> list[list[str]]:
    """Of several things by one name, those that have the relation asked for come first; those of one label together."""
    concept = asked.concept
    names = {*asked.fields, *(concept.forward | concept.inverse if concept else ())}

    def weight(group: list[str]) -> int:
        edges = [edge for node in group for edge in (*links.forward.get(node, ()), *links.reverse.get(node, ()))]
        return sum(edge.relation in names for edge in edges) if names else len(edges)

    groups: dict[str, list[str]] = {}
    for node in nodes:
        groups.setdefault(label_key(links.label_of(node)), []).append(node)
    return sorted(groups.values(), key=weight, reverse=True)[:5]


def _edges(links: Links, node: str, asked: Asked) -> list[_Found]:
    concept = asked.concept
    if asked.fields and (concept is None or concept.kind == "value" or concept.weak):
        found = _by_fields(links, node, asked.fields)
        if found or concept is None:
            return found
    if concept is None:
        return _all(links, node)
    match concept.kind:
        case "value":
            return _by_fields(links, node, (concept.forward,))
        case "symmetric":
            return _symmetric(links, node, concept)
        case "document":
            return _directed(links, node, concept, is_subject=asked.role == "subject")


def _by_fields(links: Links, node: str, fields: Iterable[str | frozenset[str]]) -> list[_Found]:
    """The first of these fields, or groups of them, that the node has, or is a value of."""
    wanted = [{name} if isinstance(name, str) else name for name in fields]
    for one in (links.forward, links.reverse):
        direction: Direction = "forward" if one is links.forward else "reverse"
        for names in wanted:
            if found := [edge for edge in one.get(node, ()) if edge.relation in names]:
                return [_Found(edge, direction, DIRECT) for edge in found]
    return []


def _symmetric(links: Links, node: str, concept: Concept) -> list[_Found]:
    """What is stated as related, then every other relation to a document or ticket: all of them relate."""
    found = [one for one in _both_ways(links, node) if one.edge.relation in concept.forward]
    if concept.name != "related":
        return found
    others = [one for one in _both_ways(links, node) if _is_document(links, one.other)]
    strong = [replace(one, score=CONVERSE) for one in others if one.edge.relation not in _TEXTUAL]
    weak = [replace(one, score=LOOSE) for one in others if one.edge.relation in _TEXTUAL]
    return list({one.other: one for one in reversed([*found, *strong, *weak])}.values())[::-1]


def _directed(links: Links, node: str, concept: Concept, *, is_subject: bool) -> list[_Found]:
    """The field of the thing asked about; what other files say when it has none, or always where that is usual."""
    own_names, other_names = (concept.forward, concept.inverse) if is_subject else (concept.inverse, concept.forward)
    own = [_Found(edge, "forward", DIRECT) for edge in links.forward.get(node, ()) if edge.relation in own_names]
    own.sort(key=lambda one: one.edge.relation != concept.name)
    if own and not concept.both_ends:
        return own
    score = CONVERSE if own_names & links.relation_names.keys() else DIRECT
    others = [_Found(edge, "reverse", score) for edge in links.reverse.get(node, ()) if edge.relation in other_names]
    others.sort(key=lambda one: one.edge.relation != concept.name)
    return [*own, *others]


def _all(links: Links, node: str) -> list[_Found]:
    """Everything stated about the node: its own fields, what other files state, then mere mentions."""
    found = [replace(one, score=LOOSE) for one in _both_ways(links, node)]
    fields = [one for one in found if one.edge.relation not in _TEXTUAL]
    named = {one.other for one in fields}
    return [*fields, *(one for one in found if one.edge.relation in _TEXTUAL and one.other not in named)]


def _both_ways(links: Links, node: str) -> Iterator[_Found]:
    yield from (_Found(edge, "forward", DIRECT) for edge in links.forward.get(node, ()))
    yield from (_Found(edge, "reverse", DIRECT) for edge in links.reverse.get(node, ()))


def _is_document(links: Links, node: str) -> bool:
    return node in links.records or is_ticket(links.label_of(node)) or bool(series_of(links.label_of(node)))


def _deduplicated(found: Iterable[_Found]) -> list[_Found]:
    """Each other end once a relation; a link beside a mention says nothing new, nor do both ends of one fact."""
    first: dict[tuple[str, str], _Found] = {}
    for one in found:
        classified = concept_of(one.edge.relation)
        name = "mentions" if one.edge.relation in _TEXTUAL else classified[0].name if classified else one.edge.relation
        first.setdefault((name, one.other), one)
    return list(first.values())


def _narrowed(links: Links, found: list[_Found], question: ThingQuestion) -> list[_Found]:
    """Only answers of the kind asked for, as long as there are any."""
    if question.series:
        of_kind = [one for one in found if series_of(links.label_of(one.other)) == question.series]
    elif question.wanted == "ticket":
        of_kind = [one for one in found if is_ticket(links.label_of(one.other))]
    else:
        of_kind = [one for one in found if one.other in links.records] if question.wanted else []
    found = of_kind or found
    for other in question.others:
        found = _about(links, found, other)
    return found


def _about(links: Links, found: list[_Found], other: Mention) -> list[_Found]:
    """What of ``found`` is the other thing named, else what states something about that thing, else all."""
    nodes = set(other.nodes)
    itself = [one for one in found if one.other in nodes]
    stating = [one for one in found if any(edge.target in nodes for edge in links.forward.get(one.other, ()))]
    return itself or stating or found


def _ordered(links: Links, found: list[_Found], *, is_grouped: bool) -> list[_Found]:
    """Most direct first, then relation by relation; people as listed, the rest in natural order."""
    relations = list(dict.fromkeys((one.edge.relation, one.direction) for one in found))

    def rank(pair: tuple[int, _Found]) -> tuple[object, ...]:
        index, one = pair
        group = relations.index((one.edge.relation, one.direction)) if is_grouped else 0
        label = links.label_of(one.other)
        natural = [
            (0, int(part), "") if part.isdigit() else (1, 0, part)
            for part in re.split(r"(\d+)", label.casefold())
            if part
        ]
        listed = one.direction == "forward" and one.other not in links.records and not re.search(r"\d", label)
        return (-one.score, group, [(0, index, "")] if listed else natural)

    return [one for _, one in sorted(enumerate(found), key=rank)]


def _item(links: Links, one: _Found, entity: str, question: ThingQuestion) -> Item:
    edge = one.edge
    record = links.records.get(edge.source)
    hit = Hit(
        path=edge.source,
        start_line=edge.line,
        end_line=edge.line,
        text=edge.text,
        score=one.score,
        tool=TOOL,
        title=record.title if record else "",
        signals={"relation": 1.0, "direct": one.score, "reverse": float(one.direction == "reverse")},
        matched_lines=(edge.line,),
    )
    item = Item(
        label=question.spelt(links.label_of(one.other)),
        path=one.other if one.other in links.records else "",
        title=links.title_of(one.other),
        relation=edge.relation,
        direction=one.direction,
        hit=hit,
    )
    return replace(item, hit=_noted(hit, entity, (item,)))

"""The things or values at the other end of a relation: matching edges, ranked, each with the line that states it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.knowledge.relations.labels import is_ticket, label_key, series_of
from kbtui.records.concepts import concept_of
from kbtui.records.typed import type_of

if TYPE_CHECKING:
    from kbtui.records.concepts import Concept
    from kbtui.records.links import Edge, Links
    from kbtui.records.names import Mention
    from kbtui.records.one_thing import Request, ThingQuestion
    from kbtui.records.relating import Step

Direction = Literal["forward", "reverse"]

TOOL: Final = "graph_related"
DIRECT, CONVERSE, LOOSE = 0.95, 0.9, 0.6
_MAX_ITEMS: Final = 300
_TEXTUAL: Final = ("mentions", "links-to")


class Item(Struct, frozen=True, kw_only=True):
    """One thing or value at the other end of a relation.

    Attributes:
        label: Its display name: ``PEP 699``, ``Sam Gross``, ``runbooks/rollback.md``.
        path: Path of its file; empty for a value.
        title: Title of that file, if it says more than the label.
        relation: Name of the relation in the stating file.
        direction: ``forward`` if the thing asked about is the source of the edge, ``reverse`` if it is the target.
        hit: The line that states the relation.
    """

    label: str
    path: str
    title: str
    relation: str
    direction: Direction
    hit: Hit


class Items(Struct, frozen=True, kw_only=True):
    """The items of one thing.

    Attributes:
        node: Node of the thing.
        entity: Its display name; empty if the question names no known thing.
        items: In order of relevance.
    """

    node: str = ""
    entity: str = ""
    items: tuple[Item, ...] = ()


class _Match(Struct, frozen=True):
    """An edge seen from the thing asked about, with a score for how directly it answers."""

    edge: Edge
    direction: Direction
    score: float

    @property
    def other(self) -> str:
        return self.edge.target if self.direction == "forward" else self.edge.source


def items_of(links: Links, question: ThingQuestion, requested: Request, about: str = "") -> Items:
    """Find every item for one relation, in natural order, each with its line.

    Args:
        about: Node to use instead of the one the question names.
    """
    mention = question.entity
    if mention is None:
        return Items()
    nodes = (about,) if about else mention.nodes
    node, kept = nodes[0], list[_Match]()
    for group in _rank_groups(links, nodes, requested):
        # Two files with one label (a moved document and its successor) are one thing to the user.
        matches = [
            match
            for member in group
            for match in _find_matches(links, member, requested, wants_day=question.wants_day)
            if match.other not in group
        ]
        node, kept = group[0], _narrow(links, _deduplicate(matches), question)
        if kept:
            break
    is_grouped = requested.concept is None or requested.concept.kind == "value"
    entity = question.spelt(links.label_of(node))
    ranked = _sort(links, kept, is_grouped=is_grouped)[:_MAX_ITEMS]
    return Items(node=node, entity=entity, items=tuple(_make_item(links, match, entity, question) for match in ranked))


def hits_of(steps: Sequence[Step]) -> list[Hit]:
    """The stating lines, each once, adjacent lines of one relation joined, with a note that names every item."""
    merged: list[tuple[Hit, list[Step]]] = []
    for step in steps:
        item = step.item
        for index, (hit, group) in enumerate(merged):
            first = group[0]
            key = (first.via, hit.path, first.item.relation, first.item.direction)
            if (
                key == (step.via, item.hit.path, item.relation, item.direction)
                and hit.start_line - 1 <= item.hit.start_line <= hit.end_line + 1
            ):
                merged[index] = (_join(hit, item.hit), [*group, step])
                break
        else:
            merged.append((item.hit, [step]))
    return [_with_note(hit, group[0].via, [step.item for step in group]) for hit, group in merged]


def _join(hit: Hit, other: Hit) -> Hit:
    if hit.start_line <= other.start_line <= hit.end_line:
        return hit
    first, last = sorted((hit, other), key=lambda each: each.start_line)
    return replace(
        first,
        end_line=last.end_line,
        text=f"{first.text}\n{last.text}",
        matched_lines=first.matched_lines + last.matched_lines,
    )


def _with_note(hit: Hit, entity: str, group: Sequence[Item]) -> Hit:
    """The hit with the relation as one readable line: ``PEP 443 —replaces→ PEP 245 «Python Interface Syntax»``."""
    titles = [f" «{item.title.replace('»', '>')}»" if item.title else "" for item in group]
    targets = "; ".join(f"{item.label}{title}" for item, title in zip(group, titles, strict=True))
    left, right = (entity, targets) if group[0].direction == "forward" else (targets, entity)
    return replace(hit, note=" ".join(f"{left} —{group[0].relation}→ {right}".split()))


def _rank_groups(links: Links, nodes: Sequence[str], requested: Request) -> list[list[str]]:
    """Group the nodes of one name by label, most edges of the relation asked for first; at most 5 groups."""
    concept = requested.concept
    names = {*requested.fields, *(concept.forward | concept.inverse if concept else ())}

    def weight(group: list[str]) -> int:
        edges = [edge for node in group for edge in (*links.forward.get(node, ()), *links.reverse.get(node, ()))]
        return sum(edge.relation in names for edge in edges) if names else len(edges)

    groups: dict[str, list[str]] = {}
    for node in nodes:
        groups.setdefault(label_key(links.label_of(node)), []).append(node)
    return sorted(groups.values(), key=weight, reverse=True)[:5]


def _find_matches(links: Links, node: str, requested: Request, *, wants_day: bool) -> list[_Match]:
    concept = requested.concept
    if requested.fields and (concept is None or concept.kind == "value" or concept.weak):
        matches = _field_matches(links, node, requested.fields, wants_day=wants_day)
        if matches or concept is None:
            return matches
    if concept is None:
        return _all_matches(links, node)
    match concept.kind:
        case "value":
            return _field_matches(links, node, (concept.forward,), wants_day=wants_day)
        case "symmetric":
            return _symmetric_matches(links, node, concept)
        case "document":
            return _directed_matches(links, node, concept, is_subject=requested.role == "subject")


def _field_matches(links: Links, node: str, fields: Iterable[str | frozenset[str]], *, wants_day: bool) -> list[_Match]:
    """Matches for the first of these fields, or groups of them, that the node states or is a value of.

    Args:
        wants_day: A field whose values are days or versions goes first: *since when is it alpha*.
    """
    field_groups = [{name} if isinstance(name, str) else name for name in fields]
    for edges_by_node in (links.forward, links.reverse):
        direction: Direction = "forward" if edges_by_node is links.forward else "reverse"
        stated = [[edge for edge in edges_by_node.get(node, ()) if edge.relation in names] for names in field_groups]
        stated = [edges for edges in stated if edges]
        if wants_day:
            stated.sort(key=lambda edges: not all(tells_when(edge.label) for edge in edges))
        if stated:
            return [_Match(edge, direction, DIRECT) for edge in stated[0]]
    return []


def tells_when(value: str) -> bool:
    """Whether a value is a day or a version."""
    return type_of([value], versions=True) in ("date", "year", "version")


def _symmetric_matches(links: Links, node: str, concept: Concept) -> list[_Match]:
    """Matches of a symmetric concept; for *related* also every other relation to a document or ticket."""
    stated = [match for match in _matches_in_both_directions(links, node) if match.edge.relation in concept.forward]
    if concept.name != "related":
        return stated
    others = [match for match in _matches_in_both_directions(links, node) if _is_document(links, match.other)]
    strong = [replace(match, score=CONVERSE) for match in others if match.edge.relation not in _TEXTUAL]
    weak = [replace(match, score=LOOSE) for match in others if match.edge.relation in _TEXTUAL]
    return list({match.other: match for match in reversed([*stated, *strong, *weak])}.values())[::-1]


def _directed_matches(links: Links, node: str, concept: Concept, *, is_subject: bool) -> list[_Match]:
    """Matches from fields of the thing; from other files too if it has none, or if the concept states both ends."""
    own_names, other_names = (concept.forward, concept.inverse) if is_subject else (concept.inverse, concept.forward)
    own_matches = [
        _Match(edge, "forward", DIRECT) for edge in links.forward.get(node, ()) if edge.relation in own_names
    ]
    own_matches.sort(key=lambda match: match.edge.relation != concept.name)
    if own_matches and not concept.both_ends:
        return own_matches
    score = CONVERSE if own_names & links.relation_names.keys() else DIRECT
    others = [_Match(edge, "reverse", score) for edge in links.reverse.get(node, ()) if edge.relation in other_names]
    others.sort(key=lambda match: match.edge.relation != concept.name)
    return [*own_matches, *others]


def _all_matches(links: Links, node: str) -> list[_Match]:
    """All matches of a node: relations stated by itself and by other files, then plain mentions and links."""
    matches = [replace(match, score=LOOSE) for match in _matches_in_both_directions(links, node)]
    fields = [match for match in matches if match.edge.relation not in _TEXTUAL]
    related = {match.other for match in fields}
    return [*fields, *(match for match in matches if match.edge.relation in _TEXTUAL and match.other not in related)]


def _matches_in_both_directions(links: Links, node: str) -> Iterator[_Match]:
    yield from (_Match(edge, "forward", DIRECT) for edge in links.forward.get(node, ()))
    yield from (_Match(edge, "reverse", DIRECT) for edge in links.reverse.get(node, ()))


def _is_document(links: Links, node: str) -> bool:
    return node in links.records or is_ticket(links.label_of(node)) or bool(series_of(links.label_of(node)))


def _deduplicate(matches: Iterable[_Match]) -> list[_Match]:
    """Keep each other end once per relation; a mention and a link count as one, as do both ends of one fact."""
    first: dict[tuple[str, str], _Match] = {}
    for match in matches:
        classified = concept_of(match.edge.relation)
        name = (
            "mentions" if match.edge.relation in _TEXTUAL else classified[0].name if classified else match.edge.relation
        )
        first.setdefault((name, match.other), match)
    return list(first.values())


def _narrow(links: Links, matches: list[_Match], question: ThingQuestion) -> list[_Match]:
    """Keep only matches of the kind asked for, if there are any."""
    if question.series:
        of_kind = [match for match in matches if series_of(links.label_of(match.other)) == question.series]
    elif question.wanted == "ticket":
        of_kind = [match for match in matches if is_ticket(links.label_of(match.other))]
    else:
        of_kind = [match for match in matches if match.other in links.records] if question.wanted else []
    matches = of_kind or matches
    for other in question.others:
        matches = _narrow_to(links, matches, other)
    return matches


def _narrow_to(links: Links, matches: list[_Match], other: Mention) -> list[_Match]:
    """Matches that are the other thing named, else those that state something about it, else all."""
    nodes = set(other.nodes)
    itself = [match for match in matches if match.other in nodes]
    stating = [match for match in matches if any(edge.target in nodes for edge in links.forward.get(match.other, ()))]
    return itself or stating or matches


def _sort(links: Links, matches: list[_Match], *, is_grouped: bool) -> list[_Match]:
    """Sort by score, then by relation; people in the order of their header, everything else in natural order."""
    relations = list(dict.fromkeys((match.edge.relation, match.direction) for match in matches))

    def rank(pair: tuple[int, _Match]) -> tuple[object, ...]:
        index, match = pair
        group = relations.index((match.edge.relation, match.direction)) if is_grouped else 0
        label = links.label_of(match.other)
        natural = [
            (0, int(part), "") if part.isdigit() else (1, 0, part)
            for part in re.split(r"(\d+)", label.casefold())
            if part
        ]
        keeps_order = match.direction == "forward" and match.other not in links.records and not re.search(r"\d", label)
        return (-match.score, group, [(0, index, "")] if keeps_order else natural)

    return [match for _, match in sorted(enumerate(matches), key=rank)]


def _make_item(links: Links, match: _Match, entity: str, question: ThingQuestion) -> Item:
    edge = match.edge
    record = links.records.get(edge.source)
    hit = Hit(
        path=edge.source,
        start_line=edge.line,
        end_line=edge.line,
        text=edge.text,
        score=match.score,
        tool=TOOL,
        title=record.title if record else "",
        signals={"relation": 1.0, "direct": match.score, "reverse": float(match.direction == "reverse")},
        matched_lines=(edge.line,),
    )
    item = Item(
        label=question.spelt(links.label_of(match.other)),
        path=match.other if match.other in links.records else "",
        title=links.title_of(match.other),
        relation=edge.relation,
        direction=match.direction,
        hit=hit,
    )
    return replace(item, hit=_with_note(hit, entity, (item,)))

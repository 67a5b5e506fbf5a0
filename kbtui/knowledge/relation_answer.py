"""From an understood question to its answers: which edges say so, what stands at their other end, in what order."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from kbtui.domain.evidence import Hit
from kbtui.knowledge.entities import Mention
from kbtui.knowledge.relation_lexicon import Concept, concept_of
from kbtui.knowledge.relation_note import Direction, NotedItem, RelatedNote, format_note
from kbtui.knowledge.relation_query import RelationQuestion
from kbtui.knowledge.relations.labels import is_ticket, label_key, series_of

if TYPE_CHECKING:
    from kbtui.knowledge.graph import Edge, RelationGraph

TOOL = "graph_related"
DIRECT, CONVERSE, LOOSE = 0.95, 0.9, 0.6
_MOST_ITEMS = 300
_TEXTUAL = ("mentions", "links-to")


@dataclass(frozen=True, slots=True, kw_only=True)
class RelatedItem:
    """One answer to a relational question.

    Attributes:
        label: What it is called: ``PEP 699``, ``Sam Gross``, ``runbooks/rollback.md``.
        path: The file it is, or empty.
        title: Of that file, when it says more than the label.
        relation: As the stating file names it.
        direction: ``forward`` when the stating file speaks of the entity, ``reverse`` when it points at it.
        hit: The line that states it.
    """

    label: str
    path: str
    title: str
    relation: str
    direction: Direction
    hit: Hit


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationAnswer:
    """What the graph knows about a question.

    Attributes:
        entity: What it is about; empty when it names nothing the knowledge base knows.
        relation: The relation asked for; empty when all of the entity's are given.
        direction: ``forward`` when the entity's own file states the answers, ``reverse`` when other files do, None
            when both do or there are none.
    """

    entity: str = ""
    relation: str = ""
    direction: Direction | None = None
    items: tuple[RelatedItem, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """An edge seen from the entity, and how directly it answers."""

    edge: Edge
    direction: Direction
    score: float

    @property
    def other(self) -> str:
        return self.edge.target if self.direction == "forward" else self.edge.source


def answer_question(graph: RelationGraph, question: str, understood: RelationQuestion) -> RelationAnswer:
    """Every item the graph gives for the question, in natural order within a relation, each with its line."""
    return related_of(graph, question, understood)


def related_of(graph: RelationGraph, question: str, understood: RelationQuestion, about: str = "") -> RelationAnswer:
    """As `answer_question`, of the file ``about`` where it is given, in place of what the question names."""
    mention = understood.entity
    if mention is None:
        return RelationAnswer()
    nodes = (about,) if about else mention.nodes
    node, found = nodes[0], list[_Found]()
    for group in _likeliest(graph, nodes, understood):
        # Two files by one label (a moved document and its successor) are one thing to whoever asks.
        edges = [one for member in group for one in _edges(graph, member, understood) if one.other not in group]
        found = _narrowed(graph, _deduplicated(edges), understood)
        node = group[0]
        if found:
            break
    if not found:
        return RelationAnswer(entity=graph.label_of(node), relation=_relation_name(understood))
    spell = _speller(question)
    entity = spell(graph.label_of(node))
    ordered = _ordered(graph, found, is_grouped=understood.concept is None or understood.concept.kind == "value")
    items = tuple(_item(graph, one, entity, spell) for one in ordered[:_MOST_ITEMS])
    directions = {item.direction for item in items}
    return RelationAnswer(
        entity=entity,
        relation=_relation_name(understood),
        direction=next(iter(directions)) if len(directions) == 1 else None,
        items=items,
    )


def answer_hits(answer: RelationAnswer) -> list[Hit]:
    """The stating lines, neighbours joined, each with a note that names every item it gives."""
    merged: list[tuple[Hit, list[RelatedItem]]] = []
    for item in answer.items:
        for index, (hit, group) in enumerate(merged):
            same = (hit.path, group[0].relation, group[0].direction) == (item.hit.path, item.relation, item.direction)
            if same and hit.start_line <= item.hit.start_line <= hit.end_line:
                group.append(item)
                break
            if same and item.hit.start_line == hit.end_line + 1:
                merged[index] = (_joined(hit, item.hit), [*group, item])
                break
            if same and item.hit.end_line == hit.start_line - 1:
                merged[index] = (_joined(item.hit, hit), [*group, item])
                break
        else:
            merged.append((item.hit, [item]))
    return [replace(hit, note=_note(answer.entity, group)) for hit, group in merged]


def _joined(first: Hit, second: Hit) -> Hit:
    return replace(
        first,
        end_line=second.end_line,
        text=f"{first.text}\n{second.text}",
        matched_lines=first.matched_lines + second.matched_lines,
    )


def _note(entity: str, items: Sequence[RelatedItem]) -> str:
    noted = tuple(NotedItem(label=item.label, title=item.title) for item in items)
    return format_note(
        RelatedNote(entity=entity, relation=items[0].relation, direction=items[0].direction, items=noted)
    )


def _likeliest(graph: RelationGraph, nodes: Sequence[str], understood: RelationQuestion) -> list[list[str]]:
    """Of several things by one name, those that have the relation asked for come first; those of one label together."""
    concept = understood.concept
    names = {*understood.fields, *(concept.forward | concept.inverse if concept else ())}

    def weight(group: list[str]) -> int:
        edges = [edge for node in group for edge in (*graph.forward.get(node, ()), *graph.reverse.get(node, ()))]
        return sum(edge.relation in names for edge in edges) if names else len(edges)

    groups: dict[str, list[str]] = {}
    for node in nodes:
        groups.setdefault(label_key(graph.label_of(node)), []).append(node)
    return sorted(groups.values(), key=weight, reverse=True)[:5]


def _edges(graph: RelationGraph, node: str, understood: RelationQuestion) -> list[_Found]:
    concept = understood.concept
    if understood.fields and (concept is None or concept.kind == "value" or concept.weak):
        found = _by_fields(graph, node, understood.fields)
        if found or concept is None:
            return found
    if concept is None:
        return _all(graph, node)
    match concept.kind:
        case "value":
            return _values(graph, node, concept)
        case "symmetric":
            return _symmetric(graph, node, concept)
        case "document":
            return _directed(graph, node, concept, understood)


def _by_fields(graph: RelationGraph, node: str, fields: Sequence[str]) -> list[_Found]:
    """The best-named field that the node has or is a value of."""
    for edges, direction in ((graph.forward, "forward"), (graph.reverse, "reverse")):
        for name in fields:
            found = [edge for edge in edges.get(node, ()) if edge.relation == name]
            if found:
                return [_Found(edge, "forward" if direction == "forward" else "reverse", DIRECT) for edge in found]
    return []


def _values(graph: RelationGraph, node: str, concept: Concept) -> list[_Found]:
    own = [edge for edge in graph.forward.get(node, ()) if edge.relation in concept.forward]
    if own:
        return [_Found(edge, "forward", DIRECT) for edge in own]
    return [_Found(edge, "reverse", DIRECT) for edge in graph.reverse.get(node, ()) if edge.relation in concept.forward]


def _symmetric(graph: RelationGraph, node: str, concept: Concept) -> list[_Found]:
    """What is stated as related, then every other relation to a document or ticket: all of them relate."""
    found = [one for one in _both_ways(graph, node) if one.edge.relation in concept.forward]
    if concept.name != "related":
        return found
    others = [one for one in _both_ways(graph, node) if _is_document(graph, one.other)]
    strong = [replace(one, score=CONVERSE) for one in others if one.edge.relation not in _TEXTUAL]
    weak = [replace(one, score=LOOSE) for one in others if one.edge.relation in _TEXTUAL]
    return list({one.other: one for one in reversed([*found, *strong, *weak])}.values())[::-1]


def _directed(graph: RelationGraph, node: str, concept: Concept, understood: RelationQuestion) -> list[_Found]:
    """The field of the thing asked about; what other files say when it has none, or always where that is usual."""
    is_subject = understood.role == "subject"
    own_names, other_names = (concept.forward, concept.inverse) if is_subject else (concept.inverse, concept.forward)
    own = [_Found(edge, "forward", DIRECT) for edge in graph.forward.get(node, ()) if edge.relation in own_names]
    own.sort(key=lambda one: one.edge.relation != concept.name)
    if own and not concept.both_ends:
        return own
    score = CONVERSE if own_names & graph.relation_names.keys() else DIRECT
    others = [_Found(edge, "reverse", score) for edge in graph.reverse.get(node, ()) if edge.relation in other_names]
    others.sort(key=lambda one: one.edge.relation != concept.name)
    return [*own, *others]


def _all(graph: RelationGraph, node: str) -> list[_Found]:
    """Everything stated about the node: its own fields, what other files state, then mere mentions."""
    found = [replace(one, score=LOOSE) for one in _both_ways(graph, node)]
    fields = [one for one in found if one.edge.relation not in _TEXTUAL]
    named = {one.other for one in fields}
    return [*fields, *(one for one in found if one.edge.relation in _TEXTUAL and one.other not in named)]


def _both_ways(graph: RelationGraph, node: str) -> Iterator[_Found]:
    for edge in graph.forward.get(node, ()):
        yield _Found(edge, "forward", DIRECT)
    for edge in graph.reverse.get(node, ()):
        yield _Found(edge, "reverse", DIRECT)


def _is_document(graph: RelationGraph, node: str) -> bool:
    return node in graph.records or is_ticket(graph.label_of(node)) or bool(series_of(graph.label_of(node)))


def _deduplicated(found: Iterable[_Found]) -> list[_Found]:
    """Each other end once a relation; a link beside a mention says nothing new, nor do both ends of one fact."""
    first: dict[tuple[str, str], _Found] = {}
    for one in found:
        classified = concept_of(one.edge.relation)
        name = "mentions" if one.edge.relation in _TEXTUAL else classified[0].name if classified else one.edge.relation
        first.setdefault((name, one.other), one)
    return list(first.values())


def _narrowed(graph: RelationGraph, found: list[_Found], understood: RelationQuestion) -> list[_Found]:
    """Only answers of the kind asked for, as long as there are any."""
    tests: list[Callable[[str], bool]] = []
    if understood.series:
        tests.append(lambda node: series_of(graph.label_of(node)) == understood.series)
    elif understood.wanted == "ticket":
        tests.append(lambda node: is_ticket(graph.label_of(node)))
    elif understood.wanted == "file":
        tests.append(lambda node: node in graph.records)
    for test in tests:
        found = [one for one in found if test(one.other)] or found
    for other in understood.others:
        found = _about(graph, found, other)
    return found


def _about(graph: RelationGraph, found: list[_Found], other: Mention) -> list[_Found]:
    """What of ``found`` is the other thing named, else what states something about that thing, else all."""
    nodes = set(other.nodes)
    itself = [one for one in found if one.other in nodes]
    stating = [one for one in found if any(edge.target in nodes for edge in graph.forward.get(one.other, ()))]
    return itself or stating or found


def _ordered(graph: RelationGraph, found: list[_Found], *, is_grouped: bool) -> list[_Found]:
    """Most direct first, then relation by relation; people as listed, the rest in natural order."""
    relations = list(dict.fromkeys((one.edge.relation, one.direction) for one in found))

    def rank(pair: tuple[int, _Found]) -> tuple[object, ...]:
        index, one = pair
        group = relations.index((one.edge.relation, one.direction)) if is_grouped else 0
        label = graph.label_of(one.other)
        natural = [
            (0, int(part), "") if part.isdigit() else (1, 0, part)
            for part in re.split(r"(\d+)", label.casefold())
            if part
        ]
        listed = one.direction == "forward" and one.other not in graph.records and not re.search(r"\d", label)
        return (-one.score, group, [(0, index, "")] if listed else natural)

    return [one for _, one in sorted(enumerate(found), key=rank)]


def _item(graph: RelationGraph, one: _Found, entity: str, spell: Callable[[str], str]) -> RelatedItem:
    label = spell(graph.label_of(one.other))
    title = graph.title_of(one.other)
    noted = NotedItem(label=label, title=title)
    edge = one.edge
    record = graph.records.get(edge.source)
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
        note=format_note(RelatedNote(entity=entity, relation=edge.relation, direction=one.direction, items=(noted,))),
    )
    return RelatedItem(
        label=label,
        path=one.other if one.other in graph.records else "",
        title=title,
        relation=edge.relation,
        direction=one.direction,
        hit=hit,
    )


def _speller(question: str) -> Callable[[str], str]:
    """Labels in the spelling of the question: who asks about EIP-721 is answered with EIP-165, not EIP 165."""
    spelled = {
        match[1]: match[2] for match in re.finditer(r"(?<![A-Za-z])([A-Za-z]{2,10})([ \-])0*\d{1,6}(?!\d)", question)
    }

    def spell(label: str) -> str:
        match = re.fullmatch(r"([A-Za-z]{2,10})[ \-](\d{1,6})", label)
        if match is None or match[1] not in spelled or match[2].startswith("0"):
            return label
        return f"{match[1]}{spelled[match[1]]}{match[2]}"

    return spell


def _relation_name(understood: RelationQuestion) -> str:
    if understood.concept is None:
        return understood.fields[0] if understood.fields else ""
    concept = understood.concept
    if concept.kind != "document" or understood.role == "subject":
        return concept.name
    return f"{concept.name} (reverse)"

"""One thing and its relations: what it states, what others state about it, and everything that follows from there.

A question counts as understood when every word of it is read; it may ask for several fields and relations at once, and
a relation is followed as far as it goes where that is asked (*directly or through others*).
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from kbtui.knowledge.relations.labels import fold, label_key
from kbtui.records.collection import Collection
from kbtui.records.descriptions import descriptions
from kbtui.records.items import Item, items_of
from kbtui.records.kinds import WORDS, Fact, Thing
from kbtui.records.names import CERTAIN, Mention
from kbtui.records.one_thing import IDLE, ThingQuestion, asked_in, marked, parse, without_asked
from kbtui.records.wording import counts, of_the_past, wants_truth
from kbtui.text.tokenise import content_words, stem

if TYPE_CHECKING:
    from kbtui.records.links import Links

_MOST: Final = 300
_DEEPEST: Final = 50
_MOST_DESCRIBED: Final = 50
"""Things that one description may come to."""
_MOST_ASKED: Final = 4
"""Fields and relations that one question may ask for."""
_OF_SERIES: Final = re.compile(r"\b([A-Z][a-z]+)\s+([A-Z]{2,10}s?)\b")
_SENTENCE: Final = re.compile(r"(?<=[.!])\s+(?=[A-Z])|(?<=[。！])")
_DESCRIBING: Final = 2
"""Words of a title by which a thing is known that is not called by its whole name."""


class Step(Struct, frozen=True, kw_only=True):
    """One thing that was reached.

    Attributes:
        item: With the line that states it.
        via: What states it, or is stated, as it is called.
        depth: Relations between it and the thing asked about, from 1.
    """

    item: Item
    via: str
    depth: int


class Related(Struct, frozen=True, kw_only=True):
    """What a question about the relations of one thing comes to.

    Attributes:
        entity: The thing asked about, as it is called.
        steps: What was found first comes first, where the thing is described by it.
        is_value: What is asked for are values that the thing states, not other things.
        of_value: It is about a value (a person), and what is asked for are the things that state it.
        of_document: How a document is related to others.
        follows_on: Relations of what was reached were followed too.
        unread: Words of the question that nothing accounts for.
    """

    entity: str
    steps: tuple[Step, ...]
    is_value: bool = False
    of_value: bool = False
    of_document: bool = False
    follows_on: bool = False
    unread: tuple[str, ...] = ()


@cache
def _pattern(name: str) -> re.Pattern[str]:
    return re.compile(str(WORDS["relating"][name]).replace("\n  ", ""))


def related(links: Links, question: str) -> Related | None:
    """The relations and fields that a question asks for of the one thing it names; None where there are none.

    What is only described (*the proposal that superseded …*) is looked up first, and the rest is asked of what it is.
    """
    described = _described(links, question)
    if described is None:
        return _of_named(links, question)
    first, rest = described
    answers = [found for one in rest if (found := related(links, one)) is not None]
    if not answers:
        return None
    steps = {
        (step.via, step.item.relation, step.item.label): step for found in (first, *answers) for step in found.steps
    }
    unread = dict.fromkeys(word for found in answers for word in found.unread)
    # Whatever the last thing is, what led to it is in no table.
    return replace(answers[-1], of_value=False, steps=tuple(steps.values())[:_MOST], unread=tuple(unread))


def _described(links: Links, question: str) -> tuple[Related, list[str]] | None:
    """What a description in a question comes to, and what the rest asks of each thing found; None without one."""
    for start, end in descriptions(question, links.finder.find(question)):
        first = _of_named(links, question[start:end])
        if first is None or first.unread or len(first.steps) > _MOST_DESCRIBED:
            continue
        names = dict.fromkeys(step.item.path or step.item.label for step in first.steps)
        rest = [" ".join(f"{question[:start]} `{name}` {question[end:]}".split()) for name in names]
        if parse(rest[0], links).asked:
            return first, rest
    return None


def _of_named(links: Links, question: str) -> Related | None:
    follows_on = _pattern("transitive").search(question) is not None
    plain = _pattern("transitive").sub(" ", question)
    understood = parse(plain, links)
    entity, asked = understood.entity, understood.asked
    if entity is None or not asked:
        return None
    direct = items_of(links, understood, asked)
    if not direct.items:
        return None
    is_value = asked.concept is None or asked.concept.kind == "value"
    of_value = direct.items[0].direction == "reverse" and not set(entity.nodes) & links.records.keys()
    if is_value and not of_value and any(item.direction != "forward" for item in direct.items):
        return None
    if of_value and asked.concept is None and entity.certainty < CERTAIN:
        # A value that is not quoted may as well be a word like any other.
        return None
    if is_value and (follows_on or (counts(plain) and not of_value)):
        return None
    record = links.records.get(direct.entity)
    # A file that has no name is called by its title, as in the question.
    called = record.title if record is not None and record.title else direct.entity
    found = list(direct.items)
    rest = without_asked(understood.text, asked, [item.relation for item in found])
    if not of_value and not follows_on:
        more, rest = _asked_besides(links, understood, rest, direct.node)
        # That its name is its name is no answer.
        found += [item for item in more if not _is_own_name(item, called, direct.node)]
    steps = [Step(item=item, via=called, depth=1) for item in found]
    if follows_on:
        steps += _further(links, understood, direct.items)
    return Related(
        entity=called,
        steps=tuple(steps[:_MOST]),
        is_value=is_value and not of_value,
        of_value=of_value,
        of_document=not is_value and bool(set(entity.nodes) & links.records.keys()),
        follows_on=follows_on,
        unread=tuple(_unread(links, rest, understood)),
    )


def stated(links: Links, question: str) -> Related | None:
    """As `related`, whatever else the question says: without steps where nothing is stated, and everything that is
    stated about the thing where nothing in particular is asked for. None where it names no thing.
    """
    if (found := related(links, question)) is not None:
        return found
    understood = parse(question, links)
    items = items_of(links, understood, understood.asked)
    steps = tuple(Step(item=item, via=items.entity, depth=1) for item in items.items)
    return Related(entity=items.entity, steps=steps) if items.entity else None


def fields_of(links: Links, question: str, path: str) -> Related | None:
    """Values that a question asks for, of the document at ``path``; None where it asks for none or none is stated."""
    understood = parse(question, links)
    text = understood.text or question
    asked = asked_in(text, links)
    if not asked or (asked.concept is not None and asked.concept.kind != "value") or counts(question):
        return None
    if understood.entity is not None and understood.entity.certainty >= CERTAIN:
        return None
    about = Mention(start=0, end=0, nodes=(links.main_file(path),), certainty=CERTAIN)
    found = items_of(links, ThingQuestion(entity=about), asked)
    if not found.items or any(item.direction != "forward" for item in found.items):
        return None
    if all(_is_own_name(item, found.entity, found.node) for item in found.items):
        return None
    rest = without_asked(text, asked, [item.relation for item in found.items])
    more, _ = _asked_besides(links, ThingQuestion(entity=about), rest, found.node)
    title = links.title_of(found.node)
    called = f"{found.entity} ({title})" if title else found.entity
    steps = tuple(Step(item=item, via=called, depth=1) for item in (*found.items, *more))
    return Related(entity=called, steps=steps, is_value=True)


def _is_own_name(item: Item, called: str, node: str) -> bool:
    """Whether a value says only what the thing is called, which every question knows."""
    return fold(item.label) in {fold(called), fold(posixpath.basename(node).partition(".")[0])}


def _asked_besides(links: Links, understood: ThingQuestion, text: str, node: str) -> tuple[list[Item], str]:
    """What else is asked for of the same thing (*status and target version*), and the text without it."""
    found: list[Item] = []
    for _ in range(_MOST_ASKED):
        asked = asked_in(text, links)
        items = items_of(links, understood, asked, node).items if asked else ()
        if not items or (asked.concept is None and any(item.direction != "forward" for item in items)):
            break
        found += items
        text = without_asked(text, asked, [item.relation for item in items])
    return found, text


def _further(links: Links, understood: ThingQuestion, items: Sequence[Item]) -> Iterator[Step]:
    """What is reached from these, nearest first, each thing once."""
    start = understood.entity.nodes if understood.entity is not None else ()
    seen = {*start, *(item.path or fold(item.label) for item in items)}
    front = [item for item in items if item.path]
    for depth in range(2, _DEEPEST):
        reached: list[Item] = []
        for item in front:
            for further in items_of(links, understood, understood.asked, item.path).items:
                key = further.path or fold(further.label)
                if key not in seen:
                    seen.add(key)
                    reached.append(further)
                    yield Step(item=further, via=item.label, depth=depth)
        front = [item for item in reached if item.path]
        if not front:
            return


def _unread(links: Links, text: str, understood: ThingQuestion) -> list[str]:
    """Content words of what is left of a question that neither the thing nor idle words account for."""
    entity = understood.entity
    node = entity.nodes[0] if entity is not None else ""
    own = links.finder.words_of(node)
    names = {*links.series, *(f"{word}s" for word in links.series)}
    of_series = {
        # Whose they are changes nothing: Rust RFCs. A value does: Final PEPs.
        stem(fold(word))
        for word, of in _OF_SERIES.findall(text)
        if fold(of) in names and label_key(word) not in links.names
    }
    words = [word for word in content_words(_asking_part(text)) if any(char.isalnum() for char in word)]
    left = [w for w in words if stem(fold(w)) not in IDLE | of_series and fold(w) not in names]
    is_described = entity is not None and entity.end == entity.start
    # A file is called by a part of its path where that is an identifier: "how severe is some_check_name?"
    called = {part for part in re.split(r"[/.]", node.lower()) if not part.isalpha()}
    describing = [w for w in left if w.lower() in called or (w.isalpha() and links.finder.has_word(node, w))]
    if is_described and len(describing) < _DESCRIBING and called.isdisjoint(map(str.lower, describing)):
        return left or [text]
    more = [str(other.start) for other in understood.others]
    return more + [
        w for w in left if w not in describing and stem(fold(w)) not in own and not links.has_state(node, fold(w))
    ]


def _asking_part(text: str) -> str:
    """The sentence that asks: what is told before it only leads there."""
    *told, last = _SENTENCE.split(text.strip())
    return last if told and last.rstrip().endswith(("?", "？")) else text


class Checked(Struct, frozen=True, kw_only=True):
    """Whether a thing is what a question says.

    Attributes:
        fact: What it states.
        holds: None where that does not tell: it is asked whether it ever was so.
    """

    thing: Thing
    fact: Fact
    holds: bool | None


def checked(collection: Collection, question: str) -> Checked | None:
    """Whether one thing has a value, as *was 484 accepted?*; None for any other question, or where words are left."""
    if not wants_truth(question):
        return None
    understood = parse(question, collection.links)
    entity = understood.entity
    if entity is None or understood.others or entity.end == entity.start:
        return None
    thing = collection.thing_at(entity.nodes[0])
    kind = next((kind for kind in collection.kinds if thing in kind.things), None)
    if thing is None or kind is None:
        return None
    past = of_the_past(question)
    rest = [word for word in content_words(marked(question, entity, ())) if word.isalnum()]
    every = [stem(fold(word)) for word in rest if stem(fold(word)) not in IDLE and fold(word) not in _EVER]
    for name, facts in thing.facts.items():
        own = {stem(part) for part in name.split("-")}
        wanted = [word for word in every if word not in own]
        known = {fact.value for other in kind.things for fact in other.facts.get(name, ())}
        if not wanted or len(known) >= kind.fields.get(name, 0):
            # Where each has a value of its own, none is a state that things are in.
            continue
        named = {value for value in known if [stem(word) for word in fold(value).split()] == wanted}
        if named:
            equal = next((fact for fact in facts if fact.value in named), None)
            return Checked(thing=thing, fact=equal or facts[0], holds=True if equal else None if past else False)
    return None


_EVER: Final = frozenset({"ever", "already", "yet", "once", "still", "now"})

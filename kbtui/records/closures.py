"""What rests on a thing, or what it rests on, through fields whose values are things of the same kind.

*Depends on*, *blocked by*, *reports to*, 上级: whatever a field is called, its values name other things of its kind. A
question follows it in either direction, as far as it goes if it says so. The imports of code files are such a field of
files. No list of relations is needed: a field refers if most of its values are names of things.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, cached_property
from typing import Final, Literal

from msgspec import Struct
from rapidfuzz import fuzz

from kbtui.domain.analysis import Reading
from kbtui.knowledge.relations.words import word_set
from kbtui.records.collection import Collection
from kbtui.records.kinds import Fact, Kind, Thing
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import content_words, stem
from kbtui.text.word_lists import toml_in

Direction = Literal["up", "down"]

_TABLE: Final = toml_in(__package__, "closures.toml")
_WORDS: Final = _TABLE["words"]
_SAYS: Final = _TABLE["says"]
_IDLE: Final = frozenset(map(stem, word_set(_WORDS["idle"])))
_DOWNWARD: Final = word_set(_WORDS["downward"])
_MIN_REFERRING: Final = 2
"""Fewest values of a field that name other things of the kind."""
_REFERRING_SHARE: Final = 0.5
"""Least share of the values of a field that do."""
_MIN_NAME_CHARS: Final = 2
_MIN_LETTERS_OF_TYPO: Final = 6
_MIN_SIMILARITY: Final = 88
"""Similarity (0 to 100) from which a long word is a misspelling of another."""
_MARK: Final = "\ue000"
_IMPORTS: Final = "imports"


class Reference(Struct, frozen=True, kw_only=True):
    """A field whose values are things of its kind.

    Attributes:
        stated: For each thing, by key, the keys of the things that it states and the facts that state them.
    """

    kind: Kind
    field: str
    stated: dict[str, dict[str, Fact]]

    @property
    def is_downward(self) -> bool:
        """Whether the field states what rests on a thing."""
        return self.field in _DOWNWARD


class Closure(Struct, frozen=True, kw_only=True):
    """The things reached from one thing.

    Attributes:
        start: The thing asked about.
        reached: The keys of the things, nearest first, each with the fact by which it was reached.
        is_followed: Whether the relation was followed beyond the first step.
    """

    start: Thing
    reference: Reference
    direction: Direction
    reached: dict[str, Fact]
    is_followed: bool


class ClosureReader:
    """Reads questions about what things of one collection rest on.

    Args:
        collection: The things of the folder.
    """

    def __init__(self, collection: Collection) -> None:
        self._collection = collection

    @cached_property
    def references(self) -> tuple[Reference, ...]:
        """All fields that refer to things of their own kind."""
        references = [
            reference
            for kind in self._collection.kinds
            for field in kind.fields
            if (reference := self._reference(kind, field)) is not None
        ]
        return (*references, *self._imports())

    def read(self, question: str) -> Closure | None:
        """The things that a question asks for; None where it names no thing, no direction, or says more than that."""
        for reference in self.references:
            start, masked = self._thing_in(question, reference)
            if start is None:
                continue
            is_followed = _through().search(masked) is not None
            direct = _through().sub(" ", masked)
            direction, rest = _direction(direct, reference.field)
            if direction is None or self._is_unread(rest, reference):
                continue
            # What breaks with a thing breaks in turn with what rests on it.
            is_impact = direction == "down" and not is_followed and _is_impact(direct)
            reached = _follow(reference, start, direction, is_followed=is_followed or is_impact)
            if reached:
                return Closure(
                    start=start,
                    reference=reference,
                    direction=direction,
                    reached=reached,
                    is_followed=is_followed or is_impact,
                )
        return None

    def _reference(self, kind: Kind, field: str) -> Reference | None:
        keys = self._keys_by_name(kind)
        stated: dict[str, dict[str, Fact]] = {}
        count = 0
        for thing in kind.things:
            for fact in thing.facts.get(field, ()):
                count += 1
                key = fact.target or keys.get(fact.value.casefold(), "")
                if key and key != thing.key and key in self._things_of(kind):
                    stated.setdefault(thing.key, {}).setdefault(key, fact)
        referring = sum(map(len, stated.values()))
        if referring < _MIN_REFERRING or referring < _REFERRING_SHARE * count:
            return None
        return Reference(kind=kind, field=field, stated=stated)

    def _imports(self) -> Iterator[Reference]:
        """The imports of code files, as a field of files."""
        files = self._collection.files
        keys = {thing.key for thing in files.things}
        stated: dict[str, dict[str, Fact]] = {}
        for edge in self._collection.links.edges:
            if edge.relation == _IMPORTS and edge.target in keys and edge.source != edge.target:
                fact = Fact(field=_IMPORTS, value=edge.label, path=edge.source, line=edge.line, target=edge.target)
                stated.setdefault(edge.source, {}).setdefault(edge.target, fact)
        if stated:
            yield Reference(kind=files, field=_IMPORTS, stated=stated)

    def _things_of(self, kind: Kind) -> dict[str, Thing]:
        known = self._things_by_kind.get(kind.name)
        if known is None:
            known = self._things_by_kind[kind.name] = {thing.key: thing for thing in kind.things}
        return known

    @cached_property
    def _things_by_kind(self) -> dict[str, dict[str, Thing]]:
        return {}

    @cached_property
    def _names_by_kind(self) -> dict[str, dict[str, str]]:
        return {}

    def _keys_by_name(self, kind: Kind) -> dict[str, str]:
        """The keys of the things of a kind by their names, case-folded: label, title, file name, and what is unique."""
        known = self._names_by_kind.get(kind.name)
        if known is not None:
            return known
        own: dict[str, set[str]] = defaultdict(set)
        others: dict[str, set[str]] = defaultdict(set)
        unique = [name for name, count in kind.fields.items() if _is_unique(kind, name, count)]
        numbered = kind.is_mostly_numbered
        for thing in kind.things:
            base = thing.path.rpartition("/")[2]
            names = [thing.name, thing.title, *(() if thing.span is not None else (base, thing.base))]
            names += [str(thing.number)] if numbered and thing.number is not None else []
            for name in names:
                own[name.casefold()].add(thing.key)
            for fact in (fact for name in unique for fact in thing.facts.get(name, ())):
                others[fact.value.casefold()].add(thing.key)
        # A value that is the name of another thing refers to it.
        keys = {**others, **own}
        known = {n: next(iter(found)) for n, found in keys.items() if len(found) == 1 and len(n) >= _MIN_NAME_CHARS}
        self._names_by_kind[kind.name] = known
        return known

    def _thing_in(self, question: str, reference: Reference) -> tuple[Thing | None, str]:
        """The thing that the question names by its longest name, and the question with a mark in its place."""
        folded = question.casefold()
        names = self._keys_by_name(reference.kind)
        for name in sorted((name for name in names if name in folded), key=len, reverse=True):
            edges = ("", "") if has_cjk(name) else (r"(?<![A-Za-z0-9_-])", r"(?![A-Za-z0-9_-])")
            match = re.search(rf"[\"'“‘`]?{edges[0]}{re.escape(name)}{edges[1]}[\"'”’`]?", question, re.IGNORECASE)
            if match is not None:
                thing = self._things_of(reference.kind)[names[name]]
                return thing, f"{question[: match.start()]}{_MARK}{question[match.end() :]}"
        return None, question

    def _is_unread(self, rest: str, reference: Reference) -> bool:
        """Whether what remains of a question has words beside those for the kind and fillers."""
        kind = reference.kind
        known = _IDLE | {stem(word.lower()) for word in (kind.name, *kind.words, *reference.field.split("-"))}
        known |= {stem(word.lower()) for word in re.split(r"[\W_]+", self._collection.root)}
        words = [word for word in content_words(rest.replace(_MARK, " ")) if re.search(r"[^\W_]", word)]
        return any(not has_cjk(word) and not _is_known(stem(word.lower()), known) for word in words)


def _is_known(word: str, known: Iterable[str]) -> bool:
    """Whether a word is one of those known, or a misspelling of a long one."""
    return any(
        word == other or (len(word) >= _MIN_LETTERS_OF_TYPO and fuzz.ratio(word, other) >= _MIN_SIMILARITY)
        for other in known
    )


def _direction(question: str, field: str) -> tuple[Direction | None, str]:
    """Which way a question follows a field, and the question without the words that say so."""
    own = re.escape(field).replace(r"\-", r"[\s_-]+")
    for direction, patterns in (("down", _patterns("down")), ("up", _patterns("up"))):
        for pattern in patterns:
            if (match := pattern.search(question)) is not None:
                return direction, f"{question[: match.start()]} {question[match.end() :]}"  # type: ignore[return-value]
    if (match := re.search(rf"{own}\s*{_MARK}", question, re.IGNORECASE)) is not None:
        return "down", f"{question[: match.start()]} {question[match.end() :]}"
    if (match := re.search(rf"{_MARK}(?:'s|的)?\s*{own}", question, re.IGNORECASE)) is not None:
        return "up", f"{question[: match.start()]} {question[match.end() :]}"
    return None, question


@cache
def _through() -> re.Pattern[str]:
    return re.compile(_TABLE["patterns"]["through"].replace("\n  ", ""))


@cache
def _patterns(direction: Direction) -> Sequence[re.Pattern[str]]:
    texts = _TABLE["patterns"][direction]
    return [re.compile(text.replace("\n  ", "").replace("<X>", _MARK)) for text in texts]


def _is_impact(question: str) -> bool:
    """Whether a question asks what fails with a thing, which all that rests on it does."""
    return any(pattern.search(question) is not None for pattern in (*_patterns("down")[:2], _patterns("down")[-1]))


def _follow(reference: Reference, start: Thing, direction: Direction, *, is_followed: bool) -> dict[str, Fact]:
    """The things reached from a thing, breadth first, each with the fact by which it was reached first."""
    outwards = (direction == "up") != reference.is_downward
    edges: Iterable[tuple[str, str, Fact]] = (
        (source, target, fact) for source, targets in reference.stated.items() for target, fact in targets.items()
    )
    nexts: dict[str, list[tuple[str, Fact]]] = defaultdict(list)
    for source, target, fact in edges:
        near, far = (source, target) if outwards else (target, source)
        nexts[near].append((far, fact))
    reached: dict[str, Fact] = {}
    frontier = [start.key]
    while frontier:
        steps = [(far, fact) for near in frontier for far, fact in nexts[near]]
        new = {far: fact for far, fact in reversed(steps) if far not in reached and far != start.key}
        reached |= new
        frontier = list(new) if is_followed else []
    return reached


def _is_unique(kind: Kind, field: str, count: int) -> bool:
    """Whether a field tells nearly all things of a kind apart."""
    values = [fact.value for thing in kind.things for fact in thing.facts.get(field, ())]
    return 2 * count > len(kind.things) and len(values) == count == len(set(values))


def reading_of(closure: Closure, language: str) -> Reading:
    """The statement for the things of a closure, in words of the language of the question (``en`` or ``zh``)."""
    from kbtui.records.statements import select_things  # loads sqlglot

    kind, reference = closure.reference.kind, closure.reference
    things = [thing for thing in kind.things if thing.key in closure.reached]
    field = reference.field.replace("-", " ")
    outwards = (closure.direction == "up") != reference.is_downward
    says = _SAYS[language][f"{'stated' if outwards else 'stating'}{'_through' if closure.is_followed else ''}"]
    return Reading(
        sql=select_things([kind], things),
        query_kind="filter",
        confidence=1.0,
        says=says.format(kind=kind.name, field=field, name=closure.start.display_name),
    )

"""Compares what a sentence states with what its lines state: denied, turned round, or beyond what they say.

One reading of both (`statements`) serves all comparisons:

    opposite   a line about the same has a term with the other sign (*stays* and *is removed*, *may* and *may not*)
    turned     a line relates the same two sides the other way round (*before*, *than*, *instead of*)
    beyond     the sentence gives a reason, an agent or a role of a name, and no line about the same does
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from pathlib import PurePosixPath
from typing import Final

from kbtui.reasoning.checking.facts import Fact
from kbtui.reasoning.checking.numerals import normal, numbers
from kbtui.reasoning.checking.passages import Passage
from kbtui.reasoning.checking.row_sentences import Sentence
from kbtui.reasoning.checking.standing import Claim
from kbtui.reasoning.checking.statements import COMPARED, CONVERSE, RE, Relation, Statement, names_of, statement
from kbtui.text.language import has_cjk
from kbtui.text.tokenise import stem, tokens
from kbtui.text.word_lists import toml_in

_MIN_ABOUT: Final = 0.5
"""Share of the other terms of a sentence that a line about the same has."""

_MIN_ABOUT_LONG: Final = 0.75
_LONG: Final = 9
"""Terms from which a sentence states several things, of which a line seldom has all."""

_MIN_SHARED: Final = 2
_SHORT: Final = 3
"""Most terms of a line that is about the same if a sentence has all of them."""

_MIN_REASON: Final = 0.5
_MIN_AGENT: Final = 0.6
_MAX_UNITS: Final = 200
_MAX_SUBJECT_START: Final = 25
"""Most characters before a name that is the subject of its sentence."""


def contradiction(claim: Claim, cited: Sequence[Passage]) -> str:
    """The part of a claim that its lines state otherwise; empty if there is none."""
    said = statement(claim.text)
    for passage in cited:
        own_name = _own_name(passage.label)
        lines = [statement(RE.itself.sub(own_name, unit.text)) for unit in passage.units[:_MAX_UNITS]]
        around = names_of(f"{passage.around} {passage.title} {_words_of_path(passage.label)}")
        word = _opposite(said, lines, around) or _turned(said, lines) or _not_alone(said, passage)
        if word:
            return word
    return _other_bound(claim, said, cited)


def _own_name(path: str) -> str:
    """What a document that calls itself “this RFC” is called by its file: ``0042-lazy-loading.md``."""
    number = re.search(r"(?<!\d)0*(\d{1,5})(?!\d)", PurePosixPath(path).stem)
    return number[1] if number else "this document"


def beyond(claim: Claim, cited: Sequence[Passage]) -> str:
    """The part of a claim that needs words of its own in the lines, and has none there; empty if there is none."""
    texts = [unit.text for passage in cited for unit in passage.units[:_MAX_UNITS]]
    said = statement(claim.text)
    return (
        _reason_elsewhere(claim.text, cited)
        or ("" if is_role_stated(claim, cited) else _agent_elsewhere(claim, said, texts))
        or _role_elsewhere(claim, cited)
    )


# Opposite ----------------------------------------------------------------------------------------------------------


def _opposite(said: Statement, lines: Sequence[Statement], around: frozenset[str]) -> str:
    """A term that a line about the same has with the other sign, and no line that is as near with the same."""
    best: dict[str, tuple[float, float]] = {}
    compares = any(relation.kind in ("than", "less_than") for relation in said.relations)
    says_only = RE.only.search(said.text) is not None
    for line in lines:
        if says_only and line.denies and not said.denies:
            # “Only A” may say what “not B” does.
            continue
        for name in said.names & line.names:
            if numbers(name.lstrip("#")) or (compares and name in COMPARED):
                continue
            share = _about(said, line, name, around)
            if share < (_MIN_ABOUT if len(said.names) < _LONG else _MIN_ABOUT_LONG):
                continue
            with_same, with_other = best.get(name, (0.0, 0.0))
            # Where both deny something, it may be the same in other words.
            own, other = (said.poles, line.poles) if said.denies and line.denies else (said.signs, line.signs)
            if own[name].isdisjoint(other[name]):
                best[name] = (with_same, max(with_other, share))
            else:
                best[name] = (max(with_same, share), with_other)
    clashes = [name for name, (with_same, with_other) in best.items() if with_other > with_same]
    return clashes[0].lstrip("~#") if clashes else ""


def _about(said: Statement, line: Statement, name: str, around: frozenset[str]) -> float:
    """Share of the other terms of a statement that a line has; 0 if too few to tell."""
    others = said.names - {name}
    own = others & line.names
    shared = own | (others & around)
    if len(line.names) <= _SHORT and line.names <= said.names:
        return 1.0
    needed = _MIN_SHARED if len(others) > _MIN_SHARED else 1
    return len(shared) / len(others) if own and len(shared) >= needed else 0.0


def _words_of_path(path: str) -> str:
    """The words of the name of a file: ``0042-lazy-loading.md``."""
    parts = PurePosixPath(path).stem.split("-")
    return " ".join([*parts, *("-".join(parts[at:]) for at in range(len(parts)))])


# Turned round ------------------------------------------------------------------------------------------------------


def _turned(said: Statement, lines: Sequence[Statement]) -> str:
    """The word of a relation that a line has the other way round."""
    for relation in said.relations:
        verdicts = [
            verdict
            for line in lines
            for other in line.relations
            if (verdict := _is_crossed(relation, other)) is not None
        ]
        if verdicts and all(verdicts):
            return relation.kind
    return ""


def _is_crossed(relation: Relation, other: Relation) -> bool | None:
    """Whether two relations are of the same sides the other way round; None if they are of others."""
    if relation.kind == other.kind:
        left, right = other.left, other.right
    elif CONVERSE.get(relation.kind) == other.kind:
        left, right = other.right, other.left
    else:
        return None
    straight = (relation.left & left) - right, (relation.right & right) - left
    crossed = (relation.left & right) - left, (relation.right & left) - right
    shared = sum(len(side & (left | right)) for side in (relation.left, relation.right))
    if all(crossed) and not all(straight):
        return True if shared >= _MIN_ABOUT * (len(relation.left) + len(relation.right)) else None
    return False if all(straight) and not all(crossed) else None


# Alone, and bounds ------------------------------------------------------------------------------------------------


def _not_alone(said: Statement, passage: Passage) -> str:
    """The word “only” of a claim whose line lists others beside what it names: ``depends_on: postgres, queue``."""
    match = RE.only.search(said.text)
    if match is None:
        return ""
    spoken = _parts(said.text)
    blocks = [(block, _parts(block)) for block in re.split(r"\n\s*\n", passage.excerpt.text)]
    near = max((len(spoken & names) for _, names in blocks), default=0)
    for block, names in blocks:
        for field in RE.list_field.finditer(block) if near and len(spoken & names) == near else ():
            items = [_parts(item) for item in re.split("[,，、]", field["items"]) if item.strip()]
            named = [item for item in items if item and item <= spoken]
            if named and len(named) < len(items) and _parts(field["key"]) & spoken:
                return match[0]
    return ""


def _parts(text: str) -> frozenset[str]:
    """The names of a text of which words with a hyphen or underscore are several."""
    return names_of(re.sub("[-_]", " ", text))


_UPPER: Final = frozenset({"below", "most", "just below"})
_LOWER: Final = frozenset({"above", "least", "just above"})


def _other_bound(claim: Claim, said: Statement, cited: Sequence[Passage]) -> str:
    """A number that a claim bounds from the other side than every line about the same that has it."""
    for figure in Sentence(normal(claim.text)).figures:
        sides = [side for side in (_UPPER, _LOWER) if figure.bound in side]
        if not sides or figure.kind == "rank":
            continue
        there = [
            other.bound
            for passage in cited
            for unit in passage.units[:_MAX_UNITS]
            if len(said.names & names_of(unit.text)) > _MIN_SHARED
            for other in Sentence(normal(unit.text)).figures
            if other.value == figure.value and other.measure == figure.measure
        ]
        if there and all(bound in _UPPER | _LOWER and bound not in sides[0] for bound in there):
            return figure.text
    return ""


# Beyond the lines --------------------------------------------------------------------------------------------------


def _reason_elsewhere(text: str, cited: Sequence[Passage]) -> str:
    """A stated reason whose words do not stand with what it is the reason of."""
    match = RE.reason.search(text)
    if match is None:
        return ""
    stated = re.split("[;；。]", text[match.end() :], maxsplit=1)[0]
    reason, rest = names_of(stated), names_of(text[: match.start()])
    if not rest and (comma := re.search("[,，]", text[match.end() :])):
        reason = names_of(text[match.end() : match.end() + comma.start()])
        rest = names_of(text[match.end() + comma.end() :])
    reason -= rest
    if not reason or not rest:
        return ""
    for passage in cited:
        shares = [
            (len(rest & names_of(unit.text)) / len(rest), index)
            for index, unit in enumerate(passage.units[:_MAX_UNITS])
        ]
        top = max(shares, default=(0.0, 0))[0]
        if top < _MIN_ABOUT:
            return ""
        for share, index in shares:
            if not share or share < 0.6 * top:
                continue
            near = _linked(passage, index)
            if len(reason & names_of("\n".join(near))) >= _MIN_REASON * len(reason):
                return ""
    return f"{match[0]}{stated}".rstrip(".。 ")


def _linked(passage: Passage, index: int) -> list[str]:
    """A line with the line before it that it refers to, and the one after it that refers to it."""
    texts = [unit.text for unit in passage.units[max(0, index - 1) : index + 2]]
    at = min(index, 1)
    before = texts[:at] if RE.linked.search(texts[at]) else []
    after = [text for text in texts[at + 1 :] if RE.linked.search(text)]
    return [*before, texts[at], *after]


def _agent_elsewhere(claim: Claim, said: Statement, texts: Sequence[str]) -> str:
    """The agent of a claim whose line names another agent for the same."""
    if len(said.names) >= _LONG:
        return ""
    names = [
        fact
        for fact in claim.facts
        if fact.kind == "name" and fact.likely >= 1.0 and not fact.weak and fact.start <= _MAX_SUBJECT_START
    ]
    agents = [(match[2] or match[3] or "", match[1] or "") for match in RE.agent.finditer(claim.text)]
    agents += [(_full_name(fact.text, claim.text), "") for fact in names]
    for agent, verb in agents:
        own = names_of(agent)
        rest = said.names - own
        if not own or len(rest) < _MIN_SHARED:
            continue
        best = max(texts, key=lambda text: len(rest & names_of(text)), default="")
        share = len(rest & names_of(best)) / len(rest)
        if share < _MIN_AGENT or own & names_of(best) or RE.role_field.search(best):
            continue
        has_other_name = (
            any(other not in claim.text for other in _capitalised(best))
            if not verb and not has_cjk(agent)
            else RE.agent.search(best) is not None
        )
        elsewhere = max((len(rest & names_of(text)) / len(rest) for text in texts if own & names_of(text)), default=0.0)
        if has_other_name and elsewhere < share:
            return agent
    return ""


def _full_name(name: str, text: str) -> str:
    """A name with the capitalised word before it, which may begin the sentence."""
    match = re.search(rf"([A-Z][\w'’-]+) {re.escape(name)}", text)
    return match[0] if match else name


@lru_cache(maxsize=2048)
def _capitalised(text: str) -> tuple[str, ...]:
    return tuple(
        match[0] for match in re.finditer(r"(?<![.!?]\s)(?<!^)\b[A-Z][a-z]{2,}\b|^[A-Z][a-z]{2,}(?= [a-z]+s\b)", text)
    )


def _role_elsewhere(claim: Claim, cited: Sequence[Passage]) -> str:
    """A name that the lines have in a field only, in a claim that says something else of it than the field."""
    words = _words_of(claim)
    for fact in claim.facts:
        is_year = fact.kind == "number" and re.fullmatch(r"(?:19|20)\d\d", fact.value)
        keys = _keys_of(fact, cited) if fact.kind in ("name", "identifier") or is_year else []
        if keys and not any(_says_role(key, words, claim.text) for key in keys):
            return fact.text
    return ""


def is_role_stated(claim: Claim, cited: Sequence[Passage]) -> bool:
    """Whether a claim says of a name what the field with this name says."""
    words = _words_of(claim)
    return any(
        _role_of(key) is not None and _says_role(key, words, claim.text)
        for fact in claim.facts
        if fact.kind in ("name", "identifier")
        for key, _ in _fields_with(fact, cited)
    )


def _words_of(claim: Claim) -> set[str]:
    """The words of a claim without those of its numbers: the PEP of “PEP 497” is not the one of “PEP-Delegate”."""
    return {word.lower() for word in re.findall(r"[A-Za-z@][\w'’-]*\b(?!['’-])(?! ?#?\d)", claim.text)}


def _keys_of(fact: Fact, cited: Sequence[Passage]) -> list[str]:
    """The keys of the fields that hold a fact, if all have a role and no other text has a part of the fact."""
    fields = _fields_with(fact, cited)
    parts = set(tokens(fact.value))
    rest = "\n".join(passage.excerpt.text for passage in cited)
    for _, field in fields:
        rest = rest.replace(field, "")
    if parts & set(tokens(rest)) or any(_role_of(key) is None for key, _ in fields):
        return []
    return [key for key, _ in fields]


def _fields_with(fact: Fact, cited: Sequence[Passage]) -> list[tuple[str, str]]:
    """Key and text of each field that holds a fact."""
    parts = set(tokens(fact.value))
    return [
        (match[1], match[0])
        for passage in cited
        for match in RE.role_field.finditer(passage.excerpt.text)
        if parts <= set(tokens(match[2]))
    ]


def _says_role(key: str, words: set[str], text: str) -> bool:
    role = _role_of(key)
    if role is None:
        return True
    own = set(re.findall(r"[a-z]+", key.lower())) | _roles()[role][1]
    return bool(own & (words | {stem(word) for word in words})) or any(has_cjk(word) and word in text for word in own)


def _role_of(key: str) -> str | None:
    folded_key = key.strip().lower()
    return next((role for role, (keys, _) in _roles().items() if folded_key in keys), None)


@cache
def _roles() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    rows = toml_in(__package__, "contrast.toml")["roles"]
    return {
        role: (frozenset(row.split("|")[0].split()), frozenset(row.split("|")[1].split())) for role, row in rows.items()
    }

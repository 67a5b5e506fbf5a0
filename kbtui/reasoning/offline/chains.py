"""Questions about a thing that is only described by its relation to another: "who wrote the PEP that superseded X?".

Such a question is a chain: the description is a question of its own ("Which PEP superseded X?"), and what that finds
takes the description's place in the rest ("Who wrote PEP 699?"), which can be looked up only then. The cut is made by
word order and by the relation words of `kbtui.records.concepts`, never by what the question is about.

A description is cut out only where the rest still asks something of it, a relation or a field: "Which PEP is the
successor of X?" asks one thing. Where in doubt the question stays whole.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Final

from kbtui.domain.evidence import Evidence
from kbtui.question.asking import understand
from kbtui.question.normalise import has_han
from kbtui.question.sides import SLOT, with_slots, without_slots
from kbtui.records.concepts import CONCEPTS, FIELD_WORDS
from kbtui.records.items import named_in
from kbtui.text.patterns import Patterns
from kbtui.text.word_lists import toml_in

MOST_HOPS = 3
MOST_FOUND = 5
"""Things found for one description that the rest of the question is asked of."""

DIRECT = 0.85
"""`direct` signal from which a relation is what was asked for, and not merely something else the line states."""

_THING = "\ue0ff"
"""Stands for a description that was cut out."""
_ANY = f"(?:{SLOT})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Hop:
    """One question of a chain.

    Attributes:
        text: As a sentence of its own, with the description of the hop before it in it.
        about: That description, as it stands in ``text``; empty for the first hop.
    """

    text: str
    about: str = ""

    def asked_of(self, label: str) -> str:
        """The question with a found thing in place of the description."""
        before, _, after = self.text.partition(self.about)
        name = _named(label)
        # Chinese that stood against Chinese now stands against a Latin name.
        start = " " if name[:1].isascii() and has_han(before[-1:]) else ""
        end = " " if name[-1:].isascii() and has_han(after[:1]) else ""
        return f"{before}{start}{name}{end}{after}"


@lru_cache(maxsize=512)
def chain(question: str) -> tuple[Hop, ...]:
    """The hops of ``question``, first to last; empty when it asks one thing."""
    understood = understand(question)
    whole = understood.question
    text, slots = with_slots(whole, understood.mentions)
    hops: list[Hop] = []
    about = ""
    while len(hops) < MOST_HOPS - 1 and (cut := _cut(text, has_han(whole))) is not None:
        inner, start, end = cut
        hops.append(Hop(text=_filled(inner, slots), about=about if _THING in inner else ""))
        about = _filled(text[start:end], slots)
        slots[_THING] = about
        text = f"{text[:start]}{_THING}{text[end:]}"
        if hops[1:] and not hops[-1].about:
            # A second description beside the first, not around it: only one of the two could be put in place.
            return ()
    return (*hops, Hop(text=_filled(text, slots), about=about)) if hops else ()


def _filled(text: str, slots: dict[str, str]) -> str:
    return " ".join(without_slots(text, slots).split())


def found_for(intent: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Names of the things that the kept evidence of a sub-question states as its answer, best first."""
    labels: dict[str, None] = {}
    for item in evidence:
        if item.kept and item.sub_question == intent and item.hit.signals.get("direct", 0.0) >= DIRECT:
            labels.update(dict.fromkeys(named_in(item.hit)))
    return tuple(labels)


def cut_short(question: str, asked: Collection[str], evidence: Sequence[Evidence]) -> int:
    """How many things were found for a description, where only the first `MOST_FOUND` were asked about; else 0."""
    hops = chain(question)
    intents = [hop.text for hop in hops[:1]]
    for hop in hops[1:]:
        labels = tuple(dict.fromkeys(label for intent in intents for label in found_for(intent, evidence)))
        intents = [hop.asked_of(label) for label in labels[:MOST_FOUND]]
        if len(labels) > MOST_FOUND and any(intent in asked for intent in intents):
            return len(labels)
    return 0


# --- the words ---


def _alternatives(patterns: Sequence[str]) -> str:
    return "|".join(pattern for pattern in patterns if pattern)


_VERB = _alternatives([concept.verb for concept in CONCEPTS])
_NOUN = _alternatives([noun for concept in CONCEPTS for noun in (concept.subject_nouns, concept.object_nouns)])
_NOUN += r"|\b(?:co-?)?(?:authors?|writers?|owners?|maintainers?|assignees?|duplicates?)\b"
_NOUN_ZH = _alternatives(
    [
        noun
        for concept in CONCEPTS
        for noun in (*concept.subject_nouns.split("|"), *concept.object_nouns.split("|"))
        if noun and not noun.isascii() and not noun.endswith("它")
    ]
)
_VERB_ZH = "写|" + _alternatives(
    [
        verb
        for concept in CONCEPTS
        for verb in concept.chinese.split("|")
        if verb and "谁" not in verb and not verb.startswith("写") and verb not in ("作者", "所有者", "先决条件")
    ]
).replace("负责人?", "负责").replace("维护者?", "维护").replace("经办人?", "经办")
_BLANKS = {"SLOT": SLOT, "VERB": _VERB, "NOUN": _NOUN, "VERB_ZH": _VERB_ZH, "NOUN_ZH": _NOUN_ZH, "ANY": _ANY}
_RE: Final = Patterns(__package__, "chains.toml", **_BLANKS, THING=_THING)
_FIELDS = r"status|state|type|kind|title|version|priority|severity|sponsor|topic|resolution|milestone|(?:due\ )?date"

_ASKS = re.compile(
    _alternatives([rf"\b(?:{concept.verb})\b" for concept in CONCEPTS if concept.verb and not concept.weak])
    + f"|{_NOUN}|{_NOUN_ZH}|"
    + _alternatives([concept.chinese for concept in CONCEPTS if not concept.weak])
    + rf"|\b(?:{_FIELDS}|created)\b|\b(?:do|does|did|will)\ {_ANY}\ (?:\w+\ )?needs?\b|{_ANY}\s*(?:还|也)?需要"
    + f"|标题|{_alternatives(list(FIELD_WORDS))}",
    re.I,
)
"""What asks for a relation or a field of the thing described."""

# --- questions out of descriptions ---

_IRREGULAR = {"wrote": "write", "held": "hold"}
_FORMS = ("relative", "object", "reduced", "noun_of", "possessed")
_FORMS_ZH = ("agent_zh", "subject_zh", "object_zh", "noun_of_zh", *_FORMS)


@cache
def _templates() -> Mapping[str, str]:
    """How the question is asked that a description of each form is."""
    templates: dict[str, str] = toml_in(__package__, "chains.toml")["questions"]
    return templates


def _as_question(form: str, match: re.Match[str]) -> str:
    found = match.groupdict(default="")
    noun = found["noun"]
    is_person = _RE.person.match(noun) is not None
    if form.endswith("_zh"):
        found["what"] = "谁" if is_person else "哪个"
        found["which"] = "谁" if is_person else f"哪个 {noun} " if noun.isascii() else f"哪个{noun}"
        found["done"] = "了" if found.get("verb") == "写" else ""
        return _templates()[form].format(**found).replace(" ？", "？")
    found["what"] = "Who" if is_person else "What"
    is_any = noun.lower() in ("one", "thing", "things", "ones")
    found["which"] = ("Whom" if form == "object" else "Who") if is_person else "What" if is_any else f"Which {noun}"
    found["be"] = "are" if noun.endswith("s") and not noun.endswith("ss") else "is"
    if form == "object":
        found["doing"] = _doing(found)
    return _templates()[form].format(**found)


def _doing(found: Mapping[str, str]) -> str:
    """What somebody does, in the order of a question: ``does X supersede``."""
    who, verb = found["who"], found["verb"]
    if found["aux"]:
        first, _, rest = found["aux"].strip().partition(" ")
        return f"{first} {who} {rest} {verb}" if rest else f"{first} {who} {verb}"
    first, _, rest = verb.partition(" ")
    rest = f" {rest}" if rest else ""
    if first.lower() in _IRREGULAR:
        return f"did {who} {_IRREGULAR[first.lower()]}{rest}"
    return f"has {who} {verb}" if first.lower().endswith("ed") else f"does {who} {_base(first)}{rest}"


def _base(verb: str) -> str:
    if verb.endswith("ies"):
        return f"{verb[:-3]}y"
    return verb[:-2] if re.search(r"(?:[sxz]|sh|ch)es$", verb) else verb.removesuffix("s")


def _cut(text: str, is_chinese: bool) -> tuple[str, int, int] | None:
    """The question that the innermost description is, and where that stands in ``text``; None when there is none."""
    for form in _FORMS_ZH if is_chinese else _FORMS:
        for match in getattr(_RE, form).finditer(text):
            rest = f"{text[: match.start()]}{_THING}{text[match.end() :]}"
            if _RE.joined.search(text[: match.start()]) or _RE.joining.match(text[match.end() :]):
                # "the author and the status of X" asks two things of X.
                continue
            is_person = _RE.person.match(match["noun"]) is not None
            if _ASKS.search(rest) or (not is_person and _RE.says.search(rest)):
                return _as_question(form, match), match.start(), match.end()
    return None


def _named(label: str) -> str:
    """A name as a question can hold it: one plain word is set off, so that it is read as a name."""
    if re.search(r"[\d/.\s]", label) or not label.isascii():
        return label
    return f"`{label}`"

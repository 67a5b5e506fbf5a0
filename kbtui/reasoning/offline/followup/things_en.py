"""The things an English question speaks of: its noun phrases, found by word lists, without a tagger.

Only good enough for what follow-ups need: what the question before was about, and whether a pronoun has something in
front of it that it can mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, Literal

from kbtui.question.mentions import Mention, find_mentions
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.words import EN, base_of, gerund, word_set

Role = Literal[
    "mention", "noun", "verb", "determiner", "preposition", "auxiliary", "question", "pronoun", "adverb", "clause",
    "mark",
]  # fmt: skip

_MOST_NAMED: Final = 3
_BEING: Final = frozenset({"is", "are", "was", "were", "be", "been"})
_TOKEN: Final = re.compile(r"[^\W_]+(?:['’.\-/_][^\W_]+)*|[,;:?!()]")
_ROLES: Final[dict[str, Role]] = {
    "question_words": "question", "clauses": "clause", "auxiliaries": "auxiliary", "determiners": "determiner",
    "prepositions": "preposition", "adverbs": "adverb", "pronouns": "pronoun",
}  # fmt: skip
"""Lists of words by the role of what is in them; the first list that has a word counts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word or a mention, where it stands, and what part it plays."""

    text: str
    start: int
    role: Role
    mention: Mention | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def lower(self) -> str:
        return self.text.lower()


@dataclass(frozen=True, slots=True, kw_only=True)
class Thing:
    """A noun phrase.

    Attributes:
        text: As written, determiner and all.
        head: Its last word, lower case.
        asked: It is what is asked for ("which teams").
        after: The preposition in front of it, if one is.
    """

    text: str
    start: int
    head: str
    determiner: str = ""
    asked: bool = False
    after: str = ""
    mention: Mention | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def plural(self) -> bool:
        """True where the head looks like more than one."""
        return (
            self.mention is None
            and self.head.endswith("s")
            and not self.head.endswith(("ss", "us", "is", "'s"))
            and not self.head.isupper()
        )

    @property
    def attribute(self) -> bool:
        """True for what a thing has: its timeout, its author."""
        return self.mention is None and self.head in word_set("en", "attributes")

    @property
    def name(self) -> bool:
        """True for a capitalised name that is no mention."""
        return self.mention is None and bool(re.match(r"[^\W\da-z_]", self.text.removeprefix(self.determiner).strip()))


def tokens_of(question: str) -> tuple[Token, ...]:
    """The words of a question with their roles."""
    found: list[Token] = []
    position = 0
    for mention in (*find_mentions(question), None):
        for match in _TOKEN.finditer(question, position, mention.start if mention else len(question)):
            found.append(Token(text=match[0], start=match.start(), role=_role(match[0], not found)))
        if mention is not None:
            position = mention.end
            text = question[mention.start : position]
            found.append(Token(text=text, start=mention.start, role="mention", mention=mention))
    return tuple(replace(word, role="noun") if _is_noun(found, at) else word for at, word in enumerate(found))


def _is_noun(words: Sequence[Token], at: int) -> bool:
    """True for what looks like a verb and is none: "about tests", "which checks run"."""
    if at == 0 or words[at].role != "verb" or not words[at].lower.endswith("s"):
        return False
    asked = words[at - 1].lower in ("which", "many") and role_at(words, at + 1) in ("verb", "auxiliary")
    return words[at - 1].role == "preposition" or asked


def role_at(words: Sequence[Token], at: int) -> Role:
    """The role of a word; that of a mark behind the last one."""
    return words[at].role if at < len(words) else "mark"


def _role(word: str, is_first: bool) -> Role:
    lower = word.lower().replace("’", "'")
    if not lower[0].isalnum():
        return "mark"
    if word == "IT" or (word.isupper() and len(word) > 1 and not is_first):
        return "noun"
    if role := next((role for name, role in _ROLES.items() if lower in word_set("en", name)), None):
        return role
    return "verb" if base_of(lower) or (is_first and lower in word_set("en", "commands")) else "noun"


def things_of(question: str, tokens: Sequence[Token] | None = None) -> tuple[Thing, ...]:
    """The noun phrases of a question, in order, each as short as it goes: "the timeout", "the gateway"."""
    words = tuple(tokens) if tokens is not None else tokens_of(question)
    found: list[Thing] = []
    supported = False
    index = 0
    while index < len(words):
        token = words[index]
        supported = supported or token.lower in word_set("en", "support")
        if not (token.role in ("noun", "mention", "determiner") or _asks_for(words, index) or _qualifies(words, index)):
            index += 1
            continue
        stop = _end_of(words, index, supported)
        if any(word.role not in ("determiner", "question") for word in words[index:stop]):
            found.append(_thing(question, words, index, stop))
            if stop < len(words) and words[stop].lower not in ("of", "for", "in", "and", "or"):
                supported = False
        index = stop
    return tuple(found)


def _asks_for(words: Sequence[Token], index: int) -> bool:
    """True at "which" and "what" in front of what is asked for."""
    return words[index].lower in ("which", "what", "whose") and role_at(words, index + 1) in ("noun", "mention")


def _qualifies(words: Sequence[Token], index: int) -> bool:
    """True at a participle that stands in front of a noun: "failed payments"."""
    if words[index].role != "verb" or index == 0:
        return False
    is_participle = words[index].lower.endswith(("ed", "ing")) and words[index - 1].role in ("verb", "preposition")
    return is_participle and role_at(words, index + 1) == "noun"


def _end_of(words: Sequence[Token], start: int, supported: bool) -> int:
    """Where the noun phrase that starts at ``start`` ends (exclusive)."""
    first = words[start].role
    index = start + 1 if first in ("determiner", "question") else start
    nouns = 0
    while index < len(words):
        token = words[index]
        if index > start and token.start - words[index - 1].end > 1:
            break
        if token.role == "verb":
            if nouns == 0 and first != "determiner" and role_at(words, index + 1) not in ("noun", "mention"):
                break
            if nouns and (token.lower != base_of(token.lower) or supported or first == "question"):
                break
            is_passive = index + 1 == len(words) and any(word.lower in _BEING for word in words[:start])
            if nouns and is_passive and token.lower in word_set("en", "unchanging"):
                break
        elif token.role in ("mention", "noun"):
            nouns += 1
        else:
            break
        index += 1
    return max(index, start + 1)


def _thing(question: str, words: Sequence[Token], start: int, stop: int) -> Thing:
    first, last = words[start], words[stop - 1]
    return Thing(
        text=question[first.start : last.end],
        start=first.start,
        head=last.lower if last.mention is None else last.text,
        determiner=first.text if first.role in ("determiner", "question") else "",
        asked=first.role == "question",
        after=words[start - 1].lower if start and words[start - 1].role == "preposition" else "",
        mention=next((word.mention for word in reversed(words[start:stop]) if word.mention is not None), None),
    )


def joined_things(question: str) -> tuple[Thing, ...]:
    """The things of a question, with those held together by "of" as one: "the timeout of the gateway"."""
    found: list[Thing] = []
    for thing in things_of(question):
        between = question[found[-1].end : thing.start].strip().lower() if found else ""
        links = between == "of" or (between == "for" and found[-1].attribute)
        if found and links and not found[-1].asked:
            found[-1] = replace(found[-1], text=question[found[-1].start : thing.end])
        else:
            found.append(thing)
    return tuple(found)


# What the question was about.


def doing_of(question: str) -> str:
    """What somebody does in "how do I roll back a deploy", as ``roll back a deploy``; else empty."""
    match = EN.doing.match(question)
    return (match["doing"] or match["to"]).strip(" ?.!") if match else ""


def _as_event(doing: str) -> str:
    """``roll back a deploy`` as something that takes place: ``rolling back a deploy``."""
    verb, _, rest = doing.partition(" ")
    return f"{gerund(verb.lower())} {rest}".strip() if verb.isalpha() else doing


def subject(said: Said, *, takes_place: bool = False) -> str:
    """What "it" means after an English question; with ``takes_place``, what is done where something is."""
    question = said.question
    if doing := doing_of(question):
        object_ = next((thing for thing in joined_things(doing) if not thing.after), None)
        is_definite = object_ is not None and (
            object_.mention is not None or object_.name or object_.determiner.lower() in ("the", "our", "my")
        )
        return object_.text if object_ is not None and is_definite and not takes_place else _as_event(doing)
    things = joined_things(question)
    plain = [thing for thing in things if not thing.asked]
    asked = next((thing for thing in things if thing.asked), None)
    if asked is not None and asked.start == 0 and not asked.plural:
        # The thing that answered "which ADR covers feature flags": it, from then on, is that ADR.
        is_label, is_file = (asked.head in word_set("en", name) for name in ("labels", "files"))
        if found := said.label(asked.head) if is_label else said.file() if is_file else "":
            return found
        if len(plain) != 1:
            return _described(question, asked)
    if not plain:
        return ""
    if owned := EN.owned.match(plain[0].text):
        # A person is no "it": what they wrote or own is.
        return owned[1]
    named = [thing for thing in plain if thing.mention is not None]
    return named[0].text if named and plain[0].mention is None and plain[0].after else plain[0].text


def happening(said: Said) -> str:
    """What "that" means after an aux or a preposition: what takes place, or the newest thing of the question."""
    if doing := doing_of(said.question):
        return _as_event(doing)
    things = [thing for thing in joined_things(said.question) if not thing.asked]
    if not things:
        return subject(said)
    return things[0].text if len(things) == 1 else f"{things[-1].text} ({things[0].text})"


def plural(said: Said) -> str:
    """What "they" means after an English question."""
    things = joined_things(said.question)
    asked = next((thing for thing in things if thing.asked and thing.plural), None)
    if asked is not None and (found := said.few or _described(said.question, asked)):
        return found
    plain = [thing for thing in things if not thing.asked]
    if several := [thing.text for thing in plain if thing.plural]:
        return several[0]
    if len(said.items) > 1:
        return " and ".join(said.items[:_MOST_NAMED])
    return plain[0].text if len(plain) == 1 else ""


def _described(question: str, asked: Thing) -> str:
    """ "Which teams are on call at night" as "the teams that are on call at night"."""
    if asked.start > 0:
        return ""
    noun = asked.text.removeprefix(asked.determiner).strip()
    rest = question[asked.end :].strip()
    return f"the {noun} that {rest}" if rest else f"the {noun}"


def side_by_side(text: str) -> tuple[str, ...]:
    """The two things that a question puts side by side: "Kafka and RabbitMQ"."""
    for first, second in pairwise(thing for thing in things_of(text) if not thing.asked):
        if EN.coordinated.match(text[first.end : second.start]) and second.after not in ("to", "from"):
            return first.text, second.text
    return ()

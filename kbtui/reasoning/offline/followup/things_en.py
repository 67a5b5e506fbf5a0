"""The things an English question speaks of: its noun phrases, found by word lists, without a tagger.

Only good enough for what follow-ups need: what the question before was about, and whether a pronoun has something in
front of it that it can mean.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from kbtui.reasoning.offline.followup.words import base_of, gerund, word_set
from kbtui.reasoning.offline.mentions import Mention, find_mentions

Role = Literal[
    "mention",
    "noun",
    "verb",
    "determiner",
    "preposition",
    "auxiliary",
    "question",
    "pronoun",
    "adverb",
    "clause",
    "mark",
]

PRONOUNS = word_set("en", "pronouns")
_BEING = frozenset({"is", "are", "was", "were", "be", "been"})
_TOKEN = re.compile(r"[^\W_]+(?:['’.\-/_][^\W_]+)*|[,;:?!()]")
_POSSESSIVE = re.compile(r"['’]s$")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """A word or a mention, where it stands, and what part it plays."""

    text: str
    start: int
    end: int
    role: Role
    mention: Mention | None = None

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
    end: int
    head: str
    determiner: str = ""
    asked: bool = False
    after: str = ""
    mention: Mention | None = None

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
        stop = mention.start if mention else len(question)
        for match in _TOKEN.finditer(question, position, stop):
            found.append(Token(text=match[0], start=match.start(), end=match.end(), role=_role(match[0], not found)))
        if mention is not None:
            found.append(
                Token(
                    text=question[mention.start : mention.end],
                    start=mention.start,
                    end=mention.end,
                    role="mention",
                    mention=mention,
                )
            )
            position = mention.end
    return tuple(replace(word, role="noun") if _is_noun(found, at) else word for at, word in enumerate(found))


def _is_noun(words: Sequence[Token], at: int) -> bool:
    """True for what looks like a verb and is none: "about tests", "which checks run"."""
    if at == 0 or words[at].role != "verb" or not words[at].lower.endswith("s"):
        return False
    before = words[at - 1]
    follows = words[at + 1].role if at + 1 < len(words) else "mark"
    asked = before.lower in ("which", "many") and follows in ("verb", "auxiliary")
    return before.role == "preposition" or asked


def _role(word: str, is_first: bool) -> Role:
    lower = word.lower().replace("’", "'")
    if not lower[0].isalnum():
        return "mark"
    if word == "IT" or (word.isupper() and len(word) > 1 and not is_first):
        return "noun"
    for name, role in _ROLES:
        if lower in word_set("en", name):
            return role
    if lower in PRONOUNS:
        return "pronoun"
    return "verb" if base_of(lower) or (is_first and lower in word_set("en", "commands")) else "noun"


_ROLES: tuple[tuple[str, Role], ...] = (
    ("question_words", "question"),
    ("clauses", "clause"),
    ("auxiliaries", "auxiliary"),
    ("determiners", "determiner"),
    ("prepositions", "preposition"),
    ("adverbs", "adverb"),
)


def things_of(question: str, tokens: Sequence[Token] | None = None) -> tuple[Thing, ...]:
    """The noun phrases of a question, in order, each as short as it goes: "the timeout", "the gateway"."""
    words = tuple(tokens) if tokens is not None else tokens_of(question)
    found: list[Thing] = []
    supported = False
    index = 0
    while index < len(words):
        token = words[index]
        if token.lower in word_set("en", "support"):
            supported = True
        starts = token.role in ("noun", "mention", "determiner") or _asks_for(words, index) or _qualifies(words, index)
        if not starts:
            index += 1
            continue
        stop = _end_of(words, index, supported)
        nominal = [word for word in words[index:stop] if word.role not in ("determiner", "question")]
        if nominal:
            found.append(_thing(question, words, index, stop))
            if stop < len(words) and words[stop].lower not in ("of", "for", "in", "and", "or"):
                supported = False
        index = max(stop, index + 1)
    return tuple(found)


def _asks_for(words: Sequence[Token], index: int) -> bool:
    """True at "which" and "what" in front of what is asked for."""
    follows = words[index + 1] if index + 1 < len(words) else None
    return (
        words[index].lower in ("which", "what", "whose") and follows is not None and follows.role in ("noun", "mention")
    )


def _qualifies(words: Sequence[Token], index: int) -> bool:
    """True at a participle that stands in front of a noun: "failed payments"."""
    if words[index].role != "verb" or index + 1 >= len(words) or index == 0:
        return False
    is_participle = words[index].lower.endswith(("ed", "ing")) and words[index - 1].role in ("verb", "preposition")
    return is_participle and words[index + 1].role == "noun"


def _end_of(words: Sequence[Token], start: int, supported: bool) -> int:
    """Where the noun phrase that starts at ``start`` ends (exclusive)."""
    asked = words[start].role == "question"
    index = start + 1 if words[start].role in ("determiner", "question") else start
    nouns = 0
    while index < len(words):
        token = words[index]
        before = words[index - 1] if index > start else None
        if token.start > 0 and before is not None and words[index].start - before.end > 1:
            break
        if token.role == "mention":
            nouns += 1
        elif token.role == "noun":
            nouns += 1
            if nouns > 1 and _POSSESSIVE.search(words[index - 1].lower):
                pass
        elif token.role == "verb":
            inside = nouns == 0 or (token.lower == base_of(token.lower) and not supported and not asked)
            follows = words[index + 1].role if index + 1 < len(words) else "mark"
            if nouns == 0 and words[start].role != "determiner" and follows not in ("noun", "mention"):
                break
            is_passive = index + 1 == len(words) and any(word.lower in _BEING for word in words[:start])
            if not inside or (nouns and is_passive and token.lower in word_set("en", "unchanging")):
                break
        else:
            break
        index += 1
    return max(index, start + 1)


def _thing(question: str, words: Sequence[Token], start: int, stop: int) -> Thing:
    first, last = words[start], words[stop - 1]
    before = words[start - 1] if start else None
    mentions = [word.mention for word in words[start:stop] if word.mention is not None]
    return Thing(
        text=question[first.start : last.end],
        start=first.start,
        end=last.end,
        head=last.lower if last.mention is None else last.text,
        determiner=first.text if first.role in ("determiner", "question") else "",
        asked=first.role == "question",
        after=before.lower if before is not None and before.role == "preposition" else "",
        mention=mentions[-1] if mentions else None,
    )


def joined_things(question: str, things: Sequence[Thing]) -> tuple[Thing, ...]:
    """``things`` with those held together by "of" as one: "the timeout of the gateway"."""
    found: list[Thing] = []
    for thing in things:
        between = question[found[-1].end : thing.start].strip().lower() if found else ""
        links = between == "of" or (between == "for" and found[-1].attribute)
        if found and links and not found[-1].asked:
            found[-1] = replace(found[-1], text=question[found[-1].start : thing.end], end=thing.end)
        else:
            found.append(thing)
    return tuple(found)


_DOING = re.compile(
    r"^(?:(?:how|when|where|why|what)\s+(?:\w+\s+)?)?(?:do|does|can|could|should|must|may|would|shall|will)\s+"
    r"(?:i|we|you|one|someone|people)\s+(?P<doing>.+)$"
    r"|^(?:how|when|where|what)\s+to\s+(?P<to>.+)$",
    re.I | re.S,
)


def doing_of(question: str) -> str:
    """What somebody does in "how do I roll back a deploy", as ``roll back a deploy``; else empty."""
    match = _DOING.match(question)
    return (match["doing"] or match["to"]).strip(" ?.!") if match else ""


def as_event(doing: str) -> str:
    """``roll back a deploy`` as something that takes place: ``rolling back a deploy``."""
    verb, _, rest = doing.partition(" ")
    if not verb.isalpha():
        return doing
    return f"{gerund(verb.lower())} {rest}".strip()

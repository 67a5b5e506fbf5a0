"""The things a question speaks of: its noun phrases, by word lists (``words/things.toml``), without a tagger.

Good enough for what leans on another question: what that one was about, which of its things another one is said in
place of, and whether a pronoun has something in front of it that it can mean.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Any, Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import Language, has_han, question_language
from kbtui.text.inflection import lemma, root
from kbtui.text.word_lists import toml_in

Role = Literal[
    "mention", "noun", "verb", "determiner", "preposition", "auxiliary", "question", "pronoun", "adverb", "clause",
    "mark",
]  # fmt: skip
HAN: Final = "\u3400-\u9fff"

_SLOT: Final = "[\ue000-\ue0ff]"
"""Stands for a mention (see `kbtui.question.sides`)."""
_TOKEN: Final = re.compile(rf"[^\W_]+(?:['’.\-/_][^\W_]+)*|[,;:?!()]|{_SLOT}")
_TOKEN_ZH: Final = rf"{_SLOT}|[^\W{HAN}]+(?:[.\-/_][^\W{HAN}]+)*|[^\w\s]|[{HAN}]"
_BEING: Final = frozenset({"is", "are", "was", "were", "be", "been"})


class Word(Struct, frozen=True, kw_only=True):
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
        return self.text.lower().replace("’", "'")


class Thing(Struct, frozen=True, kw_only=True):
    """A noun phrase.

    Attributes:
        text: As written, determiner and all.
        asked: It is what is asked for ("which teams").
        after: The preposition in front of it, if one is.
    """

    text: str
    start: int
    determiner: str = ""
    asked: bool = False
    after: str = ""
    mention: Mention | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def bare(self) -> str:
        """Without its determiner."""
        return self.text.removeprefix(self.determiner).strip()

    @property
    def head(self) -> str:
        """Its last word, lower case."""
        return (self.bare.split() or [""])[-1].lower()

    @property
    def plural(self) -> bool:
        return self.mention is None and self.head.isascii() and lemma(self.head) != self.head

    @property
    def attribute(self) -> bool:
        """True for what a thing has: its timeout, its author."""
        return self.mention is None and is_in("attributes", self.head)

    @property
    def name(self) -> bool:
        """True for a capitalised name that is no mention."""
        return self.mention is None and self.bare[:1].isupper()


@cache
def _tables() -> Mapping[Language, Mapping[str, Mapping[str, str]]]:
    table: Any = toml_in("kbtui.question", "words/things.toml")
    return table  # type: ignore[no-any-return]


@cache
def listed(language: Language, name: str) -> tuple[str, ...]:
    """The words of a kind in the order of the file; of several kinds, by their names with blanks between."""
    kinds = _tables()[language]["kinds"]
    return tuple(word.replace("_", " ") for kind in name.split() for word in kinds[kind].split())


def either(language: Language, name: str) -> str:
    """The words of a kind as one group of a regular expression, longest first."""
    return "(?:" + "|".join(sorted(map(re.escape, listed(language, name)), key=len, reverse=True)) + ")"


def of_role(language: Language, role: Role) -> str:
    """The words of a role as one group of a regular expression, longest first."""
    words = _tables()[language]["roles"][role].split()
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


@cache
def _known(language: Language, name: str) -> frozenset[str]:
    return frozenset(listed(language, name))


def is_in(name: str, word: str) -> bool:
    """Whether a word, or its singular, is of a kind; a Chinese one by how it ends."""
    if has_han(word):
        return name in _tables()["zh"]["kinds"] and word.endswith(listed("zh", name))
    return word.lower() in _known("en", name) or lemma(word) in _known("en", name)


def is_known(word: str) -> bool:
    """Whether a word is of a kind of things that a document speaks of: a file, a label, a part, an attribute."""
    return any(is_in(name, word) for name in ("files", "labels", "parts", "attributes", "kinds"))


@cache
def _roles(language: Language) -> Mapping[str, Role]:
    """The role of a word; that of the first list that has it."""
    found: dict[str, Role] = {}
    for role, words in _tables()[language]["roles"].items():
        for word in words.split():
            found.setdefault(word, role)  # type: ignore[arg-type]
    return found


@cache
def _verbs() -> frozenset[str]:
    """What English verbs have in common in all forms, and forms that have it not."""
    bases = _tables()["en"]["roles"]["verb"].split()
    return frozenset((*map(root, bases), *_known("en", "irregular")))


def is_base(word: str) -> bool:
    """True for an English verb in its base form."""
    return _roles("en").get(word) == "verb"


def is_order(word: str) -> bool:
    """True for an English word that tells to do something: explain, list."""
    return word in _known("en", "commands")


def starts_request(word: str) -> bool:
    """True for an English word that a question or an order begins with."""
    return _roles("en").get(word.lower()) in ("question", "auxiliary") or is_order(word.lower())


@lru_cache(maxsize=256)
def words_of(question: str) -> tuple[Word, ...]:
    """The words of a question with their roles."""
    language = question_language(question)
    pattern = _pattern_zh() if language == "zh" else _TOKEN
    found: list[Word] = []
    position = 0
    for mention in (*find_mentions(question), None):
        for match in pattern.finditer(question, position, mention.start if mention else len(question)):
            if re.match(_SLOT, match[0]):
                named = Mention(kind="name", text=match[0], start=match.start(), end=match.end())
                found.append(Word(text=match[0], start=match.start(), role="mention", mention=named))
                continue
            role = _role_zh(match[0]) if language == "zh" else _role(match[0], not found)
            joins = role == "noun" and found and found[-1].role == "noun" and found[-1].end == match.start()
            if language == "zh" and joins:
                found[-1] = replace(found[-1], text=found[-1].text + match[0])
            else:
                found.append(Word(text=match[0], start=match.start(), role=role))
        if mention is not None:
            position = mention.end
            found.append(
                Word(text=question[mention.start : position], start=mention.start, role="mention", mention=mention)
            )
    return tuple(replace(word, role="noun") if _is_noun(found, at) else word for at, word in enumerate(found))


@cache
def _pattern_zh() -> re.Pattern[str]:
    """Listed words, longest first; 会 at the end of a noun is a meeting, 这 goes with its measure word."""
    known = "|".join(sorted(_roles("zh"), key=len, reverse=True))
    meeting, points = rf"[{HAN}]{{2}}会(?=[在的是议上由几呢什])", rf"[这那同](?:一|两|几)?{either('zh', 'measures')}"
    return re.compile(rf"{meeting}|{points}|{known}|{_TOKEN_ZH}")


def _role_zh(word: str) -> Role:
    if word[0] in "这那该此其同" and word not in _roles("zh"):
        return "pronoun" if len(word) > 1 or word != "同" else "preposition"
    return _roles("zh").get(word) or ("noun" if word[0].isalnum() else "mark")


def _role(word: str, is_first: bool) -> Role:
    lower = word.lower().replace("’", "'")
    if not lower[0].isalnum():
        return "mark"
    if word == "IT" or (word.isupper() and len(word) > 1 and not is_first):
        return "noun"
    if role := _roles("en").get(lower) or _roles("en").get(lower.removesuffix("'s")):
        return role if role in ("question", "pronoun") or not lower.endswith("'s") else "noun"
    is_verb = lower in _verbs() or is_base(lower) or (is_first and is_order(lower))
    is_verb = is_verb or (root(lower) in _verbs() and lower.endswith(("s", "ed", "ing")))
    is_verb = is_verb or (lower.endswith("ed") and len(lower) > 4)
    return "verb" if is_verb else "noun"


def _is_noun(words: Sequence[Word], at: int) -> bool:
    """True for what looks like a verb and is none: "about tests", "which checks run", 备份存放在哪里."""
    if words[at].role != "verb":
        return False
    if has_han(words[at].text):
        return at == 0
    if at == 0 or not words[at].lower.endswith("s") or is_base(words[at].lower):
        return False
    if any(word.lower in _known("en", "support") for word in words[:at]) and role_at(words, at - 1) == "noun":
        return True  # Behind "do" a verb has its base form.
    asked = words[at - 1].lower in ("which", "many") and role_at(words, at + 1) in ("verb", "auxiliary")
    return words[at - 1].role == "preposition" or asked


def role_at(words: Sequence[Word], at: int) -> Role:
    """The role of a word; that of a mark in front of the first one and behind the last."""
    return words[at].role if 0 <= at < len(words) else "mark"


def things_of(question: str) -> tuple[Thing, ...]:
    """The noun phrases of a question, in order, each as short as it goes: "the timeout", "the gateway"."""
    words = words_of(question)
    if question_language(question) == "zh":
        return tuple(
            Thing(text=word.text, start=word.start, after=_before(words, at), mention=word.mention)
            for at, word in enumerate(words)
            if word.role in ("noun", "mention")
        )
    found: list[Thing] = []
    supported = False
    index = 0
    while index < len(words):
        supported = supported or words[index].lower in _known("en", "support")
        if not (
            words[index].role in ("noun", "mention", "determiner")
            or _asks_for(words, index)
            or _qualifies(words, index)
        ):
            index += 1
            continue
        stop = _end_of(words, index, supported)
        if any(word.role not in ("determiner", "question") for word in words[index:stop]):
            found.append(_thing(question, words, index, stop))
            supported = supported and stop < len(words) and words[stop].lower in ("of", "for", "in", "and", "or")
        index = stop
    return tuple(found)


def _before(words: Sequence[Word], at: int) -> str:
    return words[at - 1].lower if at and words[at - 1].role == "preposition" else ""


def _asks_for(words: Sequence[Word], index: int) -> bool:
    """True at "which" and "what" in front of what is asked for."""
    return words[index].lower in ("which", "what", "whose") and role_at(words, index + 1) in ("noun", "mention")


def _qualifies(words: Sequence[Word], index: int) -> bool:
    """True at a participle that stands in front of a noun: "failed payments"."""
    is_participle = words[index].role == "verb" and words[index].lower.endswith(("ed", "ing"))
    return (
        is_participle and role_at(words, index - 1) in ("verb", "preposition") and role_at(words, index + 1) == "noun"
    )


def _end_of(words: Sequence[Word], start: int, supported: bool) -> int:
    """Where the noun phrase that starts at ``start`` ends (exclusive)."""
    first = words[start].role
    index = start + 1 if first in ("determiner", "question") else start
    nouns = 0
    while index < len(words):
        word = words[index]
        if index > start and word.start - words[index - 1].end > 1:
            break
        if word.role == "verb":
            if nouns == 0 and first != "determiner" and role_at(words, index + 1) not in ("noun", "mention"):
                break
            if nouns and (not is_base(word.lower) or supported or first == "question"):
                break
            is_passive = role_at(words, index + 1) == "mark" and any(one.lower in _BEING for one in words[:start])
            if nouns and is_passive and word.lower in _known("en", "unchanging"):
                break
        elif word.role in ("mention", "noun"):
            nouns += 1
        else:
            break
        index += 1
    return max(index, start + 1)


def _thing(question: str, words: Sequence[Word], start: int, stop: int) -> Thing:
    first = words[start]
    return Thing(
        text=question[first.start : words[stop - 1].end],
        start=first.start,
        determiner=first.text if first.role in ("determiner", "question") else "",
        asked=first.role == "question",
        after=_before(words, start),
        mention=next((word.mention for word in reversed(words[start:stop]) if word.mention is not None), None),
    )


def joined_things(question: str) -> tuple[Thing, ...]:
    """The things of a question, with those held together as one: "the timeout of the gateway", 网关的超时时间."""
    words = words_of(question)
    verbs = {word.start: word for word in words if word.role == "verb"}
    found: list[Thing] = []
    for thing in things_of(question):
        between = question[found[-1].end : thing.start].strip().lower() if found else ""
        links = between in ("of", "的") or (between == "for" and found[-1].attribute)
        links = links or bool(
            found
            and has_han(question)
            and (not between or (between in _roles("zh") and _roles("zh")[between] == "verb"))
        )
        if found and links and not found[-1].asked:
            found[-1] = replace(
                found[-1], text=question[found[-1].start : thing.end], mention=found[-1].mention or thing.mention
            )
        else:
            found.append(thing)
    return tuple(_with_verb(thing, verbs, words) for thing in found) if has_han(question) else tuple(found)


def _with_verb(thing: Thing, verbs: Mapping[int, Word], words: Sequence[Word]) -> Thing:
    """A Chinese thing with the verb behind it that is no predicate: 数据库宕机 in front of 怎么办."""
    verb = verbs.get(thing.end)
    follows = next((word for word in words if verb and word.start >= verb.end), None)
    if verb is None or (follows is not None and follows.text in "了过着"):
        return thing
    return replace(thing, text=thing.text + verb.text)

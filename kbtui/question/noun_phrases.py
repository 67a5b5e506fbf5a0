"""The noun phrases of a question, by word lists (``words/noun_phrases.toml``), without a part-of-speech tagger.

Accurate enough for follow-ups: to find the topic of a question, the phrase that another one replaces, and a possible
antecedent in front of a pronoun.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, lru_cache, partial
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from kbtui.question.mentions import Mention, find_mentions
from kbtui.question.normalise import Language, has_han, question_language
from kbtui.text.inflection import lemma, root
from kbtui.text.word_lists import toml_once

_word_tables = partial(toml_once, "kbtui.question", "words/noun_phrases.toml")

Role = Literal[
    "mention", "noun", "verb", "determiner", "preposition", "auxiliary", "question", "pronoun", "adverb", "clause",
    "mark",
]  # fmt: skip
HAN: Final = "\u3400-\u9fff"

_SLOT: Final = "[\ue000-\ue0ff]"
"""Stands for a mention (see `kbtui.question.comparisons`)."""
_TOKEN: Final = re.compile(rf"[^\W_]+(?:['’.\-/_][^\W_]+)*|[,;:?!()]|{_SLOT}")
_TOKEN_ZH: Final = rf"{_SLOT}|[^\W{HAN}]+(?:[.\-/_][^\W{HAN}]+)*|[^\w\s]|[{HAN}]"
_FORMS_OF_BE: Final = frozenset({"is", "are", "was", "were", "be", "been"})


class Word(Struct, frozen=True, kw_only=True):
    """A word or a mention with its offset and its role."""

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


class NounPhrase(Struct, frozen=True, kw_only=True):
    """A noun phrase.

    Attributes:
        text: As written, determiner and all.
        is_asked_for: The question asks for it ("which teams").
        preposition: The preposition in front of it; empty if there is none.
    """

    text: str
    start: int
    determiner: str = ""
    is_asked_for: bool = False
    preposition: str = ""
    mention: Mention | None = None

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    @property
    def without_determiner(self) -> str:
        """The text without its determiner."""
        return self.text.removeprefix(self.determiner).strip()

    @property
    def head(self) -> str:
        """Its last word, lower case."""
        return (self.without_determiner.split() or [""])[-1].lower()

    @property
    def is_plural(self) -> bool:
        return self.mention is None and self.head.isascii() and lemma(self.head) != self.head

    @property
    def is_attribute(self) -> bool:
        """Whether it is an attribute of something else: its timeout, its author."""
        return self.mention is None and is_of_kind("attributes", self.head)

    @property
    def is_name(self) -> bool:
        """Whether it is a capitalised name that is no mention."""
        return self.mention is None and self.without_determiner[:1].isupper()


@cache
def words_of_kind(language: Language, name: str) -> tuple[str, ...]:
    """The words of a kind in the order of the file; of several kinds, by their names with blanks between."""
    kinds = _word_tables()[language]["kinds"]
    return tuple(word.replace("_", " ") for kind in name.split() for word in kinds[kind].split())


def kind_pattern(language: Language, name: str) -> str:
    """The words of a kind as one group of a regular expression, longest first."""
    return _group(words_of_kind(language, name))


def role_pattern(language: Language, role: Role) -> str:
    """The words of a role as one group of a regular expression, longest first."""
    return _group(_word_tables()[language]["roles"][role].split())


def _group(words: Iterable[str]) -> str:
    return "(?:" + "|".join(sorted(map(re.escape, words), key=len, reverse=True)) + ")"


@cache
def _kind_words(name: str) -> frozenset[str]:
    return frozenset(words_of_kind("en", name))


def is_of_kind(name: str, word: str) -> bool:
    """Whether a word, or its singular, is of a kind; a Chinese one by how it ends."""
    if has_han(word):
        return name in _word_tables()["zh"]["kinds"] and word.endswith(words_of_kind("zh", name))
    return word.lower() in _kind_words(name) or lemma(word) in _kind_words(name)


def is_document_noun(word: str) -> bool:
    """Whether a word is a noun of documents: a file, a label, a part, an attribute."""
    return any(is_of_kind(name, word) for name in ("files", "labels", "parts", "attributes", "kinds"))


@cache
def _role_by_word(language: Language) -> Mapping[str, Role]:
    """The role of each listed word, from the first list that has it."""
    roles: dict[str, Role] = {}
    for role, words in _word_tables()[language]["roles"].items():
        for word in words.split():
            roles.setdefault(word, role)
    return roles


@cache
def _verb_stems() -> frozenset[str]:
    """The roots of English verbs, and irregular forms."""
    bases = _word_tables()["en"]["roles"]["verb"].split()
    return frozenset((*map(root, bases), *_kind_words("irregular")))


def is_base_verb(word: str) -> bool:
    """True for an English verb in its base form."""
    return _role_by_word("en").get(word) == "verb"


def is_command(word: str) -> bool:
    """Whether an English word is an imperative that requests an answer: explain, list."""
    return word in _kind_words("commands")


def starts_request(word: str) -> bool:
    """Whether an English word may begin a question or a command."""
    return _role_by_word("en").get(word.lower()) in ("question", "auxiliary") or is_command(word.lower())


@lru_cache(maxsize=256)
def tagged_words(question: str) -> tuple[Word, ...]:
    """The words of a question with their roles."""
    language = question_language(question)
    pattern = _pattern_zh() if language == "zh" else _TOKEN
    tagged: list[Word] = []
    position = 0
    for mention in (*find_mentions(question), None):
        for match in pattern.finditer(question, position, mention.start if mention else len(question)):
            if re.match(_SLOT, match[0]):
                mention_of_slot = Mention(kind="name", text=match[0], start=match.start(), end=match.end())
                tagged.append(Word(text=match[0], start=match.start(), role="mention", mention=mention_of_slot))
                continue
            role = _role_zh(match[0]) if language == "zh" else _role(match[0], not tagged)
            joins = role == "noun" and tagged and tagged[-1].role == "noun" and tagged[-1].end == match.start()
            if language == "zh" and joins:
                tagged[-1] = replace(tagged[-1], text=tagged[-1].text + match[0])
            else:
                tagged.append(Word(text=match[0], start=match.start(), role=role))
        if mention is not None:
            position = mention.end
            tagged.append(
                Word(text=question[mention.start : position], start=mention.start, role="mention", mention=mention)
            )
    return tuple(
        replace(word, role="noun") if _is_noun_despite_form(tagged, at) else word for at, word in enumerate(tagged)
    )


@cache
def _pattern_zh() -> re.Pattern[str]:
    """Listed words, longest first; 会 at the end of a noun is a meeting, 这 goes with its measure word."""
    known = "|".join(sorted(_role_by_word("zh"), key=len, reverse=True))
    meeting, points = (
        rf"[{HAN}]{{2}}会(?=[在的是议上由几呢什])",
        rf"[这那同](?:一|两|几)?{kind_pattern('zh', 'measures')}",
    )
    return re.compile(rf"{meeting}|{points}|{known}|{_TOKEN_ZH}")


def _role_zh(word: str) -> Role:
    if word[0] in "这那该此其同" and word not in _role_by_word("zh"):
        return "pronoun" if len(word) > 1 or word != "同" else "preposition"
    return _role_by_word("zh").get(word) or ("noun" if word[0].isalnum() else "mark")


def _role(word: str, is_first: bool) -> Role:
    lower = word.lower().replace("’", "'")
    if not lower[0].isalnum():
        return "mark"
    if word == "IT" or (word.isupper() and len(word) > 1 and not is_first):
        return "noun"
    if role := _role_by_word("en").get(lower) or _role_by_word("en").get(lower.removesuffix("'s")):
        return role if role in ("question", "pronoun") or not lower.endswith("'s") else "noun"
    is_verb = lower in _verb_stems() or is_base_verb(lower) or (is_first and is_command(lower))
    is_verb = is_verb or (root(lower) in _verb_stems() and lower.endswith(("s", "ed", "ing")))
    is_verb = is_verb or (lower.endswith("ed") and len(lower) > 4)
    return "verb" if is_verb else "noun"


def _is_noun_despite_form(words: Sequence[Word], at: int) -> bool:
    """Whether a word with the form of a verb is a noun here: "about tests", "which checks run", 备份存放在哪里."""
    if words[at].role != "verb":
        return False
    if has_han(words[at].text):
        return at == 0
    if at == 0 or not words[at].lower.endswith("s") or is_base_verb(words[at].lower):
        return False
    if any(word.lower in _kind_words("support") for word in words[:at]) and role_at(words, at - 1) == "noun":
        return True  # After "do" a verb has its base form.
    is_asked_for = words[at - 1].lower in ("which", "many") and role_at(words, at + 1) in ("verb", "auxiliary")
    return words[at - 1].role == "preposition" or is_asked_for


def role_at(words: Sequence[Word], at: int) -> Role:
    """The role of the word at ``at``; ``mark`` outside of the question."""
    return words[at].role if 0 <= at < len(words) else "mark"


def noun_phrases(question: str) -> tuple[NounPhrase, ...]:
    """The noun phrases of a question, in order, each as short as possible: "the timeout", "the gateway"."""
    words = tagged_words(question)
    if question_language(question) == "zh":
        return tuple(
            NounPhrase(
                text=word.text, start=word.start, preposition=_preposition_before(words, at), mention=word.mention
            )
            for at, word in enumerate(words)
            if word.role in ("noun", "mention")
        )
    phrases: list[NounPhrase] = []
    has_support_verb = False
    index = 0
    while index < len(words):
        has_support_verb = has_support_verb or words[index].lower in _kind_words("support")
        if not (
            words[index].role in ("noun", "mention", "determiner")
            or _is_asking_determiner(words, index)
            or _is_attributive_participle(words, index)
        ):
            index += 1
            continue
        stop = _phrase_end(words, index, has_support_verb)
        if any(word.role not in ("determiner", "question") for word in words[index:stop]):
            phrases.append(_phrase_at(question, words, index, stop))
            has_support_verb = (
                has_support_verb and stop < len(words) and words[stop].lower in ("of", "for", "in", "and", "or")
            )
        index = stop
    return tuple(phrases)


def _preposition_before(words: Sequence[Word], at: int) -> str:
    return words[at - 1].lower if at and words[at - 1].role == "preposition" else ""


def _is_asking_determiner(words: Sequence[Word], index: int) -> bool:
    """Whether a question word determines a noun: "which teams", "what limit"."""
    return words[index].lower in ("which", "what", "whose") and role_at(words, index + 1) in ("noun", "mention")


def _is_attributive_participle(words: Sequence[Word], index: int) -> bool:
    """Whether a participle modifies the noun after it: "failed payments"."""
    is_participle = words[index].role == "verb" and words[index].lower.endswith(("ed", "ing"))
    return (
        is_participle and role_at(words, index - 1) in ("verb", "preposition") and role_at(words, index + 1) == "noun"
    )


def _phrase_end(words: Sequence[Word], start: int, supported: bool) -> int:
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
            if nouns and (not is_base_verb(word.lower) or supported or first == "question"):
                break
            is_passive = role_at(words, index + 1) == "mark" and any(one.lower in _FORMS_OF_BE for one in words[:start])
            if nouns and is_passive and word.lower in _kind_words("unchanging"):
                break
        elif word.role in ("mention", "noun"):
            nouns += 1
        else:
            break
        index += 1
    return max(index, start + 1)


def _phrase_at(question: str, words: Sequence[Word], start: int, stop: int) -> NounPhrase:
    first = words[start]
    return NounPhrase(
        text=question[first.start : words[stop - 1].end],
        start=first.start,
        determiner=first.text if first.role in ("determiner", "question") else "",
        is_asked_for=first.role == "question",
        preposition=_preposition_before(words, start),
        mention=next((word.mention for word in reversed(words[start:stop]) if word.mention is not None), None),
    )


def joined_noun_phrases(question: str) -> tuple[NounPhrase, ...]:
    """The noun phrases of a question, with linked ones joined: "the timeout of the gateway", 网关的超时时间."""
    words = tagged_words(question)
    verbs = {word.start: word for word in words if word.role == "verb"}
    phrases: list[NounPhrase] = []
    for phrase in noun_phrases(question):
        between = question[phrases[-1].end : phrase.start].strip().lower() if phrases else ""
        links = between in ("of", "的") or (between == "for" and phrases[-1].is_attribute)
        links = links or bool(
            phrases
            and has_han(question)
            and (not between or (between in _role_by_word("zh") and _role_by_word("zh")[between] == "verb"))
        )
        if phrases and links and not phrases[-1].is_asked_for:
            phrases[-1] = replace(
                phrases[-1],
                text=question[phrases[-1].start : phrase.end],
                mention=phrases[-1].mention or phrase.mention,
            )
        else:
            phrases.append(phrase)
    return (
        tuple(_with_following_verb(phrase, verbs, words) for phrase in phrases) if has_han(question) else tuple(phrases)
    )


def _with_following_verb(phrase: NounPhrase, verbs: Mapping[int, Word], words: Sequence[Word]) -> NounPhrase:
    """A Chinese noun phrase with the verb after it if that is no predicate: 数据库宕机 in front of 怎么办."""
    verb = verbs.get(phrase.end)
    follows = next((word for word in words if verb and word.start >= verb.end), None)
    if verb is None or (follows is not None and follows.text in "了过着"):
        return phrase
    return replace(phrase, text=phrase.text + verb.text)

"""English words that point back: it, that file, the second step, the latter, which of them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import (
    Token,
    doing_of,
    joined_things,
    role_at,
    side_by_side,
    things_of,
    tokens_of,
)
from kbtui.reasoning.offline.followup.topics import event_of, happening_of, pair_of, plural_of, subject_of
from kbtui.reasoning.offline.followup.words import EN, Meant, base_of, listed, meaning, put, word_set

_OWNERS: Final = {"its": "it", "their": "they", "his": "he", "her": "she", "theirs": "they", "hers": "she"}
_PEOPLE: Final = frozenset({"he", "she", "him", "her"})
_DEMONSTRATIVES: Final = frozenset({"that", "this", "those", "these"})
_PRONOUNS: Final = _OWNERS.keys() | _PEOPLE | _DEMONSTRATIVES | {"it", "it's", "they", "them"}


def references(text: str, said: Said) -> Meant | None:
    """``text`` with the first thing in it that points back replaced by what it points at."""
    for resolve in (_nth, _former, _noun_back, _one_of, _pronoun):
        if (meant := resolve(text, said)) is not None:
            return meant
    return None


# One of several.


def ordinal_only(fragment: str, said: Said) -> Meant | None:
    """ "The second one" and nothing else."""
    match = EN.nth_alone.match(fragment) or EN.nth.fullmatch(fragment)
    if match is None:
        return None
    item = _nth_item(match["nth"], said)
    what = match.groupdict().get("what") or ""
    if item is None:
        return _nth(fragment, said)
    if what and not what.startswith("one"):
        return meaning(f"What about the {match['nth']} {what} of {event_of(said)} ({item})", fragment, item)
    return meaning(f"What about {item}", fragment, item)


def _nth_item(nth: str, said: Said) -> str | None:
    items = pair_of(said) or said.items
    position = len(items) - 1 if nth.lower() == "last" else listed("en", "ordinals").index(nth.lower())
    return items[position] if 0 <= position < len(items) else None


def _nth(text: str, said: Said) -> Meant | None:
    """ "The second step" of what was explained, "the first one" of what was listed."""
    match = EN.nth.search(text)
    if match is None:
        return None
    item = _nth_item(match["nth"], said)
    is_one = match["what"].lower().startswith("one")
    stem = match["what"].lower().removesuffix("s")
    known = said.items or doing_of(said.question) or stem in f"{said.question}\n{said.last.answer}".lower()
    if item is None and (is_one or not known):
        return None
    short = f" ({item})" if item else ""
    return put(
        text, match, item if is_one and item else f"the {match['nth']} {match['what']} of {event_of(said)}{short}"
    )


def _former(text: str, said: Said) -> Meant | None:
    match, pair = EN.former.search(text), pair_of(said)
    if match is None or len(pair) < 2:
        return None
    return put(text, match, pair[match["which"].lower() == "latter"])


def _one_of(text: str, said: Said) -> Meant | None:
    """ "Which of them is older?", "which one is faster?": of the two that were compared."""
    match = EN.one_of.search(text)
    pair = pair_of(said) if match else ()
    if match is None or len(pair) < 2 or side_by_side(text):
        return None
    both = " and ".join(pair)
    meant = put(text, match, f"which of {both}" if match[0].lower().startswith("which") else both)
    return Meant(meant.text, match[0], both)


# Nouns.


def _noun_back(text: str, said: Said) -> Meant | None:
    """ "That file", "this PEP", "those permissions"."""
    for match in EN.back.finditer(text):
        noun = match["noun"].lower()
        if not _is_back_reference(text, match, noun) or _speaks_before(text, match.start()):
            continue
        if noun.endswith("s") and noun.removesuffix("s") in word_set("en", "files"):
            # "These notes" may be all there are, unless some were just listed.
            means = " and ".join(said.items[:3]) if len(said.items) > 1 else ""
        else:
            means = _named_back(noun, said)
        if means:
            return put(text, match, means)
    return None


def _is_back_reference(text: str, match: re.Match[str], noun: str) -> bool:
    """True where "that" stands in front of a noun, and is no relative pronoun or conjunction."""
    is_that = match["which"].lower() == "that"
    if noun in word_set("en", "surroundings") and match["which"].lower() in ("this", "these", "said", "the same"):
        return False
    words = tokens_of(text)
    at = next((index for index, word in enumerate(words) if word.start == match.start()), None)
    if at is None or role_at(words, at + 1) not in ("noun", "verb", "mention"):
        return False
    known = not word_set("en", "files", "labels", "parts", "attributes", "kinds").isdisjoint(
        {noun, noun.removesuffix("s")}
    )
    if not known and (role_at(words, at + 1) == "verb" or (is_that and at and words[at - 1].role == "verb")):
        return False
    before = ("auxiliary", "preposition", "verb", "clause", "question", "adverb")
    if is_that and at and words[at - 1].role not in before:
        return False
    # "Those lockers that stand outdoors" needs nothing else: the noun is described by what follows it.
    return not any(word.lower in ("that", "which", "who", "where") for word in words[at + 2 : at + 5])


def _named_back(noun: str, said: Said) -> str:
    """What "that ``noun``" means; empty where nothing fits."""
    files = word_set("en", "files")
    single = noun.removesuffix("s") if noun not in files else noun
    if single in word_set("en", "labels") and (label := said.label(single)):
        return label
    if single in files and (path := said.file()):
        if single not in word_set("en", "any_file") and not said.speaks_of(single):
            return ""
        return path if noun == "source" else f"the {single} {path}"
    things = [thing for thing in joined_things(said.question) if not thing.asked]
    for thing in things:
        if single in re.findall(r"[a-z]+", thing.text.lower().replace("_", " ")):
            return thing.text
    named = [thing.text for thing in things if thing.mention is not None]
    if named and single in word_set("en", "literal"):
        return named[0]
    if EN.defines.match(said.question):
        return subject_of(said)
    # There can be a decision about a topic; of a system or a team that nobody named, nothing is known.
    about = event_of(said)
    return f"the {noun} about {about}" if about and single in word_set("en", "about_a_topic") else ""


# Pronouns.


def _pronoun(text: str, said: Said) -> Meant | None:
    """The first pronoun of a question in full, if it points out of it."""
    words = tokens_of(text)
    for at, word in enumerate(words):
        lower = word.lower.replace("’", "'")
        if word.text == "IT" or word.role == "mention" or lower not in _PRONOUNS:
            continue
        means = _antecedent(lower, words, said) if _points_back(text, words, at) else ""
        if not means:
            return None
        here = f"{means} is" if lower == "it's" else means
        if lower in _OWNERS and (lower != "her" or role_at(words, at + 1) in ("noun", "mention", "verb")):
            here = f"{means}'" if means.endswith("s") else f"{means}'s"
        return meaning(text[: word.start] + here + text[word.end :], word.text, means)
    return None


def _antecedent(lower: str, words: Sequence[Token], said: Said) -> str:
    """What a pronoun means: what was last spoken of and agrees with it in number and kind."""
    owner = _OWNERS.get(lower, lower)
    if owner in _PEOPLE:
        return next(iter(said.people()), "")
    if owner in ("they", "them", "those", "these"):
        return plural_of(said)
    if owner in ("that", "this"):
        return happening_of(said)
    verbs = {base_of(word.lower) for word in words if word.role == "verb"}
    return subject_of(said, takes_place=not verbs.isdisjoint(word_set("en", "events")))


def _points_back(text: str, words: Sequence[Token], at: int) -> bool:
    """True where the pronoun at ``at`` can mean nothing in the question itself."""
    word, front = words[at], words[:at]
    lower = word.lower
    if lower in ("it", "it's") and _is_expletive(text, word):
        return False
    if lower in _DEMONSTRATIVES and not _stands_alone(words, at):
        return False
    things = things_of(text[: word.start], front)
    # Of "which of the two and its limits" nothing that was asked for is the owner, unless that is the subject.
    owns = [thing for thing in things if not thing.asked or not EN.compared.match(text)]
    if (lower in _OWNERS and owns) or (things and _is_split(text[: word.start], front)):
        return False
    if front and front[0].lower in ("if", "when", "once", "after", "before", "while") and at <= 2:
        # "If it fails, does the gateway restart?" says itself what fails.
        return not any(thing.start > word.end and thing.determiner for thing in things_of(text))
    return True


def _is_split(before: str, front: Sequence[Token]) -> bool:
    """True where another clause or sentence begins in front of a pronoun."""
    clauses = any(token.lower in word_set("en", "clauses") or token.role == "mark" for token in front[1:])
    return clauses or re.search(r"[.!?]\s", before) is not None


def _speaks_before(text: str, start: int) -> bool:
    """True where an earlier clause of the question names something itself."""
    front = [word for word in tokens_of(text) if word.end <= start]
    return _is_split(text[:start], front) and bool(things_of(text[:start], front))


def _is_expletive(text: str, word: Token) -> bool:
    return any(
        match.start() <= word.start < match.end() or match.start() <= word.end + 1 <= match.end()
        for pattern in (EN.expletive, EN.long_to)
        for match in pattern.finditer(text)
    )


def _stands_alone(words: Sequence[Token], at: int) -> bool:
    """True where "that" is a pronoun of its own: "why is that", "when was this decided"."""
    follows = role_at(words, at + 1) if at + 1 < len(words) else None
    if follows is not None and words[at].lower == "this" and words[at + 1].lower in word_set("en", "surroundings"):
        return False
    if follows in ("noun", "mention", "determiner", "pronoun"):
        return False
    match words[at - 1].role if at else None:
        case "noun" | "mention" | "pronoun" | "determiner":
            return False
        case "verb":
            return follows in (None, "preposition", "adverb", "mark")
        case "auxiliary" | "preposition":
            return follows != "question"
        case _:
            return follows in ("auxiliary", "verb")

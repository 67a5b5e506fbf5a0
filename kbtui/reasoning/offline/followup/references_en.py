"""English nouns that point back: that file, the second step, the latter, which of them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from kbtui.reasoning.offline.followup.meant import Meant, meaning
from kbtui.reasoning.offline.followup.pronouns_en import pronoun, speaks_before
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_en import (
    Token,
    doing_of,
    joined_things,
    things_of,
    tokens_of,
)
from kbtui.reasoning.offline.followup.topics import event_of, pair_of, subject_of
from kbtui.reasoning.offline.followup.topics_en import side_by_side
from kbtui.reasoning.offline.followup.words import either, listed, word_set


def references(text: str, said: Said) -> Meant | None:
    """``text`` with the first thing in it that points back replaced by what it points at."""
    for resolve in (nth, _former, noun_back, _one_of, pronoun):
        if (meant := resolve(text, said)) is not None:
            return meant
    return None


_ORDINAL = either("en", "ordinals")


_NTH = re.compile(
    rf"\b(?:the\s+)?(?P<nth>{_ORDINAL})\s+(?P<what>ones?|{either('en', 'parts')})\b"
    r"(?!\s+(?:of|in|from|for|to|on|with|that|which|is\s+called)\b)",
    re.I,
)


_NTH_ALONE = re.compile(rf"^(?:the\s+)?(?P<nth>{_ORDINAL})$", re.I)


def ordinal_only(fragment: str, said: Said) -> Meant | None:
    match = _NTH_ALONE.match(fragment) or _NTH.fullmatch(fragment)
    if match is None:
        return None
    item = nth_item(match["nth"], said)
    what = match.groupdict().get("what") or ""
    if item is None:
        return nth(fragment, said)
    if not what or what.startswith("one"):
        return meaning(f"What about {item}?", fragment, item)
    return meaning(f"What about the {match['nth']} {what} of {event_of(said)} ({item})?", fragment, item)


def nth_item(nth: str, said: Said) -> str | None:
    items = pair_of(said) or said.items
    position = listed("en", "ordinals").index(nth.lower())
    if nth.lower() == "last":
        position = len(items) - 1
    return items[position] if 0 <= position < len(items) else None


def nth(text: str, said: Said) -> Meant | None:
    """ "The second step" of what was explained, "the first one" of what was listed."""
    match = _NTH.search(text)
    if match is None:
        return None
    item = nth_item(match["nth"], said)
    is_one = match["what"].lower().startswith("one")
    if item is None and (is_one or not (said.items or _speaks_of(said, match["what"]))):
        return None
    event = event_of(said)
    short = f" ({item})" if item else ""
    means = item if is_one and item else f"the {match['nth']} {match['what']} of {event}{short}"
    return meaning(text[: match.start()] + means + text[match.end() :] + "?", match[0], means)


def _speaks_of(said: Said, noun: str) -> bool:
    """True where the last turn is about doing something, or uses the word itself."""
    stem = noun.lower().removesuffix("s")
    return bool(doing_of(said.question)) or stem in said.question.lower() or stem in said.last.answer.lower()


_FORMER = re.compile(r"\bthe\s+(?P<which>former|latter)\b(?!\s+[a-z]+\s+(?:is|are|was|were)\b)", re.I)


def _former(text: str, said: Said) -> Meant | None:
    match = _FORMER.search(text)
    pair = pair_of(said)
    if match is None or len(pair) < 2:
        return None
    means = pair[0] if match["which"].lower() == "former" else pair[1]
    return meaning(text[: match.start()] + means + text[match.end() :] + "?", match[0], means)


def _one_of(text: str, said: Said) -> Meant | None:
    """ "Which of them is older?", "which one is faster?": of the two that were compared."""
    match = re.search(
        r"\bwhich\s+(?:of\s+(?:them|these|those|the\s+two)|one|is\s+the)\b|\bboth(?:\s+of\s+them)?\b", text, re.I
    )
    pair = pair_of(said) if match else ()
    if match is None or len(pair) < 2 or side_by_side(text):
        return None
    both = " and ".join(pair)
    means = f"which of {both}" if match[0].lower().startswith("which") else both
    return meaning(text[: match.start()] + means + text[match.end() :] + "?", match[0], both)


_BACK = re.compile(r"\b(?P<which>that|this|those|these|the\s+same|said)\s+(?P<noun>[A-Za-z][\w-]*)", re.I)


def noun_back(text: str, said: Said) -> Meant | None:
    """ "That file", "this PEP", "those permissions"."""
    for match in _BACK.finditer(text):
        noun = match["noun"].lower()
        if not _is_back_reference(text, match, noun) or speaks_before(text, match.start()):
            continue
        if noun.endswith("s") and noun.removesuffix("s") in word_set("en", "files"):
            # "These notes" may be all there are, unless some were just listed.
            means = " and ".join(said.items[:3]) if len(said.items) > 1 else ""
        else:
            means = named_back(noun, said)
        if means:
            return meaning(text[: match.start()] + means + text[match.end() :] + "?", match[0], means)
    return None


def _is_back_reference(text: str, match: re.Match[str], noun: str) -> bool:
    """True where "that" stands in front of a noun, and is no relative pronoun or conjunction."""
    if noun in word_set("en", "surroundings") and match["which"].lower() in ("this", "these", "said", "the same"):
        return False
    words = tokens_of(text)
    at = next((index for index, word in enumerate(words) if word.start == match.start()), None)
    if at is None:
        return False
    follows = words[at + 1] if at + 1 < len(words) else None
    if follows is None or follows.role not in ("noun", "verb", "mention"):
        return False
    known = noun in _KNOWN_NOUNS or noun.removesuffix("s") in _KNOWN_NOUNS
    if follows.role == "verb" and not known:
        return False
    if match["which"].lower() != "that":
        return _then_goes_on(words, at + 2)
    before = words[at - 1] if at else None
    if before is not None and before.role not in ("auxiliary", "preposition", "verb", "clause", "question", "adverb"):
        return False
    if before is not None and before.role == "verb" and not known:
        return False
    return _then_goes_on(words, at + 2)


def _then_goes_on(words: Sequence[Token], at: int) -> bool:
    """False where the noun is described by what follows it: "those lockers that stand outdoors" needs nothing else."""
    rest = words[at:]
    return not any(word.lower in ("that", "which", "who", "where") for word in rest[:3])


_KNOWN_NOUNS = frozenset().union(
    *(word_set("en", name) for name in ("files", "labels", "parts", "attributes", "kinds"))
)


DEFINES = re.compile(
    r"^(?:what|who)\s+(?:is|are|was|were)\s|^what\s+does\s+.+\s(?:do|mean)$|^(?:explain|describe|define)\s", re.I
)


_DONE_ABOUT = word_set("en", "about_a_topic")
"""What there can be about a topic; of a system or a team that nobody named, nothing is known."""


def named_back(noun: str, said: Said) -> str:
    """What "that ``noun``" means; empty where nothing fits."""
    single = noun.removesuffix("s") if noun not in word_set("en", "files") else noun
    if single in word_set("en", "labels") and (label := said.label(single)):
        return label
    if (noun in word_set("en", "files") or single in word_set("en", "files")) and (path := said.file()):
        if single not in word_set("en", "any_file") and not said.speaks_of(single):
            return ""
        return path if noun == "source" else f"the {single} {path}"
    things = [thing for thing in joined_things(said.question, things_of(said.question)) if not thing.asked]
    for thing in things:
        if single in re.findall(r"[a-z]+", thing.text.lower().replace("_", " ")):
            return thing.text
    named = [thing.text for thing in things if thing.mention is not None]
    if named and single in (
        "class",
        "function",
        "method",
        "module",
        "command",
        "error",
        "setting",
        "variable",
        "ticket",
    ):
        return named[0]
    if DEFINES.match(said.question):
        return subject_of(said)
    about = event_of(said)
    return f"the {noun} about {about}" if about and single in _DONE_ABOUT else ""

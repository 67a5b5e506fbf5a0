"""Cuts a question into parts that can each be looked up on their own (specs 000 and 002).

Three things are cut: comparisons (`comparing`), clauses that each ask something, and one question asked of several
things or deeds. What only looks like two ("search and replace") stays whole: a cut needs a question word, an
instruction, a deed with its own object or a second "the … of" behind it. A part that leans on another ("and why?", "its
limits") is given what it leans on, and what all parts hang on ("if the primary fails, …") goes with each of them.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Final

from kbtui.question.asking import Understanding, talk_kind
from kbtui.question.lexicon import groups, words
from kbtui.question.normalise import has_han
from kbtui.reasoning.offline.comparing import (
    ASKING,
    PRONOUN,
    SLOT,
    TELLING,
    compared,
    replaced_pronouns,
    with_slots,
    without_slots,
)
from kbtui.reasoning.offline.followup.words import either, gerund
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words

MAX_PARTS = 5
_LEANING: Final = 3
"""Characters of a Chinese sentence that says too little by itself."""

_RE: Final = Patterns(
    __package__, "decompose.toml", ASKING=ASKING, TELLING=TELLING, ATTRIBUTES_ZH=either("zh", "attributes")
)


def compares(question: str) -> bool:
    """True for a question about several things together: their differences, what they share, how they relate."""
    return _RE.compares.search(question) is not None


def decompose(understanding: Understanding) -> tuple[str, ...]:
    """The parts of a question, each a sentence of its own; one part when it asks one thing.

    Args:
        understanding: Of the whole question; chitchat is never cut.
    """
    question = understanding.question
    if understanding.query_type == "chitchat":
        return ()
    text, slots = with_slots(question, understanding.mentions)
    parts = _parts(text, has_han(question), is_listing=understanding.query_type == "file_discovery")
    found: dict[str, None] = {}
    for part in parts:
        if whole := re.sub(r"\s+", " ", without_slots(part, slots)).strip(" ,;，；"):
            found.setdefault(whole[:1].upper() + whole[1:] if len(parts) > 1 and whole[:1].isascii() else whole)
    return tuple(found)[:MAX_PARTS] or (question,)


def _parts(text: str, is_chinese: bool, *, is_listing: bool) -> list[str]:
    if sides := compared(text):
        return sides
    if steps := _RE.steps.match(text):
        return _carried([steps["a"], steps["b"]])
    questions = [
        part
        for part in re.split(
            rf"(?<=[?？])\s*|(?<=[a-z0-9)\]]{{3}}[.!])\s+(?=[A-Z\ue000-\ue0ff]|{ASKING}\b)|(?<=[。！])\s*", text
        )
        if _says_something(part)
    ]
    if len(questions) > 1:
        sentences = [_clauses(part, is_chinese) for part in _asked(questions)]
        return _each([clause for part in sentences for clause in part], {part[0] for part in sentences}) or [text]
    if condition := (_RE.condition_zh if is_chinese else _RE.condition).match(text):
        return _under(condition["if"].strip(), condition["rest"], is_chinese) or [text]
    if is_listing:
        return _each(_listed(text, is_chinese))
    clauses = _clauses(text, is_chinese)
    if len(clauses) > 1:
        return _each(clauses)
    return (
        _distributed(text, is_chinese)
        or _deeds(text, is_chinese)
        or (_paired_zh(text) if is_chinese else _paired(text))
        or [text]
    )


def _listed(text: str, is_chinese: bool) -> list[str]:
    """A wish for files, and what else is asked behind it: a question, or to be told of something else."""
    if is_chinese:
        clauses = _clauses(text, is_chinese)
        return (
            clauses
            if all(_RE.leans_zh.match(clause) or _RE.tells_zh.match(clause) for clause in clauses[1:])
            else [text]
        )
    # "Files that describe X and explain Y" are files; "files about X, then explain Y" is more.
    asked = _RE.asked_again if _RE.described.search(text) else _RE.told_again
    return _cut_at(asked, text)


def _asked(questions: list[str]) -> list[str]:
    """Without the thanks around what is asked, and each statement joined to the question behind it."""
    asked: list[str] = []
    said = ""
    for part in questions:
        if talk_kind(part, sure=True) is not None:
            continue
        if not part.endswith(("?", "？")) and not _RE.asking_zh.search(part) and _RE.preamble.match(part):
            said = f"{said} {part}".strip()
            continue
        asked.append(f"{said} {part}".strip())
        said = ""
    if said and asked:
        asked[-1] = f"{asked[-1]} {said}"
    return asked or [" ".join(questions)]


def _each(clauses: list[str], begins: Collection[str] = ()) -> list[str]:
    """Clauses that each ask something, made whole; one that compares two things of its own is cut further."""
    whole = _carried(clauses, begins)
    return [
        part
        for clause, text in zip(clauses, whole, strict=True)
        for part in ((compared(text) if text == clause else []) or [text])
    ]


def _under(condition: str, rest: str, is_chinese: bool) -> list[str]:
    """What is asked under a condition, each part with the condition; empty when only one thing is."""
    clauses = _carried(_clauses(rest, is_chinese))
    if len(clauses) < 2:
        return []
    if is_chinese:
        return [f"{condition}，{clause}" for clause in clauses]
    return [f"{clause.strip(' ?.!')} {condition[:1].lower()}{condition[1:]}?" for clause in clauses]


# --- clauses ---


def _clauses(text: str, is_chinese: bool) -> list[str]:
    if is_chinese:
        pieces = [piece for piece in _RE.clause_zh.split(text) if piece and piece.strip()]
        # A piece that asks nothing is a condition or an aside of its neighbour.
        merged: list[str] = []
        for piece in pieces:
            if merged and not (_RE.asking_zh.search(piece) and _RE.asking_zh.search(merged[-1])):
                merged[-1] = f"{merged[-1]}，{piece}"
            else:
                merged.append(piece)
        return [part.strip() for part in merged] if len(merged) > 1 else [text]
    return _cut_at(_RE.clause, text)


def _cut_at(joints: re.Pattern[str], text: str) -> list[str]:
    """An English sentence cut where what is in front of a joint stands alone."""
    clauses: list[str] = []
    start = 0
    for match in joints.finditer(text):
        left = text[start : match.start()]
        if not _RE.preamble.match(left) and _stands_alone(left) and text[match.end() :].strip(" .?!"):
            clauses.append(left.strip())
            start = match.end()
    clauses.append(text[start:].strip())
    return clauses


def _stands_alone(clause: str) -> bool:
    """Enough to be asked for itself: something named, two content words, or one that a question is asked of."""
    if re.search(SLOT, clause) or PRONOUN.search(clause):
        return True
    words = [word for word in content_words(clause) if not re.fullmatch(rf"{TELLING}|{ASKING}", word, re.I | re.X)]
    framed = re.match(rf"^\s*(?:(?:what|who)(?:'s|s)?\ (?:is|are|was|were)?|{TELLING})\ ", f"{clause} ", re.I | re.X)
    return len(words) >= 2 or bool(words and framed)


def _says_something(part: str) -> bool:
    return bool(re.search(SLOT, part) or content_words(part) or re.search(ASKING, part, re.I | re.X))


def _carried(clauses: list[str], begins: Collection[str] = ()) -> list[str]:
    """Clauses that lean on an earlier one are given its topic.

    Args:
        begins: Clauses that begin a sentence; those that say enough stand alone.
    """
    carried: list[str] = []
    topic, is_deed = "", False
    for clause in clauses:
        text = clause
        if topic:
            replaced = replaced_pronouns(clause, _as_asked(topic, clause) if is_deed else topic)
            if replaced != clause:
                text = replaced
            elif _leans(clause, clause in begins):
                text = f"{topic}{clause}"
            elif not content_words(clause) and not re.search(SLOT, clause):
                text = f"{clause.strip(' ?.!？。')} {topic}"
        if not topic or topic not in text:
            topic, is_deed = (_topic(text) or topic), _RE.deeds.match(text) is not None
        carried.append(text)
    return carried


def _leans(clause: str, begins: bool) -> bool:
    """True for a Chinese clause whose subject was left out: 由谁负责; not for 如何回滚部署 as a sentence."""
    match = _RE.leans_zh.match(clause)
    if match is None or not begins:
        return match is not None
    return sum(map(len, content_words(clause[match.end() :]))) <= _LEANING


def _as_asked(topic: str, clause: str) -> str:
    """What is done, as what a clause is asked of: "sharpen a chisel" is "sharpening a chisel" in "is it hard"."""
    verb, _, rest = topic.partition(" ")
    if not rest or not verb.isalpha():
        return topic
    # "Rename it" is said of the thing, "who announces it" of what is done.
    return rest if clause.split(maxsplit=1)[0].lower() in words("deeds") else f"{gerund(verb.lower())} {rest}"


def _topic(clause: str) -> str:
    """What a clause is about: the things it names, else its words without the frame of the question."""
    slots = re.findall(SLOT, clause)
    if slots:
        return " and ".join(dict.fromkeys(slots))
    if has_han(clause):
        words = content_words(clause)
        return max(words, key=len) if words else ""
    if thing := _RE.asked_thing.match(clause):
        return thing["t"]
    if listed := _RE.listed.match(clause):
        return listed["t"].strip(" ?.!,;")
    if name := _RE.name_inside.search(clause):
        return name[1]
    text = clause.strip(" ?.!,;")
    while match := _RE.frame.match(f"{text} "):
        text = text[match.end() :].strip()
    text = _RE.asker.sub("", text)
    if re.match(r"\s*who\b", clause, re.I):
        # Of "who designed the bridge" the topic is the bridge.
        text = re.sub(r"^\w+ (?=(?:the|an?|our|this|that)\b|[A-Z\ue000-\ue0ff])", "", text)
    while match := _RE.tail_verb.search(text):
        text = text[: match.start()].strip()
    return text if len(text.split()) <= 8 and content_words(text) else " ".join(content_words(text)[:5])


# --- one question of several named things ---


def _distributed(text: str, is_chinese: bool) -> list[str]:
    if is_chinese:
        match = _RE.respectively.match(text)
        if match is None:
            return []
        items = [item.strip() for item in re.split(r"、|和|与|跟|以及|及", match["list"]) if item.strip()]
        if not 2 <= len(items) <= MAX_PARTS:
            return []
        # 男子和女子的平均年收入: the last item has what all are asked for, or the first whose they are.
        owner, _, last = items[0].partition("的")
        _, _, head = items[-1].partition("的")
        if head and not any("的" in item for item in items[:-1]):
            items = [*(f"{item}的{head}" for item in items[:-1]), items[-1]]
        elif last and not any("的" in item for item in items[1:]):
            items = [items[0], *(f"{owner}的{item}" for item in items[1:])]
        return [f"{item} {match['rest']}" for item in items]
    if re.search(
        r"\b(?:between|both|related|relat\w+|together|shared?|common|link\w*|depend\w*|block\w*|or)\b", text, re.I
    ):
        return []
    match = re.search(rf"{SLOT}(?:\s*,\s*(?:and\s+)?{SLOT}|\s+and\s+{SLOT})+", text)
    if match is None:
        return []
    slots = re.findall(SLOT, match.group())
    before = re.sub(
        r"\b(do|are|were|have)\b(?=[^\ue000]*$)",
        lambda verb: {"do": "does", "are": "is", "were": "was", "have": "has"}[verb.group().lower()],
        text[: match.start()],
        flags=re.I,
    )
    return [f"{before}{slot}{text[match.end() :]}" for slot in slots]


# --- several deeds, or several things, behind one question word ---


def _deeds(text: str, is_chinese: bool) -> list[str]:
    """``how do I create a project and invite members``: each deed with its object for itself."""
    match = (_RE.deeds_zh if is_chinese else _RE.deeds).match(text)
    if match is None:
        return []
    if is_chinese:
        items = [item.strip() for item in re.split(r"、|以及|并且|并", match["deeds"])]
        return [f"{match['frame']}{item}" for item in items] if len(items) > 1 and min(map(len, items)) > 3 else []
    items = [item.strip() for item in re.split(r",?\s+(?:and\s+then|and\s+also|and|then)\s+|\s*,\s*", match["deeds"])]
    deeds = words("deeds")
    if len(items) < 2 or any(len(item.split()) < 2 or item.split()[0].lower() not in deeds for item in items[1:]):
        return []
    if len(items[0].split()) < 2:
        return []
    return _carried([f"{match['frame']} {item}" for item in items])


def _paired(text: str) -> list[str]:
    """``the owner of A and the date of B`` is two things, ``explain sharding and replication`` as well."""
    if match := _RE.two_of.match(text):
        return _carried([f"{match['frame']}the {match['a']}", f"{match['frame']}the {match['b']}"])
    match = _RE.told_pair.match(text)
    if match is None or _is_fixed(match["a"], match["b"]):
        return []
    return [f"{match['frame']} {match['a']}", f"{match['frame']} {match['b']}"]


def _paired_zh(text: str) -> list[str]:
    # With 和 the head has to come twice: 公司的产品和服务的价格 is one thing.
    match = _RE.two_of_zh.match(text)
    if match and (match["joint"] in ("以及", "还有") or match["x"] == match["y"]):
        return [f"{match['frame']}{match['a']}", f"{match['frame']}{match['b']}"]
    if match := _RE.both_asked_zh.match(text):
        return [f"{match['a']}{match['ask']}", f"{match['b']}{match['ask']}"]
    match = _RE.told_pair_zh.match(text)
    if match is None or _is_fixed(match["a"], match["b"]):
        return []
    # Without 分别 only what is built alike is two things: 健康与安全政策 is one.
    alike = len(match["a"]) == len(match["b"]) and has_han(match["a"]) and len(match["a"]) <= 4
    if not (match["each"] or alike or not (has_han(match["a"]) or has_han(match["b"]))):
        return []
    return [f"{match['frame']}{match[side]}{match['of'] or ''}" for side in ("a", "b")]


def _is_fixed(first: str, second: str) -> bool:
    """True for words that always go together: terms and conditions."""
    return any({first.lower(), second.lower()} <= set(group) for group in groups("fixed_pairs"))

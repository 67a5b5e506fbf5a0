"""Cuts a question into parts that can each be looked up on their own (specs 000 and 002).

Three things are cut: comparisons (`sides`), clauses that each ask something, and one question asked of several things
or deeds. What only looks like two ("search and replace") stays whole: a cut needs a question word, an instruction, a
deed with its own object or a second "the … of" behind it. A part that leans on the one before it ("and why?", "its
limits") is put in full as a follow-up is (`leaning`), and what all parts hang on ("if the primary fails, …") goes with
each of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.question.asking import Understanding, talk_kind
from kbtui.question.leaning import in_full
from kbtui.question.lexicon import groups, words
from kbtui.question.normalise import has_han
from kbtui.question.pointing import class_of, pointing
from kbtui.question.said import Said
from kbtui.question.sides import ASKING, SLOT, TELLING, compared, with_slots, without_slots
from kbtui.question.things import Word, either, is_order, joined_things, of_role, role_at, things_of, words_of
from kbtui.question.topics import subject_of
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem

MAX_PARTS: Final = 5
_LEANING: Final = 3
"""Characters of a Chinese sentence that says too little by itself."""

_MOST_ABOUT: Final = 3
"""Things of the first clause that a later one is said to be about."""

_SURE: Final = 0.1
"""From which chance a word of a part is taken to mean something of the part before it; in a part most do."""

_SUBJECTS: Final = frozenset(
    ["it", "they", "this", "that", "these", "those", "there", "he", "she", "we", "i", "you", "the"]
)
_ASKED_WITH: Final = frozenset({"which", "what", "whose", "how"})
"""Question words that what is asked for may follow."""
_JOINTS: Final = frozenset([",", ";", "and", "then", "also", "plus", "but", "or"])
_RE: Final = Patterns(
    "kbtui.question", "words/parts.toml", ASKING=ASKING, TELLING=TELLING, ATTRIBUTES_ZH=either("zh", "attributes"),
    AUX=of_role("en", "auxiliary"),
)  # fmt: skip


def compares(question: str) -> bool:
    """True for a question about several things together: their differences, what they share, how they relate."""
    return _RE.compares.search(question) is not None


def parts_of(understanding: Understanding) -> tuple[str, ...]:
    """The parts of a question, each a sentence of its own; one part when it asks one thing.

    Args:
        understanding: Of the whole question; chitchat is never cut.
    """
    question = understanding.question
    if understanding.query_type == "chitchat":
        return ()
    text, slots = with_slots(question, understanding.mentions)
    parts = _parts(text, is_listing=understanding.query_type == "file_discovery")
    found: dict[str, None] = {}
    for part in parts:
        if whole := re.sub(r"\s+", " ", without_slots(part, slots)).strip(" ,;，；"):
            found.setdefault(whole[:1].upper() + whole[1:] if len(parts) > 1 and whole[:1].isascii() else whole)
    return tuple(found)[:MAX_PARTS] or (question,)


def _parts(text: str, *, is_listing: bool) -> list[str]:
    is_chinese = has_han(text)
    if sides := compared(text):
        return sides
    if steps := _RE.steps.match(text):
        return _carried([steps["a"], steps["b"]])
    sentences = [part for part in _RE.sentence_end.split(text) if part and _says_something(part)]
    if len(sentences) > 1:
        cut = [_clauses(part) for part in _asked(sentences)]
        return _each([clause for part in cut for clause in part], {part[0] for part in cut}) or [text]
    if condition := (_RE.condition_zh if is_chinese else _RE.condition).match(text):
        return _under(condition["if"].strip(), condition["rest"], is_chinese) or [text]
    clauses = _clauses(text, is_listing=is_listing)
    if is_listing and is_chinese:
        tells = all(_RE.leans_zh.match(clause) or _RE.tells_zh.match(clause) for clause in clauses[1:])
        clauses = clauses if tells else [text]
    if len(clauses) > 1 or is_listing:
        return _each(clauses)
    rules: tuple[Callable[[str], list[str]], ...] = (_distributed, _deeds, _paired)
    if is_chinese:
        rules = (_distributed_zh, _deeds_zh, _paired_zh)
    return next((found for rule in rules if (found := rule(text))), [text])


def _asked(sentences: list[str]) -> list[str]:
    """Without the thanks around what is asked, and each statement joined to the question behind it."""
    asked: list[str] = []
    said = ""
    for part in sentences:
        if talk_kind(part, sure=True) is not None:
            continue
        tells = _RE.states if part != sentences[-1] else _RE.preamble
        if not part.endswith(("?", "？")) and not _RE.asking_zh.search(part) and tells.match(part):
            said = f"{said} {part}".strip()
            continue
        asked.append(f"{said} {part}".strip())
        said = ""
    if said and asked:
        asked[-1] = f"{asked[-1]} {said}"
    return asked or [" ".join(sentences)]


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
    clauses = _carried(_clauses(rest))
    if len(clauses) < 2:
        return []
    if is_chinese:
        return [f"{condition}，{clause}" for clause in clauses]
    return [f"{clause.strip(' ?.!')} {condition[:1].lower()}{condition[1:]}?" for clause in clauses]


# Clauses.


def _clauses(text: str, *, is_listing: bool = False) -> list[str]:
    """A sentence cut where what is in front of a joint stands alone, and something is asked behind it."""
    if has_han(text):
        return _clauses_zh(text)
    words_ = words_of(text)
    clauses: list[str] = []
    start = at = 0
    while at < len(words_):
        end = at
        while end < len(words_) and words_[end].lower in _JOINTS:
            end += 1
        left = text[start : words_[at].start]
        joins = at < end < len(words_) and _asks(words_, at, end, text if is_listing else "") and _stands_alone(left)
        if joins and not _is_gapped(words_[end:]) and not _is_gapped(words_of(_RE.head.sub("", left))):
            clauses.append(left.strip())
            start = words_[end].start
        at = max(end, at + 1)
    return [*clauses, text[start:].strip()]


def _is_gapped(found: Sequence[Word]) -> bool:
    """Whether a clause asks without saying of what, so that it has its predicate from its neighbour.

    "How soon after the start and how often are the figures sent", "who is told about a crash and who about a timeout?":
    what answers both mostly stands side by side, and asked apart neither half finds it.
    """
    clause = found[role_at(found, 0) == "preposition" :]
    if role_at(clause, 0) != "question":
        return False
    # What is asked for in "which one", "what tax", "how often", "how much slower".
    asked = 1
    if clause[0].lower in _ASKED_WITH and len(clause) > 1:
        asked += clause[1].role in ("noun", "adverb") or clause[1].lower in ("one", "ones")
        asked += clause[0].lower == "how" and role_at(clause, asked) == "noun"
    upto = next((at for at, word in enumerate(clause) if at >= asked and word.role == "clause"), len(clause))
    if any(word.role in ("auxiliary", "verb", "pronoun", "mention") for word in clause[asked:upto]):
        return False
    is_of = asked < len(clause) and clause[asked].lower == "of"
    return role_at(clause, asked) in ("preposition", "mark", "clause") and not is_of


def _asks(found: Sequence[Word], at: int, end: int, listing: str) -> bool:
    """Whether what is behind a joint (words ``at`` to ``end``) asks something of its own.

    Args:
        listing: The sentence where it wishes for files: "files that describe X and explain Y" are files.
    """
    joint = {word.lower for word in found[at:end]}
    begin = end
    if [word.lower for word in found[begin : begin + 2]] in (["if", "so"], ["if", "not"], ["if", "yes"]):
        begin += 2
    first, follows = found[begin].lower if begin < len(found) else "", role_at(found, begin + 1)
    asks = role_at(found, begin) == "question" or first == "whether"
    asks = asks or (role_at(found, begin) == "preposition" and follows == "question")
    near = {word.role for word in found[begin + 1 : begin + 4]} | ({"auxiliary"} if first.endswith("'s") else set())
    if listing and _RE.described.search(listing):
        return asks and "auxiliary" in near
    if listing and is_order(first):
        return not any(
            word.lower in ("them", "it", "those", "these", "all", "everything") for word in found[begin : begin + 2]
        )
    if joint <= {","}:
        return asks and "auxiliary" in near
    if joint <= {"or", ","}:
        return False
    subject = found[begin + 1].lower in _SUBJECTS if begin + 1 < len(found) else False
    return asks or is_order(first) or (role_at(found, begin) == "auxiliary" and subject)


def _clauses_zh(text: str) -> list[str]:
    merged: list[str] = []
    for piece in filter(None, map(str.strip, filter(None, _RE.clause_zh.split(text)))):
        # A piece that asks nothing is a condition or an aside of its neighbour.
        if merged and not (_RE.asking_zh.search(piece) and _RE.asking_zh.search(merged[-1])):
            merged[-1] = f"{merged[-1]}，{piece}"
        else:
            merged.append(piece)
    return merged if len(merged) > 1 else [text]


def _stands_alone(clause: str) -> bool:
    """Enough to be asked for itself: something named, two content words, or one that a question is asked of."""
    if _RE.preamble.match(clause):
        return False
    found = words_of(clause)
    if any(word.role == "mention" or class_of(word) for word in found):
        return True
    telling = [word for word in content_words(clause) if not re.fullmatch(rf"{TELLING}|{ASKING}", word, re.I | re.X)]
    framed = role_at(found, 0) == "question" or (found and is_order(found[0].lower))
    return len(telling) >= 2 or bool(telling and framed)


def _says_something(part: str) -> bool:
    return bool(re.search(SLOT, part) or content_words(part) or re.search(ASKING, part, re.I | re.X))


def _carried(clauses: list[str], begins: Collection[str] = ()) -> list[str]:
    """Clauses that lean on an earlier one in full.

    Args:
        begins: Clauses that begin a sentence; those that say enough stand alone.
    """
    carried: list[str] = clauses[:1]
    for clause in clauses[1:]:
        said = Said(tuple(Turn(query=text, standalone=text) for text in carried))
        leans, ends = _leans(clause, clause in begins), clause.endswith(("?", "？"))
        is_asked = not leans or any(pointing(clause, _SURE))
        meant = in_full(clause if ends else f"{clause}?", said, sure=_SURE) if is_asked else None
        if meant is not None:
            carried.append(meant.text.rstrip("?？") + clause[-1] * ends)
        elif leans:
            carried.append(f"{subject_of(said)}{clause}")
        else:
            carried.append(clause if _has_subject(clause) else _about(clause, clauses[0]))
    return carried


def _has_subject(clause: str) -> bool:
    """Whether a clause says itself what it asks about: something it names beside what is asked for.

    A Chinese one does so with its first word (该找谁 does not, 年假有多少天 does), by a case of its own in front of a
    comma, or asks of a deed: 如何回滚部署.
    """
    found = words_of(clause)
    if has_han(clause):
        named = any(word.role == "mention" for word in found) or role_at(found, 0) == "noun"
        return named or _RE.leans_zh.match(clause) is not None or not {"，", ","}.isdisjoint(clause.strip("，, "))
    return any(not thing.asked for thing in things_of(clause)) or not any(word.role == "question" for word in found)


def _about(clause: str, first: str) -> str:
    """A clause with what the first one speaks of behind it: "Which exception is raised (a hard shutdown, the worker)?"

    Said by the way, it is searched for and graded like all words of the clause, whose own wording stays as it is.
    """
    named = [
        thing for thing in joined_things(first) if not thing.asked and len(thing.text) >= _LEANING - has_han(clause)
    ]
    own = {stem(word) for word in content_words(clause.lower())}
    new = [thing.text for thing in named if not own.issuperset(map(stem, content_words(thing.text.lower())))]
    if not new:
        return clause
    ends = clause[-1] if clause.endswith(("?", "？")) else ""
    told = ("、" if has_han(clause) else ", ").join(new[:_MOST_ABOUT])
    return (
        f"{clause.removesuffix(ends)}（{told}）{ends}"
        if has_han(clause)
        else f"{clause.removesuffix(ends)} ({told}){ends}"
    )


def _leans(clause: str, begins: bool) -> bool:
    """True for a Chinese clause whose subject was left out: 由谁负责; not for 如何回滚部署 as a sentence."""
    match = _RE.leans_zh.match(clause)
    if match is None or not begins:
        return match is not None
    return sum(map(len, content_words(clause[match.end() :]))) <= _LEANING


# One question of several named things.


def _distributed(text: str) -> list[str]:
    match = re.search(rf"{SLOT}(?:\s*,\s*(?:and\s+)?{SLOT}|\s+and\s+{SLOT})+", text)
    if match is None or _RE.together.search(text):
        return []
    one = {"do": "does", "are": "is", "were": "was", "have": "has"}
    before = _RE.many.sub(lambda verb: one[verb[0].lower()], text[: match.start()])
    return [f"{before}{slot}{text[match.end() :]}" for slot in re.findall(SLOT, match[0])]


def _distributed_zh(text: str) -> list[str]:
    match = _RE.respectively.match(text)
    items = [item.strip() for item in re.split(r"、|和|与|跟|以及|及", match["list"]) if item.strip()] if match else []
    if match is None or not 2 <= len(items) <= MAX_PARTS:
        return []
    # 男子和女子的平均年收入: the last item has what all are asked for, or the first whose they are.
    owner, _, last = items[0].partition("的")
    _, _, head = items[-1].partition("的")
    if head and not any("的" in item for item in items[:-1]):
        items = [*(f"{item}的{head}" for item in items[:-1]), items[-1]]
    elif last and not any("的" in item for item in items[1:]):
        items = [items[0], *(f"{owner}的{item}" for item in items[1:])]
    return [f"{item} {match['rest']}" for item in items]


# Several deeds, or several things, behind one question word.


def _deeds(text: str) -> list[str]:
    """``how do I create a project and invite members``: each deed with its object for itself."""
    match = _RE.deeds.match(text)
    items = [item.strip() for item in _RE.deed_joint.split(match["deeds"])] if match else []
    if match is None or len(items) < 2 or any(len(item.split()) < 2 for item in items):
        return []
    if any(item.split()[0].lower() not in words("deeds") for item in items[1:]):
        return []
    return _carried([f"{match['frame']} {item}" for item in items])


def _deeds_zh(text: str) -> list[str]:
    match = _RE.deeds_zh.match(text)
    items = [item.strip() for item in re.split(r"、|以及|并且|并", match["deeds"])] if match else []
    return (
        [f"{match['frame']}{item}" for item in items] if match and len(items) > 1 and min(map(len, items)) > 3 else []
    )


def _paired(text: str) -> list[str]:
    """``the owner of A and the date of B`` is two things, ``explain sharding and replication`` as well."""
    if match := _RE.two_of.match(text):
        return _carried([f"{match['frame']}the {match['a']}", f"{match['frame']}the {match['b']}"])
    match = _RE.told_pair.match(text)
    if match is None or _is_fixed(match["a"], match["b"]):
        return []
    return [f"{match['frame']} {match[side]}" for side in ("a", "b")]


def _paired_zh(text: str) -> list[str]:
    # With 和 the head has to come twice: 公司的产品和服务的价格 is one thing.
    match = _RE.two_of_zh.match(text)
    if match and (match["joint"] in ("以及", "还有") or match["x"] == match["y"]):
        return [f"{match['frame']}{match[side]}" for side in ("a", "b")]
    if match := _RE.both_asked_zh.match(text):
        return [f"{match[side]}{match['ask']}" for side in ("a", "b")]
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

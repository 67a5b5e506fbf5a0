"""Cuts a question into parts that can each be looked up on their own (specs 000 and 002).

Comparisons (`comparisons`), clauses that each ask something, and one question about several objects or actions are
split. Fixed pairs ("search and replace") stay whole: a split needs a question word, a command, an action with its own
object or a second "the … of" after the conjunction. A part that refers to the part before it ("and why?", "its limits")
is resolved as a follow-up is (`followup_resolution`), and a shared condition ("if the primary fails, …") is repeated.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence
from typing import Final

from kbtui.domain.conversation import Turn
from kbtui.question.anaphora import anaphor_class, find_anaphors
from kbtui.question.comparisons import ASKING, SLOT, TELLING, comparison_questions, with_slots, without_slots
from kbtui.question.dialogue import Dialogue
from kbtui.question.followup_resolution import resolve_followup
from kbtui.question.lexicon import word_groups, word_set
from kbtui.question.normalise import has_han
from kbtui.question.noun_phrases import (
    Word,
    is_command,
    joined_noun_phrases,
    kind_pattern,
    noun_phrases,
    role_at,
    role_pattern,
    tagged_words,
)
from kbtui.question.referents import singular_referent
from kbtui.question.understanding import Understanding, small_talk_kind
from kbtui.text.patterns import Patterns
from kbtui.text.tokenise import content_words, stem

MAX_PARTS: Final = 5
_MIN_HAN_TO_STAND_ALONE: Final = 3
"""Characters of content that a Chinese clause needs to stand alone, more than this."""

_MAX_TOPICS: Final = 3
"""Noun phrases of the first clause that are appended to a later one, at most."""

_MIN_ANAPHOR_PROBABILITY: Final = 0.1
"""Probability from which a word of a part counts as an anaphor; lower than in follow-ups, since most of them are."""

_SUBJECTS: Final = frozenset(
    ["it", "they", "this", "that", "these", "those", "there", "he", "she", "we", "i", "you", "the"]
)
_DETERMINING_QUESTION_WORDS: Final = frozenset({"which", "what", "whose", "how"})
"""Question words that may determine a noun or an adverb."""
_JOINTS: Final = frozenset([",", ";", "and", "then", "also", "plus", "but", "or"])
_RE: Final = Patterns(
    "kbtui.question", "words/parts.toml", ASKING=ASKING, TELLING=TELLING,
    ATTRIBUTES_ZH=kind_pattern("zh", "attributes"), AUX=role_pattern("en", "auxiliary"),
)  # fmt: skip


def asks_comparison(question: str) -> bool:
    """True for a question about several things together: their differences, what they share, how they relate."""
    return _RE.compares.search(question) is not None


def split_parts(understanding: Understanding) -> tuple[str, ...]:
    """The parts of a question, each a sentence of its own; one part when it asks one thing.

    Args:
        understanding: Of the whole question; chitchat is never cut.
    """
    question = understanding.question
    if understanding.query_type == "chitchat":
        return ()
    text, slots = with_slots(question, understanding.mentions)
    parts = _split_text(text, is_listing=understanding.query_type == "file_discovery")
    sentences: dict[str, None] = {}
    for part in parts:
        if sentence := re.sub(r"\s+", " ", without_slots(part, slots)).strip(" ,;，；"):
            sentences.setdefault(
                sentence[:1].upper() + sentence[1:] if len(parts) > 1 and sentence[:1].isascii() else sentence
            )
    return tuple(sentences)[:MAX_PARTS] or (question,)


def _split_text(text: str, *, is_listing: bool) -> list[str]:
    is_chinese = has_han(text)
    if sides := comparison_questions(text):
        return sides
    if steps := _RE.steps.match(text):
        return _with_context([steps["a"], steps["b"]])
    sentences = [part for part in _RE.sentence_end.split(text) if part and _says_something(part)]
    if len(sentences) > 1:
        cut = [_split_clauses(part) for part in _asking_sentences(sentences)]
        return _completed_clauses([clause for part in cut for clause in part], {part[0] for part in cut}) or [text]
    if condition := (_RE.condition_zh if is_chinese else _RE.condition).match(text):
        return _split_conditional(condition["if"].strip(), condition["rest"], is_chinese) or [text]
    clauses = _split_clauses(text, is_listing=is_listing)
    if is_listing and is_chinese:
        tells = all(_RE.leans_zh.match(clause) or _RE.tells_zh.match(clause) for clause in clauses[1:])
        clauses = clauses if tells else [text]
    if len(clauses) > 1 or is_listing:
        return _completed_clauses(clauses)
    rules: tuple[Callable[[str], list[str]], ...] = (_split_mentions, _split_actions, _split_pair)
    if is_chinese:
        rules = (_split_mentions_zh, _split_actions_zh, _split_pair_zh)
    return next((found for rule in rules if (found := rule(text))), [text])


def _asking_sentences(sentences: list[str]) -> list[str]:
    """The sentences without small talk, each statement joined to the question after it."""
    questions: list[str] = []
    preamble = ""
    for part in sentences:
        if small_talk_kind(part, only_known_words=True) is not None:
            continue
        tells = _RE.states if part != sentences[-1] else _RE.preamble
        if not part.endswith(("?", "？")) and not _RE.asking_zh.search(part) and tells.match(part):
            preamble = f"{preamble} {part}".strip()
            continue
        questions.append(f"{preamble} {part}".strip())
        preamble = ""
    if preamble and questions:
        questions[-1] = f"{questions[-1]} {preamble}"
    return questions or [" ".join(sentences)]


def _completed_clauses(clauses: list[str], begins: Collection[str] = ()) -> list[str]:
    """Clauses as standalone questions; a clause that is a comparison is split further."""
    completed = _with_context(clauses, begins)
    return [
        part
        for clause, text in zip(clauses, completed, strict=True)
        for part in ((comparison_questions(text) if text == clause else []) or [text])
    ]


def _split_conditional(condition: str, rest: str, is_chinese: bool) -> list[str]:
    """The questions under a condition, each with the condition; empty if there is only one."""
    clauses = _with_context(_split_clauses(rest))
    if len(clauses) < 2:
        return []
    if is_chinese:
        return [f"{condition}，{clause}" for clause in clauses]
    return [f"{clause.strip(' ?.!')} {condition[:1].lower()}{condition[1:]}?" for clause in clauses]


# Clauses.


def _split_clauses(text: str, *, is_listing: bool = False) -> list[str]:
    """A sentence split at conjunctions whose left side stands alone and whose right side asks something."""
    if has_han(text):
        return _split_clauses_zh(text)
    question_words = tagged_words(text)
    clauses: list[str] = []
    start = at = 0
    while at < len(question_words):
        end = at
        while end < len(question_words) and question_words[end].lower in _JOINTS:
            end += 1
        left = text[start : question_words[at].start]
        joins = (
            at < end < len(question_words)
            and _asks_something(question_words, at, end, text if is_listing else "")
            and _stands_alone(left)
        )
        if joins and not _is_gapped(question_words[end:]) and not _is_gapped(tagged_words(_RE.head.sub("", left))):
            clauses.append(left.strip())
            start = question_words[end].start
        at = max(end, at + 1)
    return [*clauses, text[start:].strip()]


def _is_gapped(words: Sequence[Word]) -> bool:
    """Whether a clause lacks a predicate and takes that of its neighbour (gapping).

    "How soon after the start and how often are the figures sent", "who is told about a crash and who about a timeout?":
    one passage mostly answers both halves, and neither half alone finds it.
    """
    clause = words[role_at(words, 0) == "preposition" :]
    if role_at(clause, 0) != "question":
        return False
    # The end of "which one", "what tax", "how often", "how much slower".
    asked_end = 1
    if clause[0].lower in _DETERMINING_QUESTION_WORDS and len(clause) > 1:
        asked_end += clause[1].role in ("noun", "adverb") or clause[1].lower in ("one", "ones")
        asked_end += clause[0].lower == "how" and role_at(clause, asked_end) == "noun"
    clause_end = next((at for at, word in enumerate(clause) if at >= asked_end and word.role == "clause"), len(clause))
    if any(word.role in ("auxiliary", "verb", "pronoun", "mention") for word in clause[asked_end:clause_end]):
        return False
    is_of = asked_end < len(clause) and clause[asked_end].lower == "of"
    return role_at(clause, asked_end) in ("preposition", "mark", "clause") and not is_of


def _asks_something(words: Sequence[Word], at: int, end: int, listing: str) -> bool:
    """Whether the words after a conjunction (words ``at`` to ``end``) ask a question of their own.

    Args:
        listing: The sentence if it asks for files, else empty: "files that describe X and explain Y" is one request.
    """
    joint = {word.lower for word in words[at:end]}
    first_index = end
    if [word.lower for word in words[first_index : first_index + 2]] in (["if", "so"], ["if", "not"], ["if", "yes"]):
        first_index += 2
    first, follows = words[first_index].lower if first_index < len(words) else "", role_at(words, first_index + 1)
    asks = role_at(words, first_index) == "question" or first == "whether"
    asks = asks or (role_at(words, first_index) == "preposition" and follows == "question")
    next_roles = {word.role for word in words[first_index + 1 : first_index + 4]} | (
        {"auxiliary"} if first.endswith("'s") else set()
    )
    if listing and _RE.described.search(listing):
        return asks and "auxiliary" in next_roles
    if listing and is_command(first):
        return not any(
            word.lower in ("them", "it", "those", "these", "all", "everything")
            for word in words[first_index : first_index + 2]
        )
    if joint <= {","}:
        return asks and "auxiliary" in next_roles
    if joint <= {"or", ","}:
        return False
    subject = words[first_index + 1].lower in _SUBJECTS if first_index + 1 < len(words) else False
    return asks or is_command(first) or (role_at(words, first_index) == "auxiliary" and subject)


def _split_clauses_zh(text: str) -> list[str]:
    merged: list[str] = []
    for piece in filter(None, map(str.strip, filter(None, _RE.clause_zh.split(text)))):
        # A piece that asks nothing is a condition or an aside of its neighbour.
        if merged and not (_RE.asking_zh.search(piece) and _RE.asking_zh.search(merged[-1])):
            merged[-1] = f"{merged[-1]}，{piece}"
        else:
            merged.append(piece)
    return merged if len(merged) > 1 else [text]


def _stands_alone(clause: str) -> bool:
    """Whether a clause can be asked alone: it has a mention, two content words, or one beside a question word."""
    if _RE.preamble.match(clause):
        return False
    tagged = tagged_words(clause)
    if any(word.role == "mention" or anaphor_class(word) for word in tagged):
        return True
    content = [word for word in content_words(clause) if not re.fullmatch(rf"{TELLING}|{ASKING}", word, re.I | re.X)]
    is_framed = role_at(tagged, 0) == "question" or (tagged and is_command(tagged[0].lower))
    return len(content) >= 2 or bool(content and is_framed)


def _says_something(part: str) -> bool:
    return bool(re.search(SLOT, part) or content_words(part) or re.search(ASKING, part, re.I | re.X))


def _with_context(clauses: list[str], begins: Collection[str] = ()) -> list[str]:
    """Clauses as standalone questions, with what they omit taken from earlier clauses.

    Args:
        begins: Clauses that begin a sentence; these stand alone if they have enough content.
    """
    completed: list[str] = clauses[:1]
    for clause in clauses[1:]:
        dialogue = Dialogue(tuple(Turn(query=text, standalone=text) for text in completed))
        lacks_subject, has_question_mark = _lacks_subject(clause, clause in begins), clause.endswith(("?", "？"))
        may_refer_back = not lacks_subject or any(find_anaphors(clause, _MIN_ANAPHOR_PROBABILITY))
        rewrite = (
            resolve_followup(
                clause if has_question_mark else f"{clause}?", dialogue, min_probability=_MIN_ANAPHOR_PROBABILITY
            )
            if may_refer_back
            else None
        )
        if rewrite is not None:
            completed.append(rewrite.text.rstrip("?？") + clause[-1] * has_question_mark)
        elif lacks_subject:
            completed.append(f"{singular_referent(dialogue)}{clause}")
        else:
            completed.append(clause if _has_subject(clause) else _with_topic(clause, clauses[0]))
    return completed


def _has_subject(clause: str) -> bool:
    """Whether a clause names its topic, beside the noun that it asks for.

    A Chinese one does so with its first word (该找谁 does not, 年假有多少天 does), by a case of its own in front of a
    comma, or asks of a deed: 如何回滚部署.
    """
    tagged = tagged_words(clause)
    if has_han(clause):
        has_noun = any(word.role == "mention" for word in tagged) or role_at(tagged, 0) == "noun"
        return has_noun or _RE.leans_zh.match(clause) is not None or not {"，", ","}.isdisjoint(clause.strip("，, "))
    return any(not thing.is_asked_for for thing in noun_phrases(clause)) or not any(
        word.role == "question" for word in tagged
    )


def _with_topic(clause: str, first: str) -> str:
    """A clause with the topics of the first one appended: "Which exception is raised (a hard shutdown, the worker)?"

    In parentheses the topics are searched for and graded like all words, and the wording of the clause is kept.
    """
    topics = [
        phrase
        for phrase in joined_noun_phrases(first)
        if not phrase.is_asked_for and len(phrase.text) >= _MIN_HAN_TO_STAND_ALONE - has_han(clause)
    ]
    known = {stem(word) for word in content_words(clause.lower())}
    new_topics = [topic.text for topic in topics if not known.issuperset(map(stem, content_words(topic.text.lower())))]
    if not new_topics:
        return clause
    mark = clause[-1] if clause.endswith(("?", "？")) else ""
    topic_list = ("、" if has_han(clause) else ", ").join(new_topics[:_MAX_TOPICS])
    in_brackets = f"（{topic_list}）" if has_han(clause) else f" ({topic_list})"
    return f"{clause.removesuffix(mark)}{in_brackets}{mark}"


def _lacks_subject(clause: str, begins: bool) -> bool:
    """Whether a Chinese clause omits its subject: 由谁负责; not 如何回滚部署 as a sentence."""
    match = _RE.leans_zh.match(clause)
    if match is None or not begins:
        return match is not None
    return sum(map(len, content_words(clause[match.end() :]))) <= _MIN_HAN_TO_STAND_ALONE


# One question about several mentions.


def _split_mentions(text: str) -> list[str]:
    match = re.search(rf"{SLOT}(?:\s*,\s*(?:and\s+)?{SLOT}|\s+and\s+{SLOT})+", text)
    if match is None or _RE.together.search(text):
        return []
    singular_forms = {"do": "does", "are": "is", "were": "was", "have": "has"}
    before = _RE.many.sub(lambda verb: singular_forms[verb[0].lower()], text[: match.start()])
    return [f"{before}{slot}{text[match.end() :]}" for slot in re.findall(SLOT, match[0])]


def _split_mentions_zh(text: str) -> list[str]:
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


# Several actions, or several objects, after one question word.


def _split_actions(text: str) -> list[str]:
    """``how do I create a project and invite members``: one question for each action with its object."""
    match = _RE.deeds.match(text)
    items = [item.strip() for item in _RE.deed_joint.split(match["deeds"])] if match else []
    if match is None or len(items) < 2 or any(len(item.split()) < 2 for item in items):
        return []
    if any(item.split()[0].lower() not in word_set("deeds") for item in items[1:]):
        return []
    return _with_context([f"{match['frame']} {item}" for item in items])


def _split_actions_zh(text: str) -> list[str]:
    match = _RE.deeds_zh.match(text)
    items = [item.strip() for item in re.split(r"、|以及|并且|并", match["deeds"])] if match else []
    return (
        [f"{match['frame']}{item}" for item in items] if match and len(items) > 1 and min(map(len, items)) > 3 else []
    )


def _split_pair(text: str) -> list[str]:
    """``the owner of A and the date of B`` and ``explain sharding and replication`` are two questions each."""
    if match := _RE.two_of.match(text):
        return _with_context([f"{match['frame']}the {match['a']}", f"{match['frame']}the {match['b']}"])
    match = _RE.told_pair.match(text)
    if match is None or _is_fixed_pair(match["a"], match["b"]):
        return []
    return [f"{match['frame']} {match[side]}" for side in ("a", "b")]


def _split_pair_zh(text: str) -> list[str]:
    # With 和 the head has to come twice: 公司的产品和服务的价格 is one thing.
    match = _RE.two_of_zh.match(text)
    if match and (match["joint"] in ("以及", "还有") or match["x"] == match["y"]):
        return [f"{match['frame']}{match[side]}" for side in ("a", "b")]
    if match := _RE.both_asked_zh.match(text):
        return [f"{match[side]}{match['ask']}" for side in ("a", "b")]
    match = _RE.told_pair_zh.match(text)
    if match is None or _is_fixed_pair(match["a"], match["b"]):
        return []
    # Without 分别 only what is built alike is two things: 健康与安全政策 is one.
    alike = len(match["a"]) == len(match["b"]) and has_han(match["a"]) and len(match["a"]) <= 4
    if not (match["each"] or alike or not (has_han(match["a"]) or has_han(match["b"]))):
        return []
    return [f"{match['frame']}{match[side]}{match['of'] or ''}" for side in ("a", "b")]


def _is_fixed_pair(first: str, second: str) -> bool:
    """Whether two words are a fixed pair: terms and conditions."""
    return any({first.lower(), second.lower()} <= set(group) for group in word_groups("fixed_pairs"))

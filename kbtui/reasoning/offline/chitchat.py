"""Tells small talk from questions: what is left of the words once everything social has been taken out?"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Final, Literal

from msgspec import Struct

from kbtui import late_patterns
from kbtui.reasoning.offline.lexicon import words
from kbtui.text.built_tables import needles_of, pattern_key
from kbtui.text.language import has_cjk
from kbtui.text.word_lists import text_in, toml_in

FILE: Final = "chitchat.toml"
ChitchatKind = Literal["greeting", "thanks", "farewell", "identity", "capability", "smalltalk"]

# Words that may stand around small talk without making it a question.
_FILLER_EN = words("filler")
# A question in the second person made of nothing but these words is about the assistant, whatever its wording.
_SECOND_PERSON = words("second_person")
_ABOUT_ASSISTANT: tuple[tuple[ChitchatKind, frozenset[str]], ...] = (
    (
        "identity",
        words("about_identity"),
    ),
    (
        "capability",
        words("about_capability"),
    ),
)
_SHORT = 4
_QUESTION_WORDS = words("question_words")
_YES_NO = words("yes_no")
_FILLER_ZH = late_patterns.pattern(
    r"[你您我的了啊呀吧呢吗嘛哦噢哈啦哟呐喔么真很太非常特别十分今天现在都也就还那这个来给帮忙一下大家朋友们老师先]+"
)
_SPLIT = late_patterns.pattern(r"[\s,，.。!！?？~、;；:：…\-]+")


class _Patterns(Struct, frozen=True):
    """The patterns of ``chitchat.toml``: ``whole`` for a whole sentence, ``inside`` for a part of one."""

    whole: tuple[tuple[ChitchatKind, re.Pattern[str]], ...]
    inside: tuple[tuple[ChitchatKind, re.Pattern[str]], ...]


@cache
def _patterns() -> _Patterns:
    text = text_in(__package__, FILE)
    needles = needles_of(__package__, FILE, text)

    def compiled(form: str, row: Mapping[str, str]) -> re.Pattern[str]:
        pattern = row["pattern"]
        return late_patterns.pattern(form.format(pattern), re.X, needles.get(pattern_key(pattern), ()))

    table = toml_in(__package__, FILE)
    return _Patterns(
        whole=tuple((row["kind"], compiled(r"\s*(?:{})\s*", row)) for row in table["en"]),
        inside=tuple(
            (row["kind"], compiled(r"(?<![\w'])(?:{})(?![\w'])", row))
            for row in table["en"]
            # Beside other words these are part of a real question: "how do you ...", "no, what is ...".
            if row["kind"] in ("thanks", "greeting", "farewell")
        ),
    )


@cache
def _chinese() -> tuple[tuple[ChitchatKind, re.Pattern[str]], ...]:
    """The patterns of the Chinese part, each of which holds a Chinese character."""
    table = toml_in(__package__, FILE)
    return tuple((row["kind"], late_patterns.pattern(row["pattern"], re.X)) for row in table["zh"])


def chitchat_kind(question: str) -> ChitchatKind | None:
    """The kind of small talk that ``question`` is, or None when something in it is asked of the documents.

    Args:
        question: Cleaned (`normalise.clean`), with no mention of an identifier in it.
    """
    text = re.sub(r"[’`´]", "'", question.lower())
    plain = re.sub(r"[,，.。!！?？~;；:：…\"]+", " ", text)
    plain = re.sub(r"\s+", " ", plain).strip()
    if not plain:
        return "smalltalk"
    patterns = _patterns()
    for kind, pattern in patterns.whole:
        if pattern.fullmatch(plain):
            return kind
    found: ChitchatKind | None = None
    rest = plain
    for kind, pattern in _chinese() if has_cjk(plain) else ():
        rest, count = pattern.subn(" ", rest)
        if count and found is None:
            found = kind
    segments = [rest] if found else [part for part in re.split(r"[,.!?;…]+", text) if part.strip()]
    left: list[str] = []
    for segment in segments:
        segment_text = segment.strip()
        whole = next((kind for kind, pattern in patterns.whole if pattern.fullmatch(segment_text)), None)
        if whole is not None:
            found = found or whole
            continue
        for kind, pattern in patterns.inside:
            segment_text, count = pattern.subn(" ", segment_text)
            if count and found is None:
                found = kind
        left += [word for word in _SPLIT.split(segment_text) if word]
    if found is None:
        return _made_of_small_talk(plain.split())
    remaining = [word for word in left if word not in _FILLER_EN]
    remaining = [word for word in remaining if _FILLER_ZH.sub("", word)]
    if not remaining:
        return found
    return None


def _made_of_small_talk(words: list[str]) -> ChitchatKind | None:
    """The kind of a sentence in which every word belongs to talk about the assistant, or to yes, no and maybe."""
    if len(words) <= _SHORT and _FILLER_EN.issuperset(words):
        return "smalltalk"
    if len(words) > 14:
        return None
    if _SECOND_PERSON.intersection(words):
        around = _FILLER_EN | _SECOND_PERSON | _QUESTION_WORDS
        telling = [word for word in words if word not in around]
        for kind, vocabulary in _ABOUT_ASSISTANT:
            if telling and vocabulary.issuperset(telling):
                return kind
        if telling and (_ABOUT_ASSISTANT[0][1] | _ABOUT_ASSISTANT[1][1]).issuperset(telling):
            return "capability"
    saying = [word for word in words if word not in _FILLER_EN]
    decisive = {"yes", "no", "maybe", "yeah", "nope", "affirmative", "negative", "true", "false", "correct"}
    if saying and _YES_NO.issuperset(saying) and decisive.intersection(saying):
        return "smalltalk"
    return None

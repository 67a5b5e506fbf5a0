"""The rules of follow-ups in the order in which they are tried, and those about the question before as a whole."""

from __future__ import annotations

import re
from functools import cache

from kbtui.question.asking import talk_kind
from kbtui.question.normalise import Language, question_language
from kbtui.reasoning.offline.followup import pointing_en, pointing_zh
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.swaps import swap_en, swap_zh, swapped
from kbtui.reasoning.offline.followup.topics import event_of
from kbtui.reasoning.offline.followup.words import (
    EN,
    PATTERNS,
    ZH,
    Meant,
    bare,
    either,
    lowered,
    meaning,
    meaning_in,
    meaning_zh,
    starters,
)
from kbtui.text.language import simplified
from kbtui.text.word_lists import toml_in

_MOST_WORDS = 40
_MOST_HAN = 60
"""Longer questions say themselves what they are about."""
_MOST_CORRECTED = {"en": 8, "zh": 24}
"""Words, or characters, of what was meant instead."""


def meant_by(query: str, said: Said) -> Meant | None:
    """``query`` (cleaned) with what it means of ``said``; None where it stands alone."""
    return _chinese(simplified(query), said) if question_language(query) == "zh" else _english(query, said)


def _english(query: str, said: Said) -> Meant | None:
    text = bare(query)
    if not text or len(text.split()) > _MOST_WORDS:
        return None
    if joins := EN.joins.match(query):
        # It is taken for a courtesy elsewhere; here it says that the question goes on.
        text = f"{joins[1].lower()} {text}"
    if (meant := correction(text, said, "en") or _more(text, said, "en") or _short_en(text, said)) is not None:
        return meant
    kind = talk_kind(query, sure=True)
    if kind not in (None, "smalltalk"):
        return None
    if (meant := _narrowed(text, said) or swap_en(text, said)) is not None:
        return meant
    without_lead = EN.lead.sub("", text)
    # Remarks, which neither ask nor tell to do anything, are left alone.
    first = (without_lead.split(maxsplit=1) or [""])[0].lower().strip(",")
    is_request = query.rstrip().endswith(("?", "？")) or first in starters()
    if not is_request or (kind == "smalltalk" and EN.judges.match(text)):
        return None
    return pointing_en.references(without_lead, said)


def _narrowed(text: str, said: Said) -> Meant | None:
    """ "Only the ones from 2024": the question before, of fewer."""
    match = EN.narrows.match(text)
    return meaning(f"{said.question}, only the ones {match['rest']}", text, said.question) if match else None


def _chinese(query: str, said: Said) -> Meant | None:
    text = query.strip().rstrip("?？!！.。~ ")
    if not text or len(text) > _MOST_HAN:
        return None
    if (meant := correction(text, said, "zh") or _more(text, said, "zh") or _short_zh(text, said)) is not None:
        return meant
    if talk_kind(query, sure=True) not in (None, "smalltalk"):
        return None
    rules = (
        pointing_zh.ordinal,
        swap_zh,
        pointing_zh.former,
        pointing_zh.among,
        pointing_zh.noun_back,
        pointing_zh.pronoun,
        pointing_zh.dropped,
    )
    return next((meant for rule in rules if (meant := rule(text, said)) is not None), None)


def correction(text: str, said: Said, language: Language) -> Meant | None:
    """ "No, I meant staging": the question before, with what was wrong in it replaced."""
    match = PATTERNS[language].corrects.match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,，")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,，")
    if not right or len(right if language == "zh" else right.split()) > _MOST_CORRECTED[language]:
        return None
    if not wrong:
        return swapped(right, said, language)
    question, at = said.question, said.question.lower().find(wrong.lower())
    return meaning_in(language, question[:at] + right + question[at + len(wrong) :], wrong, right) if at >= 0 else None


def _more(text: str, said: Said, language: Language) -> Meant | None:
    """ "Tell me more", "an example?", "what else?", "and then?"."""
    for name, template in _templates(language).items():
        if match := getattr(PATTERNS[language], name).match(text):
            topic = event_of(said) if name == "next" else said.question if language == "zh" else lowered(said.question)
            what = match.groupdict().get("what") or ""
            return meaning_in(language, template.format(topic=topic, what=what.capitalize()), text, topic)
    return None


@cache
def _templates(language: Language) -> dict[str, str]:
    templates: dict[str, str] = toml_in(__package__, "chinese.toml" if language == "zh" else "english.toml")["told"]
    return templates


def _short_en(text: str, said: Said) -> Meant | None:
    """ "Why?", "since when?", "which ones?": asked of what the question before says."""
    question = said.question
    inverted = EN.inverted.match(question)
    match = EN.short.match(text) or (EN.short_of.match(text) if inverted else None)
    if match is None:
        return None
    asks = re.sub(r"\s+(?:exactly|then|so|come)$", "", match["asks"], flags=re.I)
    asks = "why" if match["asks"].lower() == "how come" else asks
    asks = asks[0].upper() + asks[1:]
    if inverted and EN.adverbial.match(asks) and said.language == "en":
        return meaning(f"{asks} {lowered(inverted['rest'])}", text, question)
    return meaning(f"{asks}: {lowered(question)}", text, question)


def _short_zh(text: str, said: Said) -> Meant | None:
    """为什么, 什么时候, 怎么用: asked of what the question before says."""
    match = ZH.short.match(text)
    if match is None:
        return None
    asks, question = match["asks"], said.question
    if said.language == "en":
        return meaning_zh(f"{asks}：{question}", text, question)
    told = re.sub(r"(?:了)?(?:吗|么)$", "", question)
    if re.match(r"为什么|为何|为啥", asks):
        if told == question and re.search(either("zh", "asks"), told):
            return meaning_zh(f"为什么：{question}", text, question)
        affirmed = told.replace("是否", "").replace("能否", "能").replace("可否", "可以")
        return meaning_zh(f"{asks}{affirmed}" if asks[-1] in "么何啥" else f"{told}{asks}", text, told)
    if told != question and re.match(r"是?从?(什么时候|何时|哪)", asks):
        return meaning_zh(f"{asks.removesuffix('的')}{told}", text, told)
    means = told if told != question else event_of(said)
    return meaning_zh(f"{means}{asks}", text, means)

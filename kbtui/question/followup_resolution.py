"""Rewrites a follow-up as a standalone question: `resolve_followup`.

A follow-up refers to the dialogue (it, that file, the second one, 前者), repeats a question for another topic (what
about X, in 2023, 那上海呢), is elliptical (why?, since when?) or asks for more of the same. Other and uncertain
questions are left unchanged: searching an incomplete question still finds something, searching for a wrong topic does
not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from kbtui.question.anaphora import anaphor_class, find_anaphors
from kbtui.question.comparisons import sides
from kbtui.question.dialogue import Dialogue, without_courtesies
from kbtui.question.normalise import has_han, question_language
from kbtui.question.noun_phrases import (
    Word,
    is_document_noun,
    is_of_kind,
    joined_noun_phrases,
    role_at,
    role_pattern,
    starts_request,
    tagged_words,
    words_of_kind,
)
from kbtui.question.referents import action_in, event_referent, plural_referent, singular_referent
from kbtui.question.rewrite import RE, Rewrite, make_rewrite, replace_at, with_small_initial
from kbtui.question.substitution import is_fragment, replace_verb_or_description, substitute
from kbtui.question.understanding import small_talk_kind
from kbtui.text.inflection import lemma, root
from kbtui.text.language import simplified
from kbtui.text.numbers import value_of
from kbtui.text.word_lists import toml_in

_MAX_LENGTH: Final = {"en": 40, "zh": 60}
"""Words (``en``) or characters (``zh``) of a follow-up, at most; longer questions name their own topic."""
_MAX_CORRECTED_LENGTH: Final = {"en": 8, "zh": 24}
_POSSESSIVES: Final = frozenset({"its", "their", "his", "theirs", "hers"})
_MEASURES: Final = frozenset("个份篇条项种")


def _language_pattern(name: str, text: str) -> re.Pattern[str]:
    pattern: re.Pattern[str] = getattr(RE, f"{name}_zh" if has_han(text) else name)
    return pattern


def resolve_followup(query: str, dialogue: Dialogue, *, min_probability: float = 0.5) -> Rewrite | None:
    """The standalone form of ``query`` (cleaned); None if it does not refer to ``dialogue``.

    Args:
        sure: Chance from which a word is taken to point out of ``query``.
    """
    text, language = without_courtesies(query), question_language(query)
    if language == "zh":
        query = text = simplified(query).strip().rstrip("?？!！.。~ ")
    elif joins := RE.joins.match(query):
        # A leading "and" is stripped as a courtesy elsewhere; here it marks a continuation.
        text = f"{joins[1].lower()} {text}"
    if not text or len(text if language == "zh" else text.split()) > _MAX_LENGTH[language]:
        return None
    if (
        rewrite := resolve_correction(text, dialogue)
        or _resolve_continuation(text, dialogue)
        or _resolve_question_word(text, dialogue)
    ) is not None:
        return rewrite
    talk = small_talk_kind(query, only_known_words=True)
    if talk not in (None, "smalltalk"):
        return None
    if rewrite := _resolve_ordinal(text, dialogue) if language == "zh" else _resolve_restriction(text, dialogue):
        return rewrite
    if rewrite := _resolve_topic_change(text, dialogue, min_probability):
        return rewrite
    if language == "zh":
        return _resolve_references(text, dialogue, min_probability) or _resolve_missing_subject(text, dialogue)
    without_lead = RE.lead.sub("", text)
    # Remarks, which neither ask nor tell to do anything, are left alone.
    first = (without_lead.split(maxsplit=1) or [""])[0].strip(",")
    is_request = query.rstrip().endswith(("?", "？")) or starts_request(first)
    if not is_request or (talk == "smalltalk" and RE.judges.match(text)):
        return None
    return _resolve_references(without_lead, dialogue, min_probability)


# Follow-ups to the previous question as a whole.


def resolve_correction(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "No, I meant staging": the previous question with the corrected words replaced."""
    match = _language_pattern("corrects", text).match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,，")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,，")
    language = question_language(text)
    if not right or len(right if language == "zh" else right.split()) > _MAX_CORRECTED_LENGTH[language]:
        return None
    if not wrong:
        return substitute(right, dialogue)
    at = dialogue.question.lower().find(wrong.lower())
    return replace_at(dialogue.question, at, at + len(wrong), right) if at >= 0 else None


@cache
def _templates() -> Mapping[str, Mapping[str, str]]:
    table: Any = toml_in("kbtui.question", "words/followup_resolution.toml")["told"]
    return table  # type: ignore[no-any-return]


def _resolve_continuation(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "Tell me more", "an example?", "what else?", "and then?"."""
    language = question_language(text)
    for name, template in _templates()[language].items():
        if match := _language_pattern(name, text).match(text):
            topic = event_referent(dialogue) if name == "next" else with_small_initial(dialogue.question)
            what = match.groupdict().get("what") or ""
            return make_rewrite(template.format(topic=topic, what=what.capitalize()), text, topic)
    return None


def _resolve_question_word(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "Why?", "since when?", 为什么, 怎么用: a question word applied to the previous question."""
    question = dialogue.question
    if has_han(text):
        return _resolve_question_word_zh(text, dialogue)
    inverted = RE.inverted.match(question)
    match = RE.short.match(text) or (RE.short_of.match(text) if inverted else None)
    if match is None:
        return None
    asks = re.sub(r"\s+(?:exactly|then|so|come)$", "", match["asks"], flags=re.I)
    asks = "why" if match["asks"].lower() == "how come" else asks
    asks = asks[0].upper() + asks[1:]
    if inverted and RE.adverbial.match(asks) and dialogue.language == "en":
        return make_rewrite(f"{asks} {with_small_initial(inverted['rest'])}", text, question)
    return make_rewrite(f"{asks}: {with_small_initial(question)}", text, question)


def _resolve_question_word_zh(text: str, dialogue: Dialogue) -> Rewrite | None:
    match, question = RE.short_zh.match(text), dialogue.question
    if match is None:
        return None
    asks = match["asks"]
    if dialogue.language == "en":
        return make_rewrite(f"{asks}：{question}", text, question)
    statement = re.sub(r"(?:了)?(?:吗|么)$", "", question)
    if re.match(r"由?谁", statement) and re.match(r"为|怎么|如何|什么时候|何时|在?哪", asks):
        return make_rewrite(re.sub("^由?谁", asks, statement), text, statement)
    if re.match(r"为什么|为何|为啥", asks):
        if statement == question and re.search(role_pattern("zh", "question"), statement):
            return make_rewrite(f"为什么：{question}", text, question)
        affirmed = statement.replace("是否", "").replace("能否", "能").replace("可否", "可以")
        return make_rewrite(f"{asks}{affirmed}" if asks[-1] in "么何啥" else f"{statement}{asks}", text, statement)
    if statement != question and re.match(r"是?从?(什么时候|何时|哪)", asks):
        return make_rewrite(f"{asks.removesuffix('的')}{statement}", text, statement)
    topic = statement if statement != question else event_referent(dialogue)
    return make_rewrite(f"{topic}{asks}", text, topic)


def _resolve_restriction(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "Only the ones from 2024": the previous question with a restriction."""
    match = RE.narrows.match(text)
    return (
        make_rewrite(f"{dialogue.question}, only the ones {match['rest']}", text, dialogue.question) if match else None
    )


def _resolve_topic_change(text: str, dialogue: Dialogue, min_probability: float) -> Rewrite | None:
    """ "What about PEP 8?", "and for staging?", 那网关呢: the previous question with another topic."""
    match = _language_pattern("turns_to", text).match(text)
    if match is None:
        return None
    fragment = RE.too.sub("", next(filter(None, match.groups())).strip(" ,，"))
    if rewrite := replace_verb_or_description(fragment, dialogue):
        return rewrite
    if not fragment or not is_fragment(fragment, dialogue):
        return None
    if (rewrite := _resolve_ordinal_alone(fragment, dialogue)) is not None:
        return rewrite
    if (rewrite := _resolve_references(fragment, dialogue, min_probability)) is not None:
        about = rewrite.text.rstrip("?？")
        return make_rewrite(f"{about}呢" if has_han(text) else f"What about {about}", fragment, rewrite.replacement)
    if (form := RE.event_form.match(fragment)) and tagged_words(fragment)[0].role == "verb":
        objects = [phrase for phrase in joined_noun_phrases(action_in(dialogue.question)) if not phrase.is_asked_for]
        object_text = fragment.partition(" ")[2]
        return make_rewrite(f"What about {form[0]} {object_text or (objects[0].text if objects else '')}", "", fragment)
    return substitute(fragment, dialogue)


# Words that refer to the dialogue.


def _resolve_references(text: str, dialogue: Dialogue, min_probability: float) -> Rewrite | None:
    """``text`` with its first referring expression replaced by the referent."""
    rules = (_resolve_ordinal, _resolve_former, _resolve_among, _resolve_one_of)
    return next((rewrite for rule in rules if (rewrite := rule(text, dialogue)) is not None), None) or _resolve_anaphor(
        text, dialogue, min_probability
    )


def _listed_items(dialogue: Dialogue) -> Sequence[str]:
    return sides(dialogue.question) or dialogue.items


def _nth_item(number: int, dialogue: Dialogue) -> str:
    """The n-th listed or compared item (from 1; 0 is the last); empty if there are fewer."""
    items = _listed_items(dialogue)
    return items[number - 1] if number <= len(items) and items else ""


def _ordinal_value(text: str) -> int:
    text = text.lower().removeprefix("第").strip()
    if text == "last" or text.startswith("最后"):
        return 0
    return (
        words_of_kind("en", "ordinals").index(text) + 1
        if text.isascii() and text.isalpha()
        else int(value_of(text) or 0)
    )


def _resolve_ordinal_alone(fragment: str, dialogue: Dialogue) -> Rewrite | None:
    """ "The second one" as the whole fragment."""
    match = None if has_han(fragment) else RE.nth_alone.match(fragment) or RE.nth.fullmatch(fragment)
    item = _nth_item(_ordinal_value(match["nth"]), dialogue) if match else ""
    if match is None or not item:
        return None
    noun = match.groupdict().get("what") or "one"
    if noun.startswith("one"):
        return make_rewrite(f"What about {item}", fragment, item)
    return make_rewrite(f"What about the {match['nth']} {noun} of {event_referent(dialogue)} ({item})", fragment, item)


def _resolve_ordinal(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "The second step" of an explanation, "the first one" of a list, 第二步, 第一个."""
    is_chinese = has_han(text)
    match = _language_pattern("nth", text).search(text)
    if match is None or (is_chinese and _names_owner(text, match)):
        return None
    item, noun = _nth_item(_ordinal_value(match["nth"]), dialogue), match["what"].lower()
    names_item = bool(noun in _MEASURES or match["noun"]) if is_chinese else noun.startswith("one")
    has_steps = dialogue.items or action_in(dialogue.question) or dialogue.speaks_of(lemma(noun))
    if not item and (names_item or not has_steps):
        return None
    if is_chinese:
        replacement = (
            item if names_item else f"{event_referent(dialogue)}的{match[0]}" + (f"（{item}）" if item else "")
        )
        before, after = re.sub(r"^那|呢$", "", text[: match.start()]), text[match.end() :].removesuffix("呢")
        return make_rewrite(before + replacement + (after or "是什么"), match[0], replacement)
    replacement = (
        item
        if names_item
        else f"the {match['nth']} {noun} of {event_referent(dialogue)}" + (f" ({item})" if item else "")
    )
    return replace_at(text, *match.span(), replacement)


def _names_owner(text: str, match: re.Match[str]) -> bool:
    """Whether the question itself names the owner of the n-th part: 安全指南的第一章."""
    follows = tagged_words(text[match.end() :].removeprefix("的"))
    is_part = match["what"] in words_of_kind("zh", "parts") or match["what"] == "个"
    return text[: match.start()].endswith("的") or (not is_part and role_at(follows, 0) == "noun")


def _resolve_former(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "The former", "the latter", 前者, 后者: one of the two compared things."""
    match, pair = RE.former.search(text), sides(dialogue.question)
    if match is None or len(pair) < 2 or re.search(r"(?:和|与|跟|还是)", text[: match.start()]):
        return None
    return replace_at(text, *match.span(), pair[match[0].lower().endswith(("latter", "后者"))])


def _resolve_among(text: str, dialogue: Dialogue) -> Rewrite | None:
    """其中哪些已经通过: a question about the listed items."""
    match = RE.among_zh.match(text)
    listed = plural_referent(dialogue) if match else ""
    return make_rewrite(f"{listed}中{match['rest']}", "其中", listed) if match and listed else None


def _resolve_one_of(text: str, dialogue: Dialogue) -> Rewrite | None:
    """ "Which of them is older?", "which one is faster?": one of the two compared things."""
    match, pair = RE.one_of.search(text), sides(dialogue.question)
    if match is None or len(pair) < 2 or sides(text):
        return None
    both = " and ".join(pair)
    rewrite = replace_at(text, *match.span(), f"which of {both}" if match[0].lower().startswith("which") else both)
    return Rewrite(rewrite.text, match[0], both)


def _resolve_anaphor(text: str, dialogue: Dialogue, min_probability: float) -> Rewrite | None:
    """``text`` with its first anaphor, and the noun that belongs to it, replaced by the antecedent."""
    words = tagged_words(text)
    for at, word in find_anaphors(text, min_probability):
        name, follows = anaphor_class(word), role_at(words, at + 1)
        noun = words[at + 1] if name in ("that", "this", "these", "this one") and at + 1 < len(words) else None
        if noun is not None and (follows in ("noun", "mention") or is_document_noun(noun.text)):
            if antecedent := _noun_antecedent(noun, dialogue):
                start = 0 if text[: word.start] == "那" else word.start
                return replace_at(text, start, noun.end, antecedent)
            continue
        if word.text[0] in "该同":
            continue
        antecedent = _antecedent(name, word, words, dialogue)
        if not antecedent:
            continue
        start = 0 if has_han(text) and text[: word.start] == "那" else word.start
        end = word.end
        if word.lower in _POSSESSIVES or (word.lower == "her" and follows in ("noun", "mention", "verb")):
            inflected = f"{antecedent}'" if antecedent.endswith("s") else f"{antecedent}'s"
        elif word.text == "其":
            inflected = f"{antecedent}的"
        else:
            inflected = f"{antecedent} is" if word.lower == "it's" else antecedent
        return Rewrite(replace_at(text, start, end, inflected).text, word.text, antecedent)
    return None


def _antecedent(name: str, word: Word, words: Sequence[Word], dialogue: Dialogue) -> str:
    """The antecedent of a word: what was mentioned last and agrees with it in number and kind."""
    if name == "he":
        people = dialogue.latest_people()
        return "和".join(people) if "们" in word.text else next(iter(people), "")
    if name in ("they", "these") or word.lower in ("their", "theirs") or word.text[1:] == "些":
        return plural_referent(dialogue)
    if has_han(word.text):
        text = "".join(one.text for one in words)
        takes_place = name in ("this", "that") or any(event in text for event in words_of_kind("zh", "events"))
        return event_referent(dialogue) if takes_place else singular_referent(dialogue)
    if name in ("that", "this"):
        return event_referent(dialogue)
    events = {root(verb) for verb in words_of_kind("en", "events")}
    return singular_referent(
        dialogue, takes_place=not events.isdisjoint(root(one.lower) for one in words if one.role != "mention")
    )


def _noun_antecedent(noun: Word, dialogue: Dialogue) -> str:
    """The antecedent of "that ``noun``"; empty if nothing fits."""
    kind = noun.lower.split()[0]
    if is_of_kind("labels", kind) and (label := dialogue.latest_label(kind)):
        return label
    if is_of_kind("files", kind):
        if not has_han(kind) and lemma(kind) != kind:
            # "These notes" may mean all notes, unless some were listed in the answer.
            return " and ".join(dialogue.items[:3]) if len(dialogue.items) > 1 else ""
        is_known_file = is_of_kind("any_file", kind) or dialogue.speaks_of(kind)
        path = dialogue.latest_file() if is_known_file else ""
        return path if has_han(kind) or not path else f"the {kind} {path}"
    phrases = [phrase for phrase in joined_noun_phrases(dialogue.question) if not phrase.is_asked_for]
    singular = lemma(kind)
    if matching := next(
        (one.text for one in phrases if singular in one.text.lower() and one.text.lower() != singular), ""
    ):
        return matching
    mention_text = next((phrase.text for phrase in phrases if phrase.mention is not None), "")
    if mention_text and is_of_kind("literal", kind):
        return mention_text
    if RE.defines.search(dialogue.question):
        return singular_referent(dialogue) if is_document_noun(kind) else ""
    # "That decision" may be one about the topic; a system or a team that nobody named cannot be resolved.
    about = event_referent(dialogue) if is_of_kind("about", kind) else ""
    return "" if not about else f"{about}的{kind}" if has_han(kind) else f"the {kind} about {about}"


def _resolve_missing_subject(text: str, dialogue: Dialogue) -> Rewrite | None:
    """谁批准的, 需要多长时间, 作者是谁: questions without their subject.

    Chinese omits subjects that are clear from context, so many follow-ups have no pronoun; only forms that cannot
    stand alone are completed.
    """
    match = RE.verbless_zh.match(text)
    if match is None:
        return None
    name, part = next((name, value) for name, value in match.groupdict().items() if value)
    subject = event_referent(dialogue) if name in ("needs", "such") else singular_referent(dialogue)
    subject = re.sub(r"(?:了)?(?:吗|么)$", "", subject)
    if name == "attribute":
        return make_rewrite(f"{subject}的{part}", "", subject) if subject and not subject.endswith(part[:2]) else None
    verb = tagged_words(part.removesuffix("的"))[-1]
    return make_rewrite(f"{subject.removesuffix(verb.text)}{part}", "", subject) if subject else None

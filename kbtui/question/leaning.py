"""Puts a question that leans on what was said before in full: `in_full`.

It names a thing of the answer (it, that file, the second one, 前者), asks again about another one (what about X, and in
2023, 那上海呢), is cut off (why?, since when?) or wants more of the same. What is none of these, or unsure, is
left as it was asked: a question that is searched as it stands finds something, one with a wrong topic the wrong thing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final

from kbtui.domain.conversation import Turn
from kbtui.question.asking import talk_kind
from kbtui.question.full import RE, Meant, lowered, meaning, put
from kbtui.question.normalise import clean, has_han, question_language
from kbtui.question.pointing import class_of, pointing
from kbtui.question.said import Said, bare, said_in
from kbtui.question.sides import sides
from kbtui.question.swaps import is_fragment, of_same_kind, swapped
from kbtui.question.things import (
    Word,
    is_in,
    is_known,
    joined_things,
    listed,
    of_role,
    role_at,
    starts_request,
    words_of,
)
from kbtui.question.topics import doing_of, event_of, plural_of, subject_of
from kbtui.text.inflection import lemma, root
from kbtui.text.language import simplified
from kbtui.text.numbers import value_of
from kbtui.text.tokenise import content_words
from kbtui.text.word_lists import toml_in

_MOST: Final = {"en": 40, "zh": 60}
"""Words, or characters; longer questions say themselves what they are about."""
_MOST_CORRECTED: Final = {"en": 8, "zh": 24}
_MOST_CONTENT: Final = 2
"""Content words of an English fragment."""
_MOST_HAN: Final = 6
_MOST_HAN_ASKING: Final = 12
"""Characters of a Chinese fragment, and of one that ends with 呢."""
_OWNERS: Final = frozenset({"its", "their", "his", "theirs", "hers"})
_MEASURES: Final = frozenset("个份篇条项种")


def _pattern(name: str, text: str) -> re.Pattern[str]:
    pattern: re.Pattern[str] = getattr(RE, f"{name}_zh" if has_han(text) else name)
    return pattern


def in_full(query: str, said: Said, *, sure: float = 0.5) -> Meant | None:
    """``query`` (cleaned) with what it means of ``said``; None where it stands alone.

    Args:
        sure: Chance from which a word is taken to point out of ``query``.
    """
    text, language = bare(query), question_language(query)
    if language == "zh":
        query = text = simplified(query).strip().rstrip("?？!！.。~ ")
    elif joins := RE.joins.match(query):
        # It is taken for a courtesy elsewhere; here it says that the question goes on.
        text = f"{joins[1].lower()} {text}"
    if not text or len(text if language == "zh" else text.split()) > _MOST[language]:
        return None
    if (meant := correction(text, said) or _more(text, said) or _cut_off(text, said)) is not None:
        return meant
    talk = talk_kind(query, sure=True)
    if talk not in (None, "smalltalk"):
        return None
    if meant := _nth(text, said) if language == "zh" else _narrowed(text, said):
        return meant
    if meant := _another(text, said, sure):
        return meant
    if language == "zh":
        return _references(text, said, sure) or _dropped(text, said)
    without_lead = RE.lead.sub("", text)
    # Remarks, which neither ask nor tell to do anything, are left alone.
    first = (without_lead.split(maxsplit=1) or [""])[0].strip(",")
    is_request = query.rstrip().endswith(("?", "？")) or starts_request(first)
    if not is_request or (talk == "smalltalk" and RE.judges.match(text)):
        return None
    return _references(without_lead, said, sure)


# The question before as a whole.


def correction(text: str, said: Said) -> Meant | None:
    """ "No, I meant staging": the question before, with what was wrong in it replaced."""
    match = _pattern("corrects", text).match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,，")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,，")
    language = question_language(text)
    if not right or len(right if language == "zh" else right.split()) > _MOST_CORRECTED[language]:
        return None
    if not wrong:
        return swapped(right, said)
    at = said.question.lower().find(wrong.lower())
    return put(said.question, at, at + len(wrong), right) if at >= 0 else None


@cache
def _templates() -> Mapping[str, Mapping[str, str]]:
    table: Any = toml_in("kbtui.question", "words/leaning.toml")["told"]
    return table  # type: ignore[no-any-return]


def _more(text: str, said: Said) -> Meant | None:
    """ "Tell me more", "an example?", "what else?", "and then?"."""
    language = question_language(text)
    for name, template in _templates()[language].items():
        if match := _pattern(name, text).match(text):
            topic = event_of(said) if name == "next" else lowered(said.question)
            what = match.groupdict().get("what") or ""
            return meaning(template.format(topic=topic, what=what.capitalize()), text, topic)
    return None


def _cut_off(text: str, said: Said) -> Meant | None:
    """ "Why?", "since when?", 为什么, 怎么用: asked of what the question before says."""
    question = said.question
    if has_han(text):
        return _cut_off_zh(text, said)
    inverted = RE.inverted.match(question)
    match = RE.short.match(text) or (RE.short_of.match(text) if inverted else None)
    if match is None:
        return None
    asks = re.sub(r"\s+(?:exactly|then|so|come)$", "", match["asks"], flags=re.I)
    asks = "why" if match["asks"].lower() == "how come" else asks
    asks = asks[0].upper() + asks[1:]
    if inverted and RE.adverbial.match(asks) and said.language == "en":
        return meaning(f"{asks} {lowered(inverted['rest'])}", text, question)
    return meaning(f"{asks}: {lowered(question)}", text, question)


def _cut_off_zh(text: str, said: Said) -> Meant | None:
    match, question = RE.short_zh.match(text), said.question
    if match is None:
        return None
    asks = match["asks"]
    if said.language == "en":
        return meaning(f"{asks}：{question}", text, question)
    told = re.sub(r"(?:了)?(?:吗|么)$", "", question)
    if re.match(r"由?谁", told) and re.match(r"为|怎么|如何|什么时候|何时|在?哪", asks):
        return meaning(re.sub("^由?谁", asks, told), text, told)
    if re.match(r"为什么|为何|为啥", asks):
        if told == question and re.search(of_role("zh", "question"), told):
            return meaning(f"为什么：{question}", text, question)
        affirmed = told.replace("是否", "").replace("能否", "能").replace("可否", "可以")
        return meaning(f"{asks}{affirmed}" if asks[-1] in "么何啥" else f"{told}{asks}", text, told)
    if told != question and re.match(r"是?从?(什么时候|何时|哪)", asks):
        return meaning(f"{asks.removesuffix('的')}{told}", text, told)
    means = told if told != question else event_of(said)
    return meaning(f"{means}{asks}", text, means)


def _narrowed(text: str, said: Said) -> Meant | None:
    """ "Only the ones from 2024": the question before, of fewer."""
    match = RE.narrows.match(text)
    return meaning(f"{said.question}, only the ones {match['rest']}", text, said.question) if match else None


def _another(text: str, said: Said, sure: float) -> Meant | None:
    """ "What about PEP 8?", "and for staging?", 那网关呢: the question before, about something else."""
    match = _pattern("turns_to", text).match(text)
    if match is None:
        return None
    fragment = RE.too.sub("", next(filter(None, match.groups())).strip(" ,，"))
    if meant := of_same_kind(fragment, said):
        return meant
    if not fragment or not is_fragment(fragment, said):
        return None
    if (meant := _only_nth(fragment, said)) is not None:
        return meant
    if (meant := _references(fragment, said, sure)) is not None:
        about = meant.text.rstrip("?？")
        return meaning(f"{about}呢" if has_han(text) else f"What about {about}", fragment, meant.means)
    if (form := RE.event_form.match(fragment)) and words_of(fragment)[0].role == "verb":
        objects = [thing for thing in joined_things(doing_of(said.question)) if not thing.asked]
        rest = fragment.partition(" ")[2]
        return meaning(f"What about {form[0]} {rest or (objects[0].text if objects else '')}", "", fragment)
    return swapped(fragment, said)


# What points back.


def _references(text: str, said: Said, sure: float) -> Meant | None:
    """``text`` with the first thing in it that points back replaced by what it points at."""
    rules = (_nth, _former, _among, _one_of)
    return next((meant for rule in rules if (meant := rule(text, said)) is not None), None) or _pointed(
        text, said, sure
    )


def _items(said: Said) -> Sequence[str]:
    return sides(said.question) or said.items


def _item(number: int, said: Said) -> str:
    """The first, second … of what was listed or put side by side, or the last (0); empty where there are fewer."""
    items = _items(said)
    return items[number - 1] if number <= len(items) and items else ""


def _number(text: str) -> int:
    text = text.lower().removeprefix("第").strip()
    if text == "last" or text.startswith("最后"):
        return 0
    return listed("en", "ordinals").index(text) + 1 if text.isascii() and text.isalpha() else int(value_of(text) or 0)


def _only_nth(fragment: str, said: Said) -> Meant | None:
    """ "The second one" and nothing else."""
    match = None if has_han(fragment) else RE.nth_alone.match(fragment) or RE.nth.fullmatch(fragment)
    item = _item(_number(match["nth"]), said) if match else ""
    if match is None or not item:
        return None
    what = match.groupdict().get("what") or "one"
    if what.startswith("one"):
        return meaning(f"What about {item}", fragment, item)
    return meaning(f"What about the {match['nth']} {what} of {event_of(said)} ({item})", fragment, item)


def _nth(text: str, said: Said) -> Meant | None:
    """ "The second step" of what was explained, "the first one" of what was listed, 第二步, 第一个."""
    is_chinese = has_han(text)
    match = _pattern("nth", text).search(text)
    if match is None or (is_chinese and _owned(text, match)):
        return None
    item, what = _item(_number(match["nth"]), said), match["what"].lower()
    by_itself = bool(what in _MEASURES or match["noun"]) if is_chinese else what.startswith("one")
    known = said.items or doing_of(said.question) or said.speaks_of(lemma(what))
    if not item and (by_itself or not known):
        return None
    if is_chinese:
        means = item if by_itself else f"{event_of(said)}的{match[0]}" + (f"（{item}）" if item else "")
        before, after = re.sub(r"^那|呢$", "", text[: match.start()]), text[match.end() :].removesuffix("呢")
        return meaning(before + means + (after or "是什么"), match[0], means)
    means = item if by_itself else f"the {match['nth']} {what} of {event_of(said)}" + (f" ({item})" if item else "")
    return put(text, *match.span(), means)


def _owned(text: str, match: re.Match[str]) -> bool:
    """True where the question itself says of what: 安全指南的第一章."""
    follows = words_of(text[match.end() :].removeprefix("的"))
    is_part = match["what"] in listed("zh", "parts") or match["what"] == "个"
    return text[: match.start()].endswith("的") or (not is_part and role_at(follows, 0) == "noun")


def _former(text: str, said: Said) -> Meant | None:
    """ "The former", "the latter", 前者, 后者 of the two that were put side by side."""
    match, pair = RE.former.search(text), sides(said.question)
    if match is None or len(pair) < 2 or re.search(r"(?:和|与|跟|还是)", text[: match.start()]):
        return None
    return put(text, *match.span(), pair[match[0].lower().endswith(("latter", "后者"))])


def _among(text: str, said: Said) -> Meant | None:
    """其中哪些已经通过: of what was listed."""
    match = RE.among_zh.match(text)
    means = plural_of(said) if match else ""
    return meaning(f"{means}中{match['rest']}", "其中", means) if match and means else None


def _one_of(text: str, said: Said) -> Meant | None:
    """ "Which of them is older?", "which one is faster?": of the two that were compared."""
    match, pair = RE.one_of.search(text), sides(said.question)
    if match is None or len(pair) < 2 or sides(text):
        return None
    both = " and ".join(pair)
    meant = put(text, *match.span(), f"which of {both}" if match[0].lower().startswith("which") else both)
    return Meant(meant.text, match[0], both)


def _pointed(text: str, said: Said, sure: float) -> Meant | None:
    """The first word that points out of a question, with the noun that goes with it, in full."""
    words = words_of(text)
    for at, word in pointing(text, sure):
        name, follows = class_of(word), role_at(words, at + 1)
        noun = words[at + 1] if name in ("that", "this", "these", "this one") and at + 1 < len(words) else None
        if noun is not None and (follows in ("noun", "mention") or is_known(noun.text)):
            if means := _named(noun, said):
                start = 0 if text[: word.start] == "那" else word.start
                return put(text, start, noun.end, means)
            continue
        if word.text[0] in "该同":
            continue
        means = _antecedent(name, word, words, said)
        if not means:
            continue
        start = 0 if has_han(text) and text[: word.start] == "那" else word.start
        end = word.end
        if word.lower in _OWNERS or (word.lower == "her" and follows in ("noun", "mention", "verb")):
            here = f"{means}'" if means.endswith("s") else f"{means}'s"
        elif word.text == "其":
            here = f"{means}的"
        else:
            here = f"{means} is" if word.lower == "it's" else means
        return Meant(put(text, start, end, here).text, word.text, means)
    return None


def _antecedent(name: str, word: Word, words: Sequence[Word], said: Said) -> str:
    """What a word means: what was last spoken of and agrees with it in number and kind."""
    if name == "he":
        people = said.people()
        return "和".join(people) if "们" in word.text else next(iter(people), "")
    if name in ("they", "these") or word.lower in ("their", "theirs") or word.text[1:] == "些":
        return plural_of(said)
    if has_han(word.text):
        text = "".join(one.text for one in words)
        takes_place = name in ("this", "that") or any(event in text for event in listed("zh", "events"))
        return event_of(said) if takes_place else subject_of(said)
    if name in ("that", "this"):
        return event_of(said)
    events = {root(verb) for verb in listed("en", "events")}
    return subject_of(
        said, takes_place=not events.isdisjoint(root(one.lower) for one in words if one.role != "mention")
    )


def _named(noun: Word, said: Said) -> str:
    """What "that ``noun``" means; empty where nothing fits."""
    kind = noun.lower.split()[0]
    if is_in("labels", kind) and (label := said.label(kind)):
        return label
    if is_in("files", kind):
        if not has_han(kind) and lemma(kind) != kind:
            # "These notes" may be all there are, unless some were just listed.
            return " and ".join(said.items[:3]) if len(said.items) > 1 else ""
        known = is_in("any_file", kind) or said.speaks_of(kind)
        path = said.file() if known else ""
        return path if has_han(kind) or not path else f"the {kind} {path}"
    things = [thing for thing in joined_things(said.question) if not thing.asked]
    single = lemma(kind)
    if same := next((one.text for one in things if single in one.text.lower() and one.text.lower() != single), ""):
        return same
    named = next((thing.text for thing in things if thing.mention is not None), "")
    if named and is_in("literal", kind):
        return named
    if RE.defines.search(said.question):
        return subject_of(said) if is_known(kind) else ""
    # There can be a decision about a topic; of a system or a team that nobody named, nothing is known.
    about = event_of(said) if is_in("about", kind) else ""
    return "" if not about else f"{about}的{kind}" if has_han(kind) else f"the {kind} about {about}"


def _dropped(text: str, said: Said) -> Meant | None:
    """谁批准的, 需要多长时间, 作者是谁: what they are about was left out.

    Chinese drops what is clear, so many follow-ups have no pronoun at all; only forms that cannot be whole questions
    are completed.
    """
    match = RE.verbless_zh.match(text)
    if match is None:
        return None
    name, part = next((name, value) for name, value in match.groupdict().items() if value)
    means = event_of(said) if name in ("needs", "such") else subject_of(said)
    means = re.sub(r"(?:了)?(?:吗|么)$", "", means)
    if name == "attribute":
        return meaning(f"{means}的{part}", "", means) if means and not means.endswith(part[:2]) else None
    verb = words_of(part.removesuffix("的"))[-1]
    return meaning(f"{means.removesuffix(verb.text)}{part}", "", means) if means else None


# What a refused question can be the base of.


def is_correction(query: str, before: Turn) -> bool:
    """True for "no, I meant Boston", which speaks of the question before whatever came of it."""
    said = said_in((before,))
    return said is not None and correction(simplified(bare(query)), said) is not None


def is_cut_off(query: str) -> bool:
    """True for what cannot be a question of its own: "and per site?", "as a pie chart", 那台北呢."""
    text = clean(query).strip().rstrip("?？!！.。~ ")
    if has_han(text):
        text = simplified(text)
        if text.endswith("呢"):
            return len(text) <= _MOST_HAN_ASKING
        return len(text) <= _MOST_HAN and bool(RE.fragment_zh.search(text)) and not RE.whole_zh.search(text)
    if len(content_words(text)) > _MOST_CONTENT or (RE.asks_more.match(text) and not RE.points.search(text)):
        return False
    return bool(RE.fragment.match(text) or RE.points.search(text))

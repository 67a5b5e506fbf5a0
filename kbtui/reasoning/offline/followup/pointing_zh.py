"""Chinese words that point back (它, 那个文件, 第二步, 前者), and questions that leave out what they are about."""

from __future__ import annotations

import re
from typing import Final

from kbtui.question.mentions import find_mentions
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.things_zh import is_doing, segments_of, topic_of
from kbtui.reasoning.offline.followup.topics import event_of, pair_of, plural_of, subject_of
from kbtui.reasoning.offline.followup.words import HAN, ZH, Meant, either, listed, meaning_zh, word_set
from kbtui.text.numbers import value_of

_MEASURES: Final = frozenset("个份篇条项种")
_HALVES: Final = ("其", "吉", "尤", "及", "与", "极", "利", "维", "因", "彼", "从", "由", "如")
"""With what follows these are one word: 其他, 吉他, 因此."""


def ordinal(text: str, said: Said) -> Meant | None:
    """第二步, 第一个: of what was explained or listed."""
    match = ZH.nth.search(text)
    if match is None or _owned(text, match):
        return None
    items = pair_of(said) or said.items
    digits = match["nth"].removeprefix("第").strip()
    place = len(items) - 1 if digits.startswith("最后") else int(value_of(digits) or 0) - 1
    item = items[place] if 0 <= place < len(items) else ""
    by_itself = match["what"] in _MEASURES or match["noun"]
    if not item and (by_itself or not (said.items or match["what"] in said.question or is_doing(said.question))):
        return None
    means = item if by_itself else f"{event_of(said)}的{match[0]}" + (f"（{item}）" if item else "")
    before, after = re.sub(r"^那|呢$", "", text[: match.start()]), text[match.end() :].removesuffix("呢")
    return meaning_zh(before + means + (after or "是什么"), match[0], means)


def _owned(text: str, match: re.Match[str]) -> bool:
    """True where the question itself says of what: 安全指南的第一章."""
    follows = re.match(rf"的?[{HAN}A-Za-z]{{2,}}", text[match.end() :])
    is_part = match["what"] in word_set("zh", "parts") | {"个"}
    return text[: match.start()].endswith("的") or (follows is not None and not is_part)


def former(text: str, said: Said) -> Meant | None:
    """前者 and 后者 of the two that were compared."""
    match, pair = re.search(r"前者|后者", text), pair_of(said)
    if match is None or len(pair) < 2 or re.search(r"(?:和|与|跟|还是)", text[: match.start()]):
        return None
    means = pair[match[0] == "后者"]
    return meaning_zh(text[: match.start()] + means + text[match.end() :], match[0], means)


def noun_back(text: str, said: Said) -> Meant | None:
    """那个文件, 该 PEP, 这些权限."""
    match = ZH.back.search(text)
    if match is None:
        return None
    before = text[: match.start()]
    if re.match(either("zh", "surroundings"), text[match.start("noun") :]) or _is_other_word(text, match):
        return None
    if ZH.clause.search(before) and _names(before):
        return None
    means = _named_back(match["noun"], said)
    return meaning_zh(re.sub(r"^那$", "", before) + means + text[match.end() :], match[0], means) if means else None


def _is_other_word(text: str, match: re.Match[str]) -> bool:
    """True for 应该 and 该不该, 因此 and 彼此, 那么多."""
    before, noun = text[max(0, match.start() - 1) : match.start()], match["noun"]
    if match["which"] == "该":
        named = noun.isascii() or noun in word_set("zh", "files", "kinds")
        at_start = match.start() == 0 and noun in word_set("zh", "attributes")
        return before in ("应", "不", "我", "们") or not (named or at_start)
    return before in ("因", "彼", "从", "由", "如") and match["which"] == "此"


def _named_back(noun: str, said: Said) -> str:
    if noun.isascii():
        return said.label(noun) if noun.lower().removesuffix("s") in word_set("en", "labels") else ""
    if noun in word_set("zh", "files"):
        known = noun in word_set("zh", "any_file") or said.speaks_of(noun)
        return (said.file() or subject_of(said)) if known else ""
    question = said.question
    for segment in segments_of(question):
        if noun in segment.text and segment.text != noun:
            return segment.text
        if noun in segment.text and said.language == "zh":
            topic = topic_of(question).subject
            return f"{topic}的{noun}" if topic and noun not in topic else topic
    mentions = find_mentions(question)
    if mentions and noun in word_set("zh", "literal"):
        return question[mentions[0].start : mentions[0].end]
    return subject_of(said) if noun in word_set("zh", "about_a_topic") or ZH.defines.search(question) else ""


def among(text: str, said: Said) -> Meant | None:
    """其中哪些已经通过: of what was listed."""
    match, means = ZH.among.match(text), plural_of(said)
    return meaning_zh(f"{means}中{match['rest']}", "其中", means) if match and means else None


def pronoun(text: str, said: Said) -> Meant | None:
    """它, 其, 这个, 她: what no earlier clause of the question names."""
    mentions = find_mentions(text)
    for match in ZH.pronoun.finditer(text):
        word, before, after = match[0], text[: match.start()], text[match.end() :]
        if any(mention.start <= match.start() < mention.end for mention in mentions):
            continue
        if before.endswith(_HALVES) and word in ("其", "他", "它", "此"):
            return None
        if word[0] in "他她":
            people = said.people() if "们" in word else said.people()[:1]
            if not people or before.endswith("其") or _names(before):
                return None
            return meaning_zh(before + "和".join(people) + after, word, "和".join(people))
        if word[0] in "这那此" and not _points(word, before, after):
            continue
        if ZH.clause.search(before) and _names(before):
            return None
        is_condition = re.match(r"^(?:如果|当|要是|一旦|假如)", text) is not None
        if (is_condition or word.startswith("其") or after.startswith("的")) and _names(before, "verbs"):
            return None
        if "们" in word and (several := plural_of(said)):
            return meaning_zh(before + several + after, word, several)
        takes_place = any(one in after or one in before for one in listed("zh", "events"))
        means = event_of(said) if takes_place or word in ("这", "那") else subject_of(said)
        return meaning_zh(re.sub(r"^那(?=.)", "", before) + means + after, word, means) if means else None
    return None


def _names(before: str, *lists: str) -> bool:
    """True where words in front of a pronoun name something; with ``verbs``, and do not only say what is done."""
    rest = re.sub(either("zh", "asks", "predicates", "cuts", *lists), "", before)
    if lists:
        rest = re.sub("如果|要是|一旦|假如|当", "", rest)
    return (not lists and bool(find_mentions(before))) or len(re.sub(rf"[^{HAN}A-Za-z]", "", rest)) > 1


def _points(word: str, before: str, after: str) -> bool:
    """True where 这 or 那 is a pronoun: 这是, 这怎么用, 那是什么时候; "那怎么回滚" only leads on."""
    if re.match(either("zh", "surroundings"), after):
        return False
    after = re.sub(r"^(?:一般|通常|大概|大约|具体|到底|究竟|真的|主要|现在|以前|后来)", "", after)
    if (word in ("那", "此") and not ZH.that_is.match(after)) or (word in ("这", "那") and not ZH.this_is.match(after)):
        return False
    after = after.lstrip()
    if re.match(rf"[{HAN}A-Za-z]", after) and word in ("这个", "那个", "这些", "那些"):
        return bool(re.match(either("zh", "asks", "predicates") + "|和|与|跟|不|怎|的", after))
    return not re.search(r"(?:像|比)$", before)


def dropped(text: str, said: Said) -> Meant | None:
    """谁批准的, 需要多长时间, 作者是谁: what they are about was left out.

    Chinese drops what is clear, so many follow-ups have no pronoun at all; only forms that cannot be whole questions
    are completed.
    """
    match = ZH.verbless.match(text)
    if match is None:
        return None
    part = next(value for value in match.groupdict().values() if value)
    if match["attribute"]:
        subject = subject_of(said)
        return meaning_zh(f"{subject}的{part}", "", subject) if subject and not subject.endswith(part[:2]) else None
    if match["rest"] and re.search(r"^(?:怎么|如何|怎样)", part) is None and said.language == "zh":
        means = topic_of(said.question).subject
    else:
        means = event_of(said) if match["needs"] or match["such"] else subject_of(said)
    means = re.sub(r"(?:了)?(?:吗|么)$", "", means)
    if verb := re.search(rf"({either('zh', 'verbs')})的?$", part):
        means = means.removesuffix(verb[1])
    return meaning_zh(f"{means}{part}", "", means) if means else None

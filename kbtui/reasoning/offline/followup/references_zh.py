"""Chinese words that point back: 它, 这个, 那个文件, 第二步, 前者."""

from __future__ import annotations

import re

from kbtui.reasoning.offline.followup.meant import Meant
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.segments_zh import segments_of
from kbtui.reasoning.offline.followup.topics import event_of, pair_of, subject_of
from kbtui.reasoning.offline.followup.topics_zh import END, HAN, is_doing, meaning, topic_of
from kbtui.reasoning.offline.followup.words import either, listed, word_set
from kbtui.reasoning.offline.mentions import find_mentions
from kbtui.text.numbers import HAN as HAN_NUMERALS
from kbtui.text.numbers import value_of

_NTH = re.compile(
    rf"(?P<nth>第\s*[{HAN_NUMERALS}0-9]{{1,2}}|最后一?)\s*(?P<what>个|{either('zh', 'parts')}|份|篇|条|项|种)"
    rf"(?P<noun>{either('zh', 'files')})?(?![{HAN}]?度)"
)


def ordinal(text: str, said: Said) -> Meant | None:
    """第二步, 第一个: of what was explained or listed."""
    match = _NTH.search(text)
    if match is None or _owned(text, match):
        return None
    items = pair_of(said) or said.items
    digits = match["nth"].removeprefix("第").strip()
    place = int(value_of(digits) or 0) - 1
    if digits.startswith("最后"):
        place = len(items) - 1
    item = items[place] if 0 <= place < len(items) else ""
    by_itself = match["what"] in ("个", "份", "篇", "条", "项", "种") or match["noun"]
    known = bool(said.items) or match["what"] in said.question or is_doing(said.question)
    if not item and (by_itself or not known):
        return None
    means = item if by_itself else f"{event_of(said)}的{match[0]}" + (f"（{item}）" if item else "")
    rest = re.sub(r"^那|呢$", "", text[: match.start()]), text[match.end() :].removesuffix("呢")
    return meaning(rest[0] + means + (rest[1] or "是什么"), match[0], means)


def _owned(text: str, match: re.Match[str]) -> bool:
    """True where the question itself says of what: 安全指南的第一章."""
    return text[: match.start()].endswith("的") or bool(
        re.match(rf"的?[{HAN}A-Za-z]{{2,}}", text[match.end() :])
        and match["what"] not in word_set("zh", "parts") | {"个"}
    )


_MEASURE = either("zh", "measures")


_NOUN_BACK = re.compile(
    rf"(?P<which>(?:这|那)(?:一|两|几)?(?:{_MEASURE})?|该|上述|此|同一?(?:{_MEASURE}))\s*"
    rf"(?P<noun>[A-Za-z]+|{either('zh', 'files', 'parts', 'attributes', 'kinds')})"
)


_PRONOUN = re.compile(
    r"它们?(?!的?名字叫)|其(?![他它实中余次间尤])"
    r"|(?:这|那)(?:一?个|些)?(?!(?:一|两|几)?(?:个|份|篇|条|种|次|位|项|段|本|张|台|些|类|步|章|样|里|边|时|么|儿|会儿))"
    r"|他们?|她们?|此(?![外时前后刻次])"
)


CLAUSE = re.compile(r"[，,；;]|的?时候?$|之后|以后|之前|以前|并且|而且|后$|时$")


def former(text: str, said: Said) -> Meant | None:
    """前者 and 后者 of the two that were compared."""
    match = re.search(r"前者|后者", text)
    if match is None or re.search(r"(?:和|与|跟|还是)", text[: match.start()]):
        return None
    pair = pair_of(said)
    if len(pair) < 2:
        return None
    means = pair[0] if match[0] == "前者" else pair[1]
    return meaning(text[: match.start()] + means + text[match.end() :], match[0], means)


def noun_back(text: str, said: Said) -> Meant | None:
    """那个文件, 该 PEP, 这些权限."""
    match = _NOUN_BACK.search(text)
    if match is None:
        return None
    noun, before = match["noun"], text[: match.start()]
    if re.match(either("zh", "surroundings"), text[match.start("noun") :]) or _is_other_word(text, match):
        return None
    if CLAUSE.search(before) and speaks(before):
        return None
    means = _named_back(noun, said)
    if not means:
        return None
    return meaning(re.sub(r"^那(?=$)", "", before) + means + text[match.end() :], match[0], means)


def _is_other_word(text: str, match: re.Match[str]) -> bool:
    """True for 应该 and 该不该, 因此 and 彼此, 那么多."""
    before = text[max(0, match.start() - 1) : match.start()]
    if match["which"] == "该":
        named = match["noun"].isascii() or match["noun"] in _NAMED_AFTER_THE
        at_start = match.start() == 0 and match["noun"] in word_set("zh", "attributes")
        return before in ("应", "不", "我", "们") or not (named or at_start)
    return before in ("因", "彼", "从", "由", "如") and match["which"] == "此"


_NAMED_AFTER_THE = word_set("zh", "files") | word_set("zh", "kinds")


_LITERAL = word_set("zh", "literal")


_DEFINES = re.compile(r"^(?:什么是|何谓|介绍|解释)|(?:是什么|是啥|是做什么的|的作用是什么|是什么意思|是干什么的)$")


_DONE_ABOUT = word_set("zh", "about_a_topic")


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
    if mentions and noun in _LITERAL:
        return question[mentions[0].start : mentions[0].end]
    return subject_of(said) if noun in _DONE_ABOUT or _DEFINES.search(question) else ""


def speaks(before: str) -> bool:
    """True where words in front of a pronoun name something."""
    rest = re.sub(either("zh", "asks", "predicates", "cuts"), "", before)
    return bool(find_mentions(before)) or len(re.sub(rf"[^{HAN}A-Za-z]", "", rest)) > 1


_HALVES = ("其", "吉", "尤", "及", "与", "极", "利", "维", "因", "彼", "从", "由", "如")
"""With what follows these are one word: 其他, 吉他, 因此."""


def pronoun(text: str, said: Said) -> Meant | None:
    """它, 其, 这个, 她: what no earlier clause of the question names."""
    for match in _PRONOUN.finditer(text):
        before, after = text[: match.start()], text[match.end() :]
        if any(mention.start <= match.start() < mention.end for mention in find_mentions(text)):
            continue
        if before.endswith(_HALVES) and match[0] in ("其", "他", "它", "此"):
            return None
        if match[0] in ("他", "她", "他们", "她们"):
            if before.endswith("其") or speaks(before):
                return None
            people = said.people() if "们" in match[0] else said.people()[:1]
            return meaning(before + "和".join(people) + after, match[0], "和".join(people)) if people else None
        if match[0] in ("这", "那", "这个", "那个", "这些", "那些", "此") and not _points(match[0], before, after):
            continue
        if CLAUSE.search(before) and speaks(before):
            return None
        conditional = re.match(r"^(?:如果|当|要是|一旦|假如)", text) is not None
        possessive = match[0].startswith("其") or after.startswith("的")
        if (conditional or possessive) and _names(before):
            return None
        takes_place = any(word in after or word in before for word in listed("zh", "events"))
        means = event_of(said) if takes_place or match[0] in ("这", "那") else subject_of(said)
        return meaning(re.sub(r"^那(?=.)", "", before) + means + after, match[0], means) if means else None
    return None


def _names(before: str) -> bool:
    """True where words in front of a pronoun name something, and do not only say what is done."""
    rest = re.sub(either("zh", "asks", "predicates", "cuts", "verbs") + "|如果|要是|一旦|假如|当", "", before)
    return len(re.sub(rf"[^{HAN}A-Za-z]", "", rest)) > 1


def _points(word: str, before: str, after: str) -> bool:
    """True where 这 or 那 is a pronoun: 这是, 这怎么用, 那是什么时候; "那怎么回滚" only leads on."""
    if re.match(either("zh", "surroundings"), after):
        return False
    after = re.sub(r"^(?:一般|通常|大概|大约|具体|到底|究竟|真的|主要|现在|以前|后来)", "", after)
    if word in ("那", "此") and not re.match(r"(?:是|有|会|能|可以|需要|要|意味|对|属于|叫|在|由|不|也|还)", after):
        return False
    if word in ("这", "那") and not re.match(
        r"(?:是|有|会|能|可以|需要|要|意味|对|属于|叫|在|由|不|也|还|怎么|如何|为什么|为何|什么时候|适用|支持|安全|和|与|跟|算|样)"
        rf"|{END}$",
        after,
    ):
        return False
    after = after.lstrip()
    if re.match(rf"[{HAN}A-Za-z]", after) and word in ("这个", "那个", "这些", "那些"):
        return bool(re.match(either("zh", "asks", "predicates") + "|和|与|跟|不|怎|的", after))
    return not re.search(r"(?:像|比)$", before)

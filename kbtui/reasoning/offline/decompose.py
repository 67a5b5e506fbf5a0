"""Cuts a question into parts that can each be looked up on their own (specs 000 and 002).

Three things are cut: comparisons (each side for itself, then what they share), clauses that each ask something, and one
question asked of several named things. What only looks like two ("search and replace") stays whole: a cut needs a
question word or an instruction behind it. A part that leans on another ("and why?", "its limits") is given what it
leans on.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from kbtui.reasoning.offline.classify import Understanding
from kbtui.reasoning.offline.mentions import Mention
from kbtui.reasoning.offline.normalise import has_han
from kbtui.text.tokenise import content_words

MAX_PARTS = 5

# Mentions become single private-use characters while cutting, so that no cut goes through one.
_FIRST_SLOT = 0xE000
_SLOT = "[\ue000-\ue0ff]"

_ASKING = r"(?:what|how|why|who|whose|when|where|which|whether)"
_TELLING = (
    r"(?:list|explain|describe|show|tell|give|summari[sz]e|name|outline|identify|discuss|find|state|point\ out|say)"
)
_JOINT = r"(?:and|with|to|against|versus|vs\.?|&|or|from)"
_KINDS = r"(?:differences?|diff|distinctions?|similarit(?:y|ies)|commonalit(?:y|ies)|trade-?offs?|overlap)"
_AS_TO = r"(?:in\ terms\ of|with\ (?:respect|regard)\ to|regarding|concerning|when\ it\ comes\ to|as\ to)"

_COMPARE = (
    re.compile(
        rf"^(?:compare|contrast|juxtapose)\ (?P<a>.+?),?\ (?:and|with|to|against|versus|vs\.?|&)\ (?P<b>.+?)"
        rf"(?:(?P<wants>,?\ (?:and|then|and\ then|also|;)\ (?P<c>(?:{_TELLING}|{_ASKING})\b.+))"
        rf"|,?\ {_AS_TO}\ (?P<t>.+)"
        rf"|(?<={_SLOT})\ (?:on|for|in)\ (?P<u>.+))?[\s.?!]*$",
        re.I | re.X,
    ),
    re.compile(
        rf"^(?:what(?:'s|s|\ is|\ are|\ were)\ )?(?:the\ )?(?:main\ |key\ |biggest\ |exact\ )?{_KINDS}"
        rf"\ (?:between|of|among)\ (?P<a>.+?)\ (?:and|vs\.?|versus|&)\ (?P<b>.+?)"
        rf"(?:,?\ {_AS_TO}\ (?P<t>.+))?[\s.?!]*$",
        re.I | re.X,
    ),
    re.compile(
        r"^how\ (?:do|does|did|is|are)\ (?P<a>.+?)\ (?:differ|different|compared?)\ (?:from|to|with)"
        r"\ (?P<b>.+?)[\s.?!]*$",
        re.I | re.X,
    ),
    re.compile(r"^how\ (?:do|are)\ (?P<a>.+?)\ and\ (?P<b>.+?)\ (?:differ|different|compare)[\s.?!]*$", re.I | re.X),
    re.compile(
        r"^what\ do\ (?P<a>.+?)\ and\ (?P<b>.+?)\ have\ in\ common(?:\ (?:regarding|on|about)\ (?P<t>.+?))?[\s.?!]*$",
        re.I | re.X,
    ),
    re.compile(
        r"^(?P<a>(?:(?!\b(?:how|what|why|when|where|who|which)\b).){2,60}?)"
        r"\ (?:vs\.?|versus)\ (?P<b>.{2,60}?)[\s.?!]*$",
        re.I | re.X,
    ),
    re.compile(
        r"^(?:which|what)\ (?:one\ )?(?:of\ the\ two\ )?is\ \w+(?:\ \w+)?[,:]\ (?P<a>.+?)\ or\ (?P<b>.+?)[\s.?!]*$",
        re.I | re.X,
    ),
)
_COMPARE_ZH = (
    re.compile(
        r"^(?:对比|比较|对照|比一比)(?:一下|下)?\s*(?P<a>.+?)\s*(?:和|与|跟|同|以及|及|、|vs\.?)\s*(?P<b>.+?)"
        r"(?:[，,、;；\s]*(?:并|并且|然后|再|同时)?(?:列出|说明|指出|总结|给出|找出|列举)(?:一下)?(?P<c>.+?)"
        r"|\s*(?:在|关于|对于?|就)\s*(?P<t>.+?)\s*(?:上|方面|方面的|的)?\s*(?:区别|差异|不同|说法|异同|规定)?"
        r"|\s*(?:的|之间的)?\s*(?:区别|差异|差别|不同(?:点|之处)?|异同|优缺点|优劣)?)[\s。?？!！]*$"
    ),
    re.compile(
        r"^(?P<a>.+?)\s*(?:和|与|跟|同|vs\.?)\s*(?P<b>.+?)(?:\s*(?:在|关于|对于?|就)\s*(?P<t>.+?)\s*(?:上|方面|方面的|的)?)?\s*"
        r"(?:之间)?(?:到底)?(?:有(?:什么|何|哪些|啥)|的|之间的|是什么)?\s*(?:主要|最大|具体)?的?(?:区别|差异|差别|不同(?:点|之处)?|异同|共同点|相同点|相似之处)"
        r"(?:是什么|有哪些|在哪|在哪里|是啥|呢)?[\s。?？!！]*$"
    ),
)
_BOTH_SAY = re.compile(
    r"^(?:what|how|where|whatever)\ (?:both|they|each|the\ two|all|either)(?:\ of\ them)?"
    r"\ (?:\w+\ ){0,2}?(?:about|on|for|regarding)\ (?P<t>.+)$",
    re.I | re.X,
)
_BOTH_DO = re.compile(r"^what\ (?:both|they|each|the\ two|all)(?:\ of\ them)?\ (?P<v>\w.*)$", re.I | re.X)
_SHARED = re.compile(r"^(?:(?:their|the|all|any|what|which)\ )*(?:shared|common|mutual|joint)\ (?P<s>.+)$", re.I | re.X)
_OWN = re.compile(r"^(?:their|the)\ (?:\w+\ )?(?:differences?|similarities)(?:\ in\ (?P<t>.+))?$", re.I | re.X)
_SHARED_ZH = re.compile(r"^(?:它们|他们|两者|二者|双方)?(?:的)?(?:之间)?(?:共同|共享|共有|相同)(?:的)?(?P<s>.+)$")
_BOTH_SAY_ZH = re.compile(
    r"^(?:它们|两者|二者|双方)?(?:都|各自|分别)?(?:对|关于|就|怎么说|如何说)(?P<t>.+?)(?:的(?:说法|规定|内容|观点|看法))?$"
)

_CLAUSE = re.compile(
    rf"(?:\s*[,;]\s*|\s+)(?:and\ then|and\ also|and|then|also|as\ well\ as|plus|but)\s+(?=(?:{_ASKING}|{_TELLING})\b)"
    rf"|\s*[,;]\s*(?=(?:{_ASKING})\b)"
    rf"|(?:\s*[,;]\s*|\s+)(?:and|or|but)\s+(?=(?:does|do|did|is|are|was|were|can|should|has|have)"
    rf"\ (?:it|they|this|that|these|those|there|he|she|we|i|you|the)\b)",
    re.I | re.X,
)
_STEPS = re.compile(
    r"^(?:first(?:ly)?|1[.)])[,:]?\s+(?P<a>.+?)"
    r"[,;.]?\s+(?:and\s+)?(?:then|second(?:ly)?|after\ that|next|2[.)])[,:]?\s+(?P<b>.+)$",
    re.I | re.X,
)
_CLAUSE_ZH = re.compile(
    r"\s*[，,；;。]\s*(?:并且|并|以及|同时|另外|还有|然后|此外|而且|再|顺便|最后)?\s*|\s*(?:以及|并且|还有|同时|另外|然后)\s*"
)
_ASKING_ZH = re.compile(
    r"什么|怎么|怎样|如何|为什么|为何|哪|谁|多少|多久|几[个天年次]|吗|是否|有没有|列出|说明|解释|介绍|描述|总结|对比|比较|找出|何时|何处|原因"
)
_RESPECTIVELY = re.compile(r"(?P<list>.+?)\s*(?:分别|各自|各)\s*(?P<rest>.+)$")

_PRONOUN = re.compile(
    r"\b(?P<own>its|their)\b|\b(?P<self>it|they|them|this|these|those)\b(?!\s+(?:pep|rfc|adr|file|document|\w+s)\b)",
    re.I,
)
_PRONOUN_ZH = re.compile(r"它们|它|其(?!他|它|中|余|实)|他们|该(?=[\u4e00-\u9fff])|这个(?![\u4e00-\u9fff]{2})")
_FRAME = re.compile(
    rf"^(?:{_ASKING}(?:'s|s)?|{_TELLING}|me|us|about|is|are|was|were|does|do|did|can|could|should|will|would|has|have"
    r"|the\ (?:purpose|role|meaning|idea|point|goal|definition)\ of|exactly)\ +",
    re.I | re.X,
)
_ASKER = re.compile(r"^(?:i|we|you|one|people|somebody|someone)\s+", re.I)
"""Who asks is no part of what is asked about: of "how do I roll back a deploy" the topic is "roll back a deploy"."""
_TAIL_VERB = re.compile(
    r"\s+(?:works?|working|means?|do|does|happens?|look\ like|mean|for|about"
    r"|used|use|exist|exists|handled|done|defined|implemented|called|run|start)\s*$",
    re.I | re.X,
)


def decompose(understanding: Understanding) -> tuple[str, ...]:
    """The parts of a question, each a sentence of its own; one part when it asks one thing.

    Args:
        understanding: Of the whole question; chitchat is never cut.
    """
    question = understanding.question
    if understanding.query_type == "chitchat":
        return ()
    text = _with_slots(question, understanding.mentions)

    def restore(part: str) -> str:
        return _without_slots(part, question, understanding.mentions)

    parts = _parts(text, has_han(question), is_listing=understanding.query_type == "file_discovery")
    return _sentences(parts, restore)[:MAX_PARTS] or (question,)


def _parts(text: str, is_chinese: bool, *, is_listing: bool) -> list[str]:
    compared = _compared_zh(text) if is_chinese else _compared(text)
    if compared:
        return compared
    if steps := _STEPS.match(text):
        return _carried([steps["a"], steps["b"]])
    questions = [
        part
        for part in re.split(r"(?<=[?？])\s*|(?<=[.!。！])\s+(?=[A-Z\u4e00-\u9fff])", text)
        if _says_something(part)
    ]
    if len(questions) > 1:
        return _carried([clause for part in questions for clause in _clauses(part, is_chinese)])
    if is_listing:
        return [text]
    clauses = _clauses(text, is_chinese)
    if len(clauses) > 1:
        return [part for clause in _carried(clauses) for part in (_compared(clause) or [clause])]
    return _distributed(text, is_chinese) or [text]


# --- comparisons ---


def _compared(text: str) -> list[str]:
    for pattern in _COMPARE:
        match = pattern.match(text)
        if match is None:
            continue
        found = match.groupdict()
        first, second = _bare(found["a"]), _bare(found["b"])
        if not first or not second or not _is_thing(first) or not _is_thing(second):
            continue
        topic, shared = _wanted(found.get("c") or "", found.get("t") or found.get("u") or "")
        both = f"{first} and {second}"
        if topic:
            parts = [_about(first, topic), _about(second, topic)]
            return [*parts, f"What do {both} say about {topic}?"] if found.get("c") else parts
        parts = [f"What is {first}?", f"What is {second}?"]
        if shared:
            parts.append(f"What {shared} do {both} share?")
        elif does := _BOTH_DO.match(_untold(found.get("c") or "")):
            parts.append(f"What do {both} {does['v']}?")
        elif found.get("c"):
            parts.append(f"{_replaced_pronouns(found['c'], both).strip(' .?!')}?")
        return parts
    return []


def _wanted(clause: str, topic: str) -> tuple[str, str]:
    """(topic, shared thing) that the second half of a comparison asks for."""
    text = _untold(clause)
    if match := _BOTH_SAY.match(text):
        return match["t"].strip(), ""
    if match := _SHARED.match(text):
        return "", match["s"].strip()
    if match := _OWN.match(text):
        return (match["t"] or "").strip(), ""
    return topic.strip(" .?!"), ""


def _untold(clause: str) -> str:
    """A clause without the verb that asks to be told: ``list what both need`` is ``what both need``."""
    return re.sub(rf"^{_TELLING}\ +", "", clause.strip(" .?!"), flags=re.I | re.X)


def _about(thing: str, topic: str) -> str:
    if re.search(_SLOT, thing):
        return f"What does {thing} say about {topic}?"
    return f"How does {thing} handle {topic}?"


def _compared_zh(text: str) -> list[str]:
    for pattern in _COMPARE_ZH:
        match = pattern.match(text)
        if match is None:
            continue
        found = match.groupdict()
        first, second = _bare_zh(found["a"]), _bare_zh(found["b"])
        if not first or not second or len(first) > 30 or len(second) > 30:
            continue
        clause = (found.get("c") or "").strip(" 。？?！!，,")
        topic, shared = (found.get("t") or "").strip(), ""
        if both_say := _BOTH_SAY_ZH.match(clause):
            topic = both_say["t"].strip()
        elif common := _SHARED_ZH.match(clause):
            shared = common["s"].strip()
        elif clause and not re.search(r"区别|差异|不同|异同", clause):
            shared = clause
        both = f"{first} 和 {second} "
        if topic:
            parts = [f"{first} 关于{topic}说了什么？", f"{second} 关于{topic}说了什么？"]
            return [*parts, f"{both}关于{topic}的共同内容是什么？"] if clause else parts
        parts = [f"{thing}{'' if has_han(thing[-1]) else ' '}是什么？" for thing in (first, second)]
        return [*parts, f"{both}共同的{shared}有哪些？"] if shared else parts
    return []


def _bare(thing: str) -> str:
    text = re.sub(
        r"^(?:between|both|either|how|what|the\ (?:two|differences?\ between))\ +",
        "",
        thing.strip(" ,.;:?!"),
        flags=re.I | re.X,
    )
    return re.sub(r"\ +(?:to\ each\ other|each\ other|with\ each\ other)$", "", text)


def _bare_zh(thing: str) -> str:
    text = thing.strip(" ，,。？?！!的")
    return re.sub(r"^(?:请|帮我|一下|说说|讲讲|解释|说明|我们的?|两者)\s*", "", text)


def _is_thing(text: str) -> bool:
    return bool(re.search(_SLOT, text) or content_words(text)) and len(text.split()) <= 12


# --- clauses ---

_LEANS_ZH = re.compile(
    r"\s*(?:什么时候|何时|在哪|由谁|是谁|谁|怎么|如何|怎样|为什么|为何|有?多少|有?多久|要多久|有?哪些)"
)
"""How a Chinese clause begins whose subject was named in the one before it."""


def _clauses(text: str, is_chinese: bool) -> list[str]:
    if is_chinese:
        pieces = [piece for piece in _CLAUSE_ZH.split(text) if piece and piece.strip()]
        # A piece that asks nothing is a condition or an aside of its neighbour.
        merged: list[str] = []
        for piece in pieces:
            if merged and not (_ASKING_ZH.search(piece) and _ASKING_ZH.search(merged[-1])):
                merged[-1] = f"{merged[-1]}，{piece}"
            else:
                merged.append(piece)
        return [part.strip() for part in merged] if len(merged) > 1 else [text]
    clauses: list[str] = []
    start = 0
    for match in _CLAUSE.finditer(text):
        left = text[start : match.start()]
        if _stands_alone(left) and text[match.end() :].strip(" .?!"):
            clauses.append(left.strip())
            start = match.end()
    clauses.append(text[start:].strip())
    return clauses


def _stands_alone(clause: str) -> bool:
    """Enough to be asked for itself: something named, two content words, or one that a question is asked of."""
    if re.search(_SLOT, clause) or _PRONOUN.search(clause):
        return True
    words = [word for word in content_words(clause) if not re.fullmatch(rf"{_TELLING}|{_ASKING}", word, re.I | re.X)]
    framed = re.match(rf"^\s*(?:(?:what|who)(?:'s|s)?\ (?:is|are|was|were)?|{_TELLING})\ ", f"{clause} ", re.I | re.X)
    return len(words) >= 2 or bool(words and framed)


def _says_something(part: str) -> bool:
    return bool(re.search(_SLOT, part) or content_words(part) or re.search(_ASKING, part, re.I | re.X))


def _carried(clauses: list[str]) -> list[str]:
    """Clauses that lean on an earlier one are given its topic."""
    carried: list[str] = []
    topic = ""
    for clause in clauses:
        text = clause
        if topic:
            replaced = _replaced_pronouns(clause, topic)
            if replaced != clause:
                text = replaced
            elif _LEANS_ZH.match(clause):
                text = f"{topic}{clause}"
            elif not content_words(clause):
                text = f"{clause.strip(' ?.!？。')} {topic}"
        own = _topic(text)
        topic = topic if topic and topic in text else own or topic
        carried.append(text)
    return carried


def _topic(clause: str) -> str:
    """What a clause is about: the things it names, else its words without the frame of the question."""
    slots = re.findall(_SLOT, clause)
    if slots:
        return " and ".join(dict.fromkeys(slots))
    if has_han(clause):
        words = content_words(clause)
        return max(words, key=len) if words else ""
    text = clause.strip(" ?.!,;")
    while match := _FRAME.match(f"{text} "):
        text = text[match.end() :].strip()
    text = _ASKER.sub("", text)
    while match := _TAIL_VERB.search(text):
        text = text[: match.start()].strip()
    return text if len(text.split()) <= 8 and content_words(text) else " ".join(content_words(text)[:5])


def _replaced_pronouns(clause: str, topic: str) -> str:
    if has_han(clause):
        return _PRONOUN_ZH.sub(f" {topic} " if re.search(_SLOT, topic) else topic, clause)
    # "what it is" in "explain what it is": the first pronoun carries the topic, repeating it would only add noise.
    return _PRONOUN.sub(lambda match: f"{topic}'s" if match["own"] else topic, clause, count=1)


# --- one question of several named things ---


def _distributed(text: str, is_chinese: bool) -> list[str]:
    if is_chinese:
        match = _RESPECTIVELY.match(text)
        if match is None:
            return []
        items = [item for item in re.split(r"\s*(?:、|，|,|和|与|跟|以及|及)\s*", match["list"]) if item.strip()]
        return [f"{item.strip()} {match['rest']}".strip() for item in items] if 2 <= len(items) <= MAX_PARTS else []
    if re.search(
        r"\b(?:between|both|related|relat\w+|together|shared?|common|link\w*|depend\w*|block\w*|or)\b", text, re.I
    ):
        return []
    match = re.search(rf"{_SLOT}(?:\s*,\s*(?:and\s+)?{_SLOT}|\s+and\s+{_SLOT})+", text)
    if match is None:
        return []
    slots = re.findall(_SLOT, match.group())
    before = re.sub(
        r"\b(do|are|were|have)\b(?=[^\ue000]*$)",
        lambda verb: {"do": "does", "are": "is", "were": "was", "have": "has"}[verb.group().lower()],
        text[: match.start()],
        flags=re.I,
    )
    return [f"{before}{slot}{text[match.end() :]}" for slot in slots]


# --- mentions as slots ---


def _with_slots(question: str, mentions: tuple[Mention, ...]) -> str:
    parts: list[str] = []
    position = 0
    for number, mention in enumerate(mentions[:256]):
        parts += [question[position : mention.start], chr(_FIRST_SLOT + number)]
        position = mention.end
    return "".join([*parts, question[position:]])


def _without_slots(part: str, question: str, mentions: tuple[Mention, ...]) -> str:
    def original(match: re.Match[str]) -> str:
        number = ord(match.group()) - _FIRST_SLOT
        if number >= len(mentions):
            return match.group()
        return question[mentions[number].start : mentions[number].end]

    return re.sub(_SLOT, original, part)


def _sentences(parts: list[str], restore: Callable[[str], str]) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for part in parts:
        text = re.sub(r"\s+", " ", restore(part)).strip(" ,;，；")
        if text:
            found.setdefault(text[:1].upper() + text[1:] if len(parts) > 1 and text[:1].isascii() else text)
    return tuple(found)

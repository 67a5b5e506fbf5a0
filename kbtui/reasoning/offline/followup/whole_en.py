"""English follow-ups to the question before as a whole: corrections, more of it, why and since when."""

from __future__ import annotations

import re

from kbtui.reasoning.offline.followup.meant import LEAD, Meant, lowered, meaning
from kbtui.reasoning.offline.followup.said import Said
from kbtui.reasoning.offline.followup.swaps_en import swapped
from kbtui.reasoning.offline.followup.topics import event_of

_CORRECTS = re.compile(
    r"^(?:(?:no|nope|sorry|oops|wait|actually|hm+|not\ quite)\b[\s,.;:!-]*)*"
    r"(?:i\s+(?:actually\s+|really\s+)?(?:meant|mean|was\s+asking\s+about|am\s+asking\s+about|wanted|said)|make\s+that|i'm\s+asking\s+about)"
    r"\s+(?:to\s+ask\s+about\s+|the\s+one\s+(?:for|in|on)\s+)?(?P<right>.+?)"
    r"(?:[\s,]+(?:and\s+)?(?:not|instead\s+of|rather\s+than)\s+(?P<wrong>.+))?$"
    r"|^(?:no[\s,]+)?not\s+(?P<wrong2>[^,;]+?)\s*[,;]\s*(?:but\s+)?(?P<right2>.+)$",
    re.I | re.X,
)


def correction(text: str, said: Said) -> Meant | None:
    """ "No, I meant staging": the question before, with what was wrong in it replaced."""
    match = _CORRECTS.match(text)
    if match is None:
        return None
    right = (match["right"] or match["right2"]).strip(" ,")
    wrong = (match["wrong"] or match["wrong2"] or "").strip(" ,")
    if not right or len(right.split()) > 8:
        return None
    if wrong and (at := said.question.lower().find(wrong.lower())) >= 0:
        return meaning(f"{said.question[:at]}{right}{said.question[at + len(wrong) :]}?", wrong, right)
    return swapped(right, said) if not wrong else None


_MORE = re.compile(
    rf"""^{LEAD}(?:(?:can|could|would|will)\s+you\s+)?(?:please\s+)?(?:
        (?:tell|give|show)\s+(?:me\s+)?(?:some\s+|a\s+(?:bit|little)\s+)?more(?:\s+(?:details?|info(?:rmation)?|context))?
      | (?:give\s+(?:me\s+)?|any\s+|some\s+)?(?:more\s+|further\s+)?details?
      | (?:some\s+)?more(?:\s+(?:info(?:rmation)?|context|please))?
      | (?:please\s+)?(?:elaborate|expand|clarify|go\s+on|continue|keep\s+going
          |explain(?:\s+(?:more|further|again|better))?)
        (?:\s+(?:on|about)\s+(?:that|this|it))?(?:\s+(?:a\s+(?:bit|little)|further|more))*
      | (?:explain|describe)\s+(?:that|this|it)
        (?:\s+(?:in\s+(?:more\s+|greater\s+)?detail|further|again|to\s+me|more|better))+
      | in\s+(?:more|greater)\s+detail
    )(?:[\s,]+please)?$""",
    re.I | re.X,
)


_ELSE = re.compile(
    rf"^{LEAD}(?:is\s+there\s+|was\s+there\s+|are\s+there\s+)?(?P<what>(?:any(?:thing|one|body|where)|what|who|where)\s+else|any\s+(?:others?|more)|others?)$",
    re.I,
)


_EXAMPLE = re.compile(
    rf"^{LEAD}(?:(?:can|could|would)\s+you\s+)?(?:please\s+)?(?:(?:give|show)\s+(?:me\s+|us\s+)?)?"
    r"(?:an?\s+|some\s+|any\s+|for\s+)?(?:examples?|instance|sample)(?:\s+of\s+(?:that|this|it))?(?:[\s,]+please)?$"
    rf"|^{LEAD}(?:like\s+what|such\s+as(?:\s+what)?)$",
    re.I,
)


_NEXT = re.compile(
    rf"^{LEAD}(?:(?:what|which)\s+(?:happens|comes|is|step\s+is|do\s+i\s+do|should\s+i\s+do|follows)\s+(?:next|then|after(?:wards)?|after\s+(?:that|this))"
    r"|what's\s+next|what\s+next|what\s+then|and\s+then|and\s+after(?:wards|\s+(?:that|this))?|after\s+(?:that|this))$",
    re.I,
)


def more(text: str, said: Said) -> Meant | None:
    """ "Tell me more", "an example?", "what else?", "and then?"."""
    topic = lowered(said.question)
    if _MORE.match(text):
        return meaning(f"Tell me more: {topic}?", text, topic)
    if _EXAMPLE.match(text):
        return meaning(f"Give an example: {topic}?", text, topic)
    if match := _ELSE.match(text):
        return meaning(f"{match['what'].capitalize()}: {topic}?", text, topic)
    if _NEXT.match(text):
        event = event_of(said)
        return meaning(f"What happens after {event}?", text, event)
    return None


_SHORT = re.compile(
    rf"""^{LEAD}(?P<asks>
        why(?:\s+not)? | how(?:\s+(?:so|come|exactly|often|long|much|many|far|soon|then))? | (?:since|until|by)\s+when
      | when(?:\s+exactly)? | where(?:\s+(?:exactly|from|to))? | (?:by|with|for|from|to)\s+(?:whom?|what|which)
      | who(?:\s+exactly)? | whose | what\s+for | which(?:\s+(?:ones?|of\s+(?:them|these|those)|exactly))?
      | why\s+(?:so|that|this)\s+\w+
      | (?:for|at)\s+what(?:\s+\w+)? | with\s+which(?:\s+\w+)? | what\s+kinds?
    )$""",
    re.I | re.X,
)


_SHORT_OF = re.compile(
    rf"^{LEAD}(?P<asks>(?:how\s+(?:many|much)|which|what)\s+(?!is\b|are\b|was\b|were\b|about\b|else\b|if\b)[a-z]+)$",
    re.I,
)
"""Asked of a question that was answered with yes or no: "how many requests?"."""


_INVERTED = re.compile(
    r"^(?:(?P<asks>how|when|where|why)\s+)?(?P<rest>(?:is|are|was|were|do|does|did|can|could|should|must|may|would|will|shall|has|have|had)\b\s+.+)$",
    re.I,
)


_ADVERBIAL = re.compile(r"^(?:why|how(?:\s+(?:often|long|soon))?|when|where|(?:since|until|by)\s+when)$", re.I)


def short(text: str, said: Said) -> Meant | None:
    """ "Why?", "since when?", "which ones?": asked of what the question before says."""
    match = _SHORT.match(text) or (_SHORT_OF.match(text) if _INVERTED.match(said.question) else None)
    if match is None:
        return None
    asks = re.sub(r"\s+(?:exactly|then|so|come)$", "", match["asks"], flags=re.I)
    asks = "why" if match["asks"].lower() == "how come" else asks
    asks = asks[0].upper() + asks[1:]
    question = said.question
    inverted = _INVERTED.match(question)
    if inverted and _ADVERBIAL.match(asks) and said.language == "en":
        return meaning(f"{asks} {lowered(inverted['rest'])}?", text, question)
    return meaning(f"{asks}: {lowered(question)}?", text, question)

"""Which sentences of an answer claim something: greetings, questions, transitions and honest gaps need no source."""

from __future__ import annotations

import re
from typing import Final

from kbtui.text.language import has_cjk
from kbtui.text.tokenise import STOP_WORDS, tokens

_GAP: Final = re.compile(
    # What was not found.
    r"\b(?:I|we)(?: am| are|'m|'re)? (?:could ?n[o']t|couldn['’]t|can ?not|can['’]t|did not|didn['’]t|do not|don['’]t"
    r"|was not|were not|was unable|unable|not able)\b[^.]{0,40}\b(?:find|found|see|answer|say|tell|determine|know|have"
    r"|confirm|verify|locate|identify|able)\b"
    r"|\b(?:passages?|sources?|documents?|context|evidence|excerpts?|notes?|files?|texts?|materials?|information"
    r"|knowledge base|folder)\b[^.]{0,40}\b(?:do(?:es)? not|do(?:es)?n['’]t|did not|didn['’]t) (?:directly |explicitly "
    r"|specifically |clearly )?(?:mention|say|state|contain|specify|describe|cover|include|provide|give|answer|address"
    r"|explain|discuss|tell|indicate|list|define)"
    r"|\bno (?:information|mention|evidence|details?|answer|source|passage|reference|data)\b[^.]{0,60}"
    r"\b(?:found|given|available|provided|about|on|of|in the|whether|regarding)\b"
    r"|\bnot (?:mentioned|specified|stated|covered|described|given|provided|found|available|included|addressed)"
    r"(?: (?:\w+ )?(?:in|by) (?:the|these|any|your|this)\b|\.?$)"
    r"|(?:没有|未|未能|无法|不能)(?:直接|明确|具体)?(?:找到|提及|提到|说明|给出|回答|确定|得知|确认|包含|涉及|查到|判断)",
    re.IGNORECASE,
)
_TALK: Final = re.compile(
    r"(?:hi|hello|hey|sure|certainly|of course|absolutely|great question|good question|thanks?|thank you"
    r"|you['’]re welcome"
    r"|ok(?:ay)?|yes|no|sorry|please|let me know|feel free|i hope|hope this|would you like|if you(?:['’]d| would)? "
    r"(?:like|need|want|have)|let['’]s|let me|i(?:['’]ll| will| can| am going to| would be happy)\b"
    r"|here(?:['’]s| is| are)"
    r"|below (?:is|are)|as an ai|i apologi[sz]e"
    r"|你好|您好|好的|当然|没问题|谢谢|不客气|抱歉|对不起|希望|如果您?你?(?:需要|想|还有|有)|欢迎|请(?:告诉|随时|问)|以下是|下面是"
    r"|让我们?|我来|我会|我可以)",
    re.IGNORECASE,
)
_FRAME: Final = re.compile(
    r"\b(?:based on|according to|from|in|per|as per|given) (?:the |these |your |this )?(?:provided |given "
    r"|available |above |retrieved |cited )?(?:passages?|sources?|documents?|context|evidence|excerpts?|notes?|files?"
    r"|information)\b"
    r"|\b(?:in (?:summary|short|conclusion|brief|other words|addition)|to (?:summari[sz]e|sum up|conclude)"
    r"|overall|finally"
    r"|first(?:ly)?|second(?:ly)?|third(?:ly)?|next|then|also|additionally|furthermore|moreover|however|therefore|thus"
    r"|for example|for instance|that said|note that|note|see also|more details?|key points?|answer|summary|conclusion"
    r"|details?|steps?|example|examples|overview|explanation|short answer|long answer"
    r"|the following|as follows|follows)\b"
    r"|根据(?:以上|上述|提供的|给出的)?(?:资料|文档|来源|信息|内容|片段|段落)|总之|综上(?:所述)?|总的来说|首先|其次|然后|最后|此外|另外|因此"
    r"|例如|比如|如下|以下|注意|总结|结论|答案|步骤",
    re.IGNORECASE,
)
_MOST_TALK: Final = 90
"""Characters up to which a sentence that begins like talk is talk; a longer one says something too."""

_FACTUAL: Final = re.compile(r"\d|`|[A-Za-z]_[A-Za-z]|[a-z][A-Z]")


def is_gap(text: str) -> bool:
    """The sentence says that something was not found."""
    return _GAP.search(text) is not None


def is_claim(text: str) -> bool:
    """Whether ``text`` states something that lines could bear out.

    Args:
        text: One sentence, item or row, plain.
    """
    stripped = text.strip().rstrip("\"'”’」』）)*_ ")
    if not stripped or stripped.endswith(("?", "？")) or is_gap(stripped):
        return False
    rest = _FRAME.sub(" ", stripped)
    if not _says_something(rest):
        return False
    talk = _TALK.match(stripped)
    if talk is None:
        return True
    after = stripped[talk.end() :]
    if not after.strip(" ,.!:，。！：;；") or (len(stripped) <= _MOST_TALK and not _FACTUAL.search(stripped)):
        # “Yes, deploys need two approvals” answers a question: what follows the word is the claim.
        return bool(re.match(r"(?:yes|no|sure|ok(?:ay)?|certainly|of course)\b", stripped, re.I)) and (
            after[:1] in ",.!:;，—–" and is_claim(after.lstrip(" ,.!:;，—–"))
        )
    return True


def is_lead_in(text: str) -> bool:
    """Whether ``text`` announces what follows (“The steps are:”)."""
    return text.rstrip("*_ ").endswith((":", "："))


def _says_something(text: str) -> bool:
    if _FACTUAL.search(text):
        return True
    found = [token for token in tokens(text) if token not in STOP_WORDS]
    if has_cjk(text):
        return sum(len(token) == 1 for token in found) >= 4 or len(found) >= 5
    return len(set(found)) >= 2

"""Signs that a passage speaks to a chat model instead of its readers, for a warning beside it.

This decides nothing: a passage with a sign is used like any other, and one without is trusted no more. A list of words
cannot find every injection; it is kept short enough to be silent on ordinary documentation.
"""

from __future__ import annotations

import base64
import binascii
import re
import unicodedata
from typing import Final

from kbtui.text.hidden import conceals, visible

_FOLDED: Final = str.maketrans(
    "аеорсухіјѕԁɡһќтмнквАЕОРСУХІЈЅТМНКВοαερτικνΑΒΕΗΙΚΜΝΟΡΤΧΥ",
    "aeopcyxijsdghktmhkbAEOPCYXIJSTMHKBoaeptiKvABEHIKMNOPTXY",
)
"""Cyrillic and Greek letters that look like Latin ones."""

_GAP: Final = r"[\s*_`~\"'“”‘’.,:;!-]{1,4}"
_TARGETS: Final = (
    r"(?:instructions?|prompts?|directions?|directives?|guidelines|commands?|rules|system message|programming|"
    r"restrictions|constraints|safeguards|safety (?:rules|filters))"
)
_MODEL: Final = (
    r"(?:ai|a\.i\.|llms?|large language models?|language models?|chat ?bots?|chatgpt|gpt(?:-?\d)?|claude|gemini|"
    r"copilot|ai (?:assistants?|agents?|models?|systems?|readers?|tools?)|(?:the |this )?assistant)"
)
_WORDS: Final[tuple[tuple[str, str], ...]] = (
    (
        "overrides instructions",
        rf"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget|override|overrule|bypass|discard|drop)\b{_GAP}"
        rf"(?:(?:any|each|of|the|these|those|my|our|its|and|or){_GAP}){{0,4}}"
        rf"(?:(?:all|every|everything|your|previous|prior|earlier|above|preceding|former|foregoing|existing|initial|"
        rf"original|system|safety)(?:{_GAP}(?:of|the|these|those|your|any|and|or|previous|prior|earlier|above|other|"
        rf"system|safety)){{0,5}}){_GAP}{_TARGETS}\b",
    ),
    (
        "overrides instructions",
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all|what) (?:(?:that|which) )?(?:(?:is|was|were|came|"
        r"comes|you were told|said|written|stated) )*(?:above|before|so far|previously|earlier)\b",
    ),
    (
        "overrides instructions",
        r"(?:忽略|无视|忘记|忘掉|忽视|抛弃|抛开|不要遵守|不必遵守|不要理会|绕过|覆盖)(?:掉|了|你)?"
        r"(?:[^。！？!?\n]{0,8}(?:之前|以前|以上|上面|先前|前面|此前|所有|全部|任何|一切|系统|原有|你的|收到)){1,3}"
        r"[^。！？!?\n]{0,8}(?:指令|指示|提示|规则|要求|命令|设定|约束|限制|说明)",
    ),
    (
        "gives a new role",
        r"\b(?:you are now|from now on,? you (?:are|will|must|should)|you will now act|you must now act) "
        r"(?:a |an |the |in |as |called |known |acting |answer|respond|obey|follow|dan\b|root\b|admin|"
        r"free\b|unrestricted)",
    ),
    (
        "gives a new role",
        r"\b(?:pretend|imagine) (?:that )?you(?: are|'re) (?:a |an |the )?(?:\w+ )?"
        r"(?:ai|assistant|model|system|admin\w*|developer|hacker|dan)\b",
    ),
    ("gives a new role", r"(?:从现在(?:开始|起)|现在起|接下来)[,，]?你(?:就)?(?:是|将|必须|要扮演|扮演|只能)"),
    ("gives a new role", r"你现在(?:是|扮演)(?:一个|一名|一位)?(?:没有|不受|超级|管理员|开发者|系统|新的)"),
    (
        "addresses the assistant",
        rf"\b(?:(?:note|notice|message|instructions?|hint|reminder|memo|warning) (?:to|for)|attention:?|dear)"
        rf"(?: (?:all|any|the|every|your))* {_MODEL}\b(?! (?:safety|policy|act|usage|ethics|research))",
    ),
    (
        "addresses the assistant",
        rf"\b(?:if|when|since|because|as) you(?: are|'re) (?:a |an |the )?{_MODEL}\b",
    ),
    (
        "addresses the assistant",
        rf"\b{_MODEL} (?:reading|processing|summari[sz]ing|parsing|indexing|that reads|which reads) this\b",
    ),
    (
        "addresses the assistant",
        r"(?:致|请|告诉|提醒|给|对于)(?:所有|各位|阅读|正在|读取|处理|本|这|文|档|的|到|此|内|容|段|文件){0,12}"
        r"(?:ai|AI|人工智能|大模型|语言模型|智能助手|聊天机器人|机器人助手)(?:助手|模型|系统|们|注意)*[:：,，]",
    ),
    (
        "asks for secrets",
        r"\b(?:reveal|print|show|output|repeat|send|leak|disclose|include|expose|append|tell|give|share)\b"
        r"(?: (?:me|us|the|your|full|entire|exact|whole|complete|all|of|any|hidden|current|initial|original|contents?|"
        r"text|user's|verbatim|above|and|model)){1,8} "
        r"(?:system prompts?|system messages?|initial prompts?|hidden prompts?|secret keys?|"
        r"instructions you were given|conversation history|chat history|environment variables?)\b",
    ),
    (
        "asks for secrets",
        r"\b(?:reveal|leak|disclose|exfiltrate|print|output|repeat|send)\b (?:me |us |the |your |its |user's ){1,3}"
        r"(?:\w+ )?(?:api[ _-]?keys?|credentials|passwords?|instructions|tokens)\b",
    ),
    (
        "asks for secrets",
        r"(?:输出|显示|打印|泄露|透露|告诉我|说出|重复|发送|公开|附上)[^。！？!?\n]{0,12}"
        r"(?:系统提示词?|系统指令|系统消息|初始提示|提示词|api ?key|API ?密钥|你的密钥|隐藏指令|环境变量|对话记录)",
    ),
    (
        "asks for a score",
        r"\b(?:score|rate|grade|rank|mark|judge)\b (?:this|the|our|every|each|all)(?: \w+){0,3} "
        r"(?:passages?|documents?|texts?|files?|chunks?|results?|answers?|pages?|items?|ids?|above|below)"
        r"[^.\n]{0,40}?\b(?:1(?:\.0+)?|10(?:0 ?%?)?(?:/10)?|as (?:the )?(?:most )?relevant|highest|maximum|full marks|"
        r"perfect|first)\b",
    ),
    (
        "asks for a score",
        r"(?:给|将|把|对)(?:本|这|该|此|以上|上述)[^。！？!?\n]{0,10}(?:打|评|记|给|判)(?:分|为|满|最高|1|10)"
        r"[^。！？!?\n]{0,8}(?:分|满分|最高|1\.0|100)",
    ),
    (
        "dictates the answer",
        r"\b(?:when|if|whenever)(?: ever)?(?: the)? (?:users?|someone|anyone|anybody|they|you are|a person|people) "
        r"(?:asks?|asked|wants?|requests?|inquires?|queries)\b[^.\n]{0,80}?\b(?:you must|you should|always|only|never|"
        r"(?:just )?(?:answer|respond|reply|say|tell them|output))\b[^.\n]{0,40}?(?:[\"'“‘「:]|\bthat\b|\bwith\b)",
    ),
    (
        "dictates the answer",
        r"\b(?:you must|you should|always|only|simply|just) (?:answer|respond|reply|output)(?: only| exclusively)? "
        r"(?:with|exactly|verbatim|the following|this|in)\b[^.\n]{0,60}?(?:regardless|no matter|whatever|nothing else|"
        r"and nothing|to (?:every|any|all|the user))",
    ),
    (
        "dictates the answer",
        r"(?:当|如果|无论|不管)[^。！？!?\n]{0,12}(?:用户|有人|任何人|谁)[^。！？!?\n]{0,12}(?:问|询问|提问)[^。！？!?\n]{0,16}"
        r"(?:必须|一律|都要|只能|请)?(?:回答|回复|答复|输出)",
    ),
    (
        "asks for a tool call",
        r"(?:\"(?:tool_calls|function_call|tool_use)\"\s{0,4}:)|\baction input\s?:\s{0,2}[{\[]|"
        r"<\s?/?\s?(?:tool_call|function_calls?|tool_use|invoke)\b[^<>\n]{0,80}>",
    ),
    (
        "asks for a tool call",
        r"\b(?:call|invoke|use|run|execute)\b (?:the |your |a |this ){0,2}(?:tool |function )?`?"
        r"(?:web_?fetch|web_?search|read_?file|grep_?search|vector_?search|hybrid_?search|graph_?related|local_?file_?qa)"
        r"`?(?: tool| function)?\b",
    ),
    (
        "asks for a tool call",
        r"(?:调用|使用|执行|运行)[^。！？!?\n]{0,6}(?:web_fetch|web_search|read_file|工具|函数)[^。！？!?\n]{0,16}"
        r"(?:https?://|/etc/|密钥|发送|上传|读取)",
    ),
    (
        "asks to open a page",
        r"\b(?:fetch|visit|open|browse(?: to)?|load|request|curl|download|navigate to|go to|post to|"
        r"send (?:it|them|this|that|everything|the \w+) to)\b[^.\n]{0,30}?https?://[^\s]{1,300}[^.\n]{0,60}?"
        r"\b(?:before (?:you )?(?:answer|respond|reply)|and (?:follow|obey|include|use)(?: (?:the|its|any|all))* "
        r"(?:instructions|content|result|response)|with (?:the|your) (?:answer|question|conversation|query))",
    ),
    (
        "asks to open a page",
        r"(?:回答|答复|回复)(?:之?前|问题前)[^。！？!?\n]{0,12}(?:访问|打开|请求|抓取|获取)[^。！？!?\n]{0,10}https?://",
    ),
    (
        "asks for settings",
        r"\b(?:set|change|switch|turn|enable|disable|allow|add)\b[^.\n]{0,40}?\b(?:web\.\w+|fetch_enabled|allow_private|"
        r"base_url|api_key_env|data_sources)\b\s{0,2}(?:=|to|on|off)?",
    ),
)
_SIGNS: Final = tuple((name, re.compile(pattern, re.IGNORECASE)) for name, pattern in _WORDS)
_TEMPLATE = re.compile(
    r"<[|｜](?:im_start|im_end|im_sep|start_header_id|end_header_id|eot_id|begin_of_text|endoftext|end|user|assistant|"
    r"system|channel|message|User|Assistant|begin▁of▁sentence|end▁of▁sentence)[|｜]>"
    r"|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>"
)
_TURN = re.compile(r"^[ \t]{0,3}(?:#{1,4} )?(?:Human|Assistant|System|User)[ \t]?[:：]", re.MULTILINE)
_BOUNDARY = re.compile(r"<\s{0,3}/\s{0,3}(?:passage|untrusted)\b[^<>\n]{0,60}>", re.IGNORECASE)
_SOURCE_TAG = re.compile(r"\[SOURCE:[^\]\n]{1,300}:L\d")
_TRACKING_IMAGE = re.compile(
    r"!\[[^\]\n]{0,200}\]\(\s?<?https?://[^\s)]{1,300}?[?&/#=][^\s)]{0,200}?"
    r"(?:\{[^}\s]{0,60}\}|\$\{?\w|%7b|<[^>\s]{1,60}>|\[[^\]\s]{1,60}\]|[?&](?:q|query|question|answer|data|secret|key|"
    r"token|prompt|history|conversation|leak|exfil|content)=)",
    re.IGNORECASE,
)
_TERMINAL = re.compile(r"\x1b[\]PX^_]|\x9d|\x90|\x1b\[[0-9;?]*[A-Za-z]")
_BASE64 = re.compile(r"(?<![A-Za-z0-9+/=_-])[A-Za-z0-9+/_-]{24,4000}={0,2}(?![A-Za-z0-9+/=_-])")
_MOST_DECODED: Final = 20
_MOST_CHARS: Final = 20_000
"""Characters looked at: passages have 2,000, and a sign further on in a longer text is found in its own passage."""


def suspicious(text: str) -> tuple[str, ...]:
    """Names of the signs that ``text`` addresses an assistant, in a fixed order; empty for nearly every document.

    Of a longer text the first 20,000 characters are looked at.
    """
    text = text[:_MOST_CHARS]
    found = _signs(text)
    if conceals(text):
        found["hidden characters"] = True
    if _TERMINAL.search(text):
        found["steers the terminal"] = True
    if any(_signs(plain) for plain in _decoded(text)):
        found["encoded orders"] = True
    return tuple(found)


def _signs(text: str) -> dict[str, bool]:
    plain = unicodedata.normalize("NFKC", visible(text)).translate(_FOLDED)
    plain = re.sub(r"[ \t]{2,}", " ", plain)
    # A sentence goes on over the line's end.
    running = re.sub(r"[ \t]*\n[ \t]*(?=[a-z一-鿿])", " ", plain)
    found = {name: True for name, pattern in _SIGNS if pattern.search(running)}
    if _TEMPLATE.search(plain) or len({match[0].strip(" #\t") for match in _TURN.finditer(plain)}) > 1:
        found["chat template"] = True
    if _BOUNDARY.search(plain) or _SOURCE_TAG.search(plain):
        found["block boundary"] = True
    if _TRACKING_IMAGE.search(plain):
        found["image that reports"] = True
    return found


def _decoded(text: str) -> list[str]:
    """What stands in base64 in ``text`` and is text itself."""
    found = []
    for match, _ in zip(_BASE64.finditer(text), range(_MOST_DECODED), strict=False):
        coded = match[0].rstrip("=").replace("-", "+").replace("_", "/")
        try:
            plain = base64.b64decode(coded + "=" * (-len(coded) % 4)).decode("utf-8")
        except (binascii.Error, UnicodeDecodeError):
            continue
        if sum(character.isprintable() for character in plain) > 0.95 * len(plain):
            found.append(plain)
    return found

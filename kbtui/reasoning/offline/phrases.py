"""The fixed phrases of offline answers, English and Chinese, and how relations are put into words."""

from __future__ import annotations

from typing import Final

from kbtui.reasoning.offline.normalise import Language

_PHRASES: Final[dict[str, dict[Language, str]]] = {
    "not_found": {
        "en": "Nothing in this folder answers that.",
        "zh": "这个文件夹里没有找到能回答这个问题的内容。",
    },
    "searched": {"en": "I searched for: {terms}.", "zh": "我搜索了：{terms}。"},
    "try": {"en": "You could try:", "zh": "可以试试："},
    "part_not_found": {
        "en": "Nothing found for this part. I searched for: {terms}.",
        "zh": "这一部分没有找到内容。搜索了：{terms}。",
    },
    "said_above": {"en": "Said above: {marks}", "zh": "见上文：{marks}"},
    "also_in": {"en": "Also in:", "zh": "还出现在："},
    "files_one": {"en": "One file:", "zh": "找到 1 个文件："},
    "files": {"en": "{count} files, best first:", "zh": "找到 {count} 个文件，最相关的在前："},
    "files_more": {"en": "… and {count} more.", "zh": "……另外还有 {count} 个。"},
    "first_of": {
        "en": "{total} were found; only the first {count} were looked into.",
        "zh": "共找到 {total} 项，只查了前 {count} 项。",
    },
    "items_more": {"en": "… and {count} more.", "zh": "……另外还有 {count} 项。"},
    "colon": {"en": ": ", "zh": "："},
}

_CHITCHAT: Final[dict[str, dict[Language, str]]] = {
    "greeting": {
        "en": "Hello! Ask me anything about this folder: {examples}.",
        "zh": "你好！关于这个文件夹，什么都可以问我，例如{examples}。",
    },
    "thanks": {
        "en": "You're welcome! If there is more, just ask: {examples}.",
        "zh": "不客气！还有别的问题尽管问，例如{examples}。",
    },
    "farewell": {
        "en": "Goodbye! This folder will still be here when you need it: {examples}.",
        "zh": "再见！需要的时候随时回来问，例如{examples}。",
    },
    "identity": {
        "en": "I am kbtui. I answer questions about this folder and show the lines each answer rests on: {examples}.",
        "zh": "我是 kbtui，回答关于这个文件夹的问题，并给出每个答案所依据的行，例如{examples}。",
    },
    "capability": {
        "en": "I read this folder and answer with the lines that back each claim. You can ask {examples}.",
        "zh": "我会查阅这个文件夹，用能够佐证的原文行来回答。可以这样问：{examples}。",
    },
    "smalltalk": {
        "en": "I am best at questions about this folder. You can ask {examples}.",
        "zh": "我更擅长回答关于这个文件夹的问题。可以这样问：{examples}。",
    },
}
_EXAMPLES: Final[dict[Language, str]] = {
    "en": "how something works, where a name is defined, what depends on what, or which files are about a topic",
    "zh": "某件事怎么做、某个名字在哪里定义、谁依赖谁，或者哪些文件与某个主题有关",
}
_CHITCHAT_SUGGESTIONS: Final[dict[Language, tuple[str, ...]]] = {
    "en": ("list all files", "find files about testing", "what is this project about?"),
    "zh": ("列出所有文件", "查找关于测试的文件", "这个项目是做什么的？"),
}

# How a relation reads, seen from the thing asked about (forward) and from those that point at it (reverse).
_RELATIONS: Final[dict[str, tuple[dict[Language, str], dict[Language, str]]]] = {
    "superseded-by": (
        {"en": "{entity} was superseded by:", "zh": "{entity} 被以下文档取代："},
        {"en": "{entity} supersedes:", "zh": "{entity} 取代了："},
    ),
    "replaces": (
        {"en": "{entity} replaces:", "zh": "{entity} 取代了："},
        {"en": "{entity} was replaced by:", "zh": "{entity} 被以下文档取代："},
    ),
    "requires": (
        {"en": "{entity} requires:", "zh": "{entity} 依赖："},
        {"en": "These require {entity}:", "zh": "依赖 {entity} 的有："},
    ),
    "depends-on": (
        {"en": "{entity} depends on:", "zh": "{entity} 依赖："},
        {"en": "These depend on {entity}:", "zh": "依赖 {entity} 的有："},
    ),
    "author": (
        {"en": "{entity} was written by:", "zh": "{entity} 的作者："},
        {"en": "{entity} wrote:", "zh": "{entity} 撰写了："},
    ),
    "mentions": (
        {"en": "{entity} mentions:", "zh": "{entity} 提到了："},
        {"en": "{entity} is mentioned in:", "zh": "提到 {entity} 的有："},
    ),
    "links-to": (
        {"en": "{entity} links to:", "zh": "{entity} 链接到："},
        {"en": "These link to {entity}:", "zh": "链接到 {entity} 的有："},
    ),
    "imports": (
        {"en": "{entity} imports:", "zh": "{entity} 导入了："},
        {"en": "These import {entity}:", "zh": "导入 {entity} 的有："},
    ),
    "blocks": (
        {"en": "{entity} blocks:", "zh": "{entity} 阻塞了："},
        {"en": "{entity} is blocked by:", "zh": "{entity} 被以下各项阻塞："},
    ),
    "blocked-by": (
        {"en": "{entity} is blocked by:", "zh": "{entity} 被以下各项阻塞："},
        {"en": "{entity} blocks:", "zh": "{entity} 阻塞了："},
    ),
    "related": (
        {"en": "{entity} is related to:", "zh": "与 {entity} 相关的有："},
        {"en": "{entity} is related to:", "zh": "与 {entity} 相关的有："},
    ),
    "duplicates": (
        {"en": "{entity} duplicates:", "zh": "{entity} 与以下各项重复："},
        {"en": "These duplicate {entity}:", "zh": "与 {entity} 重复的有："},
    ),
    "parent": (
        {"en": "The parent of {entity}:", "zh": "{entity} 的上级："},
        {"en": "{entity} is the parent of:", "zh": "{entity} 的下级："},
    ),
    "tracking-issue": (
        {"en": "The tracking issue of {entity}:", "zh": "{entity} 的跟踪 issue："},
        {"en": "{entity} tracks:", "zh": "{entity} 跟踪的有："},
    ),
}
_SAME: Final = {
    "supersedes": "replaces",
    "obsoletes": "replaces",
    "replaced-by": "superseded-by",
    "obsoleted-by": "superseded-by",
    "authors": "author",
    "related-to": "related",
    "see-also": "related",
    "depends": "depends-on",
    "rust-issue": "tracking-issue",
}


def phrase(name: str, language: Language, **values: object) -> str:
    """A fixed phrase with its values filled in."""
    return _PHRASES[name][language].format(**values)


def chitchat(kind: str, language: Language) -> str:
    """A short friendly reply that says what one can ask."""
    return _CHITCHAT.get(kind, _CHITCHAT["smalltalk"])[language].format(examples=_EXAMPLES[language])


def chitchat_suggestions(language: Language) -> tuple[str, ...]:
    """Questions that make sense in any folder."""
    return _CHITCHAT_SUGGESTIONS[language]


def relation_intro(relation: str, entity: str, *, reverse: bool, language: Language) -> str:
    """The sentence above a list of related items, in the words of the relation: ``PEP 509 was superseded by:``."""
    forms = _RELATIONS.get(_SAME.get(relation, relation))
    if forms is not None:
        return forms[1 if reverse else 0][language].format(entity=entity)
    spoken = relation.replace("-", " ")
    if reverse:
        return f"以 {entity} 为 {spoken} 的有：" if language == "zh" else f"{entity} is the {spoken} of:"
    return f"{entity} 的 {spoken}：" if language == "zh" else f"{entity}, {spoken}:"


def listed_terms(terms: tuple[str, ...], language: Language) -> str:
    """Search terms for a sentence."""
    return ("、" if language == "zh" else ", ").join(terms)

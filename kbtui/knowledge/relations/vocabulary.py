"""The words with which documents state relations, in English and Chinese, and the names they get."""

from __future__ import annotations

import re
from dataclasses import dataclass

from kbtui.knowledge.relations.words import word_set

NUMBER_FIELDS = word_set(
    """
    requires require required-by depends depends-on dependencies dependency needs prerequisites replaces replace
    replaced-by supersedes supersede superseded-by obsoletes obsolete obsoleted-by updates updated-by amends
    amended-by extends extended-by blocks blocked-by related related-to see-also parent children duplicates
    duplicate-of implements implemented-by proposed-replacement previous-proposal
    依赖 需要 取代 替代 被取代 被替代 关联 相关 阻塞 被阻塞
    """
)
"""Fields whose bare numbers are documents of the same series: ``Superseded-By: 699`` in PEP 509 means PEP 699."""

_STATEMENTS = {
    "requires": "requires",
    "depends on": "depends-on",
    "depends upon": "depends-on",
    "dependencies": "depends-on",
    "required by": "required-by",
    "needed by": "required-by",
    "replaces": "replaces",
    "replaced by": "replaced-by",
    "supersedes": "supersedes",
    "superseded by": "superseded-by",
    "superceded by": "superseded-by",
    "obsoletes": "obsoletes",
    "obsoleted by": "obsoleted-by",
    "deprecates": "deprecates",
    "deprecated by": "deprecated-by",
    "updates": "updates",
    "updated by": "updated-by",
    "amends": "amends",
    "amended by": "amended-by",
    "extends": "extends",
    "extended by": "extended-by",
    "implements": "implements",
    "implemented by": "implemented-by",
    "implemented in": "implemented-by",
    "blocks": "blocks",
    "blocked by": "blocked-by",
    "is blocked by": "blocked-by",
    "blocked on": "blocked-by",
    "related": "related",
    "related to": "related",
    "relates to": "related",
    "related tickets": "related",
    "related issues": "related",
    "related documents": "related",
    "linked to": "related",
    "linked": "related",
    "see also": "see-also",
    "duplicates": "duplicates",
    "duplicate of": "duplicate-of",
    "duplicated by": "duplicated-by",
    "parent": "parent",
    "epic": "epic",
    "part of": "part-of",
    "children": "children",
    "subtasks": "subtasks",
    "sub-tasks": "subtasks",
    "fixes": "fixes",
    "fixed by": "fixed-by",
    "fixed in": "fixed-by",
    "closes": "closes",
    "closed by": "closed-by",
    "resolves": "resolves",
    "resolved by": "resolved-by",
    "caused by": "caused-by",
    "causes": "causes",
    "follows": "follows",
    "followed by": "followed-by",
    "follow-up": "followed-by",
    "owner": "owner",
    "owners": "owner",
    "owned by": "owner",
    "maintainer": "maintainer",
    "maintained by": "maintainer",
    "assignee": "assignee",
    "assigned to": "assignee",
    "author": "author",
    "authors": "author",
    "written by": "author",
    "reviewer": "reviewer",
    "reviewed by": "reviewer",
    "依赖": "requires",
    "依赖于": "requires",
    "取代": "replaces",
    "替代": "replaces",
    "被取代": "superseded-by",
    "被替代": "superseded-by",
    "阻塞": "blocks",
    "被阻塞": "blocked-by",
    "阻塞于": "blocked-by",
    "关联": "related",
    "关联工单": "related",
    "相关": "related",
    "相关工单": "related",
    "相关文档": "related",
    "参见": "see-also",
    "另见": "see-also",
    "重复": "duplicates",
    "父工单": "parent",
    "子工单": "subtasks",
    "负责人": "owner",
    "作者": "author",
    "经办人": "assignee",
}


def _phrases() -> str:
    """All of them, the longer ones first, by their first letter: most lines are then dismissed at once."""
    rest: dict[str, list[str]] = {}
    for phrase in sorted(_STATEMENTS, key=len, reverse=True):
        rest.setdefault(phrase[0], []).append(re.escape(phrase[1:]).replace(r"\ ", r"[\s-]+"))
    return "|".join(f"{first}(?:{'|'.join(ends)})" for first, ends in rest.items())


_STATEMENT = re.compile(
    r"^\s*(?:>\s*)?(?:[-*+]\s+|\d+[.)]\s+)?(?:(?:this|the)\s+\w+\s+(?:is\s+|was\s+|has\s+been\s+)?)?[*_`]{0,2}"
    rf"(?P<phrase>{_phrases()})(?P<mark>[*_`]{{0,2}}\s*[:：]?[*_`]{{0,2}})(?=$|[\s\[#`]|(?<=[:：]))",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A relation stated at the start of a line, and where what it names begins.

    Attributes:
        explicit: It was written as a key with a colon.
    """

    relation: str
    end: int
    explicit: bool


def statement_at(line: str) -> Statement | None:
    """The relation that ``line`` begins with (``Blocked by: …``, ``Superseded by [ADR 9]``, ``阻塞：``), if any."""
    match = _STATEMENT.match(line)
    if match is None:
        return None
    phrase = " ".join(re.split(r"[\s-]+", match["phrase"].casefold()))
    relation = _STATEMENTS.get(phrase) or _STATEMENTS[match["phrase"].casefold()]
    return Statement(relation, match.end(), ":" in match["mark"] or "：" in match["mark"])


def relation_name(key: str) -> str:
    """A field's key as a relation name: ``Superseded-By`` → ``superseded-by``, ``Rust Issue #`` → ``rust-issue``."""
    plain = re.sub(r"\((s|es)\)", r"\1", key.strip(), flags=re.IGNORECASE)
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "-", plain)
    return re.sub(r"[^\w]+|_+", "-", spaced.casefold()).strip("-")

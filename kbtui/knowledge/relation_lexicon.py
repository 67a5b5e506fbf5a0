"""How questions name relations, in English and Chinese, and which relation names of a knowledge base they mean.

A concept is a relation seen from both ends: what PEP 699 *replaces* is *superseded by* it. ``forward`` names state it
about the subject, ``inverse`` names about the object. A question says which end it asks for by voice and word order
(`kbtui.knowledge.relation_query`), so a concept only lists words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from kbtui.knowledge.relations.words import word_set

ConceptKind = Literal["document", "value", "symmetric"]


@dataclass(frozen=True)
class Concept:
    """A relation as people ask for it.

    Attributes:
        name: Its usual name.
        kind: ``document``: both ends are documents and direction matters; ``value``: one end is a person or a value;
            ``symmetric``: direction does not matter.
        forward: Relation names that state it about the subject.
        inverse: Relation names that state it about the object.
        verb: English verb forms; the participle is told by its ending.
        chinese: Chinese verbs.
        subject_nouns: Nouns whose owner is the subject: the *dependencies* of X.
        object_nouns: Nouns whose owner is the object: the *successor* of X.
        both_ends: The two ends are stated by different files as a rule, so both are always read.
        weak: Common words that count only when no other concept is named.
    """

    name: str
    kind: ConceptKind
    forward: frozenset[str]
    inverse: frozenset[str] = frozenset()
    verb: str = ""
    chinese: str = ""
    subject_nouns: str = ""
    object_nouns: str = ""
    both_ends: bool = False
    weak: bool = False

    @cached_property
    def verb_pattern(self) -> re.Pattern[str] | None:
        """Every verb form, English and Chinese."""
        parts = [rf"\b(?:{self.verb})\b"] if self.verb else []
        if self.chinese:
            parts.append(f"(?:{self.chinese})")
        return re.compile("|".join(parts), re.IGNORECASE) if parts else None

    @cached_property
    def noun_patterns(self) -> tuple[tuple[re.Pattern[str], bool], ...]:
        """Nouns, each with whether their owner is the subject."""
        return tuple(
            (re.compile(rf"(?:{nouns})", re.IGNORECASE), is_subject)
            for nouns, is_subject in ((self.subject_nouns, True), (self.object_nouns, False))
            if nouns
        )


CONCEPTS: tuple[Concept, ...] = (
    Concept(
        name="supersedes",
        kind="document",
        forward=word_set("replaces replace supersedes supersede obsoletes obsolete deprecates 取代 替代"),
        inverse=word_set(
            "superseded-by superceded-by replaced-by obsoleted-by deprecated-by superseded proposed-replacement "
            "replacement 被取代 被替代"
        ),
        verb=r"super[sc]ed(?:es|ed|ing|e)|replac(?:es|ed|ing|e)|obsolet(?:es|ed|ing|e)|deprecat(?:es|ed|ing|e)",
        chinese="取代|替代|替换|代替|废弃|废止|淘汰|作废",
        subject_nouns=r"\bpredecessors?\b|前身|前任",
        object_nouns=r"\b(?:replacements?|successors?)\b|后继者?|继任者?|替代品|替代者|替代方案|取代者|取代它|替代它",
    ),
    Concept(
        name="requires",
        kind="document",
        forward=word_set(
            "requires require depends-on depends dependencies dependency needs prerequisites prerequisite relies-on "
            "builds-on requirements 依赖 需要 前置"
        ),
        inverse=word_set("required-by needed-by dependents used-by 被依赖"),
        verb=r"requires?|required|requiring|depend(?:s|ed|ing)?(?:\s+(?:up)?on)?|rel(?:y|ies|ied)\s+(?:up)?on|"
        r"builds?\s+(?:up)?on|prerequisites?",
        chinese="依赖于?|依靠|前置|先决条件|前提",
        subject_nouns=r"\b(?:dependenc(?:y|ies)|requirements?|prerequisites?)\b",
        object_nouns=r"\bdependents?\b",
    ),
    Concept(
        name="requires",
        kind="document",
        forward=word_set("requires require depends-on depends dependencies dependency needs prerequisites 依赖 需要"),
        inverse=word_set("required-by needed-by dependents 被依赖"),
        verb=r"needs?|needed",
        chinese="需要|要求",
        weak=True,
    ),
    Concept(
        name="blocks",
        kind="document",
        forward=word_set("blocks blocking block 阻塞"),
        inverse=word_set("blocked-by blocked-on blockers blocker waiting-on waits-for 被阻塞 阻塞于"),
        verb=r"block(?:s|ed|ing)?|hold(?:s|ing)?\s+up|held\s+up",
        chinese="阻塞|阻碍|卡住|卡着|挡住",
        object_nouns=r"\bblockers?\b|阻塞项",
        both_ends=True,
    ),
    Concept(
        name="duplicates",
        kind="symmetric",
        forward=word_set("duplicates duplicate-of duplicate duplicated-by duplicate-by 重复"),
        verb=r"duplicat(?:es|ed|ing|e)",
        chinese="重复",
    ),
    Concept(
        name="part-of",
        kind="document",
        forward=word_set("parent epic part-of subtask-of belongs-to 父工单 父任务"),
        inverse=word_set("children child subtasks sub-tasks tasks parts contains 子工单 子任务"),
        verb=r"belongs?\s+to|parts?\s+of",
        chinese="属于|隶属于?",
        subject_nouns=r"\b(?:parents?|epics?)\b|父工单|父任务|上级",
        object_nouns=r"\b(?:children|child|sub-?tasks?)\b|子工单|子任务|下级",
        both_ends=True,
    ),
    Concept(
        name="fixes",
        kind="document",
        forward=word_set("fixes closes resolves fixed resolved"),
        inverse=word_set("fixed-by closed-by resolved-by fixed-in"),
        verb=r"fix(?:es|ed|ing)?|clos(?:es|ed|ing|e)|resolv(?:es|ed|ing|e)",
        chinese="修复|解决|关闭",
        both_ends=True,
    ),
    Concept(
        name="implements",
        kind="document",
        forward=word_set("implements implement"),
        inverse=word_set("implemented-by implemented-in implementation 实现"),
        verb=r"implement(?:s|ed|ing)?",
        chinese="实现",
        both_ends=True,
    ),
    Concept(
        name="updates",
        kind="document",
        forward=word_set("updates update amends amend extends extend modifies"),
        inverse=word_set("updated-by amended-by extended-by modified-by"),
        verb=r"updat(?:es|ed|ing|e)|amend(?:s|ed|ing)?|extend(?:s|ed|ing)?",
        chinese="更新|修订|修正|扩展",
        both_ends=True,
    ),
    Concept(
        name="causes",
        kind="document",
        forward=word_set("causes caused"),
        inverse=word_set("caused-by root-cause cause"),
        verb=r"caus(?:es|ed|ing|e)",
        chinese="导致|引起|造成",
        both_ends=True,
    ),
    Concept(
        name="follows",
        kind="document",
        forward=word_set("follows follow-up-of previous previous-proposal"),
        inverse=word_set("followed-by follow-up follow-ups next"),
        verb=r"follow(?:s|ed|ing)?(?:\s+up)?",
        chinese="跟进|后续",
        both_ends=True,
    ),
    Concept(
        name="imports",
        kind="document",
        forward=word_set("imports"),
        inverse=word_set("imported-by"),
        verb=r"import(?:s|ed|ing)?|includ(?:es|ed|ing|e)",
        chinese="导入|引入",
        subject_nouns=r"\bimports\b(?=\s+(?:of|in)\b)",
    ),
    Concept(
        name="links-to",
        kind="document",
        forward=word_set("links-to links"),
        inverse=word_set("linked-from backlinks"),
        verb=r"links?\s+to|links?\s+(?=back)|linking\s+to|linked\s+(?:from|by|in)|links?\s+(?:in|from|of)|link\b(?!ed)",
        chinese="链接到?|链到|链向|指向",
        object_nouns=r"\bbacklinks?\b|反向链接",
    ),
    Concept(
        name="mentions",
        kind="document",
        forward=word_set("mentions links-to references reference cites citations 提到 引用 参考"),
        inverse=word_set("mentioned-by referenced-by cited-by"),
        verb=r"mention(?:s|ed|ing)?|refer(?:s|red|ring)?(?:\s+back)?\s+to|referenc(?:es|ed|ing|e)|cit(?:es|ed|ing|e)|"
        r"point(?:s|ed|ing)?\s+to|discuss(?:es|ed|ing)?|talks?\s+about",
        chinese="提到|提及|引用|参考|谈到|谈及|援引|引述|涉及",
        subject_nouns=r"\b(?:references|mentions|citations)\b(?=\s+(?:in|from)\b)",
        object_nouns=r"\b(?:references|mentions|citations)\b(?=\s+(?:of|to)\b)",
    ),
    Concept(
        name="author",
        kind="value",
        forward=word_set(
            "author authors co-author co-authors coauthors writer writers written-by created-by proposer 作者"
        ),
        verb=r"(?:co-?)?authors?|(?:co-?)?authored|(?:co-?)?wr(?:ote|ite|ites|itten|iting)|writers?|penned|drafted|"
        r"(?:is|are|was|were)\s+by",
        chinese="作者|撰写|合著|编写|起草|执笔|谁写|写的|写了|写过",
    ),
    Concept(
        name="owner",
        kind="value",
        forward=word_set(
            "owner owners owned-by maintainer maintainers maintained-by assignee assignees assigned-to responsible dri "
            "lead leads contact team on-call 负责人 所有者 维护者 经办人 维护人 团队"
        ),
        verb=r"own(?:s|ed|er|ers|ing)?|maintain(?:s|ed|er|ers|ing)?|responsible|in\s+charge|assign(?:ed|ee|ees)|"
        r"looks?\s+after|leads?|works?\s+on|working\s+on",
        chinese="负责人?|所有者|拥有|维护者?|维护人|归谁|经办人?|谁在做|谁管",
    ),
    Concept(
        name="related",
        kind="symmetric",
        forward=word_set(
            "related related-to relates-to relates see-also linked linked-to links "
            "关联 相关 参见 另见 关联工单 相关工单"
        ),
        verb=r"relat(?:ed|es|e|ing)|relations?(?:hips?)?|linked(?:\s+(?:to|with))?|connect(?:ed|s|ions?)|associat(?:ed|es|e)|"
        r"see\s+also|linked",
        chinese="关联|相关|有关|联系|关系|相连",
        weak=True,
    ),
)

FIELD_WORDS: dict[str, str] = {
    "状态": "status state",
    "类型": "type kind",
    "发起人": "sponsor proposer",
    "赞助": "sponsor",
    "审批": "delegate approver approved",
    "评审": "reviewer reviewers review reviewed",
    "审阅": "reviewer reviewers review reviewed",
    "决议": "resolution decision",
    "讨论": "discussions discussion",
    "主题": "topic topics subject",
    "日期": "date created",
    "时间": "date created",
    "创建": "created create",
    "更新时间": "updated modified",
    "版本": "version",
    "标签": "tags tag labels label",
    "优先级": "priority",
    "严重": "severity",
    "截止": "due deadline",
    "里程碑": "milestone",
    "团队": "team",
    "部门": "department",
    "组件": "component",
    "议题": "issue issues",
    "问题": "issue issues",
    "工单": "issue issues ticket",
    "跟踪": "tracking",
    "追踪": "tracking",
    "特性": "feature features",
    "功能": "feature features",
    "许可": "license licence",
    "语言": "language",
    "编辑": "editor",
    "名称": "name",
}
"""What Chinese words for fields may be called in a header, beside themselves."""


def concept_of(relation: str) -> tuple[Concept, bool] | None:
    """The concept a relation name states, and whether it does so about the subject (else about the object)."""
    for concept in CONCEPTS:
        if relation in concept.forward:
            return concept, True
        if relation in concept.inverse:
            return concept, False
    return None

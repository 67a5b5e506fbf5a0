"""The answer to an identifier and nothing else: the thing that bears it, its state, how it begins, what it relates to.

An identifier inside of a question is a word of that question; the layouts here and in `places` are for who types a name
and wants what it names, or asks where it stands.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import islice

from kbtui.domain.document import FileRecord
from kbtui.domain.evidence import Evidence, Hit
from kbtui.domain.ports import CancelToken
from kbtui.domain.routing import SubQuestion
from kbtui.question.lexicon import word_set
from kbtui.question.mentions import find_mentions, sole_mention
from kbtui.question.normalise import Language
from kbtui.reasoning.citing import Citations, Excerpt
from kbtui.reasoning.offline.answering import opening_runs
from kbtui.reasoning.offline.cleaning import readable
from kbtui.reasoning.offline.phrases import phrase
from kbtui.reasoning.offline.places import elsewhere_block
from kbtui.reasoning.offline.rendering import rendered
from kbtui.text.fields import Field, front_matter, header_block
from kbtui.text.terminal import one_line

_STATE_FIELDS = word_set("state_fields")
_HEAD_LINES = 40
_HEADER_WITHIN = 6
_LONGEST_VALUE = 200


def thing_blocks(
    question: SubQuestion,
    evidence: Sequence[Evidence],
    files: Iterable[FileRecord],
    citations: Citations,
    language: Language,
    cancel: CancelToken,
) -> list[str]:
    """Title, state and first lines of the file that bears the name, then what it refers to and where else it stands.

    Empty where the question is more than a name, or no file bears it.
    """
    mention = sole_mention(question.semantic_intent)
    record = _bearer(mention.text, files) if mention is not None else None
    if record is None:
        return []
    cancel.check()
    hit = Hit(path=record.path, start_line=1, end_line=_HEAD_LINES, text="", title=record.title)
    excerpt = citations.excerpt(hit, whole=False)
    fields = _fields(excerpt)
    states = [field for field in fields if field.key.lower() in _STATE_FIELDS]
    title = f"**{readable(record.title)}** [{_title_number(record, excerpt, citations)}]"
    shown = _shown(states, excerpt, citations, language)
    subject = Evidence(evidence_id="", hit=hit, sub_question="", score=1.0, kept=True)
    begins = rendered(opening_runs(subject, citations, cancel), citations)
    relations = [field for field in fields if field not in states and _refers(field, record)]
    blocks = [title, shown, *begins, _shown(relations, excerpt, citations, language)]
    blocks.append(elsewhere_block(question, evidence, citations, language, cancel, but=record.path))
    return [block for block in blocks if block]


def _bearer(name: str, files: Iterable[FileRecord]) -> FileRecord | None:
    """The file with this label, path, file name or title; the first by path where there are several."""
    wanted = _key(name)
    bearers = (
        record
        for record in files
        if wanted in {_key(known) for known in (*record.labels, record.path, _stem(record.path), record.title)}
    )
    return next(islice(bearers, 1), None)


def _key(name: str) -> str:
    """PEP 8, pep-0008 and PEP-8 are one name."""
    return re.sub(r"[\s_\-:#]+0*(?=\d)", "-", name.casefold())


def _stem(path: str) -> str:
    return path.rsplit("/", 1)[-1].rsplit(".", 1)[0]


def _title_number(record: FileRecord, excerpt: Excerpt, citations: Citations) -> int:
    line = next((at for at, text in enumerate(excerpt.lines, 1) if record.title and record.title in text), 1)
    return citations.number(excerpt, line, line)


def _fields(excerpt: Excerpt) -> tuple[Field, ...]:
    """The fields at the head of a file."""
    block = front_matter(excerpt.lines)
    if block is None:
        starts = [at for at, text in enumerate(excerpt.lines) if text.strip()][:_HEADER_WITHIN]
        block = next(filter(None, (header_block(excerpt.lines, start) for start in starts)), None)
    return block.fields if block is not None else ()


def _refers(field: Field, record: FileRecord) -> bool:
    """Names something else than the file itself."""
    own = {_key(label) for label in record.labels}
    found = (mention for mention in find_mentions(field.value) if mention.kind in ("ticket", "document", "path"))
    return any(_key(mention.text) not in own for mention in found)


def _shown(fields: Sequence[Field], excerpt: Excerpt, citations: Citations, language: Language) -> str:
    """A line for each field; empty without any."""
    return "\n".join(
        f"- {readable(field.key)}{phrase('colon', language)}{readable(one_line(field.value, _LONGEST_VALUE))} "
        f"[{citations.number(excerpt, field.start + 1, field.end + 1)}]"
        for field in fields
        if field.value
    )

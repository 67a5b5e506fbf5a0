"""Small knowledge bases for the relation tests, and what they link."""

from __future__ import annotations

import re
from collections.abc import Mapping

from kbtui.domain.document import Document, DocumentKind, FileRecord, HeaderField
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.records.items import Item
from kbtui.records.links import Links
from kbtui.records.relating import related_items

_LANGUAGES = {".py": "python", ".ts": "typescript", ".c": "c"}

STANDARDS = {
    "peps/pep-0001.rst": (
        "PEP: 1\nTitle: Purpose\nAuthor: Ada Lovelace <a@x.org>,\n        Marc-André Dupont\nStatus: Active\n"
    ),
    "peps/pep-0002.rst": "PEP: 2\nTitle: Old dict\nAuthor: Grace Hopper\nStatus: Superseded\nSuperseded-By: 3\n",
    "peps/pep-0003.rst": (
        "PEP: 3\nTitle: New dict\nAuthor: Ada Lovelace\nStatus: Final\nRequires: 1, 10\n"
        "Replaces: 2\nSponsor: Grace Hopper\n\nThis builds on PEP 2 and PEP 1.\n"
    ),
    "peps/pep-0010.rst": "PEP: 10\nTitle: Votes\nAuthor: Grace Hopper\nStatus: Final\n\nSee :pep:`1` and RFC 2119.\n",
    "peps/pep-0100.rst": (
        "PEP: 100\nTitle: More votes\nAuthor: Grace Hopper\nStatus: Draft\nRequires: 10\n\nLike PEP 10.\n"
    ),
}

HANDBOOK = {
    "README.md": "# Handbook\n\nStart with [deploys](docs/adr/0007-deploys.md).\n",
    "docs/adr/0007-deploys.md": "# ADR-7: Deploys\n\n- Status: accepted\n- Author: 沈雨桐\n- Related: PROJ-100\n",
    "docs/adr/0009-rollbacks.md": "# ADR-9: Rollbacks\n\n- Status: accepted\n- Date: today\n- Replaces: ADR-7\n",
    "tickets/PROJ-12.md": "---\nid: PROJ-12\ntitle: Freeze\nblocked-by: PROJ-100\nassignee: Ada Lovelace\n---\n",
    "tickets/PROJ-100.md": (
        "---\nid: PROJ-100\ntitle: Slow login\nblocks: [PROJ-13]\nrelated:\n  - PROJ-7\n  - ADR-7\n"
        "---\n\nSee PROJ-55 as well.\n"
    ),
    "tickets/PROJ-13.md": "---\nid: PROJ-13\ntitle: Late\nstatus: open\n---\n\nText.\n",
    "services/billing.md": "---\ntitle: Billing service\nowner: Team Compass\n---\n\nText about [[Handbook]].\n",
    "src/engine.py": "import json\n\nfrom src.parts import wheel\nfrom .parts import axle, spin\n",
    "src/parts/__init__.py": "",
    "src/parts/wheel.py": "X = 1\n",
    "src/parts/axle.py": "Y = 1\n",
}

NUMBERED = {
    "text/0533-no-moves.md": (
        "- Feature Name: `no_moves`\n- Start Date: x\n"
        "- Rust Issue: [#21963](https://x.org/a/b/issues/21963)\n\nSee RFC 1192.\n"
    ),
    "text/1192-ranges.md": (
        "- Feature Name: ranges\n- Start Date: y\n- Rust Issue: N/A\n\nText mentions RFC 533 and RFC 2000.\n"
    ),
    "text/2000-const.md": (
        "- Feature Name: const_generics\n- Start Date: z\n- Tracking Issue: #44580\n\nUnlike RFC 1192.\n"
    ),
}


def links_of(files: Mapping[str, str]) -> Links:
    """The links of files given as path and text."""
    documents = [read(path, text) for path, text in files.items()]
    records = [
        FileRecord(path=one.path, kind=one.kind, title=one.title, language=one.language, labels=file_labels(one))
        for one in documents
    ]
    return Links(records, [relation for one in documents for relation in extract_relations(one)])


def read(path: str, text: str) -> Document:
    """A document with the header a loader would find: front matter, or ``Key: value`` lines of reStructuredText."""
    suffix = path[path.rfind(".") :]
    language = _LANGUAGES.get(suffix, "")
    kind: DocumentKind = "code" if language else "rst" if suffix == ".rst" else "markdown"
    lines = text.split("\n")
    fields: list[HeaderField] = []
    if kind == "rst" or lines[0] == "---":
        for number, line in enumerate(lines, start=1):
            if line == "---" and number == 1:
                continue
            if not line.strip() or line == "---":
                break
            key, _, value = line.partition(":")
            if line[0] in " -" and fields:
                last = fields.pop()
                fields.append(HeaderField(key=last.key, value=last.value, start_line=last.start_line, end_line=number))
            else:
                fields.append(HeaderField(key=key, value=value.strip(), start_line=number, end_line=number))
    given = {field.key.lower(): field.value for field in fields}
    heading = re.search(r"^# (.+)$", text, re.MULTILINE) if kind == "markdown" else None
    title = given.get("title") or (heading[1] if heading else path.rsplit("/", 1)[-1].removesuffix(suffix))
    return Document(path=path, kind=kind, title=title, text=text, language=language, fields=tuple(fields))


def items(links: Links, question: str) -> list[Item]:
    """What is stated in answer to a question."""
    found = related_items(links, question)
    return [step.item for step in found.steps] if found is not None else []

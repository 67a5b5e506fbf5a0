"""What is taken from documents: fields, statements, links, mentions, imports, and the names files go by."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kbtui.domain.document import Document, DocumentKind, HeaderField, Heading, Relation
from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.knowledge.relations.chats import mailbox_messages
from kbtui.knowledge.relations.labels import find_labels, is_ticket, label_key
from kbtui.knowledge.relations.opening_sentences import SENTENCE
from tests.support import documents as made


def document(
    text: str, path: str = "notes/a.md", kind: DocumentKind = "markdown", title: str = "", language: str = ""
) -> Document:
    """A document as a loader gives it; a header of ``Key: value`` lines is read up to the first blank line."""
    fields: list[HeaderField] = []
    for number, line in enumerate(text.split("\n"), start=1):
        key, colon, value = line.partition(":")
        if not line.strip() or kind != "rst":
            break
        if line[0] in " \t" and fields:
            last = fields.pop()
            fields.append(
                HeaderField(
                    key=last.key, value=f"{last.value} {line.strip()}", start_line=last.start_line, end_line=number
                )
            )
        elif colon:
            fields.append(HeaderField(key=key, value=value.strip(), start_line=number, end_line=number))
    headings = tuple(
        Heading(level=1, text=line.lstrip("# "), line=number)
        for number, line in enumerate(text.split("\n"), start=1)
        if line.startswith("#") and kind == "markdown"
    )
    return Document(
        path=path,
        kind=kind,
        title=title or (headings[0].text if headings else ""),
        text=text,
        fields=tuple(fields),
        headings=headings,
        language=language,
    )


def front_matter(text: str, *fields: tuple[str, int, int], path: str = "tickets/PROJ-100.md") -> Document:
    """A document whose loader found the given fields: key, first and last line."""
    lines = text.split("\n")
    found = tuple(
        HeaderField(key=key, value=" ".join(lines[start - 1 : end]), start_line=start, end_line=end)
        for key, start, end in fields
    )
    return Document(path=path, kind="markdown", title="", text=text, fields=found)


def targets(relations: list[Relation], name: str) -> list[str]:
    return [relation.target for relation in relations if relation.relation == name]


def test_a_field_is_a_relation_named_after_it_with_the_line_that_states_it() -> None:
    found = extract_relations(document("PEP: 509\nStatus: Superseded\nSuperseded-By: 699\n", "pep-0509.rst", "rst"))
    relation = next(one for one in found if one.relation == "superseded-by")
    assert relation == Relation(
        source_path="pep-0509.rst", relation="superseded-by", target="PEP 699", line=3, text="Superseded-By: 699"
    )
    assert targets(found, "status") == ["Superseded"]


def test_bare_numbers_mean_the_documents_own_series_only_in_fields_that_name_documents() -> None:
    found = extract_relations(document("PEP: 9\nReplaces: 3, 4\nPriority: 3\n", "pep-0009.rst", "rst"))
    assert targets(found, "replaces") == ["PEP 3", "PEP 4"]
    assert targets(found, "priority") == ["3"]


def test_people_lose_their_mail_addresses_and_continuation_lines_are_read_to_the_end() -> None:
    text = (
        "PEP: 1\nAuthor: Barry Warsaw, Jr. <b@x.org>,\n        Marc-André Lemburg <mal at y dot org>,\n"
        "        tim@z.org (Tim Peters), Zoë Quinn (@zoe)\n"
    )
    found = extract_relations(document(text, "pep-0001.rst", "rst"))
    authors = [(one.target, one.line) for one in found if one.relation == "author"]
    assert authors == [("Barry Warsaw, Jr.", 2), ("Marc-André Lemburg", 3), ("Tim Peters", 4), ("Zoë Quinn", 4)]


def test_full_names_joined_by_and_are_two_people_but_a_team_is_one() -> None:
    found = extract_relations(document("Author: Ada Lovelace and Charles Babbage\nId: x\n", "a.rst", "rst"))
    assert targets(found, "author") == ["Ada Lovelace", "Charles Babbage"]
    found = extract_relations(document("Author: The core team and community\nId: x\n", "a.rst", "rst"))
    assert targets(found, "author") == ["The core team and community"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[rust-lang/rust#27578](https://github.com/rust-lang/rust/issues/27578)", ["#27578"]),
        ("[#12](https://x.org/a/b/issues/12), [#34](https://x.org/a/b/pull/34)", ["#12", "#34"]),
        ("https://github.com/a/b/issues/77", ["#77"]),
        ("[SE-0001](0001-keywords.md)", ["SE-0001"]),
        ("**Implemented (2.2)**", ["Implemented (2.2)"]),
        ("`__class_getitem__`", ["__class_getitem__"]),
        ("[Doug Gregor](https://example.org/doug)", ["Doug Gregor"]),
        ("[Rollback](../runbooks/rollback.md)", ["runbooks/rollback.md"]),
        ("[[Deploy notes|deploys]]", ["Deploy notes"]),
        ("`use_group_as`", ["use_group_as"]),
        ("slice\\_copy\\_from", ["slice_copy_from"]),
        ("`one` / `two` and `three`", ["one", "two", "three"]),
        ("(`bindeps`)", ["bindeps"]),
        ("N/A", []),
        ("(not applicable)", []),
        ("None", []),
        ("", []),
    ],
)
def test_values_of_bulleted_headers_are_read_without_their_markup(value: str, expected: list[str]) -> None:
    found = extract_relations(document(f"# A title\n\n- Start: today\n- Linked thing: {value}\n\nText.\n"))
    assert targets(found, "linked-thing") == expected


def test_outer_json_lists_of_texts_are_fields() -> None:
    text = (
        '{\n  "Rule": "arc",\n  "Tags": [\n    "wires",\n    "fire"\n  ],\n  "Inner": {\n    "Tags": ["no"]\n  }\n}\n'
    )
    stated = {(one.relation, one.target, one.line) for one in extract_relations(parse(text.encode(), "arc.json"))}
    assert stated == {("rule", "arc", 2), ("tags", "wires", 4), ("tags", "fire", 5), ("inner-tags", "no", 8)}


def test_yaml_lists_give_an_item_a_line_and_inline_lists_one_for_each() -> None:
    text = (
        '---\nrelated:\n  - PROJ-7\n  - "adr/0007"\nblocks: [PROJ-8, PROJ-9]\n'
        "owners:\n  - name: Ada\n    email: a@b.c\n---\n"
    )
    found = extract_relations(front_matter(text, ("related", 2, 4), ("blocks", 5, 5), ("owners", 6, 8)))
    assert [(one.target, one.line) for one in found if one.relation == "related"] == [("PROJ-7", 3), ("adr/0007", 4)]
    assert targets(found, "blocks") == ["PROJ-8", "PROJ-9"]
    assert targets(found, "owners") == ["Ada"]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("[install, themes,modules]", ["install", "themes", "modules"]),
        ("[/old/place/, /older/]", ["/old/place/", "/older/"]),
        ("[one thing]", ["one thing"]),
        ("[Ada Hope][ada]", ["Ada Hope"]),
        ("[Ada](https://a.example), [Bo](https://b.example)", ["Ada", "Bo"]),
    ],
)
def test_words_of_inline_lists_are_one_item_each_and_links_are_no_lists(value: str, expected: list[str]) -> None:
    found = extract_relations(front_matter(f"---\nnotes-on: {value}\n---\n", ("notes-on", 2, 2)))
    assert targets(found, "notes-on") == expected


def test_a_field_that_tells_a_story_names_nothing() -> None:
    text = "---\ncause: the dashboard read events twice, events are delivered at least once by the queue we use.\n---\n"
    assert targets(extract_relations(front_matter(text, ("cause", 2, 2))), "cause") == []


def test_chinese_fields_keep_their_names_and_split_at_chinese_commas() -> None:
    found = extract_relations(front_matter("---\n负责人：张三、李四\n---\n", ("负责人", 2, 2)))
    assert targets(found, "负责人") == ["张三", "李四"]


def test_a_day_with_a_comma_in_it_is_one_value() -> None:
    found = extract_relations(
        front_matter(
            "---\nmade: Wed, 18 Jul 2012 23:27:53 +0200\nseen: May 1, 2024; 2 June 2024\n---\n",
            ("made", 2, 2),
            ("seen", 3, 3),
        )
    )
    assert targets(found, "made") == ["Wed, 18 Jul 2012 23:27:53 +0200"]
    assert targets(found, "seen") == ["May 1, 2024", "2 June 2024"]


def test_the_double_colon_of_an_outliner_is_no_part_of_the_value() -> None:
    found = extract_relations(front_matter("related:: Guides/Start, Guides/End\n\nText.\n", ("related", 1, 1)))
    assert targets(found, "related") == ["Guides/Start", "Guides/End"]


def test_a_status_that_says_superseded_by_is_that_relation_too() -> None:
    found = extract_relations(document("# ADR 2: Old\n\n- Status: Superseded by [ADR 9](0009-new.md)\n- Date: today\n"))
    assert targets(found, "superseded-by") == ["ADR 9"]


@pytest.mark.parametrize(
    ("line", "relation", "expected"),
    [
        ("Requires: PROJ-1, PROJ-2", "requires", ["PROJ-1", "PROJ-2"]),
        ("- **Blocked by:** PROJ-12", "blocked-by", ["PROJ-12"]),
        ("blocked by PROJ-12 and PROJ-13", "blocked-by", ["PROJ-12", "PROJ-13"]),
        ("Superseded by [ADR 9](0009-x.md)", "superseded-by", ["ADR 9"]),
        ("See also: RFC 2119", "see-also", ["RFC 2119"]),
        ("阻塞：PROJ-3", "blocks", ["PROJ-3"]),
        ("被阻塞: PROJ-4", "blocked-by", ["PROJ-4"]),
    ],
)
def test_lines_of_the_body_state_relations(line: str, relation: str, expected: list[str]) -> None:
    found = extract_relations(document(f"# Title\n\nSome text first.\n\n{line}\n"))
    assert targets(found, relation) == expected
    assert next(one for one in found if one.relation == relation).text == line


def test_a_sentence_that_merely_contains_the_words_states_nothing() -> None:
    relations = extract_relations(document("# T\n\nThe parser in PEP 3 requires what PEP 4 blocks.\n"))
    assert {relation.relation for relation in relations} - {SENTENCE} == {"mentions"}


def test_markdown_links_and_wiki_links_lead_to_paths_of_the_knowledge_base() -> None:
    text = (
        "See [one](../adr/0007-x.md#why), [two](/guides/two%20words.md) and [[Three|the third]].\n"
        "[ref]: other.md\n![image](pic.png) [out](https://example.org/a.md)\n"
        "[up](../../root.md) [outside](../../../x.md)\n[here](#part)\n"
        "```\n[[ -f file ]] [code](code.md)\n```\n`[span](span.md)`\n"
    )
    found = extract_relations(document(text, "docs/notes/a.md"))
    assert targets(found, "links-to") == [
        "docs/adr/0007-x.md",
        "guides/two words.md",
        "Three",
        "docs/notes/other.md",
        "root.md",
    ]


def test_a_target_linked_twice_is_stated_where_it_is_linked_first() -> None:
    found = extract_relations(document("[ref]: b.md\n\nSee [b](b.md).\n"))
    assert [(one.target, one.line) for one in found] == [("notes/b.md", 1)]


def test_restructuredtext_links_roles_and_toctrees_are_followed() -> None:
    text = (
        "T\n=\n\n`here <b.rst>`_ and :doc:`guide <sub/guide>` and :pep:`484` and :rfc:`text <2119#section>`\n\n"
        ".. toctree::\n   :maxdepth: 1\n\n   intro\n   Name <deep/page>\n\n.. _target: c.rst\n"
    )
    found = extract_relations(document(text, "docs/a.rst", "rst"))
    assert targets(found, "links-to") == [
        "docs/b.rst",
        "docs/sub/guide",
        "docs/intro",
        "docs/deep/page",
        "docs/c.rst",
    ]
    assert targets(found, "mentions") == ["PEP 484", "RFC 2119"]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("PEP 484, PROJ-100 and RFC 2119", {"PEP 484", "PROJ-100", "RFC 2119"}),
        ("PEPs 484, 526, and 544", {"PEP 484", "PEP 526", "PEP 544"}),
        ("see PEP\n   3102 there", {"PEP 3102"}),
        ("https://peps.python.org/pep-0484/#x", {"PEP 484"}),
        ("[RFC2119] and rfc-793", {"RFC 2119", "RFC 793"}),
        ("RFC #385", {"RFC 385"}),
        ("fixed in owner/repo#12 and #34", {"#12", "#34"}),
        ("CVE-2024-12345", {"CVE-2024-12345"}),
        ("UTF-8, SHA-256, ISO-8601, ISO 8859-1, HTTP 404, AES-128, IEEE 754, TCP 80", set()),
        ("GCC 4.8, A-1, x-PROJ-3, PROJ-1.2, 2024-01-02, THE 5, #anchor, &#39;", set()),
        ("工单PROJ-7已关闭，见RFC 793。", {"PROJ-7", "RFC 793"}),
    ],
)
def test_names_of_documents_are_found_in_text_and_look_alikes_are_not(text: str, expected: set[str]) -> None:
    keys = {label_key(label) for _, label in find_labels(text)}
    assert keys == {label_key(label) for label in expected}


def test_a_document_does_not_mention_itself_and_each_other_once_where_the_text_first_says_so() -> None:
    text = "PEP: 9\nTitle: After PEP 8\nRelated: PEP 7\n\nPEP 9 follows PEP 8.\n\nPEP 7 and PEP-8 again.\n"
    found = [one for one in extract_relations(document(text, "pep-0009.rst", "rst")) if one.relation == "mentions"]
    assert [(one.target, one.line) for one in found] == [("PEP 8", 5), ("PEP 7", 7)]


def test_pull_requests_name_documents_only_where_the_header_says_that_they_number_them() -> None:
    header = "- RFC PR: [lang/rfcs#533](https://github.com/lang/rfcs/pull/533)\n- Start: x\n\n"
    ours, theirs = "https://github.com/lang/rfcs/pull/12", "https://github.com/other/rfcs/pull/13"
    body = f"As [said]({ours}), not {theirs}. See [x](0034-y.md).\n"
    found = extract_relations(document(header + body, "text/0533-a.md"))
    assert {"RFC 12", "RFC 34"} <= set(targets(found, "mentions"))
    assert not {"RFC 13", "RFC 533"} & set(targets(found, "mentions"))
    plain = extract_relations(document(body, "text/0001-b.md"))
    assert targets(plain, "mentions") == []


PYTHON_RELATIVE = "import os, json as j\nfrom ..core import (\n    graph,\n    Thing,\n)\n"
TYPESCRIPT = "import { x } from './b/c'\nimport React from \"react\"\nconst y = require('../d')\n"
RUST = "use crate::graph::Node;\nmod util;\nextern crate serde;\n"
GO = 'import (\n\t"fmt"\n\tx "example.org/m/pkg"\n)\n'
JAVA = "import static java.util.List.of;\nimport com.x.*;\n"


@pytest.mark.parametrize(
    ("language", "path", "text", "expected"),
    [
        ("python", "pkg/sub/m.py", PYTHON_RELATIVE, {"os", "json", "pkg.core", "pkg.core.graph"}),
        ("python", "m.py", "from a.b import c  # why\n", {"a.b", "a.b.c"}),
        ("typescript", "src/a.ts", TYPESCRIPT, {"src/b/c", "react", "d"}),
        ("rust", "src/main.rs", RUST, {"crate::graph::Node", "util", "serde"}),
        ("go", "main.go", GO, {"fmt", "example.org/m/pkg"}),
        ("java", "A.java", JAVA, {"java.util.List.of", "com.x"}),
        ("c", "a.c", '#include <stdio.h>\n#include "b.h"\n', {"stdio.h", "b.h"}),
    ],
)
def test_imports_of_each_language(language: str, path: str, text: str, expected: set[str]) -> None:
    found = extract_relations(document(text, path, "code", language=language))
    assert set(targets(found, "imports")) == expected


@pytest.mark.parametrize(
    ("path", "text", "expected"),
    [
        ("peps/pep-0509.rst", "PEP: 509\n", ("PEP 509",)),
        ("adr/0007-deploys.md", "# ADR 7: Deploys\n", ("ADR 7",)),
        ("ADR-0007-deploys.md", "# Deploys\n", ("ADR-0007",)),
        ("adr/0007-deploys.md", "# Deploys\n", ("ADR 7",)),
        ("tickets/PROJ-100.md", "# Something\n", ("PROJ-100",)),
        ("rfc2119.txt", "Key words\n", ("RFC 2119",)),
        ("text/0533-x.md", "- RFC PR: [l/rfcs#533](https://github.com/l/rfcs/pull/533)\n", ("RFC 533",)),
        ("notes/2025-03-01-weekly.md", "# Weekly\n", ()),
        ("notes/chapter1.md", "# UTF-8 explained\n", ()),
        ("text/0533-x.md", "# Something\n", ()),
    ],
)
def test_files_get_the_names_by_which_others_call_them(path: str, text: str, expected: tuple[str, ...]) -> None:
    kind: DocumentKind = "rst" if path.endswith(".rst") else "markdown"
    assert file_labels(document(text, path, kind)) == expected


def test_a_file_named_by_number_takes_the_name_its_header_gives_that_number() -> None:
    text = "* Proposal: [SE-0001](0001-x.md)\n* Previous: SE-0007\n"
    assert file_labels(front_matter(text, ("Proposal", 1, 1), ("Previous", 2, 2), path="proposals/0001-x.md")) == (
        "SE-0001",
    )


def test_two_spellings_of_a_name_have_one_key() -> None:
    assert label_key("ADR-0007") == label_key("adr 7") == label_key("Adr7")
    assert label_key("Łukasz  Langa") == label_key("lukasz langa")
    assert label_key("PEP 0") == "pep 0"
    assert is_ticket("PROJ-1")
    assert is_ticket("#12")
    assert not is_ticket("ADR-7")


def test_lines_after_form_feeds_and_line_separators_are_counted_as_editors_do() -> None:
    text = "a\fb\u2028c\x0bd\nsee PEP 8\n"
    relation = next(each for each in extract_relations(document(text)) if each.relation != SENTENCE)
    assert (relation.line, relation.text) == (2, "see PEP 8")


KINDS: list[tuple[DocumentKind, str, str]] = [
    ("markdown", "0001-a.md", ""),
    ("rst", "pep-0001.rst", ""),
    ("html", "a.html", ""),
    ("code", "a.ts", "typescript"),
    ("code", "a.py", "python"),
]
MARKS = list("[](){}<>`'\":#|*_-=~,;/\\ \n\t\f\u2028\x1b中é0")
WORDS = ["PEP 1", "PROJ-2", "Author: ", "Requires:", "依赖：", "http://x/", "pep-0007", "#12", ":pep:`3`", "a.md"]
MARKUP = ["```", "---", "- ", "[[", "](", "\n\n", ".. toctree::\n", "from . import (", "import ", ":doc:`"]
PIECES = st.sampled_from([*MARKS, *WORDS, *MARKUP])


@settings(deadline=None)
@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from(KINDS))
def test_whatever_is_in_a_file_its_relations_quote_its_lines(text: str, kind: tuple[DocumentKind, str, str]) -> None:
    read = document(text, kind[1], kind[0], language=kind[2])
    lines = text.split("\n")
    for relation in extract_relations(read):
        assert relation.text == lines[relation.line - 1]
        assert relation.target
        assert "\n" not in relation.target
        assert relation.relation
    assert all(file_labels(read))


def test_names_between_stretches_without_a_digit_keep_their_lines() -> None:
    quiet = "No name is here.\n" * 3
    text = f"See ADR-7.\n{quiet}As ADR\n9 says.\n{quiet}It blocks\n{quiet}12 others; ADR 3 too.\n"
    found = {relation.target: relation.line for relation in extract_relations(document(text, "a.md", "markdown"))}
    assert found == {"ADR-7": 1, "ADR 9": 5, "ADR 3": 14}


@pytest.mark.parametrize(
    "piece", ["[", "[a](", "`", "PEPs 1, ", "<a ", "import {", "from . import (\n", "```\n", "a/", "- **"]
)
def test_no_text_makes_reading_it_slow(piece: str) -> None:
    # A pattern that looks back over the text from each of its places needs minutes for these, not moments.
    text = piece * (200_000 // len(piece))
    for kind, path, language in KINDS:
        extract_relations(document(text, path, kind, language=language))


def test_a_box_of_facts_states_fields_and_its_edges_none() -> None:
    text = "{{Infobox lake\n| name = Mill Pond\n| max depth = 12 m\n| inflow = [[Brook]]\n}}\n\nIt is a pond = water.\n"
    document = parse(text.encode(), "Mill_Pond.md")
    found = [(one.relation, one.target, one.line) for one in extract_relations(document)]
    assert [one for one in found if one[0] != "links-to"] == [("max-depth", "12 m", 3), ("inflow", "Brook", 4)]


def test_a_wiki_table_of_two_columns_states_fields_as_one_of_markdown_does() -> None:
    text = "= Brush =\n\n||= Field =||= Value =||\n|| '''Keeper''' || Cleo Ott ||\n|| State || in use ||\n\nIt runs.\n"
    document = parse(text.encode(), "pages/BrushDrive")
    relations = [each for each in extract_relations(document) if each.relation != SENTENCE]
    assert [(each.relation, each.target, each.line) for each in relations] == [
        ("keeper", "Cleo Ott", 4),
        ("state", "in use", 5),
    ]


def test_a_title_with_a_colon_states_no_field() -> None:
    text = "alder: a library\n================\n\n:Status: Draft\n"
    found = extract_relations(parse(text.encode(), "alder.rst"))
    assert [(one.relation, one.target) for one in found] == [("status", "Draft")]


def stated_by(text: str) -> dict[str, list[tuple[str, int]]]:
    """Items and lines by relation, of a document as the loader reads it."""
    found: dict[str, list[tuple[str, int]]] = {}
    for one in extract_relations(parse(text.encode(), "modules/a.md")):
        found.setdefault(one.relation, []).append((one.target, one.line))
    return found


def test_what_is_nested_in_front_matter_is_a_field_by_both_keys() -> None:
    stated = stated_by(
        "---\nlabels:\n- Beta\nspec:\n  needs:\n  - mod_x\n  - mod_y\n  build:\n    dir: html\n...\n\nText.\n"
    )
    assert stated["labels"] == [("Beta", 3)]
    assert stated["spec-needs"] == [("mod_x", 6), ("mod_y", 7)]
    assert "spec" not in stated


def test_a_key_alone_on_its_line_is_no_value() -> None:
    assert "build" not in [
        item for item, _ in stated_by("---\nspec:\n  build:\n    dir:\n    - html\n---\n").get("spec", [])
    ]
    assert not any(item.endswith(":") for item, _ in stated_by("---\nmenu:\n  docs:\n    name: A\n---\n")["menu"])


def test_front_matter_that_is_no_yaml_is_read_line_by_line() -> None:
    stated = stated_by("---\ntitle: Plugin: a thing\nowners:\n- Ada Moor\nstate: open\n---\n\nText.\n")
    assert stated["owners"] == [("Ada Moor", 4)]
    assert stated["state"] == [("open", 5)]


def test_the_nouns_behind_this_are_kept_once() -> None:
    stated = stated_by("# A\n\nThis module does. This\nmodule is here. In this room, 本插件用来测试，本插件好。\n")
    assert stated["file:called"] == [("module", 3), ("room", 4), ("插件", 4)]


@pytest.mark.parametrize(
    "text",
    [
        "---\naliases: [Atlas, The Atlas effort]\n---\n# P\n",
        '---\naliases:\n  - Atlas\n  - "The Atlas effort"\n---\n# P\n',
        "alias:: Atlas, The Atlas effort\ntags:: work\n\n- text\n",
    ],
)
def test_the_aliases_of_a_note_are_names_that_links_may_use(text: str) -> None:
    assert file_labels(parse(text.encode(), "projects/p.md")) == ("Atlas", "The Atlas effort")


def test_what_is_no_alias_is_no_name() -> None:
    text = f"---\naliases: [1, x, '', {'long ' * 40}]\n---\n# P\n"
    assert file_labels(parse(text.encode(), "projects/p.md")) == ()


TAGGED = """---
tags: [home]
---
# Heading #none

#project/alpha #urgent
- tags:: #garden, #books
See #area/infra/dns in a sentence, but #channel, #123 and a #fff colour not.
A [link](x.md#sec/tion), `#code/x`, me/repo#a/b, https://x.org/#a/b and #[[deep work]].
#标签/子标签

```
#include/this
```
"""


def test_tags_in_the_text_of_a_note_are_tags_of_each_level_and_other_number_signs_are_not() -> None:
    relations = extract_relations(parse(TAGGED.encode(), "p.md"))
    assert [(relation.target, relation.line) for relation in relations if relation.relation == "tags"] == [
        ("home", 2),
        ("project/alpha", 6),
        ("project", 6),
        ("urgent", 6),
        ("garden", 7),
        ("books", 7),
        ("area/infra/dns", 8),
        ("area", 8),
        ("area/infra", 8),
        ("deep work", 9),
        ("标签/子标签", 10),
        ("标签", 10),
    ]
    assert not [relation for relation in extract_relations(parse(b"#a/b #c\n", "p.txt")) if relation.relation == "tags"]


def test_a_nested_tag_is_a_tag_of_each_level() -> None:
    read = parse(b"---\ntags: [area/infra/dns, active, a/ b, 1/2]\n---\n# P\n", "p.md")
    tags = [relation.target for relation in extract_relations(read) if relation.relation == "tags"]
    assert tags[:4] == ["area/infra/dns", "area", "area/infra", "active"]
    assert "1" not in tags
    assert "a" not in tags


def messages_of(text: str, path: str) -> list[tuple[int, str, str, str]]:
    """Line, sender, day and text of each message that an export states."""
    found: list[list[str | int]] = []
    for relation in extract_relations(parse(text.encode(), path)):
        if relation.relation == "item:":
            found.append([relation.line, "", "", relation.target])
        elif relation.relation in ("item:from", "item:date"):
            found[-1][1 if relation.relation == "item:from" else 2] = relation.target
    return [tuple(message) for message in found]  # type: ignore[misc]


@pytest.mark.parametrize(
    ("lines", "days"),
    [
        (["03/01/2025, 09:16 - Ana: It", "more - of: it", "14/02/2025, 10:00 - Bo: B", "15/02/2025, 10:01 - Bo: C"],
         ["2025-01-03", "2025-02-14", "2025-02-15"]),
        (["[1/3/25, 9:16:02 AM] Ana: It", "", "[2/14/25, 10:00:00 PM] Bo: B", "[2/15/25, 10:01:00 PM] Bo: C"],
         ["2025-01-03", "2025-02-14", "2025-02-15"]),
        (["03.01.25, 09:16 - Ana: It", "go", "04.02.25, 10:00 - Bo: B", "05.02.25, 10:01 - Bo: C"],
         ["2025-01-03", "2025-02-04", "2025-02-05"]),
        (["[2025-01-03, 09:16:00] Ana: It", "go", "[2025-02-04, 10:00:00] Bo: B", "[2025-02-05, 10:00:00] Bo: C"],
         ["2025-01-03", "2025-02-04", "2025-02-05"]),
        (["1/3/25, 9:16 AM - Ana: It", "go", "2/4/25, 1:00 PM - Bo: B", "2/5/25, 1:00 PM - Bo: C"],
         ["2025-01-03", "2025-02-04", "2025-02-05"]),
    ],
)  # fmt: skip
def test_a_chat_of_whatsapp_is_messages_with_sender_and_day(lines: list[str], days: list[str]) -> None:
    assert messages_of("\n".join(lines) + "\n", "WhatsApp Chat with Ops.txt") == [
        (1, "Ana", days[0], "It"),
        (3, "Bo", days[1], "B"),
        (4, "Bo", days[2], "C"),
    ]


def test_the_mails_of_a_mailbox_have_sender_receivers_and_day() -> None:
    box = made.mbox([made.message("Lunch", "From: the kitchen"), made.message("", "Two.")])
    assert messages_of(box.decode(), "office.mbox") == [
        (4, "Kari Nordmann", "2025-03-04", "Lunch"),
        (14, "Kari Nordmann", "2025-03-04", "Kari Nordmann"),
    ]
    stated = {(relation.relation, relation.target) for relation in extract_relations(parse(box, "office.mbox"))}
    assert stated >= {("list:", "mails"), ("item:to", "harbour@example.org")}


def test_a_mail_without_a_sender_is_no_record() -> None:
    box = "Lunch\n=====\n\nFrom: {}\nDate: Tue, 4 Mar 2025 10:00:00 +0000\n\nAt noon.\n"
    assert [mail.sender for mail in mailbox_messages(box.format("Ana <ana@example.org>").split("\n"))] == ["Ana"]
    assert list(mailbox_messages(box.format("").split("\n"))) == []


def test_records_that_share_a_line_are_not_counted() -> None:
    chat = '{"messages": [{"id": 1, "from": "Dee", "text": "a"}, {"id": 2, "from": "Dee", "text": "b"}]}'
    assert messages_of(chat, "result.json") == []
    assert messages_of(chat.replace(', {"id": 2', ',\n {"id": 2'), "result.json") != []
    day = '[{"user": "U1", "ts": "1735895700.2", "text": "a"}, {"user": "U2", "ts": "1735895760.1", "text": "b"}]'
    assert messages_of(day, "general/2025-01-03.json") == []


def test_a_text_that_quotes_a_chat_or_names_days_is_no_chat() -> None:
    quoted = "".join(f"0{day}/01/2025, 09:16 - Ana: hello\n" for day in (1, 2, 3)) + "A line of a report.\n" * 20
    assert messages_of(quoted, "report.txt") == []
    assert messages_of(
        "01/01/2025, 09:16 - Ana: x\n99/99/2025, 09:16 - Bo: y\n98/99/2025, 09:16 - Bo: z\n", "x.txt"
    ) == [(1, "Ana", "2025-01-01", "x")]


def test_a_day_of_a_slack_channel_is_messages_with_sender_and_day() -> None:
    text = """[
 {"type": "message", "user": "U01", "ts": "1735895700.000200",
  "text": "The printer jams", "user_profile": {"real_name": "Ana Ruiz"}},
 {"type": "message", "user": "U02", "ts": "1735895760.000100", "text": "Again?"},
 {"type": "message", "subtype": "bot", "ts": "soon", "text": "no time"}
]
"""
    assert messages_of(text, "export/general/2025-01-03.json") == [
        (3, "Ana Ruiz", "2025-01-03", "The printer jams"),
        (4, "U02", "2025-01-03", "Again?"),
    ]


@pytest.mark.parametrize(
    ("text", "tags"),
    [
        ("# Haiku\n\nIt rhymes.\n\nTags: type/fun, slow\n", ["type/fun", "type", "slow"]),
        ("# 俳句\n\n有韵。\n\n标签：娱乐、慢\n", ["娱乐", "慢"]),
        ("# Haiku\n\nCategories: Poems; Short forms\n", ["Poems", "Short forms"]),
        ("# Haiku\n\nIt rhymes.\nTags: fun\n", []),
        ("# Haiku\n\nTags: whatever you write here is shown to all who read it\n", []),
    ],
    ids=["levels", "Chinese", "categories", "a line of a paragraph", "a sentence"],
)
def test_a_paragraph_of_tags_tags_the_document(text: str, tags: list[str]) -> None:
    relations = extract_relations(parse(text.encode(), "haiku.md"))
    assert [relation.target for relation in relations if relation.relation == "tags"] == tags

"""Links: names become files, both ends of a relation are seen, answers are exact and carry their line."""

from __future__ import annotations

import pytest

from kbtui.domain.document import FileRecord, Relation
from kbtui.domain.evidence import Hit
from kbtui.knowledge.reading.loaders import parse
from kbtui.knowledge.relations import extract_relations, file_labels
from kbtui.records.concepts import FieldNames
from kbtui.records.items import hits_of
from kbtui.records.links import Links
from kbtui.records.relating import related_items
from tests.records.relation_corpora import HANDBOOK, NUMBERED, STANDARDS, items, links_of


@pytest.fixture(scope="module")
def standards() -> Links:
    return links_of(STANDARDS)


@pytest.fixture(scope="module")
def handbook() -> Links:
    return links_of(HANDBOOK)


@pytest.fixture(scope="module")
def numbered() -> Links:
    return links_of(NUMBERED)


def labels(links: Links, question: str) -> list[str]:
    return [item.label for item in items(links, question)]


def hits(links: Links, question: str) -> list[Hit]:
    found = related_items(links, question)
    return hits_of(found.steps) if found is not None else []


def test_names_resolve_to_files_whatever_their_case_padding_and_hyphens() -> None:
    files = [FileRecord(path="pep-0009.rst", kind="rst", title="Nine", labels=("PEP 9",))]
    relations = [
        Relation(source_path="a.md", relation="mentions", target=target)
        for target in ("PEP 9", "pep-0009", "Pep9", "pep-0009.rst", "PEP 90")
    ]
    edges = Links(files, relations).edges
    assert [edge.target for edge in edges] == ["pep-0009.rst"] * 4 + ["pep 90"]


def test_links_without_extension_and_to_folders_find_their_file() -> None:
    files = [FileRecord(path=path, kind="markdown", title="") for path in ("docs/guide.md", "adr/README.md")]
    relations = [Relation(source_path="a.md", relation="links-to", target=target) for target in ("docs/guide", "adr")]
    assert [edge.target for edge in Links(files, relations).edges] == ["docs/guide.md", "adr/README.md"]


def test_of_several_files_by_one_name_a_link_means_the_nearest() -> None:
    files = [FileRecord(path=path, kind="markdown", title="Setup") for path in ("a/setup.md", "b/setup.md")]
    relations = [Relation(source_path="b/index.md", relation="links-to", target="Setup")]
    assert Links(files, relations).edges[0].target == "b/setup.md"


def test_files_named_by_number_alone_are_the_series_that_mentions_tell(numbered: Links) -> None:
    assert numbered.labels == {
        "text/0533-no-moves.md": "RFC 533",
        "text/1192-ranges.md": "RFC 1192",
        "text/2000-const.md": "RFC 2000",
    }
    assert labels(numbered, "Which RFCs mention RFC 1192?") == ["RFC 533", "RFC 2000"]


def test_numbers_that_no_series_mentions_stay_paths() -> None:
    links = links_of({"log/0001-a.md": "Nothing.\n", "log/0002-b.md": "Only RFC 7231 here.\n"})
    assert links.labels == {}
    links = links_of({f"log/000{n}-a.md": "One number, RFC 2, may be chance.\n" for n in (1, 2, 3)})
    assert links.labels == {}


def test_an_answer_is_the_other_end_and_its_hit_is_the_line_that_states_it(standards: Links) -> None:
    (item,) = items(standards, "Which PEP superseded PEP 2?")
    assert item.direction == "forward"
    assert (item.label, item.path, item.title) == ("PEP 3", "peps/pep-0003.rst", "New dict")
    assert (item.hit.path, item.hit.start_line, item.hit.text) == ("peps/pep-0002.rst", 5, "Superseded-By: 3")
    assert item.hit.tool == "graph_related"
    assert 0 < item.hit.score <= 1


def test_what_others_state_is_cited_from_their_files(standards: Links) -> None:
    found = items(standards, "Which PEPs require PEP 10?")
    assert [(item.label, item.hit.path) for item in found] == [
        ("PEP 3", "peps/pep-0003.rst"),
        ("PEP 100", "peps/pep-0100.rst"),
    ]
    assert {item.direction for item in found} == {"reverse"}


def test_the_converse_field_answers_when_the_document_asked_about_has_none() -> None:
    links = links_of({**STANDARDS, "peps/pep-0002.rst": "PEP: 2\nTitle: Old dict\nStatus: Superseded\n"})
    found = items(links, "What superseded PEP 2?")
    assert [(item.label, item.hit.path) for item in found] == [("PEP 3", "peps/pep-0003.rst")]


def test_answers_come_in_natural_order_and_people_in_the_order_they_are_listed(standards: Links) -> None:
    assert labels(standards, "Which PEPs did Grace Hopper write?") == ["PEP 2", "PEP 10", "PEP 100"]
    assert labels(standards, "Who wrote PEP 1?") == ["Ada Lovelace", "Marc-André Dupont"]


def test_one_line_with_several_answers_and_neighbouring_lines_are_one_hit(standards: Links) -> None:
    [required] = hits(standards, "What does PEP 3 require?")
    assert (required.start_line, required.end_line, required.text) == (5, 5, "Requires: 1, 10")
    [authors] = hits(standards, "Who wrote PEP 1?")
    assert (authors.start_line, authors.end_line) == (3, 4)
    assert authors.text == "Author: Ada Lovelace <a@x.org>,\n        Marc-André Dupont"
    assert authors.note == "PEP 1 —author→ Ada Lovelace; Marc-André Dupont"


def test_labels_are_spelled_as_the_question_spells_them() -> None:
    links = links_of(
        {
            "EIPS/eip-20.md": "---\neip: 20\ntitle: Token\n---\n",
            "EIPS/eip-721.md": "---\neip: 721\ntitle: Other token\nrequires: 20, 165\n---\n",
        }
    )
    assert labels(links, "Which EIPs does EIP-721 require?") == ["EIP-20", "EIP-165"]
    assert labels(links, "Which EIPs require EIP 20?") == ["EIP 721"]


def test_labels_are_spelled_as_the_documents_spell_them_when_the_question_has_none() -> None:
    files = {
        "EIPS/eip-20.md": "---\neip: 20\nauthor: Ada Lovelace\n---\n",
        "EIPS/eip-721.md": "---\neip: 721\nauthor: Ada Lovelace\n---\n\nLike EIP-20.\n",
    }
    assert labels(links_of(files), "What did Ada Lovelace write?") == ["EIP-20", "EIP-721"]
    files["EIPS/eip-721.md"] = files["EIPS/eip-721.md"].replace("EIP-20", "EIP 20")
    assert labels(links_of(files), "What did Ada Lovelace write?") == ["EIP 20", "EIP 721"]


def test_imports_resolve_to_modules_and_imported_names_that_are_no_modules_are_left_out(
    handbook: Links,
) -> None:
    assert labels(handbook, "what does engine.py import?") == [
        "json",
        "src/parts/__init__.py",
        "src/parts/axle.py",
        "src/parts/wheel.py",
    ]
    assert labels(handbook, "which files import wheel.py?") == ["src/engine.py"]


def test_a_title_is_given_only_where_it_says_more_than_the_label(handbook: Links) -> None:
    assert handbook.title_of("docs/adr/0007-deploys.md") == "Deploys"
    files = [FileRecord(path="src/a.py", kind="code", title="a.py")]
    assert Links(files, []).title_of("src/a.py") == ""


def test_everything_linked_to_a_ticket_is_found_from_both_sides_once(handbook: Links) -> None:
    assert labels(handbook, "what is linked to PROJ-100?") == ["ADR-7", "PROJ-7", "PROJ-12", "PROJ-13", "PROJ-55"]
    assert labels(handbook, "what tickets are linked to PROJ-100?") == ["PROJ-7", "PROJ-12", "PROJ-13", "PROJ-55"]


def test_both_ends_of_a_block_are_read(handbook: Links) -> None:
    found = items(handbook, "What does PROJ-100 block?")
    assert [(item.label, item.hit.path) for item in found] == [
        ("PROJ-13", "tickets/PROJ-100.md"),
        ("PROJ-12", "tickets/PROJ-12.md"),
    ]
    assert labels(handbook, "What blocks PROJ-13?") == ["PROJ-100"]


EIP = (
    "---\neip: 721\ntitle: Token\nauthor: Ada Lovelace (@ada), Bob Roe <b@x.org>\nrequires: 20, 165\n---\n\n"
    "Like EIP-20.\n"
)
SWIFT = (
    "# API Guidelines\n\n* Proposal: [SE-0023](0023-api.md)\n"
    "* Authors: [Dave Roe](https://x.org/d), [Ann Lee](https://x.org/a)\n"
    "* Review Manager: [Eve Poe](https://x.org/e)\n* Status: **Implemented (Swift 3)**\n\n## Text\n\nSee SE-0005.\n"
)
BITCOIN = (
    "<pre>\n  BIP: 341\n  Title: Taproot\n"
    "  Author: Ann Lee <a@x.org>\n          Bob Roe <b@x.org>\n  Requires: 340, 342\n</pre>\n"
)
INTERNET = (
    "\n\nInternet Engineering Task Force (IETF)                  R. Roe, Ed.\n"
    "Request for Comments: 7231                                     Adobe\n"
    "Obsoletes: 2616, 2617                                    J. Poe, Ed.\n"
    "Updates: 2817\n\n\n      Semantics\n\nSee [RFC7230].\n"
)
KUBERNETES = 'title: Foo\nkep-number: 123\nauthors:\n  - "@ann"\n  - "@bob"\nreplaces:\n  - "/keps/node/9-bar"\n'
DJANGO = "======\nDEP 5: Engines\n======\n\n:DEP: 0005\n:Author: Ann Lee, Bob Roe\n:Requires: 3\n\nAbstract\n"


@pytest.mark.parametrize(
    ("path", "text", "question", "expected"),
    [
        ("EIPS/eip-721.md", EIP, "Which EIPs does EIP-721 require?", ["EIP-20", "EIP-165"]),
        ("EIPS/eip-721.md", EIP, "Who wrote EIP-721?", ["Ada Lovelace", "Bob Roe"]),
        ("EIPS/eip-721.md", EIP, "Which EIPs mention EIP-20?", ["EIP-721"]),
        ("proposals/0023-api.md", SWIFT, "SE-0023 的作者是谁？", ["Dave Roe", "Ann Lee"]),
        ("proposals/0023-api.md", SWIFT, "Who is the review manager of SE-0023?", ["Eve Poe"]),
        ("proposals/0023-api.md", SWIFT, "What is the status of SE-0023?", ["Implemented (Swift 3)"]),
        ("proposals/0023-api.md", SWIFT, "Which proposals refer to SE-0005?", ["SE-0023"]),
        ("bip-0341.mediawiki", BITCOIN, "Who are the authors of BIP 341?", ["Ann Lee", "Bob Roe"]),
        ("bip-0341.mediawiki", BITCOIN, "BIP 341 依赖哪些 BIP？", ["BIP 340", "BIP 342"]),
        ("rfc7231.txt", INTERNET, "Which RFCs does RFC 7231 obsolete?", ["RFC 2616", "RFC 2617"]),
        ("rfc7231.txt", INTERNET, "RFC 7231 更新了哪些 RFC？", ["RFC 2817"]),
        ("rfc7231.txt", INTERNET, "What obsoletes RFC 2616?", ["RFC 7231"]),
        ("keps/node/1-foo/kep.yaml", KUBERNETES, "Who wrote KEP-123?", ["@ann", "@bob"]),
        ("deps/0005-engines.rst", DJANGO, "Which DEPs does DEP 5 require?", ["DEP 3"]),
        ("deps/0005-engines.rst", DJANGO, "Which DEPs did Ann Lee write?", ["DEP 5"]),
    ],
)
def test_headers_of_many_shapes_are_understood(path: str, text: str, question: str, expected: list[str]) -> None:
    document = parse(text.encode(), path)
    record = FileRecord(path=path, kind=document.kind, title=document.title, labels=file_labels(document))
    assert labels(Links([record], extract_relations(document)), question) == expected


def test_a_question_about_nothing_known_has_no_answer(standards: Links) -> None:
    for question in ("Which PEPs require PEP 4711?", "how does the garbage collector work?", ""):
        assert related_items(standards, question) is None


def test_a_relation_the_document_does_not_have_is_not_answered_with_another(standards: Links) -> None:
    assert items(standards, "What does PEP 1 replace?") == []
    assert items(standards, "Who sponsors PEP 10?") == []


@pytest.mark.parametrize("question", ["What does ADR-9 say about date pickers?", "ADR-9 关于 date 说了什么？"])
def test_what_a_text_says_on_a_topic_is_no_field_of_that_name(handbook: Links, question: str) -> None:
    assert labels(handbook, "What is the date of ADR-9?") == ["today"]
    assert labels(handbook, question) == []


def test_all_relations_are_given_when_none_is_named(standards: Links) -> None:
    assert {item.relation for item in items(standards, "PEP 3")} >= {
        "author",
        "requires",
        "replaces",
        "sponsor",
        "status",
    }


def test_a_thing_pointing_at_itself_is_no_answer() -> None:
    links = links_of({"a.md": "# A\n\n[self](a.md) [b](b.md)\n", "b.md": "# B\n"})
    assert labels(links, "what does a.md link to?") == ["b.md"]
    assert [(edge.source, edge.target) for edge in links.edges] == [("a.md", "b.md")]


def test_a_link_and_a_mention_of_one_document_are_one_answer() -> None:
    links = links_of({"adr/ADR-7-x.md": "# X\n", "a.md": "# A\n\nSee [ADR-7](adr/ADR-7-x.md).\n"})
    assert labels(links, "Which files mention ADR-7?") == ["a.md"]


def test_an_empty_knowledge_base_has_a_links() -> None:
    assert items(Links([], []), "what requires PEP 1?") == []


def test_names_of_fields_are_looked_up_by_the_words_they_share() -> None:
    names = FieldNames.of(["target-version", "pep-delegate", "负责人", "requires"])
    assert "requires" not in names.words, "it relates two documents"
    found = {name: shared for name, _, shared in names.shared({"version", "target", "deleg"}, "谁是负责人？")}
    assert found == {"target-version": 2, "pep-delegate": 1, "负责人": 1}
    assert list(names.shared({"nothing"}, "nothing")) == []

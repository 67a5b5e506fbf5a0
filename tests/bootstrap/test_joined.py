"""Several folders asked as one, and compared with one folder that holds them all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kbtui.bootstrap import Engine
from kbtui.domain.events import Event, EvidenceGraded, Progress
from kbtui.domain.ports import CancelToken
from kbtui.knowledge.joined.base import JoinedKnowledgeBase, open_knowledge_base
from kbtui.settings.joined import NamedFolder, joined_folder
from kbtui.settings.model import Settings

ANIMALS = ("heron", "otter", "badger", "newt")
PAGES = {
    **{
        f"docs/adr/000{number}-{word}.md": f"---\nstatus: {status}\n---\n# ADR-{number}: The {word} queue\n\n"
        f"We keep {word} messages in a queue of their own, with a limit of {number}0 a minute.\n"
        for number, (word, status) in enumerate(
            zip(ANIMALS, ("accepted", "accepted", "draft", "draft"), strict=True), 1
        )
    },
    "docs/setup.md": "# Setup\n\nThe printer of the docs team stands on floor two. See [A](adr/0001-heron.md).\n",
    "docs/zh.md": "# 打印机\n\n二楼的打印机每周一卡纸，由行政部门维护。\n",
    **{
        f"notes/adr/000{number}-{word}.md": f"---\nstatus: accepted\n---\n# ADR-{number}: Paper for {word}s\n\n"
        f"Pages about the {word} are printed on paper number {number}.\n"
        for number, word in enumerate(ANIMALS[:3], 1)
    },
    "notes/day.md": "# Day\n\nThe printer jams on Mondays, said Ana. It is repaired by Bo: [A](adr/0001-heron.md).\n",
}
QUESTIONS = (
    "When does the printer jam?",
    "What is the limit of otter messages?",
    "Which paper are pages about the badger printed on?",
    "where does the printer of the docs team stand",
    "谁维护打印机？",
)


@pytest.fixture
def one(tmp_path: Path, shared_model: None) -> Path:
    """One folder with both."""
    for name, text in PAGES.items():
        path = tmp_path / "all" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        # A file that has just changed is read again to be sure.
        os.utime(path, (1_700_000_000, 1_700_000_000))
    return tmp_path / "all"


@pytest.fixture
def root(one: Path) -> Path:
    """The folder that stands for both."""
    return joined_folder([NamedFolder(one / "docs"), NamedFolder(one / "notes")])


def opened(root: Path) -> JoinedKnowledgeBase:
    knowledge = open_knowledge_base(root, Settings())
    assert isinstance(knowledge, JoinedKnowledgeBase)
    knowledge.complete(lambda _: None, CancelToken())
    return knowledge


def test_searches_over_two_indexes_find_what_one_over_both_finds(one: Path, root: Path) -> None:
    joined, whole = opened(root), open_knowledge_base(one, Settings())
    whole.complete(lambda _: None, CancelToken())
    for question in QUESTIONS:
        for search in ("hybrid", "grep"):
            args = (question, question, 5) if search == "hybrid" else (question, 5)
            ours, theirs = getattr(joined, search).search(*args), getattr(whole, search).search(*args)
            ours, theirs = (hits[0] if isinstance(hits, tuple) else hits for hits in (ours, theirs))
            assert ours[0].path == theirs[0].path, (question, search)
            assert ours[0].text == theirs[0].text
            assert {hit.path.split("/")[0] for hit in ours} == {hit.path.split("/")[0] for hit in theirs}
        near, nearest = joined.vectors.search(question, 3), whole.vectors.search(question, 3)
        assert [(hit.path, round(hit.score, 4)) for hit in near] == [(hit.path, round(hit.score, 4)) for hit in nearest]
    assert joined.index.rarity(["printer", "otter", "none"]) == pytest.approx(
        whole.index.rarity(["printer", "otter", "none"])
    )
    assert joined.respelt("the prniter").text == whole.respelt("the prniter").text == "the printer"
    assert joined.index.counts() == whole.index.counts()
    assert joined.vector_share() == joined.index.vector_share() == 1.0


def test_every_index_lies_with_its_folder_and_only_what_changed_is_read(one: Path, root: Path, home: Path) -> None:
    engine = Engine(Settings(), root, record=False)
    engine.answer_query("When does the printer jam?")
    places = {path.name.rpartition("-")[0]: path for path in (home / "cache" / "kbtui" / "indexes").iterdir()}
    assert sorted(places) == ["docs", "docs---notes", "notes"]
    # Of both together only what search makes of other questions is kept.
    assert [path.name for path in places["docs---notes"].iterdir()] == ["background.json"]
    (one / "notes" / "day.md").write_text("# Day\n\nThe printer jams on Fridays now.\n", encoding="utf-8")
    events: list[Event] = []
    # The look at the folders of the first question serves for two seconds.
    engine.refresh()
    answer = engine.answer_query("When does the printer jam?", events.append)
    assert "Fridays" in answer.markdown
    assert [citation.path for citation in answer.citations] == ["notes/day.md"]
    read = {(event.done, event.total) for event in events if isinstance(event, Progress) and event.stage == "read"}
    assert {total for _, total in read} == {1}


def test_what_is_counted_is_counted_over_both(root: Path) -> None:
    engine = Engine(Settings(), root, record=False)
    answer = engine.answer_query("How many ADRs are accepted?")
    assert "**5**" in answer.markdown
    assert {citation.path.split("/")[0] for citation in answer.citations if citation.path} == {"docs", "notes"}
    engine.new_conversation()
    assert "**2**" in engine.answer_query("How many ADRs are accepted? @docs/").markdown


def test_a_link_leads_to_the_file_of_its_own_folder(root: Path) -> None:
    engine = Engine(Settings(), root, record=False)
    engine.answer_query("printer?")
    document = engine.library.document("notes/day.md")
    assert document.title == "Day"
    links = {(edge.source, edge.target) for edge in _edges(engine) if edge.relation == "links-to"}
    assert links == {("docs/setup.md", "docs/adr/0001-heron.md"), ("notes/day.md", "notes/adr/0001-heron.md")}


def _edges(engine: Engine) -> tuple[object, ...]:
    from kbtui.records.opened import reader_of

    return tuple(reader_of(engine._backend.knowledge).collection.links.edges)  # type: ignore[attr-defined]


def test_a_name_narrows_to_its_folder_and_files_are_read_by_it(root: Path) -> None:
    engine = Engine(Settings(), root, record=False)
    events: list[Event] = []
    engine.answer_query("What is printed or kept about the otter? @notes/", events.append)
    graded = {item.path for event in events if isinstance(event, EvidenceGraded) for item in event.items}
    assert graded
    assert all(path.startswith("notes/") for path in graded)
    assert engine.read_source("docs/setup.md").text.startswith("# Setup")
    assert engine.file_count() == len(PAGES)
    assert {"docs/", "notes/", "notes/adr/"} <= {named.name for named in engine.names() if named.kind == "folder"}


@pytest.mark.parametrize("path", ["setup.md", "docs/../../all/notes/day.md", "other/x.md", "docs", "/etc/passwd"])
def test_no_path_leads_out_of_the_folders(root: Path, path: str) -> None:
    from kbtui.errors import KnowledgeBaseError

    with pytest.raises(KnowledgeBaseError):
        Engine(Settings(), root, record=False).read_source(path)


def test_settings_of_a_folder_hold_for_it_alone(one: Path, root: Path) -> None:
    (one / "docs" / ".kbtui.toml").write_text('[index]\nexclude = ["adr/*"]\n', encoding="utf-8")
    paths = [record.path for record in opened(root).file_records()]
    assert [path for path in paths if "/adr/" in path] == [
        path for path in sorted(PAGES) if path.startswith("notes/adr")
    ]

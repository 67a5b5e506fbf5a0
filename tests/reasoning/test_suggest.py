"""What is suggested where nothing was found."""

from __future__ import annotations

from collections.abc import Iterable

from kbtui.domain.document import FileRecord
from kbtui.domain.ports import CancelToken, WritingBrief
from kbtui.domain.routing import RetrievalHint
from kbtui.reasoning.offline import OfflineReasoner
from kbtui.reasoning.offline.suggest import nearby
from kbtui.reasoning.offline.writer import OfflineWriter

FILES = [FileRecord(path="kiln.md", kind="markdown", title="The kiln")]


def rarity(terms: Iterable[str]) -> dict[str, float]:
    return {term: {"kiln": 0.4, "clay": 0.7}.get(term, 1.0) for term in terms}


def test_only_words_that_the_folder_holds_are_suggested_the_rarest_first() -> None:
    found = nearby(["kiln", "tungsten", "clay"], lambda: FILES, rarity, "en")
    assert found == ("find files about clay", "find files about kiln", "list all files")


def test_an_empty_folder_has_nothing_to_suggest() -> None:
    assert nearby(["kiln"], list, rarity, "en") == ()


def test_without_word_counts_the_files_alone_are_suggested() -> None:
    assert nearby(["窑炉"], lambda: FILES, None, "zh") == ("列出所有文件",)


def test_suggestions_stand_beside_the_answer_and_not_in_its_text(reasoner: OfflineReasoner) -> None:
    query = "how hot is the kiln?"
    brief = WritingBrief(query=query, routing=reasoner.router.route(query, RetrievalHint()))
    writer = OfflineWriter(lambda: None, files=lambda: FILES, rarity=rarity)
    written = writer.write(brief, lambda _: None, CancelToken())
    assert written.suggestions == ("find files about kiln", "list all files")
    # Every interface lists them below the answer.
    assert not any(suggestion in written.markdown for suggestion in written.suggestions)

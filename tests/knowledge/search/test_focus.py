from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from kbtui.domain.evidence import Hit
from kbtui.errors import KnowledgeBaseError
from kbtui.knowledge.search.focus import MOST_CHARS, focused

FILLER = "Nothing of interest is said in this sentence of the report, which is long enough to fill some room. "
ANSWER = "The tariff of the northern depot rose to nine crowns."


class Files:
    def __init__(self, **texts: str) -> None:
        self.texts = texts

    def __call__(self, path: str) -> Sequence[str]:
        if path not in self.texts:
            raise KnowledgeBaseError("gone", "look again")
        return self.texts[path].split("\n")

    def hit(self, path: str, start: int, end: int, score: float = 1.0, text: str | None = None) -> Hit:
        lines = self.texts[path].split("\n")[start - 1 : end]
        return Hit(
            path=path, start_line=start, end_line=end, text="\n".join(lines) if text is None else text, score=score
        )


def test_a_long_passage_is_narrowed_to_the_sentences_that_the_question_is_about() -> None:
    files = Files(a=FILLER * 12 + ANSWER + " " + FILLER * 12)
    (first, *_) = focused([files.hit("a", 1, 1)], "What is the tariff of the northern depot?", files)
    assert ANSWER in first.text
    assert len(first.text) <= MOST_CHARS
    assert first.text.startswith("Nothing") and first.text.endswith((".", ". "))


def test_a_passage_moves_over_the_end_of_its_chunk() -> None:
    lines = [FILLER.strip()] * 14 + [ANSWER] + [FILLER.strip()] * 14
    files = Files(a="\n".join(lines))
    hit = files.hit("a", 8, 14)
    (first, *_) = focused([hit], "tariff northern depot", files)
    assert ANSWER in first.text
    assert first.text == "\n".join(lines[first.start_line - 1 : first.end_line])


def test_a_short_passage_stays_as_it_is_where_no_other_holds_more_words_of_the_question() -> None:
    files = Files(a=f"One line.\n\n{ANSWER}\n\nAnother line.")
    hit = files.hit("a", 3, 3)
    assert focused([hit], "tariff northern depot", files) == [hit]


def test_the_order_of_the_files_and_the_scores_stay() -> None:
    files = Files(a=FILLER * 20, b=FILLER * 12 + ANSWER, c=FILLER * 9)
    hits = [files.hit("a", 1, 1, 0.9), files.hit("b", 1, 1, 0.5), files.hit("c", 1, 1, 0.4)]
    found = focused(hits, "tariff northern depot", files)
    assert [(hit.path, hit.score) for hit in found] == [("a", 0.9), ("b", 0.5), ("c", 0.4)]


def test_of_the_passages_of_one_file_the_better_one_comes_first_and_neighbours_do_not_repeat_each_other() -> None:
    text = FILLER * 7 + ANSWER + " " + FILLER * 7
    half = len(FILLER) * 7
    files = Files(a=text)
    hits = [files.hit("a", 1, 1, 0.9, text[:half]), files.hit("a", 1, 1, 0.8, text[half:].strip())]
    found = focused(hits, "tariff northern depot", files)
    assert ANSWER in found[0].text
    assert sum(ANSWER in hit.text for hit in found) == 1


def test_a_definition_is_not_moved_into_the_next_one() -> None:
    code = "def one():\n    return 1\n\n\ndef tariff():\n    return northern_depot\n"
    files = Files(**{"m.py": code})
    hit = files.hit("m.py", 1, 2)
    assert focused([hit], "tariff northern depot", files) == [hit]


def test_what_has_changed_or_gone_since_it_was_indexed_is_shown_as_it_was() -> None:
    files = Files(a="Something else.")
    changed = Hit(path="a", start_line=1, end_line=1, text=FILLER * 12 + ANSWER)
    gone = Hit(path="b", start_line=1, end_line=1, text=FILLER * 12 + ANSWER)
    assert focused([changed, gone], "tariff", files) == [changed, gone]


def test_without_words_to_look_for_nothing_is_changed() -> None:
    files = Files(a=FILLER * 20)
    hits = [files.hit("a", 1, 1)]
    assert focused(hits, " ?! ", files) == hits
    assert focused([], "tariff", files) == []


def test_lines_that_matched_outside_of_the_window_are_not_claimed() -> None:
    files = Files(a="\n".join([FILLER.strip()] * 14 + [ANSWER]))
    hit = replace(files.hit("a", 1, 15), matched_lines=(1, 15))
    (first, *_) = focused([hit], "tariff northern depot", files)
    assert first.start_line > 1 and first.matched_lines == (15,)


_WORDS = st.sampled_from(["tariff ", "depot. ", "Word ", "end. ", "\n", "\n\n", "x" * 300, "部署。", FILLER])


@given(st.lists(_WORDS, max_size=60), st.data())
def test_every_passage_stands_in_its_lines(drawn: list[str], data: st.DataObject) -> None:
    text = "".join(drawn)
    lines = text.split("\n")
    files = Files(a=text)
    hits = []
    for _ in range(3):
        start = data.draw(st.integers(1, len(lines)))
        end = data.draw(st.integers(start, len(lines)))
        hits.append(files.hit("a", start, end))
    for hit in focused(hits, "tariff depot 部署", files):
        assert hit.text in "\n".join(lines[hit.start_line - 1 : hit.end_line])
        assert 1 <= hit.start_line <= hit.end_line <= len(lines)

from pathlib import Path
from typing import NamedTuple

import pytest

from kbtui.text.built_tables import Section, built_table, built_toml, stamp_of, table_text, toml_entries


class Pair(NamedTuple):
    name: str
    weight: float = 1.0


ENTRIES = {"en b": [["x"], ["y", 0.5]], "en a": [], "zh 价格": [["price"]], "en": {"a": 1}}


def lines(entries: dict[str, object]) -> list[bytes]:
    return table_text(b"", entries).split(b"\n")[1:]


def test_a_section_holds_the_keys_of_its_prefix_and_no_others() -> None:
    english = Section(lines(ENTRIES), "en ", tuple[Pair, ...])
    assert dict(english) == {"a": (), "b": (Pair("x"), Pair("y", 0.5))}
    assert list(Section(lines(ENTRIES), "zh ", tuple[Pair, ...])) == ["价格"]
    assert "价格" not in english and len(english) == 2


def test_a_key_that_is_the_beginning_of_another_is_another_key() -> None:
    section = Section(lines({"revenue": 1, "revenue per unit": 2, "rev": 3}), "", int)
    assert (section["rev"], section["revenue"], section.get("re"), section.get("revenue per")) == (3, 1, None, None)
    with pytest.raises(KeyError):
        section["zzz"]


def test_a_lone_surrogate_is_in_no_table() -> None:
    assert "\ud800" not in Section(lines(ENTRIES), "en ", tuple[Pair, ...])


def package(folder: Path, monkeypatch: pytest.MonkeyPatch, text: bytes | None) -> str:
    name = f"tables_of_{abs(hash(folder))}"
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    if text is not None:
        (folder / name / "words.table").write_bytes(text)
    monkeypatch.syspath_prepend(folder)
    return name


@pytest.mark.parametrize("stale", [table_text(stamp_of(["old words"]), {"a": 0}), b"", b"\x00\xff", None])
def test_a_table_of_other_words_is_made_anew(
    stale: bytes | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = package(tmp_path, monkeypatch, stale)
    assert dict(Section(built_table(name, "words.table", ["words"], lambda: {"a": 1}), "", int)) == {"a": 1}


def test_a_table_of_these_words_is_read_and_not_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = package(tmp_path, monkeypatch, table_text(stamp_of(["words"]), {"a": 1}))

    def never() -> dict[str, object]:
        raise AssertionError

    assert Section(built_table(name, "words.table", ["words"], never), "", int)["a"] == 1


def test_a_word_that_is_added_to_the_lexicon_counts_before_the_table_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.nl2sql import lexicon

    concepts = lexicon.text_in("kbtui.nl2sql", "concepts.toml").replace("en='id, ", "en='id, quibblecode, ", 1)
    monkeypatch.setattr(lexicon, "text_in", lambda *_: concepts)
    assert lexicon.Sense("id") in lexicon.lexicon.__wrapped__().english["quibblecode"]


def test_a_phrase_that_is_added_to_a_word_file_counts_before_the_table_is_made(monkeypatch: pytest.MonkeyPatch) -> None:
    from kbtui.question import phrases, words

    text = words.word_text("en") + '\n[[cue]]\nop = "quibble"\nphrases = """\nquibble over\n"""\n'
    monkeypatch.setattr(phrases, "word_text", lambda name: text if name == "en" else words.word_text.__wrapped__(name))
    monkeypatch.setattr(
        phrases,
        "word_file",
        lambda name: __import__("tomllib").loads(text) if name == "en" else words.word_file.__wrapped__(name),
    )
    assert [line.op for line in phrases._table.__wrapped__(("en", "zh")).lines["quibble"]] == ["quibble"]


@pytest.mark.parametrize("stale", [False, True])
def test_a_toml_file_says_the_same_with_a_table_and_with_one_of_another_text(
    stale: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = 'z = 1\n[[command]]\nname = "b"\n[[command]]\nname = "a"\nkeys = ["x"]\n'
    made_of = "z = 2\n" if stale else text
    name = package(tmp_path, monkeypatch, table_text(stamp_of([made_of]), toml_entries(made_of)))
    (tmp_path / name / "words.toml").write_text(text)
    read = built_toml(name, "words.toml")
    assert read == {"z": 1, "command": [{"name": "b"}, {"name": "a", "keys": ["x"]}]}
    assert list(read) == ["z", "command"]

import json
import tomllib
from pathlib import Path
from typing import NamedTuple

import pytest

from kbtui.text.built_tables import WHOLE, Section, built_table, built_toml


class Pair(NamedTuple):
    name: str
    weight: float = 1.0


ENTRIES = {"en b": [["x"], ["y", 0.5]], "en a": [], "zh 价格": [["price"]], "en": {"a": 1}}


def lines(entries: dict[str, object]) -> list[bytes]:
    return sorted(f"{key}\t{json.dumps(value)}".encode() for key, value in entries.items())


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


def package(folder: Path, monkeypatch: pytest.MonkeyPatch, text: bytes) -> str:
    name = f"tables_of_{abs(hash(folder))}"
    (folder / name).mkdir()
    (folder / name / "__init__.py").touch()
    (folder / name / "words.table").write_bytes(text)
    monkeypatch.syspath_prepend(folder)
    return name


def test_a_table_is_read_from_its_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = package(tmp_path, monkeypatch, b"\n".join(lines({"a": 1, "b": 2})))
    assert Section(built_table(name, "words.table"), "", int)["a"] == 1


def test_a_toml_file_says_the_same_as_its_table(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = 'z = 1\n[[command]]\nname = "b"\n[[command]]\nname = "a"\nkeys = ["x"]\n'
    name = package(tmp_path, monkeypatch, b"\n".join(lines({WHOLE: tomllib.loads(text)})))
    read = built_toml(name, "words.toml")
    assert read == {"z": 1, "command": [{"name": "b"}, {"name": "a", "keys": ["x"]}]}
    assert list(read) == ["z", "command"]

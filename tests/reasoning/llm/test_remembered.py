"""What is remembered of chat models between runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from kbtui.reasoning.checking.trust import Record
from kbtui.reasoning.llm.remembered import RECORDS_FILE, Remembered, keep_record, record_of
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings

HERE = ModelSettings(name="openai:a", base_url="http://localhost:1/v1")
THERE = ModelSettings(name="openai:a", base_url="http://localhost:2/v1")


def test_each_model_at_each_address_has_a_value_of_its_own(tmp_path: Path) -> None:
    kept = Remembered(tmp_path / "kept.json")
    kept.put(HERE, "loop")
    assert (kept.get(HERE), kept.get(THERE)) == ("loop", None)


def test_the_value_put_last_stays_longest(tmp_path: Path) -> None:
    kept = Remembered(tmp_path / "kept.json")
    kept.put(HERE, 1)
    for number in range(199):
        kept.put(ModelSettings(name=f"openai:{number}"), number)
    kept.put(HERE, 2)
    for number in range(199, 250):
        kept.put(ModelSettings(name=f"openai:{number}"), number)
    assert kept.get(HERE) == 2
    assert kept.get(ModelSettings(name="openai:0")) is None


@pytest.mark.parametrize("broken", [b"{", b"[1]", b"\xff", b'{"x": NaN}'])
def test_a_file_that_cannot_be_read_counts_as_empty(broken: bytes) -> None:
    file = paths.cache_dir() / RECORDS_FILE
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(broken)
    assert record_of(HERE) == Record()
    keep_record(HERE, Record(1.5))
    assert record_of(HERE) == Record(1.5)

"""What is remembered of chat models between runs."""

from __future__ import annotations

from kbtui.reasoning.checking.trust import Record
from kbtui.reasoning.llm.remembered import RECORDS_FILE, keep_mode, keep_record, mode_of, record_of
from kbtui.settings import paths
from kbtui.settings.model import ModelSettings

HERE = ModelSettings(name="openai:a", base_url="http://localhost:1/v1")
THERE = ModelSettings(name="openai:a", base_url="http://localhost:2/v1")


def test_each_model_at_each_address_has_a_mode_of_its_own() -> None:
    keep_mode(HERE, "loop")
    assert (mode_of(HERE), mode_of(THERE)) == ("loop", None)


def test_a_record_that_is_no_number_counts_as_none() -> None:
    keep_record(HERE, Record(2.0))
    file = paths.cache_dir() / RECORDS_FILE
    file.write_text(file.read_text().replace("2.0", "NaN"))
    assert record_of(HERE) == Record()
    keep_record(HERE, Record(1.5))
    assert record_of(HERE) == Record(1.5)

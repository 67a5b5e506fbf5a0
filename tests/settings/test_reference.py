"""The settings in words: docs and the sample file follow the model."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

from benchmarks.settings_page import settings_markdown
from kbtui.settings.model import Settings, settings_of
from kbtui.settings.reference import all_settings, sample_config, toml_value

DOCS = Path(__file__).parents[2] / "docs" / "settings.md"


def test_the_docs_are_what_the_model_says() -> None:
    assert DOCS.read_text(encoding="utf-8") == settings_markdown(), (
        "run: python benchmarks/settings_page.py > docs/settings.md"
    )


def test_the_docs_cover_every_setting() -> None:
    text = DOCS.read_text(encoding="utf-8")
    for setting in all_settings().values():
        assert f"| `{setting.key.rpartition('.')[2]}` |" in text
        assert setting.description, f"{setting.key} has no description"
        assert setting.allowed != "a value", f"{setting.key}: what it may be is not said"


def test_the_sample_file_uncommented_is_the_defaults() -> None:
    uncommented = re.sub(r"(?m)^# (\w+ = )", r"\1", sample_config())
    assert settings_of(tomllib.loads(uncommented)) == Settings()
    assert uncommented != sample_config()


def test_values_are_written_as_toml_reads_them() -> None:
    for value in ("a", 'q"uo\\te', "tab\t\x7f\x1b", "中文", True, 3, 0.5, ["a", "b"], []):
        assert tomllib.loads(f"x = {toml_value(value)}")["x"] == value

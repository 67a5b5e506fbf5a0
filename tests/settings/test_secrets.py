"""Nothing secret is shown."""

from __future__ import annotations

import pytest

from kbtui.settings.secrets import masked


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("model.api_key", "sk-hunter2"),
        ("model.token", "hunter2"),
        ("db.password", "hunter2"),
        ("data_sources", ["postgresql://me:hunter2@host/db", "x=mysql+pymysql://me:hunter2@h:1/db?a=1"]),
        ("data_sources", ["snowflake://host/db?user=me&password=hunter2&x=1"]),
        ("model.name", "https://host/v1?api_key=hunter2"),
        ("model.name", "https://me:a@hunter2@x"),
    ],
)
def test_keys_tokens_and_passwords_are_masked(key: str, value: object) -> None:
    assert "hunter2" not in str(masked(key, value))


@pytest.mark.parametrize(
    ("key", "value"),
    [("ui.theme", "kbtui-dusk"), ("data_sources", ["/home/me/a.db", "sqlite:////a.db"]), ("retrieval.rrf_k", 60)],
)
def test_everything_else_is_shown_as_it_is(key: str, value: object) -> None:
    assert masked(key, value) == value

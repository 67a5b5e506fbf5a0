"""docs/api.md says what the program says of itself."""

from __future__ import annotations

from pathlib import Path

import kbtui
from benchmarks.api_page import api_markdown

PAGE = Path(__file__).parents[2] / "docs" / "api.md"


def test_the_page_is_what_signatures_and_docstrings_say() -> None:
    assert PAGE.read_text(encoding="utf-8") == api_markdown(), "run: python benchmarks/api_page.py > docs/api.md"


def test_every_public_name_is_on_it() -> None:
    page = api_markdown()
    assert all(name in page for name in kbtui.__all__ if not name.startswith("__"))
    assert "- `FolderNotFound`: There is no such folder." in page
    assert "    kb: Path | str | None = None," in page

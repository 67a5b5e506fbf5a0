"""Phrases in several languages, as TOML files beside the code that uses them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kbtui.text.language import Language
from kbtui.text.word_lists import toml_in


class Phrases:
    """The phrases of one language in a TOML file, by name: ``phrases.no_rows``. Those with braces are templates.

    Args:
        package: The package that holds the file.
        name: The file's name in it; it has a table for each language.
        language: ``zh``, or else English.
    """

    def __init__(self, package: str, name: str, language: str) -> None:
        self.language: Language = "zh" if language == "zh" else "en"
        self._known: dict[str, Any] = toml_in(package, name)[self.language]

    def __getattr__(self, name: str) -> str:
        try:
            return str(self._known[name])
        except KeyError:
            raise AttributeError(name) from None

    def listing(self, name: str) -> Mapping[str, str]:
        """The phrases that are listed under one name."""
        phrases: dict[str, str] = self._known[name]
        return phrases

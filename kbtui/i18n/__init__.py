"""What the program says of itself, in the user's language.

As with gettext, the English text in the code is the key: ``_("Nothing has been asked yet.")``. One file a language
holds the translations (``zh.toml``); gettext's own catalogue class looks them up. The file is TOML, not ``.po``: Python
reads TOML and refuses a text that is given twice, while ``.po`` needs a parser or a step that compiles it.

Values have names: ``_("There is no source {n}.", n=3)``. Nothing is read before `use` chooses a language other than
English; until then every function gives back the English text.
"""

from __future__ import annotations

from functools import cache
from gettext import GNUTranslations, NullTranslations, c2py
from importlib.resources import files
from typing import Any, Final

SOURCE: Final = "en"
"""The language of the texts in the code."""

_AFTER_CONTEXT = GNUTranslations.CONTEXT.replace("%s", "{}")


class Catalogue(GNUTranslations):
    """The translations of one file, read as TOML.

    ``plural`` is gettext's expression that gives the form for a number ``n``; ``[messages]`` holds texts by their
    English, ``[plurals]`` the forms of a text by its English singular, ``[context.NAME]`` texts that mean something
    else there.
    """

    def _parse(self, fp: Any) -> None:
        import tomllib

        tables = tomllib.load(fp)
        self.plural = c2py(tables["plural"])
        catalogue: dict[str | tuple[str, int], str] = dict(tables["messages"])
        for singular, forms in tables.get("plurals", {}).items():
            catalogue |= {(singular, number): form for number, form in enumerate(forms)}
        for context, texts in tables.get("context", {}).items():
            catalogue |= {_AFTER_CONTEXT.format(context, text): said for text, said in texts.items()}
        self._catalog = catalogue


_language = SOURCE
_texts: NullTranslations = NullTranslations()


def languages() -> tuple[str, ...]:
    """The languages there are: English, and one for each file of translations."""
    names = (entry.name for entry in files(__package__).iterdir())
    return (SOURCE, *sorted(name.removesuffix(".toml") for name in names if name.endswith(".toml")))


def use(language: str) -> None:
    """Speak this language from now on, in the whole process."""
    global _language, _texts
    _texts = NullTranslations() if language == SOURCE else catalogue(language)
    _language = language


def language() -> str:
    """The language that is spoken."""
    return _language


@cache
def catalogue(language: str) -> Catalogue:
    """The translations of a language.

    Raises:
        FileNotFoundError: There are none.
    """
    with files(__package__).joinpath(f"{language}.toml").open("rb") as file:
        return Catalogue(file)


def _(message: str, /, **values: object) -> str:
    """The text in the user's language, with its values filled in."""
    said = _texts.gettext(message) if message else ""
    return said.format_map(values) if values else said


def N_(message: str, /) -> str:
    """Mark a text that is translated where it is shown, as it is kept in a table that is made at import."""
    return message


def ngettext(singular: str, plural: str, count: int, /, **values: object) -> str:
    """The text for a number of things, which it holds as ``{count}``."""
    return _texts.ngettext(singular, plural, count).format_map({"count": count, **values})


def pgettext(context: str, message: str, /, **values: object) -> str:
    """The text as it is said in a context; as everywhere where the language has no word of its own for that."""
    said = _texts.pgettext(context, message) if message else ""
    return _(message, **values) if said == message else said.format_map(values) if values else said

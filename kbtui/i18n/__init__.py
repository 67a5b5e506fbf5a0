"""What the program says of itself, in the user's language.

As with gettext, the English text in the code is the key: ``_("Nothing has been asked yet.")``. One file a language
holds the translations (``zh.toml``); gettext's own catalogue class looks them up. The file is TOML, not ``.po``: Python
reads TOML and refuses a text that is given twice, while ``.po`` needs a parser or a step that compiles it.

Values have names: ``_("There is no source {n}.", n=3)``. Nothing is read before `use` chooses a language other than
English; until then every function gives back the English text.

Errors, warnings and findings are made far below the screen, and events and recordings hold them in English. They are
translated where they are shown, by the form they were made in: ``made("rollback.md is not there any more.")``.
"""

from __future__ import annotations

import re
from functools import cache, cached_property, lru_cache
from gettext import GNUTranslations, NullTranslations, c2py
from typing import Any, Final

SOURCE: Final = "en"
"""The language of the texts in the code."""

_AFTER_CONTEXT = GNUTranslations.CONTEXT.replace("%s", "{}")


class Catalogue(GNUTranslations):
    """The translations of one file, read as TOML.

    ``plural`` is gettext's expression that gives the form for a number ``n``; ``[messages]`` holds texts by their
    English, ``[plurals]`` the forms of a text by its English singular, ``[context.NAME]`` texts that mean something
    else there, ``[made]`` messages by their English form, ``{}`` in the place of each value, which are ``{0}``, ``{1}``
    … of the translation.
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
        self._made: dict[str, str] = tables.get("made", {})

    @cached_property
    def forms(self) -> list[tuple[re.Pattern[str], str]]:
        """What messages are made of, those that say most by themselves first, each with its translation."""
        longest = sorted(self._made, key=lambda form: -len(form.replace("{}", "")))
        return [(re.compile(_ANYTHING.join(map(re.escape, form.split("{}"))), re.DOTALL), form) for form in longest]

    def made(self, message: str) -> str:
        """The translation of a message; as it is where none of the forms is its own."""
        for pattern, form in self.forms:
            if (found := pattern.fullmatch(message)) is not None:
                # A value may be a message, too; one of a single word is a name.
                return self._made[form].format(*(made(one) if " " in one else one for one in found.groups()))
        return message


_ANYTHING: Final = "(.*?)"
_MOST_CHARS: Final = 2_000
"""Of a message that is compared with the forms: what is longer is no message of this program."""

_language = SOURCE
_texts: NullTranslations = NullTranslations()


def languages() -> tuple[str, ...]:
    """The languages there are: English, and one for each file of translations."""
    from importlib.resources import files

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
    from importlib.resources import files

    with files(__package__).joinpath(f"{language}.toml").open("rb") as file:
        return Catalogue(file)


def _(message: str, /, **values: object) -> str:
    """The text in the user's language, with its values filled in."""
    said = _texts.gettext(message) if message else ""
    return said.format_map(values) if values else said


def N_(message: str, /) -> str:
    """Mark a text that is translated where it is shown, as it is kept in a table that is made at import."""
    return message


def made(message: str, /) -> str:
    """A message that was made elsewhere, in the user's language; as it is where that has no words for it."""
    texts = _texts
    if not isinstance(texts, Catalogue) or not message or len(message) > _MOST_CHARS:
        return message
    return _made(texts, message)


@lru_cache(maxsize=256)
def _made(texts: Catalogue, message: str) -> str:
    return texts.made(message)


def ngettext(singular: str, plural: str, count: int, /, **values: object) -> str:
    """The text for a number of things, which it holds as ``{count}``."""
    return _texts.ngettext(singular, plural, count).format_map({"count": count, **values})


def pgettext(context: str, message: str, /, **values: object) -> str:
    """The text as it is said in a context; as everywhere where the language has no word of its own for that."""
    said = _texts.pgettext(context, message) if message else ""
    return _(message, **values) if said == message else said.format_map(values) if values else said

"""Colour themes from TOML files: the shipped ones and the reader's own. A broken one is named and skipped.

A file has a ``name``, a ``label``, ``dark``, a table ``[colors]`` and, if it likes, ``[variables]``: the theme
variables of Textual. Loading returns what loaded *and* what failed, so that nobody wonders where a theme went.
"""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from textual.app import App
from textual.color import Color, ColorParseError
from textual.css.constants import VALID_STYLE_FLAGS
from textual.theme import Theme

from kbtui.errors import ThemeError
from kbtui.regular_files import read_regular
from kbtui.settings import paths
from kbtui.settings.reference import MAX_FILE_BYTES
from kbtui.settings.write import set_user_value

DEFAULT = "kbtui-dusk"
REQUIRED_COLORS = (
    *("primary", "secondary", "accent", "foreground", "background", "surface", "panel"),
    *("success", "warning", "error"),
)
OPTIONAL_COLORS = ("boost",)
TOP_KEYS = ("name", "label", "dark", "colors", "variables", "luminosity_spread", "text_alpha")

_NAME = re.compile(r"[a-z0-9][a-z0-9_-]*")
_COLOR = re.compile(r"(?P<color>.+?)(?:\s+(?P<alpha>\d+(?:\.\d+)?)%)?")
_COLOR_WORDS = {"auto", "initial", "transparent"}


class LoadedTheme(Struct, frozen=True, kw_only=True):
    """A theme that can be used; ``label`` is what the picker calls it."""

    name: str
    label: str
    dark: bool
    theme: Theme
    source: Literal["kbtui", "yours", "textual"]
    path: Path | None = None


class FailedTheme(Struct, frozen=True, kw_only=True):
    """A theme file that was skipped, and why."""

    path: Path
    reason: str


class ThemeSet(Struct, frozen=True, kw_only=True):
    """What loaded, by name, and what failed."""

    loaded: tuple[LoadedTheme, ...] = ()
    failed: tuple[FailedTheme, ...] = ()


def shipped_dir() -> Path:
    """The folder of kbtui's own themes: inside the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_themes"
    return installed if installed.is_dir() else package.parent / "themes"


def load_themes(shipped: Path | None = None, user: Path | None = None) -> ThemeSet:
    """Read every theme file; a user's theme replaces a shipped one of the same name. Never raises for a bad file.

    Args:
        shipped: Defaults to `shipped_dir`.
        user: Defaults to ``$XDG_CONFIG_HOME/kbtui/themes``.
    """
    loaded: dict[str, LoadedTheme] = {}
    failed: list[FailedTheme] = []
    folders: tuple[tuple[Path, Literal["kbtui", "yours"]], ...] = (
        (shipped or shipped_dir(), "kbtui"),
        (user or paths.themes_dir(), "yours"),
    )
    for folder, source in folders:
        for path in _toml_files(folder):
            try:
                one = read_theme(path, source)
                before = loaded.get(one.name)
                if before is not None and before.source == source and before.path is not None:
                    raise ThemeError(f"the name {one.name!r} is taken by {before.path.name}")
            except ThemeError as error:
                failed.append(FailedTheme(path=path, reason=error.message))
            else:
                loaded[one.name] = one
    ordered = sorted(
        loaded.values(), key=lambda one: (one.name != DEFAULT, one.source == "yours", one.label.casefold())
    )
    return ThemeSet(loaded=tuple(ordered), failed=tuple(failed))


def read_theme(path: Path, source: Literal["kbtui", "yours"] = "yours") -> LoadedTheme:
    """One theme file.

    Raises:
        ThemeError: It cannot be read, or says something that is no theme; the message is the first reason.
    """
    try:
        data = tomllib.loads(read_regular(path, MAX_FILE_BYTES).decode("utf-8"))
    except OSError as error:
        raise ThemeError(f"cannot be read: {error.strerror or error}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ThemeError(f"not valid TOML: {error}") from error
    _check_keys(data, TOP_KEYS, required=("name", "dark", "colors"))
    name, dark = _typed(data, "name", str), _typed(data, "dark", bool)
    if not _NAME.fullmatch(name):
        raise ThemeError(f"name: {name!r} may only hold a-z, 0-9, dashes and underscores")
    colors: dict[str, Any] = _typed(data, "colors", dict)
    _check_keys(colors, REQUIRED_COLORS + OPTIONAL_COLORS, required=REQUIRED_COLORS, table="colors.")
    for key, value in colors.items():
        _check_color(f"colors.{key}", value, words=False)
    theme = Theme(
        name=name,
        dark=dark,
        luminosity_spread=_fraction(data, "luminosity_spread", 0.15),
        text_alpha=_fraction(data, "text_alpha", 0.95),
        **colors,
    )
    variables: dict[str, Any] = _typed(data, "variables", dict) if "variables" in data else {}
    _check_keys(variables, tuple(theme.to_color_system().generate()), table="variables.")
    for key, value in variables.items():
        (_check_style if "style" in key.split("-") else _check_color)(f"variables.{key}", value)
    theme.variables = dict(variables)
    label = _typed(data, "label", str) if "label" in data else name
    return LoadedTheme(name=name, label=label, dark=dark, theme=theme, source=source, path=path)


def register(app: App[Any], themes: ThemeSet) -> None:
    """Make the themes available to an app, beside Textual's own."""
    for one in themes.loaded:
        app.register_theme(one.theme)


def choose(app: App[Any], name: str) -> str:
    """Switch to a theme, or to the default one when there is none of that name.

    Returns:
        What to tell the reader; empty when all is well.
    """
    names = app.available_themes
    if name in names:
        app.theme = name
        return ""
    app.theme = DEFAULT if DEFAULT in names else next(iter(names))
    return f"There is no theme {name!r}{_nearest(name, names) or '; /theme shows those there are'}."


def all_themes(app: App[Any], themes: ThemeSet) -> tuple[LoadedTheme, ...]:
    """kbtui's themes, the reader's, then Textual's, for a picker."""
    own = {one.name for one in themes.loaded}
    builtin = (
        LoadedTheme(
            name=theme.name,
            label="Terminal's colours" if theme.ansi else theme.name.replace("-", " ").capitalize(),
            dark=theme.dark,
            theme=theme,
            source="textual",
        )
        for theme in app.available_themes.values()
        if theme.name not in own
    )
    return (*themes.loaded, *sorted(builtin, key=lambda one: one.label.casefold()))


def remember(name: str) -> Path:
    """Make ``name`` the theme of the next start.

    Raises:
        SettingsError: The settings file is not valid; it is left alone.
        StorageError: It cannot be written.
    """
    return set_user_value("ui", "theme", name)


def _toml_files(folder: Path) -> list[Path]:
    try:
        return sorted(path for path in folder.iterdir() if path.suffix == ".toml")
    except OSError:
        return []


def _check_keys(data: Mapping[str, Any], known: Iterable[str], required: Iterable[str] = (), table: str = "") -> None:
    names = tuple(known)
    for key in data:
        if key not in names:
            raise ThemeError(f"nobody knows the key {table}{key}{_nearest(key, names, table)}")
    for key in required:
        if key not in data:
            raise ThemeError(f"{table}{key} is missing")


def _nearest(name: str, names: Iterable[str], table: str = "") -> str:
    near = difflib.get_close_matches(name, list(names), n=1)
    return f"; the nearest is {table}{near[0]}" if near else ""


def _typed(data: Mapping[str, Any], key: str, kind: type[Any]) -> Any:
    words = {str: "text in quotes", bool: "true or false", dict: "a table"}
    if not isinstance(data[key], kind):
        raise ThemeError(f"{key}: {data[key]!r} is not {words[kind]}")
    return data[key]


def _fraction(data: Mapping[str, Any], key: str, default: float) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ThemeError(f"{key}: {value!r} is not a number from 0 to 1")
    return float(value)


def _check_color(key: str, value: Any, words: bool = True) -> None:
    match = _COLOR.fullmatch(value) if isinstance(value, str) else None
    if match is None or (match["alpha"] and not words):
        raise ThemeError(f"{key}: {value!r} is no colour")
    if words and match["color"] in _COLOR_WORDS:
        return
    try:
        Color.parse(match["color"])
    except ColorParseError as error:
        raise ThemeError(f"{key}: {value!r} is no colour{_suggested(error)}") from error


def _suggested(error: ColorParseError) -> str:
    return f"; the nearest is {error.suggested_color}" if error.suggested_color else ""


def _check_style(key: str, value: Any) -> None:
    words = value.split() if isinstance(value, str) else []
    unknown = [word for word in words if word not in VALID_STYLE_FLAGS]
    if not words or unknown:
        raise ThemeError(f"{key}: {value!r} is no text style ({', '.join(sorted(VALID_STYLE_FLAGS))})")

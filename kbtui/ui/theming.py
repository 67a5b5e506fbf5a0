"""Loads colour themes from TOML files: those of kbtui, of installed packages and of the user.

A file has a ``name``, an optional ``label``, ``dark``, a table ``[colors]`` and an optional table ``[variables]`` with
theme variables of Textual. Files that are not valid are skipped, and the result lists them with the reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any, Literal

from msgspec import Struct
from rich.color import Color as RichColor
from rich.color import ColorSystem
from rich.palette import Palette
from textual.app import App
from textual.color import Color, ColorParseError
from textual.css.constants import VALID_STYLE_FLAGS
from textual.theme import Theme

from kbtui.errors import ThemeError, nearest
from kbtui.i18n import _
from kbtui.late_patterns import pattern
from kbtui.plugins import entry_points
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

_NAME = pattern(r"[a-z0-9][a-z0-9_-]*")
_COLOR = pattern(r"(?P<color>.+?)(?:\s+(?P<alpha>\d+(?:\.\d+)?)%)?")
_COLOR_WORDS = {"auto", "initial", "transparent"}
_HEX = pattern(r"#[0-9a-fA-F]{6}")
_PALE_NUMBERS = {2, 3, 6, 10, 11, 14}
"""Numbers of green, yellow and cyan among the 16 colours, each plain and bright."""
_DARK_PALETTE = Palette([(0, 0, 0), (170, 0, 0), (0, 0, 170), (170, 0, 170)])
"""Black, red, blue and magenta, as Rich has them among the 16 colours."""

ENTRY_POINT_GROUP = "kbtui.themes"
Source = Literal["kbtui", "installed", "yours", "textual"]


class LoadedTheme(Struct, frozen=True, kw_only=True):
    """A theme that can be used; ``label`` is its name in the picker."""

    name: str
    label: str
    dark: bool
    theme: Theme
    source: Source
    path: Path | None = None


class FailedTheme(Struct, frozen=True, kw_only=True):
    """A theme file that was skipped, with the reason."""

    path: Path
    reason: str


class ThemeSet(Struct, frozen=True, kw_only=True):
    """The themes that loaded, in the order of the picker, and the files that failed."""

    loaded: tuple[LoadedTheme, ...] = ()
    failed: tuple[FailedTheme, ...] = ()


def shipped_dir() -> Path:
    """The folder of kbtui's own themes, in the installed package or beside it in a checkout."""
    package = Path(__file__).resolve().parent.parent
    installed = package / "_themes"
    return installed if installed.is_dir() else package.parent / "themes"


def installed_dirs() -> tuple[Path, ...]:
    """The theme folders of installed packages (entry point group ``kbtui.themes``); their code is not run."""
    from importlib.util import find_spec

    folders: list[Path] = []
    for point in entry_points(ENTRY_POINT_GROUP):
        top, *below = point.module.split(".")
        # Only the top-level package is searched for, because finding a subpackage would import its parents.
        with suppress(ImportError, ValueError):
            spec = find_spec(top)
            places = spec.submodule_search_locations if spec is not None else None
            folders += [Path(place, *below) for place in places or ()]
    return tuple(folders)


def load_themes(
    shipped: Path | None = None, user: Path | None = None, *, installed: Sequence[Path] | None = None
) -> ThemeSet:
    """Read all theme files; a user's theme replaces an installed or shipped one of the same name.

    Args:
        shipped: Defaults to `shipped_dir`.
        user: Defaults to ``$XDG_CONFIG_HOME/kbtui/themes``.
        installed: Defaults to `installed_dirs`, which is slow.
    """
    loaded: dict[str, LoadedTheme] = {}
    failed: list[FailedTheme] = []
    plugins = installed_dirs() if installed is None else installed
    folders: tuple[tuple[Path, Source], ...] = (
        (shipped or shipped_dir(), "kbtui"),
        *((folder, "installed") for folder in plugins),
        (user or paths.themes_dir(), "yours"),
    )
    for folder, source in folders:
        for path in _toml_files(folder):
            try:
                loaded_theme = read_theme(path, source)
                previous = loaded.get(loaded_theme.name)
                if previous is not None and previous.source == source and previous.path is not None:
                    raise ThemeError(
                        _("the name {name} is taken by {file}", name=repr(loaded_theme.name), file=previous.path.name)
                    )
            except ThemeError as error:
                failed.append(FailedTheme(path=path, reason=error.message))
            else:
                loaded[loaded_theme.name] = loaded_theme
    ordered = sorted(
        loaded.values(),
        key=lambda loaded_theme: (
            loaded_theme.name != DEFAULT,
            loaded_theme.source != "kbtui",
            loaded_theme.source,
            loaded_theme.label.casefold(),
        ),
    )
    return ThemeSet(loaded=tuple(ordered), failed=tuple(failed))


def read_theme(path: Path, source: Source = "yours") -> LoadedTheme:
    """Read a theme file.

    Raises:
        ThemeError: The file cannot be read or is not a valid theme; the message states the first problem.
    """
    import tomllib

    try:
        data = tomllib.loads(read_regular(path, MAX_FILE_BYTES).decode("utf-8"))
    except OSError as error:
        raise ThemeError(_("cannot be read: {reason}", reason=error.strerror or error)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ThemeError(_("not valid TOML: {reason}", reason=error)) from error
    _check_keys(data, TOP_KEYS, required=("name", "dark", "colors"))
    name, dark = _checked_type(data, "name", str), _checked_type(data, "dark", bool)
    if not _NAME.fullmatch(name):
        raise ThemeError(_("name: {name} may only hold a-z, 0-9, dashes and underscores", name=repr(name)))
    colors: dict[str, Any] = _checked_type(data, "colors", dict)
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
    variables: dict[str, Any] = _checked_type(data, "variables", dict) if "variables" in data else {}
    if variables:
        _check_keys(variables, _variable_names(), table="variables.")
    for key, value in variables.items():
        (_check_style if "style" in key.split("-") else _check_color)(f"variables.{key}", value)
    theme.variables = dict(variables)
    label = _checked_type(data, "label", str) if "label" in data else name
    return LoadedTheme(name=name, label=label, dark=dark, theme=theme, source=source, path=path)


@cache
def _variable_names() -> tuple[str, ...]:
    """The variables that Textual derives from the colours of a theme, cached because this takes long."""
    return tuple(Theme(name="any", primary="#000000").to_color_system().generate())


def register(app: App[Any], themes: ThemeSet) -> None:
    """Register the themes with an app, in addition to Textual's own, for the colours that its terminal has."""
    has_few_colors = app.console.color_system == "standard"
    for loaded_theme in themes.loaded:
        theme = loaded_theme.theme
        app.register_theme(with_dark_colors(theme) if has_few_colors and not theme.dark else theme)


def with_dark_colors(theme: Theme) -> Theme:
    """A light theme without the colours for which a terminal with 16 colours has only a pale one.

    Green, yellow and cyan are hard to read on white in nearly all terminals, and the nearest colour of an orange or a
    brown is yellow. Such colours are replaced by red, blue, magenta or black.
    """

    def dark(value: str | None) -> str | None:
        if value is None or not _HEX.fullmatch(value):
            return value
        rgb = Color.parse(value).rgb
        if RichColor.from_rgb(*rgb).downgrade(ColorSystem.STANDARD).number not in _PALE_NUMBERS:
            return value
        return Color(*_DARK_PALETTE[_DARK_PALETTE.match(rgb)]).hex

    names = (*REQUIRED_COLORS, *OPTIONAL_COLORS)
    colors: dict[str, Any] = {name: dark(getattr(theme, name)) for name in names}
    variables = {name: dark(value) or value for name, value in theme.variables.items()}
    return replace(theme, **colors, variables=variables)


def apply_theme(app: App[Any], name: str) -> str:
    """Switch to a theme, or to the default theme if there is none of that name.

    Returns:
        A message about an unknown theme; empty on success.
    """
    names = app.available_themes
    if name in names:
        app.theme = name
        return ""
    app.theme = DEFAULT if DEFAULT in names else next(iter(names))
    suggestion = _nearest(name, names) or _("; /theme shows those there are")
    return _("There is no theme {name}{more}.", name=repr(name), more=suggestion)


def all_themes(app: App[Any], themes: ThemeSet) -> tuple[LoadedTheme, ...]:
    """The themes of kbtui and the user, then those of Textual, for the picker."""
    own = {loaded_theme.name for loaded_theme in themes.loaded}
    builtin = (
        LoadedTheme(
            name=theme.name,
            label=_("Terminal's colours") if theme.ansi else theme.name.replace("-", " ").capitalize(),
            dark=theme.dark,
            theme=theme,
            source="textual",
        )
        for theme in app.available_themes.values()
        if theme.name not in own
    )
    return (*themes.loaded, *sorted(builtin, key=lambda loaded_theme: loaded_theme.label.casefold()))


def save_theme(name: str) -> Path:
    """Save ``name`` as the theme in the user's settings file, and return its path.

    Raises:
        SettingsError: The settings file is not valid; it is not changed.
        StorageError: The settings file cannot be written.
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
            raise ThemeError(_("nobody knows the key {key}", key=f"{table}{key}") + _nearest(key, names, table))
    for key in required:
        if key not in data:
            raise ThemeError(_("{key} is missing", key=f"{table}{key}"))


def _nearest(name: str, names: Iterable[str], table: str = "") -> str:
    similar = nearest(name, names)
    return _("; the nearest is {name}", name=f"{table}{similar}") if similar else ""


def _checked_type(data: Mapping[str, Any], key: str, kind: type[Any]) -> Any:
    words = {str: _("text in quotes"), bool: _("true or false"), dict: _("a table")}
    if not isinstance(data[key], kind):
        raise ThemeError(_("{key}: {value} is not {kind}", key=key, value=repr(data[key]), kind=words[kind]))
    return data[key]


def _fraction(data: Mapping[str, Any], key: str, default: float) -> float:
    value = data.get(key, default)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        raise ThemeError(_("{key}: {value} is not a number from 0 to 1", key=key, value=repr(value)))
    return float(value)


def _check_color(key: str, value: Any, words: bool = True) -> None:
    match = _COLOR.fullmatch(value) if isinstance(value, str) else None
    if match is None or (match["alpha"] and not words):
        raise ThemeError(_("{key}: {value} is no colour", key=key, value=repr(value)))
    if words and match["color"] in _COLOR_WORDS:
        return
    try:
        Color.parse(match["color"])
    except ColorParseError as error:
        suggestion = _("; the nearest is {name}", name=error.suggested_color) if error.suggested_color else ""
        raise ThemeError(_("{key}: {value} is no colour", key=key, value=repr(value)) + suggestion) from error


def _check_style(key: str, value: Any) -> None:
    words = value.split() if isinstance(value, str) else []
    unknown = [word for word in words if word not in VALID_STYLE_FLAGS]
    if not words or unknown:
        styles = ", ".join(sorted(VALID_STYLE_FLAGS))
        raise ThemeError(_("{key}: {value} is no text style ({styles})", key=key, value=repr(value), styles=styles))

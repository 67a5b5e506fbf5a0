from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from rich.color import ANSI_COLOR_NAMES, ColorSystem
from rich.color import Color as RichColor
from textual.app import App
from textual.color import Color

from kbtui.settings import paths
from kbtui.settings.model import UiSettings
from kbtui.ui import theming
from kbtui.ui.theming import LoadedTheme, load_themes, read_theme

SHIPPED = load_themes(user=Path("/nonexistent")).loaded
GROUNDS = ("background", "surface", "panel")
TEXTS = (
    *("foreground", "primary", "secondary", "accent", "success", "warning", "error"),
    *(f"text-{name}" for name in ("primary", "secondary", "accent", "success", "warning", "error")),
    *("markdown-h1-color", "markdown-h2-color", "markdown-h3-color", "link-color"),
)
MUTED = ("foreground 60%", "text-muted")

ANSI_NAMES = {number: name for name, number in ANSI_COLOR_NAMES.items() if number < 16}

GOOD = (theming.shipped_dir() / "kbtui-dusk.toml").read_text(encoding="utf-8")


def luminance(color: Color) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    r, g, b = (
        value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4
        for value in (channel / 255 for channel in (color.r, color.g, color.b))
    )
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: Color, two: Color) -> float:
    light, dark = sorted((luminance(one), luminance(two)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def variables(theme: LoadedTheme) -> dict[str, str]:
    return {**theme.theme.to_color_system().generate(), **theme.theme.variables}


def drawn(spec: str, ground: Color, known: dict[str, str]) -> Color:
    """The colour that ``spec`` (a variable's name, with or without opacity) has on ``ground``."""
    name, _, percent = spec.partition(" ")
    name = known.get(name, name)
    if " " in name:
        name, _, percent = name.partition(" ")
    base = ground.get_contrast_text(1.0) if name == "auto" else Color.parse(name)
    return ground.blend(base, float(percent.rstrip("%")) / 100, alpha=1.0) if percent else ground + base


@pytest.mark.parametrize("theme", SHIPPED, ids=lambda theme: theme.name)
@pytest.mark.parametrize("ground", GROUNDS)
def test_text_can_be_read_on_every_ground_of_every_shipped_theme(theme: LoadedTheme, ground: str) -> None:
    known = variables(theme)
    least = 7.0 if theme.name == "kbtui-contrast" else 4.5
    below = Color.parse(known[ground])
    faint = {
        spec: round(contrast(drawn(spec, below, known), below), 2)
        for spec in TEXTS + MUTED
        if contrast(drawn(spec, below, known), below) < least
    }
    assert not faint


@pytest.mark.parametrize("theme", SHIPPED, ids=lambda theme: theme.name)
def test_the_selected_row_can_be_read_in_every_shipped_theme(theme: LoadedTheme) -> None:
    known = variables(theme)
    least = 7.0 if theme.name == "kbtui-contrast" else 4.5
    pairs = [
        ("block-cursor-foreground", Color.parse(known["block-cursor-background"])),
        ("foreground", Color.parse(known["block-cursor-blurred-background"])),
        ("foreground", drawn("accent 14%", Color.parse(known["background"]), known)),
        ("footer-key-foreground", Color.parse(known["footer-background"])),
    ]
    assert all(contrast(drawn(spec, ground, known), ground) >= least for spec, ground in pairs)


def test_there_is_a_dark_a_light_and_a_high_contrast_theme_and_one_more() -> None:
    assert len(SHIPPED) >= 4
    assert {theme.dark for theme in SHIPPED} == {True, False}
    assert {"kbtui-dusk", "kbtui-paper", "kbtui-contrast"} <= {theme.name for theme in SHIPPED}
    assert SHIPPED[0].name == theming.DEFAULT == UiSettings().theme


def test_every_shipped_file_loads_and_is_named_like_its_theme() -> None:
    assert load_themes(user=Path("/nonexistent")).failed == ()
    assert all(theme.path is not None and theme.path.stem == theme.name for theme in SHIPPED)


def user_theme(file: str, text: str) -> Path:
    folder = paths.themes_dir()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / file).write_text(text, encoding="utf-8")
    return folder / file


def test_a_theme_of_the_reader_stands_beside_the_shipped_ones() -> None:
    user_theme("moss.toml", GOOD.replace("kbtui-dusk", "moss").replace('"Dusk"', '"苔"'))
    loaded = {theme.name: theme for theme in load_themes().loaded}
    assert loaded["moss"].label == "苔"
    assert loaded["moss"].source == "yours"
    assert len(loaded) == len(SHIPPED) + 1


def test_a_theme_of_the_reader_replaces_a_shipped_one_of_its_name() -> None:
    path = user_theme("mine.toml", GOOD.replace("#14151f", "#000000"))
    dusk = next(theme for theme in load_themes().loaded if theme.name == "kbtui-dusk")
    assert (dusk.path, dusk.theme.background) == (path, "#000000")


BROKEN = {
    "toml": ("name = ", "TOML"),
    "unknown_key": (GOOD.replace("[colors]", "[colors]\nprimry = '#000000'"), "primary"),
    "unknown_table": (GOOD.replace("[variables]", "[variabels]"), "variables"),
    "missing": (GOOD.replace('accent = "#ffb87a"\n', ""), "colors.accent is missing"),
    "no_name": (GOOD.replace('name = "kbtui-dusk"', ""), "name is missing"),
    "bad_name": (GOOD.replace('"kbtui-dusk"', '"Kbtui Dusk"'), "name"),
    "bad_colour": (GOOD.replace("#93a9ff", "#93a9f"), "colors.primary"),
    "named_colour": (GOOD.replace('primary = "#93a9ff"', 'primary = "bleu"'), "blue"),
    "number": (GOOD.replace('primary = "#93a9ff"', "primary = 7"), "colors.primary"),
    "dark": (GOOD.replace("dark = true", 'dark = "yes"'), "dark"),
    "colors_no_table": ('name = "x"\ndark = true\ncolors = 3\n', "colors"),
    "unknown_variable": (GOOD + 'block-cursor-backgruond = "#000000"\n', "block-cursor-background"),
    "bad_variable": (GOOD + 'link-color-hover = "purpel"\n', "variables.link-color-hover"),
    "bad_style": (GOOD + 'link-style = "bald"\n', "variables.link-style"),
    "spread": ("luminosity_spread = 3\n" + GOOD, "luminosity_spread"),
}


@pytest.mark.parametrize("case", sorted(BROKEN))
def test_a_broken_theme_is_named_with_its_reason_and_skipped(case: str) -> None:
    text, reason = BROKEN[case]
    path = user_theme(f"{case}.toml", text)
    themes = load_themes()
    assert [failed.path for failed in themes.failed] == [path]
    assert reason in themes.failed[0].reason
    assert themes.loaded == load_themes(user=Path("/nonexistent")).loaded


def test_two_files_cannot_claim_one_name() -> None:
    user_theme("a.toml", GOOD.replace("kbtui-dusk", "moss"))
    second = user_theme("b.toml", GOOD.replace("kbtui-dusk", "moss"))
    (failed,) = load_themes().failed
    assert failed.path == second
    assert "a.toml" in failed.reason


def test_a_theme_that_is_not_text_or_not_readable_is_skipped() -> None:
    user_theme("binary.toml", "").write_bytes(b"\xff\xfe\x00")
    (paths.themes_dir() / "folder.toml").mkdir()
    assert {failed.path.name for failed in load_themes().failed} == {"binary.toml", "folder.toml"}


@pytest.mark.parametrize("theme", SHIPPED, ids=lambda theme: theme.name)
async def test_an_app_can_wear_every_shipped_theme(theme: LoadedTheme) -> None:
    app: App[None] = App()
    async with app.run_test() as pilot:
        theming.register(app, load_themes())
        assert theming.apply_theme(app, theme.name) == ""
        await pilot.pause()
        assert app.theme_variables["background"].lower() == theme.theme.background
        assert app.screen.styles.background == Color.parse(str(theme.theme.background))


async def test_an_unknown_theme_is_answered_with_the_nearest_and_the_default() -> None:
    app: App[None] = App()
    async with app.run_test():
        theming.register(app, load_themes())
        told = theming.apply_theme(app, "kbtui-papre")
        assert "kbtui-paper" in told
        assert app.theme == theming.DEFAULT
        assert "/theme" in theming.apply_theme(app, "xyz")


async def test_the_themes_of_textual_stay_available() -> None:
    app: App[None] = App()
    async with app.run_test():
        themes = load_themes()
        theming.register(app, themes)
        names = {theme.name for theme in theming.all_themes(app, themes)}
        assert names == set(app.available_themes)
        assert {"nord", "gruvbox", "textual-light", "ansi-dark", "kbtui-ink"} <= names


def test_the_choice_is_written_where_settings_are_read() -> None:
    path = theming.save_theme("kbtui-ink")
    assert path == paths.config_file()
    assert tomllib.loads(path.read_text())["ui"]["theme"] == "kbtui-ink"


def test_reading_a_theme_that_is_not_there_is_a_theme_error(tmp_path: Path) -> None:
    with pytest.raises(theming.ThemeError):
        read_theme(tmp_path / "none.toml")


@pytest.mark.parametrize("loaded", [loaded for loaded in SHIPPED if not loaded.dark], ids=lambda loaded: loaded.name)
def test_a_light_theme_has_no_pale_text_in_a_terminal_with_16_colours(
    loaded: LoadedTheme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("COLORTERM")
    monkeypatch.setenv("TERM", "xterm")
    app: App[None] = App()
    theming.register(app, theming.ThemeSet(loaded=(loaded,)))
    colors = app.available_themes[loaded.name].to_color_system().generate()
    shown = {name: RichColor.from_rgb(*Color.parse(colors[name]).rgb).downgrade(ColorSystem.STANDARD) for name in TEXTS}
    pale = ("green", "yellow", "cyan", "white")
    assert not [name for name, color in shown.items() if ANSI_NAMES[color.number or 0].endswith(pale)]


def test_a_terminal_with_all_colours_has_those_of_the_theme() -> None:
    app: App[None] = App()
    theming.register(app, theming.ThemeSet(loaded=SHIPPED))
    assert all(app.available_themes[loaded.name] is loaded.theme for loaded in SHIPPED)

"""What the list of settings and the text beside it say about a setting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any, Final

from textual.content import Content

from kbtui.i18n import N_, _
from kbtui.settings.listing import ListedSetting, display_text
from kbtui.settings.load import Origin
from kbtui.text.terminal import one_line
from kbtui.ui.addresses import below_home
from kbtui.ui.settings_now import is_at_once
from kbtui.ui.widgets.cells import elide, padded, row, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row

ORIGINS: Final[Mapping[str, str]] = {
    "default": N_("default"),
    "user": N_("yours"),
    "folder": N_("this folder"),
    "environment": N_("environment"),
    "flag": N_("command line"),
}
"""Where a value came from, in a word or two."""

WAITING: Final = N_("after a restart")
"""In the place of the origin: what is in the file is not what kbtui runs with."""

_TOP: Final = N_("Every folder and screen")
_NAME_CELLS: Final = 19
_LABEL_CELLS: Final = 9


def setting_rows(found: Iterable[ListedSetting], waiting: Mapping[str, Any]) -> list[Row]:
    """The rows under the names of their sections; ``waiting`` holds what kbtui runs with until it is started again."""
    rows: list[Row] = []
    section: str | None = None
    for one in found:
        if one.setting.section != section:
            section = one.setting.section
            rows.append(Row("", partial(_heading, section or _(_TOP)), 1))
        rows.append(Row(one.setting.key, partial(_line, one, one.setting.key in waiting), 1))
    return rows


def detail(one: ListedSetting, waiting: Mapping[str, Any], notes: Sequence[str], width: int) -> list[Content]:
    """What it does, what it is and where that came from; what there is to know before it is changed."""
    setting = one.setting
    lines = wrapped(Content.styled(setting.key, "bold $accent"), width)
    lines += wrapped(Content(plain(_(setting.description))), width)
    for note in notes:
        lines += wrapped(Content.styled(one_line(note), MUTED), width)
    lines += [*effect_lines(one, width), Content("")]
    lines += _fact(_("value"), Content.styled(one_line(display_text(setting, one.value)), "bold"), width)
    lines += _fact(_("from"), Content(origin_words(one.origin)), width)
    if one.is_overridden and one.is_saved:
        lines += _fact(_("saved"), Content(one_line(display_text(setting, one.own))), width)
    if setting.key in waiting:
        lines += _fact(_("running"), Content(one_line(display_text(setting, waiting[setting.key]))), width)
    lines += _fact(_("default"), Content(one_line(display_text(setting, setting.default))), width)
    lines += _fact(_("allowed"), Content(plain(setting.allowed)), width)
    return lines


def effect_lines(one: ListedSetting, width: int) -> list[Content]:
    """When a change takes effect, or why it has none here."""
    if warning := override_words(one):
        return wrapped(Content.styled(f"! {warning}", "$text-warning"), width, indent=2)
    at_once = is_at_once(one.setting)
    words = _("A change takes effect when kbtui is started again.")
    if at_once:
        words = _("A change takes effect at once.")
    return wrapped(Content.styled(words, MUTED), width)


def override_words(one: ListedSetting) -> str:
    """That a saved value changes nothing here, and what is in its way; empty where it counts."""
    if not one.is_overridden:
        return ""
    kinds = {
        "folder": _("This folder's own file sets it"),
        "environment": _("The environment variable {name} sets it", name=one.origin.where),
        "flag": _("An option of the command line sets it"),
    }
    return _("{what}: what you save has no effect here.", what=kinds[one.origin.kind])


def origin_words(origin: Origin) -> str:
    """Where a value came from, with the file or variable."""
    if origin.kind in ("user", "folder"):
        return _(ORIGINS[origin.kind]) + _(", ") + one_line(below_home(Path(origin.where)))
    if origin.kind == "environment":
        return _("environment variable {name}", name=one_line(origin.where))
    return _(ORIGINS[origin.kind])


def plain(text: str) -> str:
    """A text of the reference without the marks that its Markdown has."""
    return text.replace("`", "")


def _heading(text: str, width: int) -> list[Content]:
    return [Content.styled(elide(text, width), MUTED)]


def _line(one: ListedSetting, is_waiting: bool, width: int) -> list[Content]:
    """``  top_k             12                 yours``."""
    is_default = one.origin.kind == "default"
    value = one_line(display_text(one.setting, one.value))
    label = _(WAITING if is_waiting and not one.is_overridden else ORIGINS[one.origin.kind])
    style = "$text-warning" if is_waiting or one.is_overridden else MUTED if is_default else "$accent"
    left = Content.assemble(f"  {one.setting.name:<{_NAME_CELLS}}", (value, "" if is_default else "bold"))
    return [row(left, Content.styled(label, style), width)]


def _fact(label: str, text: Content, width: int) -> list[Content]:
    head = Content.styled(padded(label, _LABEL_CELLS), MUTED)
    rest = wrapped(text, max(8, width - _LABEL_CELLS), lines=6)
    return [(Content(" " * _LABEL_CELLS) if number else head) + line for number, line in enumerate(rest)]

"""Rows of the list of settings, and the details of a setting."""

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
from kbtui.ui.addresses import home_relative
from kbtui.ui.live_settings import applies_at_once
from kbtui.ui.widgets.cells import padded, row, wrapped
from kbtui.ui.widgets.marks import MUTED
from kbtui.ui.widgets.rows import Row, heading_row

ORIGINS: Final[Mapping[str, str]] = {
    "default": N_("default"),
    "user": N_("yours"),
    "folder": N_("this folder"),
    "environment": N_("environment"),
    "flag": N_("command line"),
}
"""Short names of the origins of values."""

PENDING: Final = N_("after a restart")
"""Shown instead of the origin if the saved value takes effect only after a restart."""

_TOP: Final = N_("Every folder and screen")
_NAME_CELLS: Final = 19
_LABEL_CELLS: Final = 9


def setting_rows(settings: Iterable[ListedSetting], pending: Mapping[str, Any]) -> list[Row]:
    """The rows of settings by section; ``pending`` has the values in effect until the restart, by key."""
    rows: list[Row] = []
    section: str | None = None
    for listed in settings:
        if listed.setting.section != section:
            section = listed.setting.section
            rows.append(heading_row(section or _(_TOP)))
        rows.append(Row(listed.setting.key, partial(_line, listed, listed.setting.key in pending), 1))
    return rows


def detail(listed: ListedSetting, pending: Mapping[str, Any], notes: Sequence[str], width: int) -> list[Content]:
    """The details of a setting: description, notes, effect of a change, values and origin."""
    setting = listed.setting
    lines = wrapped(Content.styled(setting.key, "bold $accent"), width)
    lines += wrapped(Content(plain(_(setting.description))), width)
    for note in notes:
        lines += wrapped(Content.styled(one_line(note), MUTED), width)
    lines += [*effect_lines(listed, width), Content("")]
    lines += _fact(_("value"), Content.styled(one_line(display_text(setting, listed.value)), "bold"), width)
    lines += _fact(_("from"), Content(origin_words(listed.origin)), width)
    if listed.is_overridden and listed.is_saved:
        lines += _fact(_("saved"), Content(one_line(display_text(setting, listed.own))), width)
    if setting.key in pending:
        lines += _fact(_("running"), Content(one_line(display_text(setting, pending[setting.key]))), width)
    lines += _fact(_("default"), Content(one_line(display_text(setting, setting.default))), width)
    lines += _fact(_("allowed"), Content(plain(setting.allowed)), width)
    return lines


def effect_lines(listed: ListedSetting, width: int) -> list[Content]:
    """When a change takes effect, or why it has no effect."""
    if warning := override_words(listed):
        return wrapped(Content.styled(f"! {warning}", "$text-warning"), width, indent=2)
    is_live = applies_at_once(listed.setting)
    text = _("A change takes effect when kbtui is started again.")
    if is_live:
        text = _("A change takes effect at once.")
    return wrapped(Content.styled(text, MUTED), width)


def override_words(listed: ListedSetting) -> str:
    """A warning that a saved value has no effect, and what overrides it; empty if it takes effect."""
    if not listed.is_overridden:
        return ""
    kinds = {
        "folder": _("This folder's own file sets it"),
        "environment": _("The environment variable {name} sets it", name=listed.origin.where),
        "flag": _("An option of the command line sets it"),
    }
    return _("{what}: what you save has no effect here.", what=kinds[listed.origin.kind])


def origin_words(origin: Origin) -> str:
    """The origin of a value, with the file or variable."""
    if origin.kind in ("user", "folder"):
        return _(ORIGINS[origin.kind]) + _(", ") + one_line(home_relative(Path(origin.where)))
    if origin.kind == "environment":
        return _("environment variable {name}", name=one_line(origin.where))
    return _(ORIGINS[origin.kind])


def plain(text: str) -> str:
    """A text of the reference without Markdown marks."""
    return text.replace("`", "")


def _line(listed: ListedSetting, is_pending: bool, width: int) -> list[Content]:
    """``  top_k             12                 yours``."""
    is_default = listed.origin.kind == "default"
    value = one_line(display_text(listed.setting, listed.value))
    label = _(PENDING if is_pending and not listed.is_overridden else ORIGINS[listed.origin.kind])
    style = "$text-warning" if is_pending or listed.is_overridden else MUTED if is_default else "$accent"
    left = Content.assemble(f"  {listed.setting.name:<{_NAME_CELLS}}", (value, "" if is_default else "bold"))
    return [row(left, Content.styled(label, style), width)]


def _fact(label: str, text: Content, width: int) -> list[Content]:
    head = Content.styled(padded(label, _LABEL_CELLS), MUTED)
    lines = wrapped(text, max(8, width - _LABEL_CELLS), lines=6)
    return [(Content(" " * _LABEL_CELLS) if number else head) + line for number, line in enumerate(lines)]

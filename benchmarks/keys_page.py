"""Prints ``docs/keys.md``: every command of the screen, read off their declaration."""

from __future__ import annotations

from kbtui.ui.commands import groups
from kbtui.ui.commands.keymap import key_display

PLACES = {
    "app": "everywhere",
    "ask": "the main screen",
    "prompt": "the prompt",
    "panes": "answer, stages and proof",
    "transcript": "the conversation",
    "stage": "a stage",
    "proof": "the proof",
    "list": "a list",
    "evidence": "the evidence",
    "replay": "a replay",
    "setting_text": "a value that is typed",
}
"""Where a scope's keys work; others are a dialog, named by the heading."""


def keys_markdown() -> str:
    """The text of ``docs/keys.md``."""
    lines = [
        "# Keys",
        "",
        "<!-- Written by `python benchmarks/keys_page.py`; edit `kbtui/ui/commands/commands.toml` instead. -->",
        "",
        "Every command of the screen. The table `[keys]` of the settings file gives a command other keys by its name:",
        "",
        "```toml",
        "[keys]",
        'copy = "C, f6"     # several, with commas between them',
        'export = "ctrl+b"  # one that has no key by itself',
        "```",
        "",
        "Footer, help and palette then show these. Keys are written `y`, `Y`, `?`, `ctrl+y`, `alt+left`, `pgup`, `f5`,",
        "`space`, `comma`. A name that nobody knows, a key that terminals send as another one or that is typed into",
        "questions, and a key that does something else in the same place are left out when kbtui starts, and said;",
        "the default stays. `kbtui keys` prints this table with your keys in it. What has no key is typed: `/` and the",
        "command's word.",
    ]
    for group, members in groups().items():
        lines += ["", f"## {group}", "", "| command | keys | where | does |", "|---|---|---|---|"]
        for one in members:
            shown = [one.shown] if one.digits or not one.keys else [key_display(key) for key in one.keys]
            keys = " ".join(f"`` {key} ``" if "`" in key else f"`{key}`" for key in shown)
            text = f"{one.title}: {one.help}".replace("|", "\\|")
            lines.append(f"| `{one.name}` | {keys} | {PLACES.get(one.scope, 'its dialog')} | {text} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(keys_markdown(), end="")

"""Prints ``docs/settings.md``: every setting, read off the model."""

from __future__ import annotations

from kbtui.settings.model import MAX_LIST_ITEMS, MAX_TEXT_CHARS
from kbtui.settings.reference import AGENT_VARIABLES, MAX_FILE_BYTES, OTHER_VARIABLES, all_settings, toml_value


def settings_markdown() -> str:
    """The text of ``docs/settings.md``."""
    lines = [
        "# Settings",
        "",
        "<!-- Written by `python benchmarks/settings_page.py`; edit `kbtui/settings/model.py` instead. -->",
        "",
        "The first of these that has a value for a key wins:",
        "",
        "1. options of the command (`--model`, `-k`, …);",
        "2. environment variables: `KBTUI_SECTION__KEY`, in any case of letters; an empty one counts as not set;",
        "3. `.kbtui.toml` in the knowledge base;",
        "4. `$XDG_CONFIG_HOME/kbtui/config.toml` (`~/.config/kbtui/config.toml`);",
        "5. the default.",
        "",
        "`kbtui config show` prints every value with where it came from, `kbtui config init` writes a commented file,",
        "`kbtui config path` says where that file is. `F4` or `/settings` on the screen shows the same and changes it:",
        "only the file of 4 is written, its comments and order stay, and a value that comes from 1 to 3 says that what",
        "is saved has no effect there. Themes, keys, editor and window follow at once, the rest when kbtui is started",
        "again. A key that nobody knows is an error that names the nearest one; a variable `KBTUI_…` that nobody knows",
        "is a warning.",
        'In a variable a list is written as JSON (`\'["build/", "*.log"]\'`); anything else is a list of one;',
        "a table is written as JSON too.",
        f"A text has at most {MAX_TEXT_CHARS:,} characters, a list {MAX_LIST_ITEMS:,} items, a settings file "
        f"{MAX_FILE_BYTES:,} bytes.",
        "",
        "A folder can come from anyone, so its `.kbtui.toml` may only set what has *folder: yes* or *lower* below.",
        "Other keys in it are left out, with a warning. *lower* marks limits of time, memory and calls: where the",
        "folder asks for more than your own file (or the default) allows, your value is used, with a warning.",
    ]
    section = None
    for setting in sorted(all_settings().values(), key=lambda one: "." in one.key):
        head, _, key = setting.key.rpartition(".")
        if head != section:
            section = head
            lines += ["", f"## `[{section}]`" if section else "## Top level", ""]
            lines += ["| key | allowed | default | folder | what it does |", "|---|---|---|---|---|"]
        folder = "lower" if setting.folder_may_lower else "yes" if setting.in_folder else "no"
        allowed, text = (part.replace("|", "\\|") for part in (setting.allowed, setting.description))
        lines.append(f"| `{key}` | {allowed} | `{toml_value(setting.default)}` | {folder} | {text} |")
    lines += ["", "## Other environment variables", "", "| variable | what it does |", "|---|---|"]
    lines += [f"| `{name}` | The same as `{key}`. |" for name, key in AGENT_VARIABLES.items()]
    lines += [f"| `{name}` | {text} |" for name, text in OTHER_VARIABLES.items()]
    lines.append("| `NO_COLOR` | Any value turns styling off, as `--no-color` does. |")
    lines.append("| `XDG_CONFIG_HOME`, `XDG_DATA_HOME`, `XDG_CACHE_HOME`, `XDG_STATE_HOME` | Where the files live. |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    print(settings_markdown(), end="")

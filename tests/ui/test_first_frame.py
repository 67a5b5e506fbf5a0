"""What is not loaded before the first frame: nothing that only a run, an answer or another screen needs."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import asyncio, sys
from pathlib import Path
from kbtui import late_imports
late_imports.without_plugins()
from kbtui.cli.open import screen_over
from kbtui.settings.load import load_settings
from textual.css.stylesheet import Stylesheet

again = []
reparse = Stylesheet.reparse
Stylesheet.reparse = lambda sheet: (again.append(sheet), reparse(sheet))

app = screen_over(Path("/kb/handbook"), load_settings(None, environ={}).settings, (), {})
app._begin = lambda: None

async def first_frame():
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()

heavy = (
    "kbtui.domain.events", "kbtui.view.view_state", "kbtui.ui.run_view", "textual.widgets._markdown", "email",
    "hashlib", "importlib.resources", "json", "zipfile",
)
asyncio.run(first_frame())
print([name for name in heavy if name in sys.modules], len(again))
"""


def test_the_first_frame_loads_no_part_of_a_run_and_reads_no_style_sheet_twice() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[] 0", done.stderr

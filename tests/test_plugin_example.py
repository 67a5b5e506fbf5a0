"""docs/examples/kbtui-todos, installed as a package of somebody else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "docs" / "examples" / "kbtui-todos"
ASK = """
import json, sys
from pathlib import Path
from kbtui import Engine
from kbtui.bootstrap import KnowledgeBackend
from kbtui.domain.ports import CancelToken
from kbtui.settings.model import Settings
from kbtui.tools import ToolContext, Toolbox, offered_tools
from kbtui.ui.theming import load_themes

knowledge = KnowledgeBackend(Path(sys.argv[1]), Settings()).knowledge
knowledge.ensure_fresh(lambda event: None, CancelToken())
problems = []
toolbox = Toolbox(ToolContext(knowledge=knowledge, settings=Settings()), warn=problems.append)
yard = f"todotxt://{Path(sys.argv[1], 'yard.todotxt')}"
engine = Engine(kb=sys.argv[1], sources=(f"yard={yard}",), settings=Settings(), record=False)
answer = engine.answer_query("how many todos are there by person?")
left = engine.answer_query("what is left to do about the winch?")
engine.close()
found = toolbox.call("open_todos", {"about": "crane"})
lists = toolbox.call("hybrid_search", {"semantic_query": "who oils the winch?", "exact_keywords": "winch"})
themes = {theme.name: theme.source for theme in load_themes().loaded}
print(json.dumps({
    "problems": problems,
    "offered": list(offered_tools(Settings(), toolbox.descriptions)),
    "places": [f"{hit.path}:{hit.start_line}" for hit in found.hits],
    "cited": [f"{hit.path} {hit.locator}" for hit in lists.hits if "winch" in hit.text][:1],
    "answer": answer.markdown,
    "statements": [citation.sql for citation in answer.citations],
    "left": left.markdown,
    "theme": themes.get("todos-sea"),
    "run": sorted(name for name in sys.modules if name.startswith("kbtui_todos")),
}))
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder that the example was installed into, without the network."""
    base = tmp_path_factory.mktemp("example")
    source = Path(shutil.copytree(EXAMPLE, base / "source"))
    options = ("--no-deps", "--no-build-isolation", "--no-index", "--quiet", "--disable-pip-version-check")
    subprocess.run(
        [sys.executable, "-m", "pip", "install", *options, "--target", str(base / "site"), str(source)],
        check=True,
        timeout=120,
    )
    return base / "site"


def test_its_tool_finds_places_its_loader_reads_lists_and_its_theme_is_there(installed: Path, tmp_path: Path) -> None:
    (tmp_path / "yard.md").write_text("# Yard\n\n- [ ] grease the crane\n- [x] paint the crane\n- [ ] sweep\n")
    (tmp_path / "crane.py").write_text("# TODO: lift what the crane lifts\n")
    (tmp_path / "yard.todotxt").write_text("x paint the shed\n(A) oil the winch +yard @Ada\n")
    done = subprocess.run(
        [sys.executable, "-c", ASK, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
    )
    said = json.loads(done.stdout)
    assert said["problems"] == []
    assert "open_todos" in said["offered"]
    assert said["places"] == ["crane.py:1", "yard.md:3"]
    assert said["cited"] == ["yard.todotxt item 1-2"]
    assert "| Ada | 1 |" in said["answer"]
    assert 'FROM "todos"' in said["statements"][0]
    assert said["left"].startswith(
        "Found by `open_todos`:\n\n- `yard.todotxt item 2` — To do, priority A: oil the winch"
    )
    assert said["theme"] == "installed"
    assert said["run"] == ["kbtui_todos", "kbtui_todos.source"], "themes are read without running their package"


def test_its_theme_can_be_worn(installed: Path) -> None:
    code = (
        "from kbtui.settings.model import Settings, UiSettings\n"
        "from kbtui.ui.app import KbtuiApp\n"
        "from pathlib import Path\n"
        "app = KbtuiApp(lambda: None, Settings(ui=UiSettings(theme='todos-sea')), kb=Path('.'))\n"
        "print(app.theme)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "PYTHONPATH": f"{installed}{os.pathsep}{ROOT}"},
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    assert done.stdout.strip() == "todos-sea"

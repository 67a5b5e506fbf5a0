"""What docs/recipes.md says of other programs, done in them."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pexpect
import pytest

from tests.e2e.conftest import needs

ROOT = Path(__file__).parents[2]
RECIPES = (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")


def recipe(language: str) -> str:
    """The one block of code in that language."""
    (block,) = re.findall(rf"^```{language}\n(.*?)^```$", RECIPES, re.MULTILINE | re.DOTALL)
    return str(block)


@pytest.fixture
def environment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A ``kbtui`` on the PATH."""
    program = tmp_path / "bin" / "kbtui"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nPYTHONPATH="{ROOT}" exec "{sys.executable}" -P -m kbtui "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@needs("vim")
def test_vim_asks_opens_sources_and_fills_the_quickfix_list(environment: None, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "kbtui.vim").write_text(recipe("vim"))
    (tmp_path / "log.txt").write_text("error rate above two percent after the deploy\n")
    (tmp_path / "do.vim").write_text(
        "set nocompatible nomore\n"
        f"source {tmp_path}/kbtui.vim\n"
        "Kb How do I roll back a deploy?\n"
        f"silent write! {tmp_path}/answer.md\n"
        "normal! G0f l\nnormal! gF\n"
        f"call writefile([expand('%') . ':' . line('.')], '{tmp_path}/opened')\n"
        f"edit! {tmp_path}/log.txt\n"
        "1KbAbout what do we do about this?\n"
        f"silent write! {tmp_path}/about.md\n"
        "KbGrep green image\n"
        f"call writefile(map(getqflist(), 'bufname(v:val.bufnr)'), '{tmp_path}/found')\n"
        "qall!\n"
    )
    command = ["vim", "-u", "NONE", "-es", "-S", str(tmp_path / "do.vim")]
    subprocess.run(command, cwd=kb, check=False, timeout=100, capture_output=True)
    answer = (tmp_path / "answer.md").read_text()
    assert "error rate" in answer
    last = answer.rstrip().rpartition("\n")[2]
    assert (tmp_path / "opened").read_text().strip() == last.partition("] ")[2]
    assert "runbooks/rollback.md:" in (tmp_path / "about.md").read_text()
    assert (tmp_path / "found").read_text().splitlines()[0] == "runbooks/rollback.md"


@needs("tmux")
def test_tmux_shows_kbtui_in_a_popup(environment: None, kb: Path, tmp_path: Path) -> None:
    (tmp_path / "tmux.conf").write_text(recipe("tmux"))
    tmux = ["tmux", "-S", str(tmp_path / "socket"), "-f", str(tmp_path / "tmux.conf")]
    env = {**os.environ, "TERM": "xterm-256color", "LC_ALL": "C.UTF-8"}
    env.pop("TMUX", None)
    shown = pexpect.spawn(
        tmux[0], [*tmux[1:], "new-session", "-c", str(kb)], env=env, dimensions=(40, 120), timeout=60, encoding="utf-8"
    )
    try:
        shown.expect(r"\[0\]")
        shown.send("\x02K")
        shown.expect("kbtui")
        shown.send("How do I roll back a deploy?\r")
        shown.expect("two percent")
        shown.send("/quit\r")
    finally:
        subprocess.run([*tmux, "kill-server"], check=False, capture_output=True)
        shown.close(force=True)

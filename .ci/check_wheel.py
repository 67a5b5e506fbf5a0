"""Builds the wheel, installs it the ways people do, and asks it: ``check_wheel.py TOOLS [PYTHON...]``.

TOOLS is a folder with the programs of the dependency group ``packaging`` (build, uv, pipx); ``make wheel`` makes it.
Each
Python gets an empty environment by pip, by ``uv tool`` and by pipx, and each of them an empty HOME in which
``kbtui demo </dev/null`` must answer all its questions. Without PYTHONs those on the PATH are taken.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VERSIONS = ("3.11", "3.12", "3.13")
LARGEST_BYTES = 1_200_000_000
QUESTIONS = 7


def main() -> int:
    """Print one line an installation. 0: all of them answered and are small enough."""
    tools = Path(sys.argv[1]).resolve()
    pythons = sys.argv[2:] or [path for path in map(shutil.which, (f"python{name}" for name in VERSIONS)) if path]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="kbtui-wheel-") as scratch:
        subprocess.run(
            [tools / "python", "-m", "build", "--wheel", "--outdir", scratch, ROOT],
            check=True,
            stdout=subprocess.DEVNULL,
        )
        [wheel] = Path(scratch).glob("*.whl")
        print(f"{wheel.name}: {wheel.stat().st_size / 1e6:.1f} MB", flush=True)
        for python in pythons:
            for install in (with_pip, with_uv, with_pipx):
                place = Path(scratch) / "place"
                place.mkdir()
                failed += not check(python, install, tools, wheel, place)
                shutil.rmtree(place)
    return 1 if failed else 0


def with_pip(python: str, _tools: Path, wheel: Path, place: Path) -> Path:
    subprocess.run([python, "-m", "venv", place / "venv"], check=True)
    subprocess.run([place / "venv/bin/python", "-m", "pip", "install", "--quiet", wheel], check=True)
    return place / "venv/bin/kbtui"


def with_uv(python: str, tools: Path, wheel: Path, place: Path) -> Path:
    folders = {name: str(place / name) for name in ("UV_TOOL_DIR", "UV_TOOL_BIN_DIR", "UV_CACHE_DIR")}
    command = [tools / "uv", "tool", "install", "--quiet", "--no-config", "--python", python, wheel]
    subprocess.run(command, check=True, env=os.environ | folders)
    shutil.rmtree(folders["UV_CACHE_DIR"])
    return place / "UV_TOOL_BIN_DIR/kbtui"


def with_pipx(python: str, tools: Path, wheel: Path, place: Path) -> Path:
    folders = {name: str(place / name) for name in ("PIPX_HOME", "PIPX_BIN_DIR", "PIPX_MAN_DIR")}
    command = [tools / "pipx", "install", "--quiet", "--python", python, wheel]
    subprocess.run(command, check=True, env=os.environ | folders, stdout=subprocess.DEVNULL)
    return place / "PIPX_BIN_DIR/kbtui"


def check(python: str, install: Callable[[str, Path, Path, Path], Path], tools: Path, wheel: Path, place: Path) -> bool:
    """Install into ``place`` and ask; False when it did not answer or is too large."""
    name = f"{install.__name__.removeprefix('with_')}, {python}"
    started = time.monotonic()
    try:
        program = install(python, tools, wheel, place)
    except subprocess.CalledProcessError as error:
        print(f"FAILED {name}: {error}", flush=True)
        return False
    installed_s = time.monotonic() - started
    size = sum(path.lstat().st_size for path in place.rglob("*") if path.is_file() and not path.is_symlink())
    home = place / "home"
    home.mkdir()
    started = time.monotonic()
    done = subprocess.run(
        [program, "demo"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        cwd=home,
        env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"},
    )
    asked_s = time.monotonic() - started
    good = done.returncode == 0 and done.stdout.count("\n> ") + done.stdout.startswith("> ") == QUESTIONS
    good = good and done.stdout.count("[1]") >= QUESTIONS and size <= LARGEST_BYTES
    print(
        f"{'ok' if good else 'FAILED'} {name}: {size / 1e6:.0f} MB in {installed_s:.0f} s, demo exit {done.returncode} "
        f"in {asked_s:.1f} s",
        flush=True,
    )
    if not good:
        print(done.stdout, done.stderr, sep="\n")
    return good


if __name__ == "__main__":
    sys.exit(main())

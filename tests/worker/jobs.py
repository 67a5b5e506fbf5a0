"""Jobs that do what a worker must survive, or not."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from kbtui.errors import SqlRefused, StorageError
from kbtui.worker import Job

_KEPT: list[bytearray] = []


def _job(function: Any, attribute: str, request: Any = str, response: Any = str, **further: Any) -> Job[Any, Any]:
    return Job(function, name=f"{__name__}:{attribute}", request=request, response=response, **further)


def _allocate(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def _keep(megabytes: int) -> int:
    _KEPT.append(bytearray(megabytes << 20))
    return len(_KEPT)


def _backtrack(length: int) -> bool:
    return re.fullmatch(r"(a|a)*b", "a" * length) is not None


def _refuse(rule: str) -> str:
    raise SqlRefused("No.", "Ask for data.", rule=rule)


def _fail(message: str) -> str:
    raise StorageError(message + "\ud800", "Free some space.")


def _write(path: str) -> str:
    Path(path).write_text("written", "utf-8")
    return oct(Path(path).stat().st_mode & 0o777)


def _spawn(_: str) -> int:
    return subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"]).pid


def _touch_and_sleep(path: str) -> None:
    Path(path).touch()
    time.sleep(600)


def _print(text: str) -> str:
    print(text, flush=True)
    os.write(1, b"\0\0\0\5hello")
    return text


ECHO = _job(lambda text: text, "ECHO")
PID = _job(lambda _: os.getpid(), "PID", response=int)
SLEEP = _job(lambda seconds: time.sleep(seconds) or "", "SLEEP", request=float)
TOUCH_AND_SLEEP = _job(_touch_and_sleep, "TOUCH_AND_SLEEP", response=None)
ALLOCATE = _job(_allocate, "ALLOCATE", request=int, response=int)
KEEP = _job(_keep, "KEEP", request=int, response=int)
BACKTRACK = _job(_backtrack, "BACKTRACK", request=int, response=bool)
EXIT = _job(os._exit, "EXIT", request=int, response=None)
ABORT = _job(lambda _: os.abort(), "ABORT")
WRONG_TYPE = _job(lambda _: {"rows": 1}, "WRONG_TYPE", response=list[int])
LARGE = _job(lambda size: "x" * size, "LARGE", request=int, largest=1 << 20)
REFUSE = _job(_refuse, "REFUSE")
FAIL = _job(_fail, "FAIL")
BROKEN_PARSER = _job(lambda _: {}["missing"], "BROKEN_PARSER")
ENVIRONMENT = _job(lambda _: dict(os.environ), "ENVIRONMENT", response=dict[str, str])
WRITE = _job(_write, "WRITE")
SPAWN = _job(_spawn, "SPAWN", response=int)
PRINT = _job(_print, "PRINT")

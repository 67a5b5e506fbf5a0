"""Runs the ``git`` program over a repository that somebody else may have made.

A repository's configuration and attributes can name programs: pagers, hooks, filters, differs, signers, transports.
None of them is run: what calls them is switched off on the command line, which outranks the repository, and only
commands are used that look neither at the index nor at the files as they lie there. Configuration of the user and the
system is not read. The program runs in a worker, with a limit of time, memory and output.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import msgspec

from kbtui.domain.ports import CancelToken
from kbtui.errors import KnowledgeBaseError
from kbtui.worker import Allowance, Job, WorkerError, WorkerPool, WorkerTimedOut

_SECONDS: Final = 15.0
_MAX_BYTES: Final = 32 << 20
_READ: Final = 1 << 16
_SAFE: Final = (
    *("--no-pager", "--no-optional-locks", "--no-replace-objects", "--literal-pathspecs"),
    *("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c", "core.attributesFile=/dev/null"),
    *(
        "-c",
        "diff.external=",
        "-c",
        "log.showSignature=false",
        "-c",
        "gpg.program=false",
        "-c",
        "gpg.ssh.program=false",
    ),
    *("-c", "protocol.allow=never", "-c", "core.sshCommand=false", "-c", "core.gitProxy=", "-c", "credential.helper="),
    *("-c", "blame.ignoreRevsFile=", "-c", "i18n.logOutputEncoding=UTF-8"),
    *("-c", "core.quotePath=false", "-c", "core.alternateRefsCommand=false", "-c", "maintenance.auto=false"),
    *("-c", "gc.auto=0", "-c", "core.packedGitWindowSize=32m", "-c", "core.packedGitLimit=256m"),
)
_ENVIRONMENT: Final = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_ASKPASS": "false",
    "GIT_SSH_COMMAND": "false",
    "GIT_PAGER": "cat",
    "GIT_ALLOW_PROTOCOL": "",
    "GIT_NO_LAZY_FETCH": "1",
    "HOME": os.devnull,
    "LC_ALL": "C",
}


class GitFailed(KnowledgeBaseError):
    """There is no repository, no such file in it, or git could not answer in time."""


class GitOutput(msgspec.Struct, frozen=True, array_like=True):
    """What git printed.

    Attributes:
        code: Exit code.
        output: Standard output.
        complaint: First line of standard error.
        is_cut: Whether there was more than the limit.
    """

    code: int
    output: bytes
    complaint: str = ""
    is_cut: bool = False


def run_git(
    root: Path,
    arguments: Sequence[str | bytes],
    *,
    seconds: float | None = None,
    limit: int = _MAX_BYTES,
    cancel: CancelToken | None = None,
) -> GitOutput:
    """Run a command of git in a folder, in a worker.

    Args:
        seconds: Time limit; 15 s unless given.
        limit: Most bytes of output; git is stopped behind them.

    Raises:
        GitFailed: There is no git, the folder is in no repository, or the command failed or took too long.
        Cancelled: ``cancel`` was set.
    """
    executable = _executable()
    if executable is None:
        raise GitFailed("The program git was not found.", "Install git to ask who changed a file, and when.")
    seconds = _SECONDS if seconds is None else seconds
    request = _Request(os.fsencode(executable), os.fsencode(root), [os.fsencode(part) for part in arguments], limit)
    try:
        result = POOL.call(_GIT, request, seconds=seconds, cancel=cancel)
    except WorkerTimedOut as error:
        raise GitFailed(f"git took longer than {seconds:.0f} s and was stopped.") from error
    except WorkerError as error:
        raise GitFailed(f"git was stopped: {error.message}") from error
    if result.code != 0 and not result.is_cut:
        raise GitFailed(f"git failed: {result.complaint or result.code}")
    return result


@cache
def _executable() -> str | None:
    found = shutil.which("git")
    return str(Path(found).resolve()) if found else None


# In the worker -------------------------------------------------------------------------------------------------------


class _Request(msgspec.Struct, frozen=True, array_like=True):
    executable: bytes
    root: bytes
    arguments: list[bytes]
    limit: int


def _run(request: _Request) -> GitOutput:
    with subprocess.Popen(
        [request.executable, *map(os.fsencode, _SAFE), *request.arguments],
        cwd=request.root,
        env={**_ENVIRONMENT, "PATH": os.environ.get("PATH", os.defpath)},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        parts, left = [], request.limit + 1
        while left > 0 and (part := process.stdout.read(min(left, _READ))):
            parts.append(part)
            left -= len(part)
        is_cut = left <= 0
        if is_cut:
            process.kill()
            complaint = b""
        else:
            complaint = process.stderr.read(_READ)
            # More of it would keep git waiting.
            process.stderr.close()
        process.stdout.close()
    first = complaint.decode("utf-8", "replace").strip().split("\n", 1)[0][:200]
    return GitOutput(process.returncode, b"".join(parts)[: request.limit], first, is_cut)


_GIT: Final[Job[_Request, GitOutput]] = Job(
    _run, name=f"{__name__}:_GIT", request=_Request, response=GitOutput, largest=_MAX_BYTES + (1 << 20)
)
POOL: Final = WorkerPool("git", Allowance(memory=4 << 30), [__name__])

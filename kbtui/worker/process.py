"""One worker process as its parent sees it: started, asked, and killed when it passes a limit."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec

import kbtui
from kbtui import errors
from kbtui.domain.cancel import CancelToken
from kbtui.errors import Cancelled, KbtuiError, SqlRefused
from kbtui.worker.job import Allowance, Job
from kbtui.worker.messages import HEADER, Call, Outcome, encode_frame

Request = TypeVar("Request")
Response = TypeVar("Response")

_START: Final = (
    "import gc, sys; gc.set_threshold(100_000, 20, 50); sys.path.append(%r); "
    "from kbtui.worker.child import main; main()"
)
"""The modules of a worker make objects that stay: looking through them for garbage takes a tenth of its start.

The folder of kbtui is appended: it is site-packages, whose modules must not hide those of the standard library.
"""
_LOOK_MS: Final = 20
"""Between two looks at the cancel token."""
_START_S: Final = 60.0
"""For a process to import its modules: most of a second on a busy machine, and more from a slow disk."""
_READ: Final = 1 << 18
_ENVELOPE: Final = 4096
"""Bytes of a response beside its body."""
_PASSED_ON_WORDS: Final = "PATH HOME LANG LANGUAGE TZ TMPDIR USER LOGNAME LD_LIBRARY_PATH LD_PRELOAD PYTHONPATH"
_PASSED_ON: Final = frozenset(_PASSED_ON_WORDS.split())


class WorkerError(KbtuiError):
    """A worker was stopped, or broke; callers say what it was doing."""


class WorkerTimedOut(WorkerError):
    """The request took longer than it may."""


class WorkerOutOfMemory(WorkerError):
    """The request needed more memory than it may."""


class WorkerCrashed(WorkerError):
    """The process ended, or sent something that is no response."""


class WorkerEnded(WorkerCrashed):
    """The process had ended by itself, idle or grown, before it saw the request."""


class Worker:
    """One process; used by one thread at a time.

    Args:
        allowance: Limits of the process.
        modules: What it imports before it limits itself, so that the imports do not count.
    """

    def __init__(self, allowance: Allowance, modules: Sequence[str]) -> None:
        self._allowance = allowance
        self._process = subprocess.Popen(
            [
                # -P: the folder that the program was started in may hold modules of any name.
                *(sys.executable, "-P", "-c", _START % str(Path(kbtui.__file__).parent.parent)),
                *(str(allowance.memory), str(allowance.writes), str(allowance.idle_s), *modules),
            ],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            bufsize=0,
            env=_environment(os.environ, allowance.environment),
            process_group=0,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._to, self._from = self._process.stdin.fileno(), self._process.stdout.fileno()
        os.set_blocking(self._to, False)
        os.set_blocking(self._from, False)
        self._ready = False

    @property
    def alive(self) -> bool:
        return self._process.poll() is None

    def call(
        self, job: Job[Request, Response], request: Request, *, seconds: float, cancel: CancelToken | None = None
    ) -> Response:
        """Run ``job``. The process survives what the job raises, and is gone after every other error.

        Args:
            seconds: Wall time for the call; the start of the process has a limit of its own.
            cancel: Kills the process when it is set.

        Raises:
            WorkerError: A limit was passed, or the process broke.
            Cancelled: ``cancel`` was set.
            KbtuiError: What the job raised, as the same class.
        """
        try:
            call = Call(job.name, msgspec.msgpack.encode(request), seconds * (os.cpu_count() or 1))
        except (UnicodeEncodeError, OverflowError, TypeError) as error:
            raise WorkerError(f"The request cannot be sent to a worker: {error}.") from error
        answered = False
        try:
            if not self._ready:
                self._receive(_ENVELOPE, _Deadline(_START_S, cancel))
                self._ready = True
            deadline = _Deadline(seconds, cancel)
            self._send(encode_frame(msgspec.msgpack.encode(call)), deadline)
            frame = self._receive(job.largest + _ENVELOPE, deadline)
            outcome = msgspec.msgpack.decode(frame, type=Outcome)
            answered = not outcome.error or outcome.error in _ERRORS or outcome.error == "Exception"
            if outcome.error:
                raise _raised(outcome)
            return job.decode(outcome.body)
        except msgspec.DecodeError as error:
            answered = False
            raise WorkerCrashed(f"The worker sent no valid response: {error}.") from error
        except OSError as error:
            raise self._broken() from error
        finally:
            if not answered:
                self.kill()

    def kill(self) -> None:
        """End the process and whatever it has started, at once."""
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()

    def _send(self, data: bytes, deadline: _Deadline) -> None:
        view = memoryview(data)
        poll = select.poll()
        poll.register(self._to, select.POLLOUT)
        while view:
            deadline.wait(poll)
            view = view[os.write(self._to, view[:_READ]) :]

    def _receive(self, largest: int, deadline: _Deadline) -> bytearray:
        poll = select.poll()
        poll.register(self._from, select.POLLIN)
        received = bytearray()
        size = HEADER
        while len(received) < size:
            deadline.wait(poll)
            part = os.read(self._from, _READ)
            if not part:
                raise self._broken()
            received += part
            if size == HEADER and len(received) >= HEADER:
                size = HEADER + int.from_bytes(received[:HEADER], "big")
                if size > largest:
                    raise WorkerCrashed(f"The worker sent more than {largest >> 20} MB.")
        if len(received) > size:
            raise WorkerCrashed("The worker sent more than a response.")
        del received[:HEADER]
        return received

    def _broken(self) -> WorkerError:
        """Why the process ended, as far as its exit status tells."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        code = self._process.poll()
        if code == 0:
            return WorkerEnded("The worker has ended.")
        if code == -signal.SIGXCPU:
            return WorkerTimedOut("The worker has used up its processor time.")
        if code in (-signal.SIGABRT, -signal.SIGKILL):
            # How native code ends that cannot allocate, and how the system ends what the machine has no memory for.
            return WorkerOutOfMemory(f"The worker needed more than {self._allowance.memory >> 20} MB.")
        return WorkerCrashed(f"The worker ended with code {code}.")


class _Deadline:
    def __init__(self, seconds: float, cancel: CancelToken | None) -> None:
        self._seconds = seconds
        self._until = time.monotonic() + seconds
        self._cancel = cancel

    def wait(self, poll: select.poll) -> None:
        """Until the pipe is ready.

        Raises:
            WorkerTimedOut: The time is up.
            Cancelled: The token was set.
        """
        while True:
            if self._cancel is not None:
                self._cancel.check()
            left = (self._until - time.monotonic()) * 1000
            if left <= 0:
                raise WorkerTimedOut(f"The worker took longer than {self._seconds:g} s.")
            if poll.poll(left if self._cancel is None else min(left, _LOOK_MS)):
                return


def _subclasses(base: type[KbtuiError]) -> dict[str, type[KbtuiError]]:
    return {name: kind for name, kind in vars(errors).items() if isinstance(kind, type) and issubclass(kind, base)}


_ERRORS: Final[Mapping[str, type[KbtuiError]]] = _subclasses(KbtuiError)


def _raised(outcome: Outcome) -> KbtuiError:
    if outcome.error == "MemoryError":
        return WorkerOutOfMemory("The worker needed more memory than it may.")
    kind = _ERRORS.get(outcome.error)
    if kind is None:
        return WorkerCrashed(outcome.message)
    if kind is SqlRefused:
        return SqlRefused(outcome.message, outcome.hint, rule=outcome.rule)
    if kind is Cancelled:
        return Cancelled()
    return kind(outcome.message, outcome.hint)


def _environment(variables: Mapping[str, str], also: tuple[str, ...] = ()) -> dict[str, str]:
    """What a worker may know of the environment: no keys of providers, but those that begin with one of ``also``."""
    passed = ("LC_", *also)
    return {
        **{name: value for name, value in variables.items() if name in _PASSED_ON or name.startswith(passed)},
        "MALLOC_ARENA_MAX": "2",  # glibc reserves 64 MB of address space for each thread otherwise
    }

"""The main loop of a worker process: requests come in on standard input, responses go out on standard output.

`main` imports the modules named by its arguments, limits the process and serves one request after the other. The
process ends when its input ends, so it does not outlive its parent, when it was idle for long, and when a request left
it large. It is a plain process because ``multiprocessing`` starts its helpers in ways that a full-screen terminal app
breaks, and runs the main module of whoever uses kbtui as a library a second time.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import select
import signal
import sys
import threading
from pathlib import Path

import msgspec

from kbtui.errors import KbtuiError, SqlRefused
from kbtui.text.terminal import one_line
from kbtui.worker.job import Allowance, find_job
from kbtui.worker.messages import Call, Outcome, read_frame, write_frame


def confine(allowance: Allowance) -> None:
    """Limit address space and written files of this process for good; nothing it creates is readable by others.

    The limit of the address space counts from what is mapped now, because the libraries of a process map from 100 MB
    to 1 GB depending on the machine. macOS accepts but does not enforce it.
    """
    os.umask(0o077)
    _lower(resource.RLIMIT_CORE, 0)
    _lower(resource.RLIMIT_FSIZE, allowance.writes)
    _lower(resource.RLIMIT_AS, mapped() + allowance.memory)


def allow_cpu(seconds: float) -> None:
    """Let this process use ``seconds`` more of processor time, over all its threads, before the kernel ends it."""
    usage = resource.getrusage(resource.RUSAGE_SELF)
    used = usage.ru_utime + usage.ru_stime
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    soft = int(min(used + seconds + 1, 2**31))
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_CPU, (soft if hard == resource.RLIM_INFINITY else min(soft, hard), hard))


def _lower(kind: int, limit: int) -> None:
    """Set a soft and hard limit, unless a lower one is in force."""
    _, hard = resource.getrlimit(kind)
    if hard != resource.RLIM_INFINITY:
        limit = min(limit, hard)
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(kind, (limit, limit))


def mapped() -> int:
    """Bytes of address space in use; 1 GB where the system does not tell."""
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * resource.getpagesize()
    except (OSError, ValueError, IndexError):
        return 1 << 30


def main() -> None:
    """Serve requests until there are no more. Arguments: bytes of memory, bytes written, idle seconds, modules."""
    for kind in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
        signal.signal(kind, signal.SIG_IGN)  # meant for the parent, which ends its workers itself
    requests, responses = os.dup(0), os.dup(1)
    # A parser may read or print; neither may meet a message.
    null = os.open(os.devnull, os.O_RDWR)
    os.dup2(null, 0)
    os.dup2(2, 1)
    threading.Thread(target=_end_with_parent, args=(requests,), daemon=True).start()
    memory, writes, idle_s, *modules = sys.argv[1:]
    for module in modules:
        importlib.import_module(module)
    small = mapped() + int(memory) // 2
    confine(Allowance(memory=int(memory), writes=int(writes)))
    decoder = msgspec.msgpack.Decoder(Call)
    write_frame(responses, b"")  # ready
    while select.select([requests], [], [], float(idle_s))[0]:
        frame = read_frame(requests)
        if frame is None:
            return
        outcome = _outcome(decoder.decode(frame))
        write_frame(responses, msgspec.msgpack.encode(outcome))
        if mapped() > small:
            return  # freed memory does not always go back to the system, and the next request wants it


def _end_with_parent(requests: int) -> None:
    """End this process and its children when the parent closes its end of the pipe, whatever they are doing."""
    poll = select.poll()
    poll.register(requests, 0)  # hang-up alone
    poll.poll()
    os.killpg(os.getpgrp(), signal.SIGKILL)


def _outcome(call: Call) -> Outcome:
    allow_cpu(call.cpu_s)
    try:
        return Outcome(body=find_job(call.job).run(call.body))
    except MemoryError:
        return Outcome(error="MemoryError")
    except KbtuiError as error:
        return _failure(error)
    except Exception as error:  # noqa: BLE001 - a parser may raise anything; the parent shows what it was
        return Outcome(error="Exception", message=_text(f"{type(error).__name__}: {error}"))


def _failure(error: KbtuiError) -> Outcome:
    rule = error.rule if isinstance(error, SqlRefused) else ""
    return Outcome(error=error.name, message=_text(error.message), hint=_text(error.hint), rule=rule)


def _text(message: str) -> str:
    return one_line(message.encode("utf-8", "replace").decode("utf-8"), 600)

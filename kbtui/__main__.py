"""``python -m kbtui`` and the ``kbtui`` command."""

from __future__ import annotations

import atexit
import gc
import os
import sys
from typing import NoReturn

_GC_THRESHOLDS = (400_000, 20, 50)
"""Objects made until the collector looks for garbage, and how often it looks deeper (Python: 700, 10, 10).

Loading libraries makes hundreds of thousands of objects that stay; looking through them took a tenth of every command.
A screen, which must not pause, looks through fewer at a time (`kbtui.cli.screen`).
"""


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    gc.set_threshold(*_GC_THRESHOLDS)
    # After that: imports make most of what would be looked through.
    from kbtui import late_imports
    from kbtui.settings.private import restrict_process

    leave_untraced()
    # Threads of numpy's OpenBLAS otherwise turn for 25 ms of processor time after they start and after each work.
    os.environ.setdefault("OPENBLAS_THREAD_TIMEOUT", "4")
    late_imports.install()
    late_imports.without_plugins()
    restrict_process()
    try:
        from kbtui.cli import signals

        signals.install()
        from kbtui.cli.main import cli

        code = cli.run()
    except KeyboardInterrupt:
        # Ctrl-C before there is anything that could handle it, or when all is done.
        code = 130
    leave(code)


def leave_untraced() -> None:
    """Keep what is asked and found on this machine, whatever is set for other programs.

    With one of LangSmith's variables in the environment LangChain sends every step of a run to that service, those of
    offline runs too. Whoever uses kbtui as a library decides that for their own program.
    """
    os.environ["LANGSMITH_TRACING_V2"] = "false"
    # Plug-ins that watch models of pydantic; looking for them reads the metadata of everything that is installed.
    os.environ["PYDANTIC_DISABLE_PLUGINS"] = "__all__"
    for name in ("LANGCHAIN_TRACING", "LANGCHAIN_HANDLER"):
        # The same of earlier versions; today's refuses to run with them.
        os.environ.pop(name, None)


def leave(code: int) -> NoReturn:
    """End the process now.

    Python would first take the heap of the loaded libraries apart object by object and wait for threads of a run that
    was stopped: seconds, in which the prompt of the shell does not come back. Files are written line by line and
    closed by whoever opened them; what was registered to be tidied up at exit is.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError, AttributeError):
            continue
    os._exit(code)


if __name__ == "__main__":
    main()

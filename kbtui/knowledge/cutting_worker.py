"""A process that cuts files for another: batches come in on standard input, results go out on standard output.

It ends when its input does, so it does not outlive the process it works for, and it leaves Ctrl-C to that one. It is a
plain subprocess because `multiprocessing` starts its helpers in ways that a full-screen terminal app breaks, and runs
the main module of whoever uses kbtui as a library a second time.
"""

from __future__ import annotations

import os
import pickle
import signal
import sys

from kbtui.knowledge.cutting import cut


def main() -> None:
    """Work until there is no more input."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    results = os.fdopen(os.dup(1), "wb")
    # Whatever a parser prints must not come between results.
    os.dup2(2, 1)
    while True:
        try:
            batch, settings = pickle.load(sys.stdin.buffer)  # noqa: S301 - from the process that started this one
        except (EOFError, pickle.UnpicklingError):
            return
        try:
            pickle.dump([cut(file, settings) for file in batch], results, pickle.HIGHEST_PROTOCOL)
            results.flush()
        except BrokenPipeError:
            return


if __name__ == "__main__":
    main()

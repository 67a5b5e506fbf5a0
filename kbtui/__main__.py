"""``python -m kbtui`` and the ``kbtui`` command."""

from __future__ import annotations

import sys


def main() -> None:
    """Run the command line and exit with its code."""
    try:
        from kbtui.cli.main import cli
    except KeyboardInterrupt:
        # Ctrl-C before there is anything that could handle it.
        sys.exit(130)
    cli.main(prog_name="kbtui")


if __name__ == "__main__":
    main()

"""``python -m kbtui`` and the ``kbtui`` command."""

from __future__ import annotations

from kbtui.cli.main import cli


def main() -> None:
    """Run the command line and exit with its code."""
    cli.main(prog_name="kbtui")


if __name__ == "__main__":
    main()

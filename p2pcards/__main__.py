"""Where the program starts. `--version` answers before anything is imported."""

import sys


def main() -> int:
    """Runs the command line and returns its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from p2pcards import PROTOCOL, __version__

        print(f"p2pcards {__version__} (protocol {PROTOCOL})")  # noqa: T201 - click would cost more than the answer
        return 0
    from p2pcards.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

"""Where the program starts. `--version` answers before anything is imported."""

import os
import sys


def main() -> int:
    """Runs the command line and returns its exit code."""
    if sys.argv[1:] in (["--version"], ["-V"]):
        from p2pcards import PROTOCOL, __version__

        try:
            print(f"p2pcards {__version__} (protocol {PROTOCOL})", flush=True)  # noqa: T201 - click would cost more
        except OSError as error:  # what is left of it goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            if not isinstance(error, BrokenPipeError):  # where nobody reads it there is nobody to tell
                from p2pcards.errors import NO_SPACE

                print(NO_SPACE, file=sys.stderr)  # noqa: T201 - as above
                return 1
        return 0
    from p2pcards.cli import run

    return run(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())

"""The command `completion`, and how Bash is helped over the = in KEY=VALUE."""

from __future__ import annotations

import click
from click.shell_completion import BashComplete, CompletionItem, add_completion_class, get_completion_class

from p2pcards.flags import takes

PROGRAM = "p2pcards"
_VARIABLE = "_P2PCARDS_COMPLETE"
_LINES = {
    "bash": "echo 'eval \"$(p2pcards completion bash)\"' >> ~/.bashrc",
    "zsh": "echo 'eval \"$(p2pcards completion zsh)\"' >> ~/.zshrc",
    "fish": "p2pcards completion fish > ~/.config/fish/completions/p2pcards.fish",
}
"""What keeps it for good."""


class _Bash(BashComplete):
    """Bash takes = for the end of a word: here KEY, = and VALUE are one again, and VALUE alone goes back."""

    source_template = BashComplete.source_template.replace(
        "    done\n\n    return 0",
        '    done\n    [[ "${COMPREPLY[*]}" == *= ]] && compopt -o nospace\n\n    return 0',
    )
    _key = ""

    def get_completion_args(self) -> tuple[list[str], str]:
        args, last = super().get_completion_args()
        words: list[str] = []
        for word in (*args, last):
            if words and not words[-1].startswith("-") and (word == "=" or words[-1].endswith("=")):
                words[-1] += word
            else:
                words.append(word)
        *args, incomplete = words
        key, is_pair, _ = incomplete.partition("=")
        self._key = key + is_pair if is_pair and not key.startswith("-") else ""
        return args, incomplete

    def format_completion(self, item: CompletionItem) -> str:
        return f"{item.type},{item.value.removeprefix(self._key)}"


add_completion_class(_Bash)


@click.command()
@click.argument("shell", type=click.Choice(tuple(_LINES)), metavar="SHELL")
@takes("debug")
@click.pass_context
def completion(context: click.Context, shell: str) -> None:
    """Prints what makes SHELL complete the words of p2pcards: bash, zsh or fish.

    \b
      eval "$(p2pcards completion bash)"
      eval "$(p2pcards completion zsh)"
      p2pcards completion fish | source

    Those are for this shell; the script says on its first line how to keep it for good.
    """
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"Nothing is known of the shell {shell}.", context)
    script = kind(context.find_root().command, {}, PROGRAM, _VARIABLE).source()
    click.echo(f"# To keep it: {_LINES[shell]}\n{script.strip()}")

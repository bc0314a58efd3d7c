"""Every error that p2pcards raises on purpose.

P2PCardsError
├── InvalidCard       the text is no card
├── InvalidAction     the text is no action of this game
├── IllegalAction     an action, but not now: carries the rule's code
├── InvalidOption     an unknown option, or a value it can't take
├── InvalidRecord     a file that is no record (exit 2)
├── ProtocolError     a peer broke the protocol; its connection ends
└── UserError         one sentence for the person at the screen, with an exit code

Anything else that escapes is a bug of ours.
"""

from __future__ import annotations

from enum import Enum

NO_SPACE = "No space is left on the disk that this goes to."

INTERRUPTED = 130
"""Exit code after Ctrl-C."""


class P2PCardsError(Exception):
    """Root of all errors raised on purpose."""


class InvalidCard(P2PCardsError, ValueError):
    """The text is no card."""


class InvalidAction(P2PCardsError, ValueError):
    """The text is no action of this game."""


class IllegalAction(P2PCardsError):
    """A well-formed action that the rules refuse now.

    `code` is the game's own enum (`ui` has the sentences), `detail` what the sentence needs: cards, melds.
    """

    def __init__(self, code: Enum, *detail: str) -> None:
        super().__init__(code.value, *detail)
        self.code = code
        self.detail = detail


class InvalidOption(P2PCardsError, ValueError):
    """An unknown option or an impossible value; the text names the allowed ones."""


class InvalidRecord(P2PCardsError, ValueError):
    """The file is no record; the text is the sentence for the user."""


class ProtocolError(P2PCardsError):
    """A peer sent what no honest peer sends; the text goes to the log, never to the peer."""


class UserError(P2PCardsError):
    """Ends a command with one sentence on standard error and `exit_code`."""

    def __init__(self, text: str, exit_code: int = 1) -> None:
        super().__init__(text)
        self.exit_code = exit_code

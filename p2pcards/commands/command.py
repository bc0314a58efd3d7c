"""What comes of a typed line, and what is said about it: values and codes, no sentences (those are `ui.words`)."""

from __future__ import annotations

from enum import Enum, StrEnum

from msgspec import Struct


class Command(Struct, frozen=True):
    """A line that somebody typed, understood.

    verb: the command's canonical word; args: its arguments, cleaned; action: canonical text of a game action.
    """

    verb: str
    args: tuple[str, ...] = ()
    action: str = ""


class Trouble(StrEnum):
    """Why a line is no command; the detail that each carries stands beside it."""

    EMPTY = "empty"
    TOO_LONG = "too_long"
    LINES = "lines"  # several at once
    UNKNOWN = "unknown"  # the word, then the nearest one if there is any
    NOT_HERE = "not_here"  # the command, then the places where it works; no place: at a table
    HOST_ONLY = "host_only"  # the command
    MISSING = "missing"  # the usage
    TOO_MANY = "too_many"  # the usage
    LONG_TITLE = "long_title"  # what would be left of it
    A_FLAG = "a_flag"  # an option of the command line where a title is meant
    SHELL_FLAG = "shell_flag"  # one where a table of others is meant: it, the command's word, its usage
    BAD_NUMBER = "bad_number"  # what was typed
    BAD_CHOICE = "bad_choice"  # what was typed, then what can be
    NO_SUCH = "no_such"  # what it would be, what was typed, then those that there are
    LEAVE_FIRST = "leave_first"  # as NOT_HERE, at a table
    RULES_LATER = "rules_later"  # they can't be changed in a round
    RULES_HOST = "rules_host"  # nor by a guest
    NO_SUCH_GAME = "no_such_game"  # what was typed, then the games
    NO_SUCH_ROW = "no_such_row"  # the number
    NO_SUCH_OPTION = "no_such_option"  # what was typed, then the nearest one if there is any
    NO_SUCH_BOT = "no_such_bot"  # what was typed, then the bots
    NO_BOT_THERE = "no_bot_there"  # the number of the seat
    BAD_PRESET = "bad_preset"  # what was typed
    ALONE = "alone"  # the command, which needs others at the table
    NO_SUCH_PERSON = "no_such_person"  # what was typed, then the nearest one who is here, if there is any
    YOURSELF = "yourself"  # the command
    THE_HOST = "the_host"  # the command, the host's nick
    A_BOT = "a_bot"  # the command, the bot's nick
    NO_SEAT = "no_seat"  # the command, the nick of somebody who only watches
    AT_THE_DOOR = "at_the_door"  # the nick of somebody who is not in yet
    NOBODY_WAITS = "nobody_waits"  # the command
    SEVERAL_WAIT = "several_wait"  # the command, then who waits
    NOT_WAITING = "not_waiting"  # what was typed, then who waits
    NO_VOTE = "no_vote"
    VOTE_OPEN = "vote_open"  # the nick that the open one is about
    VOTED = "voted"  # we have, on that nick
    ABOUT_YOU = "about_you"  # the vote is
    NO_SUCH_DOOR = "no_such_door"  # what was typed, then the doors
    NO_LAB = "no_lab"  # the line that needs a lab's key
    BAD_DURATION = "bad_duration"  # what was typed
    LONG_TEXT = "long_text"  # how many characters may be said, how many there are too many
    LONG_REASON = "long_reason"  # likewise of a reason
    BAD_NAME = "bad_name"  # what was typed in place of a name
    BAD_CODE = "bad_code"  # what was typed, then its word that stands in no code, then the nearest one that may
    NOT_ASKED = "not_asked"  # no table asks for a code
    NOTHING_KEPT = "nothing_kept"  # no table to resume
    NO_SUCH_KEPT = "no_such_kept"  # what was typed, then the titles of those that there are
    SEVERAL_KEPT = "several_kept"  # the titles
    NO_HEIR = "no_heir"  # nobody else could run the table
    ABSENT = "absent"  # the nick of somebody whose line is lost, or for whom a bot plays
    NOBODY_MISSING = "nobody_missing"  # the command: nothing is asked about anybody
    NO_HOST = "no_host"  # what was typed: nobody is host, so it was not done
    NO_LINE = "no_line"  # likewise: the line to the host is lost
    STANDS_STILL = "stands_still"  # whom the table waits for: it was not done
    SEAT_KEPT = "seat_kept"  # a bot has our seat until the round is over
    AWAY = "away"  # a bot plays for us already
    SEATED = "seated"  # we have a seat
    NO_SUCH_TOPIC = "no_such_topic"  # what was typed, then the nearest one if there is any
    NO_SUCH_CARD = "no_such_card"  # what was typed
    NO_SUCH_PLACE = "no_such_place"  # what was typed, the number of cards
    BARE_NUMBER = "bare_number"  # what was typed: the number of a card without its #, or a rank without its suit
    TWICE = "twice"  # the card or meld that stands there again
    NO_ROUND = "no_round"  # the verb
    OTHER_GAME = "other_game"  # the verb of another game, the title of this one
    WATCHING = "watching"  # the verb
    MATCH_OVER = "match_over"  # the verb
    PENDING = "pending"  # the act on its way
    NO_USE = "no_use"  # cards with which nothing can be done now
    NOTHING_TO = "nothing_to"  # the verb, typed alone, that nothing can be done with now
    WHICH = "which"  # the lines that were possible
    WHICH_CARD = "which_card"  # the verb, then what may stand behind it
    WHICH_CARDS = "which_cards"  # the verb and cards behind it, then what more may stand there
    ONE_CARD = "one_card"  # the cards, where one is played at a time
    NOT_AN_ACTION = "not_an_action"  # the verb, its usage, then legal lines of it


class Problem(Struct, frozen=True):
    """Why a line was not carried out. code: a Trouble, or the rule's code (`IllegalAction`); detail as raised; would:
    lines with the same cards and more that are legal."""

    code: Enum
    detail: tuple[str, ...] = ()
    would: tuple[str, ...] = ()


class Remark(Struct, frozen=True):
    """Something worth saying: what a suggestion does, what may be done now."""

    code: Enum
    detail: tuple[str, ...] = ()


class VerbHelp(Struct, frozen=True):
    """How a game's verb is typed: what stands behind it; when it may be done, in sentences; examples, whole lines."""

    cards: str
    more: str
    examples: tuple[str, ...]

"""The commands about people: the door of the table, who is shown out, what is said, and whom we know."""

from __future__ import annotations

from p2pcards.commands.context import Context, Fellow
from p2pcards.commands.entry import BEFORE, BETWEEN, EVERYWHERE, HOME, SWITCH, TABLE, Arg, By, Entry, Kind

DOORS = ("open", "ask", "code", "lab", "lab+uid")
"""What `door` takes, as `table.settings.DOORS`."""
LAB_DOORS = frozenset({"lab", "lab+uid"})
"""Those that need a lab's key."""

_SOMEBODY = Arg("NICK", Kind.SOMEBODY)
_REASON = Arg("REASON", Kind.REASON, True)

PEOPLE: tuple[Entry, ...] = (
    Entry(
        "code",
        "give the code of the table that asks for it",
        HOME,
        By.NODE,
        (Arg("CODE", Kind.CODE),),
        more="The host of the table sees its two words and tells you. They can also be typed alone, without `code`. "
        "Tab completes each word.",
        examples=("code mango-tiger", "code mango tiger"),
    ),
    Entry(
        "admit",
        "let in who waits at the door",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.CALLER, True),),
        host=True,
        company=True,
        more="Without a nick it is the one who waits, if there is only one.",
        examples=("admit", "admit ana"),
    ),
    Entry(
        "deny",
        "turn away who waits at the door",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.CALLER, True), _REASON),
        host=True,
        company=True,
        more="They are told so, with the reason, and can't knock again for a minute.",
        examples=("deny", "deny ana we are four already"),
    ),
    Entry(
        "door",
        "choose who may come in",
        BEFORE | BETWEEN,
        By.NODE,
        (Arg("|".join(DOORS), Kind.DOOR),),
        host=True,
        company=True,
        more="`open` lets everybody in, `ask` asks you each time, `code` wants two words that you tell them, `lab` the "
        "key of your lab, `lab+uid` a proved login as well. `door code` once more makes another code.",
        examples=("door ask", "door code"),
    ),
    Entry(
        "door",
        "show who may come in",
        TABLE,
        By.UI,
        company=True,
        more="The host is shown the code as well, and who waits.",
    ),
    Entry(
        "kick",
        "show somebody out",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.PERSON), _REASON),
        host=True,
        company=True,
        more="It asks once. They can't come back for ten minutes; in a round a bot takes the seat. Everybody is told "
        "who it was, and why. A bot goes with `bot remove`.",
        examples=("kick ana", "kick ana away from the keyboard"),
    ),
    Entry(
        "ban",
        "keep somebody out of your tables",
        EVERYWHERE,
        By.NODE,
        (_SOMEBODY, Arg("10m|2h|7d|forever", Kind.DURATION, True), _REASON),
        host=True,
        company=True,
        more="Who is at your table is shown out, which is asked once. It holds for every table that you host, by the "
        "key and the proved login, whatever the name, and for good unless you say how long. `unban` lifts it.",
        examples=("ban ana 2h", "ban ana forever insults", "ban ana insults"),
    ),
    Entry(
        "unban",
        "let somebody come again",
        EVERYWHERE,
        By.NODE,
        (Arg("NICK", Kind.BANNED),),
        more="It lifts a ban of yours, and at a table that you host a kick too.",
        examples=("unban ana",),
    ),
    Entry("bans", "show whom you keep out, how long and why", EVERYWHERE, By.UI),
    Entry(
        "vote",
        "ask the others to show somebody out",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.PLAYER),),
        "kick",
        seated=True,
        company=True,
        more="More than half of the people who sit at the table must say yes within 30 seconds. The host can't be "
        "voted out. Who has lost a vote can't call another one for two minutes.",
        examples=("vote kick ana",),
    ),
    Entry("vote", "agree that they be shown out", TABLE, By.NODE, (), "yes", seated=True, company=True),
    Entry("vote", "disagree: they may stay", TABLE, By.NODE, (), "no", seated=True, company=True),
    Entry(
        "say",
        "say something to everybody at the table",
        TABLE,
        By.NODE,
        (Arg("TEXT", Kind.SPEECH),),
        company=True,
        more="In short: `'` and the text. The line is taken as it stands and never plays a card.",
        examples=("say well played", "'well played"),
    ),
    Entry(
        "msg",
        "say something to one player",
        TABLE,
        By.NODE,
        (Arg("NICK", Kind.PLAYER), Arg("TEXT", Kind.SPEECH)),
        aliases=("pm",),
        company=True,
        more="It goes over the host, who can read it too.",
        examples=("msg ana shall we swap seats?",),
    ),
    Entry(
        "ignore",
        "no longer see what somebody says",
        EVERYWHERE,
        By.UI,
        (_SOMEBODY,),
        more="It holds for their key, whatever the name, at every table. They are not told.",
        examples=("ignore ana",),
    ),
    Entry("unignore", "see again what somebody says", EVERYWHERE, By.UI, (_SOMEBODY,), examples=("unignore ana",)),
    Entry(
        "mute",
        "keep all talk off your screen",
        EVERYWHERE,
        By.UI,
        (SWITCH,),
        more="Without a word behind it, it tells whether it is on.",
        examples=("mute on",),
    ),
    Entry(
        "whois",
        "show who somebody is, with the words of their key",
        EVERYWHERE,
        By.UI,
        (Arg("NICK", Kind.SOMEBODY, True),),
        more="Without a nick it is you. Two people whose screens show the same six words for each other can be sure "
        "that nobody stands between them: read them out, then `vouch NICK on`.",
        examples=("whois", "whois ana"),
    ),
    Entry(
        "history",
        "show what was played, or one match of it",
        EVERYWHERE,
        By.UI,
        (Arg("N", Kind.NUMBER, True),),
        more="Every match is kept on this machine, practice too. `p2pcards history` on the command line shows the "
        "moves, exports records, takes others in, and forgets.",
        examples=("history", "history 12"),
    ),
    Entry(
        "stats",
        "show what the matches on this machine came to",
        EVERYWHERE,
        By.UI,
        (Arg("NICK", Kind.SOMEBODY, True),),
        more="Without a nick it is everybody, the best first; at a table of its game alone. A rating (OpenSkill), and "
        "how unsure it is, come with matches of two people or more; bots are counted apart.",
        examples=("stats", "stats ana"),
    ),
    Entry(
        "petname",
        "call somebody by a name of your own",
        EVERYWHERE,
        By.UI,
        (_SOMEBODY, Arg("NAME", Kind.PETNAME, True)),
        more="Only you see it, and it stays with their key. Without a name it is taken away.",
        examples=("petname ana anabel", "petname ana"),
    ),
    Entry(
        "vouch",
        "show the words of a key to compare, or keep that you did",
        EVERYWHERE,
        By.UI,
        (_SOMEBODY, SWITCH),
        more="It takes two steps: alone it shows the words, to compare by voice; `on` keeps that they were the same. "
        "Nobody else is told.",
        examples=("vouch ana", "vouch ana on"),
    ),
)


def players(context: Context) -> tuple[Fellow, ...]:
    """Who sits at the table beside us."""
    return tuple(fellow for fellow in context.people if fellow.seat is not None)


def accused(context: Context) -> tuple[Fellow, ...]:
    """Whom a vote may be about: the host is not among them."""
    return tuple(fellow for fellow in players(context) if not fellow.host)


def knows_somebody(context: Context) -> bool:
    """Whether anybody is here, at the door, or known from elsewhere."""
    return bool(context.people or context.knocks or context.named)

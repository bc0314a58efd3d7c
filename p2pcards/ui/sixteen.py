"""Looks for terminals of 16 colours: each colour as the one of its hue, so that no pale green turns into a grey."""

from __future__ import annotations

import colorsys
import re

_HEX = re.compile(r"(bg:)?#([0-9a-fA-F]{6}|[0-9a-fA-F]{3})(?![0-9a-zA-Z])")

_HUES = ((20, "red"), (70, "yellow"), (150, "green"), (203, "cyan"), (275, "blue"), (325, "magenta"), (361, "red"))
"""Up to which degree of the circle a colour has that name."""

_ORANGE = 45  # up to here a dark yellow is a red, a bright one: it is read on both grounds
_GREY = 0.12  # less colour than this is none
_BLACK, _SHADE, _PALE = 0.15, 0.55, 0.9  # up to this light a grey is black, a dark grey, a pale one
_BRIGHT = 0.5  # from this light on a colour is a bright one
_DEEP, _TINT = 0.3, 0.85  # a ground below or above is black or white, for what stands on it to be read


def sixteen(look: str) -> str:
    """The look with each colour beyond the 16 as the nearest in hue of those, faint tints of the ground as none;
    anything else stays as it is."""
    return _HEX.sub(lambda found: (found[1] or "") + _name(found[2], ground=bool(found[1])), look)


def _name(digits: str, ground: bool) -> str:
    if len(digits) == 3:
        digits = "".join(2 * digit for digit in digits)
    red, green, blue = (int(digits[at : at + 2], 16) / 255 for at in (0, 2, 4))
    hue, light, _ = colorsys.rgb_to_hls(red, green, blue)
    if ground and not _DEEP < light < _TINT:
        return "ansiblack" if light <= _DEEP else "ansiwhite"
    if max(red, green, blue) - min(red, green, blue) < _GREY:
        greys = ((_BLACK, "black"), (_SHADE, "brightblack"), (_PALE, "gray"))
        return "ansi" + next((name for most, name in greys if light <= most), "white")
    degrees = hue * 360
    name = next(name for most, name in _HUES if degrees < most)
    if name == "yellow" and degrees < _ORANGE and light < _BRIGHT:
        return "ansibrightred"
    bright = light >= _BRIGHT or name == "blue"  # the dark blue is read on no dark ground
    return f"ansi{'bright' if bright else ''}{name}"

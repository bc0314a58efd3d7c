"""What is loaded before the first paint: nothing of the games, the network or its cryptography."""

from __future__ import annotations

import subprocess
import sys

LATER = {
    "cryptography",
    "zeroconf",
    "msgspec",
    "mnemonic",
    "p2pcards.games",
    "p2pcards.net",
    "p2pcards.table",
    "p2pcards.wire",
}


def test_the_app_alone_loads_nothing_that_is_slow() -> None:
    code = "import sys, p2pcards.ui.app; print(*sys.modules, sep='\\n')"
    loaded = set(
        subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    )
    assert "p2pcards.ui.home" in loaded
    assert not loaded & LATER

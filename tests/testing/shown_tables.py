"""Which command lines of the documentation are run in which way: the lines of others than p2pcards one by one."""

from __future__ import annotations

from typing import Final

ALONE: Final = (
    "--version", "arena", "completion", "history", "identity", "lab-key", "replay", "rules", "stats", "verify", "where",
)  # fmt: skip
"""Commands of p2pcards that need nobody else and come to an end: tests/test_docs_alone.py."""

TABLES: Final = ("", "doctor", "host", "join", "list", "practise", "resume", "watch")
"""Commands that go to tables or to the network: tests/test_docs_tables.py."""

IN_A_TREE: Final = {
    "python -m tests.testing.commands_page > docs/commands.md": "",
    "python -m tests.testing.commands_page": "",
    "python -m tests.testing.config_page > docs/config.md": "",
    "python -m tests.testing.config_page": "",
    "python -m tests.testing.bots_page > docs/bots.md": "",
    "python -m tests.testing.bots_page": "",
    "python -m tests.testing.samples": "",
    "P2PCARDS_REWRITE=1 pytest tests/games/test_playthroughs.py": "",
    "pytest": "pytest -q tests/cards/test_card.py",
    "python3 -m venv .venv && .venv/bin/pip install -q -e '.[dev]' && .venv/bin/python -m pytest -q -n 3"
    " --dist loadgroup": "python -m pytest -q -n 3 --dist loadgroup tests/cards/test_card.py",
    "python -m pytest tests/fuzz/test_properties.py --hypothesis-profile nightly": "python -m pytest"
    " tests/fuzz/test_properties.py --hypothesis-profile nightly --collect-only -q",
    "python -m tests.bench [NAME]... [--json]": "python -m tests.bench deadwood --json",
    "python -m tests.fuzz record|message|entry|advert|import [--seconds N]": "python -m tests.fuzz advert --seconds 1",
    "python -m tests.sim --seeds 10000 --processes 2": "python -m tests.sim --seeds 1 --processes 2",
    "python -m tests.sim --seed S --peers N --trace": "python -m tests.sim --seed 1 --peers 3 --trace",
    "python -m tests.outlives": "python -m tests.outlives --list",
    "python -m tests.outlives killed cut-20s": "python -m tests.outlives killed cut-20s --list",
}
"""Lines for who works on the source: tests/test_docs_tree.py, in a copy of it. Beside a line that would take minutes,
root or the internet, what is run instead of it: less of the same, or with values for the words of a usage."""

WITHOUT_ROOT: Final = {
    "sudo chgrp students /srv/lab/p2pcards.key": "chgrp",
    "chgrp students /srv/lab/p2pcards.key": "chgrp",
    "chgrp students FILE": "chgrp",
    "sudo install -d -m 1777 /srv/lab/p2pcards.d": "install",
}
"""What root does to a lab's folder is done by its owner: tests/test_docs_tree.py."""

_INSTALLED: Final = "tests/e2e/test_installed.py::"

ELSEWHERE: Final = {
    "python3 -m venv .venv && .venv/bin/pip install -q . && .venv/bin/p2pcards": _INSTALLED
    + "test_the_line_of_the_readme_opens_it",
    ".venv/bin/p2pcards": _INSTALLED + "test_the_line_of_the_readme_opens_it",
    "python3 -m venv .venv && .venv/bin/pip install -q '.[pyz]' && .venv/bin/shiv -q -c p2pcards -p '/usr/bin/env"
    " python3' --root '~/.cache/p2pcards' --compressed -o p2pcards.pyz .": _INSTALLED
    + "test_one_file_plays_with_nothing_but_python_and_keeps_to_the_folder_of_caches",
    "python3 p2pcards.pyz": _INSTALLED
    + "test_one_file_plays_with_nothing_but_python_and_keeps_to_the_folder_of_caches",
    "pipx install .": _INSTALLED + "test_pipx_installs_it_with_its_manual_page",
    "pipx install": _INSTALLED + "test_pipx_installs_it_with_its_manual_page",
    "man p2pcards": _INSTALLED + "test_pipx_installs_it_with_its_manual_page",
    "uv tool install .": _INSTALLED + "test_uv_installs_it",
    "kill -9": "tests/test_cli_resume.py::test_everybody_is_killed_and_resume_brings_every_hand_back",
}
"""The test that runs them. The commands of p2pcards in the blocks of docs/lab.md are run by LAB, in their order."""

LAB: Final = "tests/test_lab_evening.py::test_the_page_in_its_order"

_FIREWALL: Final = "needs root, and opens the firewall of the machine that the test runs on"

CANNOT: Final = {
    ".ci/run": "installs packages of the system as root, and runs all tests, this one too",
    "pip install -e '.[bench]'": "needs the internet, for a hundred megabytes that nothing but the benchmark uses",
    "py -3 -m venv .venv; .venv\\Scripts\\pip install -q .; .venv\\Scripts\\p2pcards": "needs Windows",
    "py -3 -m venv .venv; .venv\\Scripts\\pip install -q -e '.[dev]'; .venv\\Scripts\\python -m pytest -q -n 3"
    " --dist loadgroup": "needs Windows",
    "winpty p2pcards": "needs Git Bash on Windows",
    "sudo ufw allow 25252:25271/tcp": _FIREWALL,
    "sudo ufw allow 5353/udp": _FIREWALL,
    "sudo firewall-cmd --add-port=25252-25271/tcp": _FIREWALL,
    "sudo firewall-cmd --add-service=mdns": _FIREWALL,
    "sudo firewall-cmd --runtime-to-permanent": _FIREWALL,
}
"""Why no test runs them."""

"""What a test needs of the machine: root, a program, network namespaces."""

from __future__ import annotations

import os

import pytest


def require(condition: object, reason: str) -> None:
    """Skips the running test (or module) unless `condition` holds; with P2PCARDS_REQUIRE_ALL=1 it fails instead."""
    if condition:
        return
    if os.environ.get("P2PCARDS_REQUIRE_ALL") == "1":
        pytest.fail(f"required here, but {reason}", pytrace=False)
    pytest.skip(reason, allow_module_level=True)

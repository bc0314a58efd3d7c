"""Card games between friends on one network, with no server."""

__version__ = "0.1.0"

PROTOCOL = 3
"""The protocol integer (docs/protocol.md, "Versions"): raised when messages or entries change their meaning."""

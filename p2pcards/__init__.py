"""Card games between friends on one network, with no server."""

__version__ = "0.1.0"

"""Bytes <-> values: identity, handshake, records, messages. Knows no game."""

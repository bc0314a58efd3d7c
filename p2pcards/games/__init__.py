"""The rules of the games, matches and records."""

"""Screens, plain lines and events."""

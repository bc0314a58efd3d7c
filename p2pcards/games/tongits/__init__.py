"""Tong-its: three players, melds, a draw that can be called."""

"""Deterministic simulation of whole tables: machines, disks, clocks, a network and its faults, all from one seed.

python -m tests.sim --seeds 10000 --processes 2
python -m tests.sim --seed S --peers N [--game G] [--wild] --trace
"""

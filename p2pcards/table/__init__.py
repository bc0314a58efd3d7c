"""The machines of a table: no I/O, no clock, no dice."""

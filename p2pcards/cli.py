"""The command line: arguments in, the object graph built on one page, nothing else."""

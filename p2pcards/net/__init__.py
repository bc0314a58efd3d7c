"""The shell: sockets, zeroconf, files and the clock run the machines."""

"""Files under the user's own folders."""

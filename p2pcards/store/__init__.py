"""Files under the user's own folders: who I am, where things lie, what was logged."""

"""The log in a server's folder: opened to be read, and copied into a new folder."""

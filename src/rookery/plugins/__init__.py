"""Plug-ins: games, dialects, bots and formats that somebody else keeps.

`load` is called once at the start of every process that plays, reads or thinks. It finds
what installed packages offer (entry points) and what is in the files that were given by
`--with`, looks at each, and puts what is sound into the registries. One that does not load,
or is not what it should be, is left out and named in a sentence. From then on nobody asks
what came from where.

What was given is handed on in the environment, so processes that this one starts load the
same.
"""

from rookery.plugins.loading import Plugin, load, loaded

__all__ = ["Plugin", "load", "loaded"]

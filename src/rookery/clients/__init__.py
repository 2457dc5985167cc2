"""Clients of the wire languages, without a socket: one a language.

Bytes come in, cut anywhere, and a client's `hear` turns them into typed happenings; a wish is
a method that returns the bytes to send. A client keeps what a player needs to know: the boards
that the server told of, whose turn it is, the numbers of the wire. Bytes that it must answer at
once it yields among the happenings. The terminal and the bots are built on these clients. The
clients know nothing of the dialects, so that the two sides of a wire are written twice, and
agree because the language says so.
"""

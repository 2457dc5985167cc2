"""Clients of the wire languages, without a socket: one a language.

Bytes come in, cut anywhere, and what they tell comes out as typed happenings; a wish is a
method that gives the bytes to send. A client keeps what whoever plays over it must know: the
boards it was told of, whose turn it is, the numbers of the wire. What it must answer at once
it gives out as bytes among the happenings. Persons at a terminal and bots are built on these;
they know nothing of the dialects, so that the two sides of a wire are written twice, and
agree because the language says so.
"""

"""The arena: matches between levels and programs, to find out which plays better.

A match is a tour of the format `duel` in a hall of its own, with a log like a server's. So
clocks, refusals and replays are those of every other game, and a match that was stopped
goes on from its log.
"""

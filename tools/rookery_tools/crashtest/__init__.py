"""The crash test: a real server that is killed again and again, and an observer at its sockets.

The `clients` play over all languages and come back as their language can; others look on, or
ask over HTTP. Everything that a client hears is a claim, and the `observer` holds every claim
against the log that a dead server leaves. The `machine` starts and kills servers, lets their
disk fail, and cuts the power at any write.
"""

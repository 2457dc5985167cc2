"""A nim bot that knows how to win, whether the last stick wins or loses.

rookery match "python3 examples/bots/nim_bot.py" level1 --game nim --games 20
"""

import json
import sys
from functools import reduce
from operator import xor


def choose(view):
    """Leave rows whose exclusive or is 0; where that is so already, take one stick."""
    rows = view["rows"]
    big = [row for row, sticks in enumerate(rows) if sticks > 1]
    if view["misere"] and len(big) <= 1:
        return finish(rows, big)
    total = reduce(xor, rows)
    for row, sticks in enumerate(rows):
        if sticks ^ total < sticks:
            return row, sticks - (sticks ^ total)
    return max(range(len(rows)), key=lambda row: rows[row]), 1


def finish(rows, big):
    """In misère, near the end: leave an odd number of rows with one stick each."""
    if not big:
        return rows.index(1), 1
    singles = rows.count(1)
    return big[0], rows[big[0]] - (1 - singles % 2)


def main():
    """Answer line by line until there are no more."""
    for line in sys.stdin:
        message = json.loads(line)
        reply = None
        if message["type"] == "begin":
            reply = {"type": "ready"}
        elif message["type"] == "turn":
            row, take = choose(message["view"])
            reply = {"type": "play", "move": f"{row},{take}"}
        elif message["type"] == "quit":
            break
        if reply is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()  # or nothing arrives


if __name__ == "__main__":
    main()

"""A bot for every game: it plays any legal move. Start your own from this one.

rookery match "python3 examples/bots/any_bot.py" level1 --game tictactoe --games 10
"""

import json
import sys
from secrets import choice


def choose(turn):
    """The move to make; here is where your ideas go."""
    return choice(turn["moves"])


def answer(message):
    """What to say to this message; None to say nothing."""
    match message["type"]:
        case "begin":
            return {"type": "ready"}
        case "turn":
            return {"type": "play", "move": choose(message)}
        case "quit":
            sys.exit()
    return None  # `end`, and whatever later servers may add


def main():
    """Answer line by line until there are no more."""
    for line in sys.stdin:
        reply = answer(json.loads(line))
        if reply is not None:
            sys.stdout.write(json.dumps(reply) + "\n")
            sys.stdout.flush()  # or nothing arrives


if __name__ == "__main__":
    main()

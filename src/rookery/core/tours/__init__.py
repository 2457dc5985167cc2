"""Tours in words: values, events, intents and messages."""

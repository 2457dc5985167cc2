"""What a made-up world runs on: its time, an event loop, lines, a disk, processes and workers."""

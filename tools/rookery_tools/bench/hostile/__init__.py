"""Whether anybody can keep others waiting, or take their time."""

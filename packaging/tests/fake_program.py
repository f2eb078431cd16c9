#!/usr/bin/env python3
"""A fake program that shows what reaches it through npm's package. Its first argument says what it does."""

import json
import os
import signal
import sys


def echo() -> None:
    """Repeats the arguments and standard input, writes to standard error, and ends with 7."""
    print(json.dumps(sys.argv[2:]))
    print(sys.stdin.read().upper(), end="")
    print("careful", file=sys.stderr)
    sys.exit(7)


def catch() -> None:
    """Counts signals until SIGTERM."""
    counts = dict.fromkeys(("SIGINT", "SIGHUP", "SIGQUIT"), 0)

    def count(number: int, _: object) -> None:
        counts[signal.Signals(number).name] += 1
        say(f"got {signal.Signals(number).name}")

    def end(_: int, __: object) -> None:
        say(json.dumps(counts))
        sys.exit(3)

    for name in counts:
        signal.signal(signal.Signals[name], count)
    signal.signal(signal.SIGTERM, end)
    say("ready")
    while True:
        signal.pause()


def wait() -> None:
    """Waits for a signal that ends it."""
    for name in ("SIGINT", "SIGHUP", "SIGQUIT", "SIGTERM"):
        signal.signal(signal.Signals[name], signal.SIG_DFL)
    say("ready")
    signal.pause()


def die() -> None:
    """Ends itself by a signal."""
    number = signal.Signals[sys.argv[2]]
    if number != signal.SIGKILL:
        signal.signal(number, signal.SIG_DFL)
    os.kill(os.getpid(), number)
    signal.pause()


def flood() -> None:
    """Writes until the reader closes the pipe."""
    try:
        while True:
            os.write(1, b"line\n" * 1000)
    except BrokenPipeError:
        sys.exit(9)


def say(line: str) -> None:
    """Prints a line at once."""
    os.write(1, f"{line}\n".encode())


if sys.argv[1].isdigit():
    sys.exit(int(sys.argv[1]))
globals()[sys.argv[1]]()

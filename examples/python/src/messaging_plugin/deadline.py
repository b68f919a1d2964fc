"""Deadlines of calls, on the monotonic and on the wall clock."""

import time
from typing import NamedTuple, Self


class Stopwatch:
    """Measures the time since its construction, on the clock that shows more. The monotonic clock stops while a
    machine sleeps, and the wall clock can be set back."""

    def __init__(self) -> None:
        self._monotonic, self._wall = time.monotonic(), time.time()
        self._elapsed = 0.0

    def elapsed(self) -> float:
        """Returns the elapsed seconds; never fewer than before."""
        self._elapsed = max(self._elapsed, time.monotonic() - self._monotonic, time.time() - self._wall)
        return self._elapsed


class Deadline(NamedTuple):
    """A point in time on a stopwatch, in seconds."""

    stopwatch: Stopwatch
    seconds: float

    @classmethod
    def after(cls, seconds: float) -> Self:
        """Returns a deadline in `seconds` from now."""
        return cls(Stopwatch(), seconds)

    def left(self) -> float:
        """Returns the remaining seconds, at least 0."""
        return max(0.0, self.seconds - self.stopwatch.elapsed())

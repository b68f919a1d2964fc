"""Makes wasmtime-py 50.0.1 fit for several threads.

It tests which case of an option or a result a value is for with the help of one global
set, which it empties, fills and reads. Two threads that pass values at once empty each
other's. Here the set becomes one for each thread. Releases of wasmtime-py are pinned
exactly because of this.
"""

import threading
from collections.abc import Iterator

from wasmtime.component import _types


class _SetOfEachThread(threading.local):
    def __init__(self) -> None:
        self._types: set[type] = set()

    def clear(self) -> None:
        self._types.clear()

    def add(self, kind: type) -> None:
        self._types.add(kind)

    def __iter__(self) -> Iterator[type]:
        return iter(self._types)


def mend() -> None:
    """Has no effect the second time."""
    if isinstance(_types.case_test_cache, set):
        _types.case_test_cache = _SetOfEachThread()  # type: ignore[assignment]

"""What keeps a process from being forked in the middle of a call."""

from __future__ import annotations

import os
import threading


class Calls:
    """The calls that are in the library, for which a fork waits.

    A call may be in the middle of what is done once for all calls, such as the first use of a table. A process that is forked at
    that moment has no thread that ends it, and would wait forever when it calls the library.

    The threads of a folder work until its results are taken, so a fork does not wait for them: the forked process may not call the
    library then.
    """

    def __init__(self) -> None:
        self._begin()
        # The folders whose photos are processed.
        self._folders = 0
        # Whether this process was forked while there were some.
        self._is_cut_off = False
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(before=self._wait, after_in_parent=self._resume, after_in_child=self._begin_in_child)

    def __enter__(self) -> None:
        with self._changed:
            while self._forks:
                self._changed.wait()
            self._running += 1
        if self._is_cut_off:
            self.__exit__()
            raise RuntimeError(
                "this process was forked while another thread processed the photos of a folder: fork before or after, or start "
                "processes with the method spawn of multiprocessing"
            )

    def __exit__(self, *error: object) -> None:
        with self._changed:
            self._running -= 1
            if self._forks:
                self._changed.notify_all()

    def begin_folder(self) -> None:
        with self._changed:
            self._folders += 1

    def end_folder(self) -> None:
        with self._changed:
            self._folders -= 1

    def _begin(self) -> None:
        self._changed = threading.Condition()
        self._running = 0
        self._forks = 0

    def _begin_in_child(self) -> None:
        self._begin()
        self._is_cut_off = self._is_cut_off or self._folders > 0

    def _wait(self) -> None:
        with self._changed:
            self._forks += 1
            while self._running:
                self._changed.wait()

    def _resume(self) -> None:
        with self._changed:
            self._forks -= 1
            self._changed.notify_all()

"""A run of models: its events as they happen, and its result."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from queue import SimpleQueue
from types import TracebackType
from typing import Any, Callable, Generator, Generic, Optional, Sequence, Type, TypeVar

from ._command import outcome, parse
from ._decoding import decode
from ._process import Process
from .documents import AnswerChunkEvent, Event

T = TypeVar("T")
S = TypeVar("S", bound="Run[Any]")
V = TypeVar("V")


class Run(Generic[T]):
    """A run in progress.

    Iterate over it for the events, with `for` or `async for`; then `result()` or `await` gives the result. Both can also be
    used without the events. The run continues while nobody reads; it ends with this process, as with Ctrl-C.
    """

    def __init__(self, words: Sequence[str], document: Any, finish: Callable[[Any, list[Event]], T]) -> None:
        """Starts the run. `words` ask for events and JSON."""
        self._document = document
        self._finish = finish
        self._events: list[Event] = []
        self._value: Any = None
        self._code: Optional[int] = None
        self._reader: Optional[ThreadPoolExecutor] = None
        self._process = Process(words)
        # A program whose output nobody takes would wait.
        self._lines: SimpleQueue[bytes] = SimpleQueue()
        threading.Thread(target=self._take_lines, name="discussions", daemon=True).start()

    def _take_lines(self) -> None:
        """Takes the lines of the program as they come. An empty one marks the end."""
        line = b"\n"
        while line:
            line = self._process.read_line()
            self._lines.put(line)

    def __iter__(self: S) -> S:
        """Returns this run, because it yields its own events."""
        return self

    def __next__(self) -> Event:
        """Waits for the next event."""
        try:
            event = self._next()
        except BaseException:
            # Ctrl-C: what was paid for is recorded before this process goes on.
            self.cancel()
            self._drain()
            raise
        if event is None:
            raise StopIteration
        return event

    def result(self) -> T:
        """Waits for the end of the run and returns its result.

        Raises `Cancelled` if the run was cancelled, and another `DiscussionsError` if it failed. A discussion that ends
        without consensus, or at a limit, is a result.
        """
        for _ in self:
            pass
        return self._result()

    def cancel(self) -> None:
        """Ends the run as Ctrl-C does: it records the answers that it has, and leaves the file ready to continue.

        Does not wait. `result()` waits, and then raises `Cancelled`.
        """
        self._process.interrupt()

    def __enter__(self: S) -> S:
        """Returns this run."""
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Cancels the run if it has not ended, and waits for its end."""
        self.cancel()
        self._drain()

    def __aiter__(self: S) -> S:
        """Returns this run, because it yields its own events."""
        return self

    async def __anext__(self) -> Event:
        """Waits for the next event. If this is cancelled, the run is cancelled too, and its end awaited."""
        event = await self._in_thread(self._next)
        if event is None:
            raise StopAsyncIteration
        return event

    def __await__(self) -> Generator[Any, None, T]:
        """Waits for the end of the run and returns its result, like `result()`."""
        return self._result_async().__await__()

    async def _result_async(self) -> T:
        async for _ in self:
            pass
        return self._result()

    async def __aenter__(self: S) -> S:
        """Returns this run."""
        return self

    async def __aexit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        """Cancels the run if it has not ended, and waits for its end."""
        self.cancel()
        await self._in_thread(self._drain)

    async def _in_thread(self, work: Callable[[], V]) -> V:
        """Does blocking work in the thread of this run."""
        if self._reader is None:
            self._reader = ThreadPoolExecutor(1, "discussions")
        loop = asyncio.get_running_loop()
        future = loop.run_in_executor(self._reader, work)
        try:
            return await asyncio.shield(future)
        except asyncio.CancelledError:
            self.cancel()
            try:
                await asyncio.shield(loop.run_in_executor(self._reader, self._drain))
            except asyncio.CancelledError:
                # A second cancellation does not wait any longer.
                self._process.kill()
                raise
            raise
        finally:
            if self._code is not None:
                self._reader.shutdown(wait=False)
                self._reader = None

    def _drain(self) -> None:
        while self._next() is not None:
            pass

    def _next(self) -> Optional[Event]:
        """Returns the next event; None at the end."""
        while self._code is None:
            line = self._lines.get()
            if not line:
                self._code = self._process.wait()
                break
            value = parse(line)
            if not isinstance(value, dict) or "event" not in value:
                # The last line is the document.
                self._value = value
                continue
            event: Event = decode(Event, value)
            if not isinstance(event, AnswerChunkEvent):
                self._events.append(event)
            return event
        return None

    def _result(self) -> T:
        code = self._code if self._code is not None else self._process.wait()
        return self._finish(outcome(self._document, self._value, code, self._process.messages()), self._events)

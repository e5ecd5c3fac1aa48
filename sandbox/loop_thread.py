"""An event loop on a thread of its own that lasts, so that synchronous callers can use the asynchronous reader.

trio, whatever the application uses: its own loop, if it has one, is never touched, so a notebook's or a
web framework's running loop is no obstacle.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import threading
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import Generic, TypeVar

import trio

_Resource = TypeVar("_Resource")
_Result = TypeVar("_Result")


class LoopThread(Generic[_Resource]):
    """Opens a resource on the loop and runs calls on it until closed."""

    def __init__(self, open_resource: Callable[[], AbstractAsyncContextManager[_Resource]]) -> None:
        """Raises whatever opening the resource raises."""
        self._open = open_resource
        self._opened: concurrent.futures.Future[_Resource] = concurrent.futures.Future()
        self._thread = threading.Thread(target=self._run, name="fumehood", daemon=True)
        self._thread.start()
        self._resource = self._opened.result()

    @property
    def alive(self) -> bool:
        return self._thread.is_alive()

    def call(self, act: Callable[[_Resource], Awaitable[_Result]]) -> _Result:
        """Runs `act` on the loop and waits. Interrupted here (Ctrl-C), it is cancelled there, and waited for.

        Raises `concurrent.futures.CancelledError` if the loop was closed meanwhile.
        """
        future: concurrent.futures.Future[_Result] = concurrent.futures.Future()
        scope = trio.CancelScope()
        try:
            self._token.run_sync_soon(self._start, act, scope, future)
        except trio.RunFinishedError:
            raise concurrent.futures.CancelledError from None
        try:
            return future.result()
        except BaseException:
            if not future.done():
                self._token.run_sync_soon(scope.cancel)
                concurrent.futures.wait([future])
            raise

    def close(self) -> None:
        """Cancels what runs, closes the resource, and joins the thread."""
        with contextlib.suppress(trio.RunFinishedError):
            self._token.run_sync_soon(self._calls.cancel_scope.cancel)
        self._thread.join()

    # ---- on the loop -------------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            trio.run(self._main)
        except BaseException as error:
            if self._opened.done():
                raise
            self._opened.set_exception(error)

    async def _main(self) -> None:
        self._token = trio.lowlevel.current_trio_token()
        # Calls are cancelled first, while the resource is still there to end what they had begun.
        async with self._open() as resource, trio.open_nursery() as self._calls:
            self._opened.set_result(resource)
            await trio.sleep_forever()

    def _start(
        self,
        act: Callable[[_Resource], Awaitable[_Result]],
        scope: trio.CancelScope,
        future: concurrent.futures.Future[_Result],
    ) -> None:
        self._calls.start_soon(self._call, act, scope, future)

    async def _call(
        self,
        act: Callable[[_Resource], Awaitable[_Result]],
        scope: trio.CancelScope,
        future: concurrent.futures.Future[_Result],
    ) -> None:
        try:
            with scope:
                future.set_result(await act(self._resource))
        except trio.Cancelled:
            raise
        except BaseException as error:
            future.set_exception(error)
        finally:
            if future.cancel():  # Only what has no result yet: its caller stopped waiting, or the loop is closing.
                future.set_running_or_notify_cancel()

from __future__ import annotations

import os
import threading

import pytest

from fumehood.cli import streams


def test_take_stops_at_the_bound_and_at_the_end() -> None:
    read_end, write_end = os.pipe()
    os.write(write_end, b"0123456789")
    assert streams.take(read_end, 4) == b"0123"
    os.close(write_end)
    assert streams.take(read_end, 100) == b"456789"
    assert streams.take(read_end, 100) == b""
    os.close(read_end)


@pytest.mark.parametrize("blocking", [True, False])
def test_what_is_put_in_comes_out_whole_over_a_slow_pipe(blocking: bool) -> None:
    read_end, write_end = os.pipe()
    os.set_blocking(write_end, blocking)
    os.set_blocking(read_end, blocking)
    data = os.urandom(500_000)

    def put() -> None:
        streams.put(data, write_end)
        os.close(write_end)

    writer = threading.Thread(target=put)
    writer.start()
    assert streams.take(read_end, len(data) + 1) == data
    writer.join()
    os.close(read_end)


def test_nobody_listens() -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    with pytest.raises(BrokenPipeError):
        streams.put(b"x", write_end)
    os.close(write_end)

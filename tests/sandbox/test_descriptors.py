"""A worker holds three descriptors in fixed places."""

from __future__ import annotations

from children import run


def test_three_are_left_in_their_places_whatever_stood_there() -> None:
    lines = run(
        """
        extra = [os.dup(1) for _ in range(50)]
        channel, theirs = socket.socketpair()
        reply_read, reply = os.pipe()
        stderr_read, stderr = os.pipe()
        document = os.memfd_create("document")
        os.write(document, b"document")
        if os.fork() == 0:
            descriptors.waiting(channel.fileno(), reply, stderr)
            held = [fd for fd in range(200) if outcome(os.fstat, fd) == "done"]
            passed = os.memfd_create("again")
            os.write(passed, b"document")
            descriptors.working(passed)
            then = [fd for fd in range(200) if outcome(os.fstat, fd) == "done"]
            os.lseek(descriptors.INPUT, 0, 0)
            os.write(descriptors.STDERR, b"words")
            os.write(descriptors.REPLY, repr((held, then, os.read(descriptors.INPUT, 20))).encode())
            os._exit(0)
        os.close(reply)
        os.wait()
        print(os.read(reply_read, 1000).decode())
        print(os.read(stderr_read, 1000).decode())
        """
    )
    assert lines == ["([2, 4, 5], [2, 3, 4], b'document')", "words"]


def test_places_that_cross_are_not_mixed_up() -> None:
    lines = run(
        """
        a_read, a = os.pipe()
        b_read, b = os.pipe()
        c_read, c = os.pipe()
        # Each of the three stands where another belongs.
        first, second, third = (os.dup(fd) for fd in (a, b, c))
        if os.fork() == 0:
            os.dup2(first, descriptors.REPLY)
            os.dup2(second, descriptors.CHANNEL)
            os.dup2(third, descriptors.INPUT)
            descriptors.waiting(descriptors.REPLY, descriptors.CHANNEL, descriptors.INPUT)
            os.write(descriptors.CHANNEL, b"a")
            os.write(descriptors.REPLY, b"b")
            os.write(descriptors.STDERR, b"c")
            os._exit(0)
        os.wait()
        print(os.read(a_read, 9), os.read(b_read, 9), os.read(c_read, 9))
        """
    )
    assert lines == ["b'a' b'b' b'c'"]


def test_the_zygotes_socket_has_a_place_that_no_worker_has() -> None:
    lines = run(
        """
        ours, theirs = socket.socketpair()
        first = theirs.fileno()
        places = (descriptors.control(theirs.detach()), descriptors.control(descriptors.CONTROL))
        os.write(descriptors.CONTROL, b"heard")
        print(places == (descriptors.CONTROL,) * 2, outcome(os.fstat, first), os.get_inheritable(descriptors.CONTROL))
        print(ours.recv(9), descriptors.CONTROL in (descriptors.INPUT, descriptors.REPLY, descriptors.CHANNEL))
        """
    )
    assert lines == ["True EBADF False", "b'heard' False"]

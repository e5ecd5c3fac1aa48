"""Namespaces and the empty root, as root and as an ordinary user alike."""

from __future__ import annotations

import os

import pytest
from children import run

from fumehood.sandbox.namespaces import inside_id
from fumehood.sandbox.privileges import NOBODY

ENTER = """
proc = os.open("/proc/self", os.O_PATH)
if not namespaces.privileged():
    namespaces.enter_user(proc)
for name, flag in namespaces.FLAGS.items():
    if name != "pid-ns":
        system.unshare(flag)
"""


@pytest.fixture(autouse=True, scope="module")
def _possible() -> None:
    if run("print(outcome(lambda: exec(" + repr(ENTER) + ")))") != ["done"]:
        pytest.skip("this machine lets nobody make namespaces here")


def test_the_network_is_empty() -> None:
    assert run(ENTER + "print([name for _, name in socket.if_nameindex()])") == ["['lo']"]


def test_the_host_keeps_its_name() -> None:
    before = os.uname().nodename
    assert run(ENTER + "system.sethostname(b'other')\nprint(os.uname().nodename)") == ["other"]
    assert os.uname().nodename == before


def test_the_root_is_empty_and_read_only_and_the_host_keeps_its_own() -> None:
    lines = run(
        ENTER
        + """
root.install()
print(os.listdir("/"), os.getcwd(), os.listdir(".."), outcome(os.mkdir, "/x"), outcome(os.stat, "/proc"))
"""
    )
    assert lines == ["[] / [] EROFS ENOENT"]


def test_a_directory_held_open_is_no_way_back() -> None:
    """The zygote holds none, which the descriptors' own tests show; `..` of the new root leads nowhere."""
    assert run(ENTER + "root.install()\nos.chdir('/')\nos.chdir('../../..')\nprint(os.listdir('.'))") == ["[]"]


def test_inside_one_is_nobody_and_no_one_else() -> None:
    lines = run(
        """
        outside = os.getuid()
        os.environ.clear()
        proc = os.open("/proc/self", os.O_PATH)
        print(outcome(namespaces.enter_user, proc))
        print(os.getuid() == namespaces.inside_id(outside), outcome(os.setresuid, outside, outside, outside))
        """
    )
    assert lines == ["done", "True EINVAL"]


def test_nobody_itself_is_mapped_to_another() -> None:
    assert inside_id(NOBODY) != NOBODY

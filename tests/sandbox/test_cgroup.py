"""Finding a writable cgroup v2 tree: what is tried and what is said, over trees made of ordinary folders.

Whether the kernel then keeps the caps is for the witnesses; these tests show only where a group is made.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from fumehood.sandbox import cgroup


class Tree:
    """A pretended mount of cgroup v2 in which we are in `/app/own`."""

    def __init__(self, root: Path) -> None:
        self.root = root / "a tree"
        self.own = self.root / "app" / "own"
        self.own.mkdir(parents=True)
        self.mounts = root / "mounts"
        self.mounts.write_text(
            "proc /proc proc rw 0 0\ncgroup2 " + str(self.root).replace(" ", "\\040") + " cgroup2 rw 0 0\n"
        )
        self.membership = root / "cgroup"
        self.membership.write_text("1:name=systemd:/\n0::/app/own\n")

    def hand_down(self, group: Path, controllers: str) -> None:
        (group / "cgroup.subtree_control").write_text(controllers)

    def create(self) -> cgroup.Group:
        return cgroup.create(self.mounts, self.membership)


@pytest.fixture
def tree(tmp_path: Path) -> Tree:
    return Tree(tmp_path)


def test_a_group_is_made_beside_ours_where_controllers_are_handed_down(tree: Tree) -> None:
    tree.hand_down(tree.own.parent, "cpu memory pids")
    group = tree.create()
    assert group.path.parent == tree.own.parent
    group.limit(1_000_000, 10)
    group.add(42)
    assert (group.path / "memory.max").read_text() == "1000000"
    assert (group.path / "pids.max").read_text() == "10"
    assert (group.path / "cgroup.procs").read_text() == "42"


@pytest.mark.parametrize("name", [b"a caf\xc3\xa9", b"a caf\xe9", b"two\x0clines\xe2\x80\xa8"])
def test_mounts_of_any_name_are_no_trouble(tree: Tree, name: bytes) -> None:
    """Names are bytes, and those of other people's disks are in the same list."""
    other = tree.root.parent / os.fsdecode(name)
    tree.root.rename(other)
    lines = [b"/dev/sdb1 /media/" + name.replace(b" ", b"\\040") + b" vfat rw 0 0"]
    lines += [b"cgroup2 " + os.fsencode(other).replace(b" ", b"\\040") + b" cgroup2 rw 0 0", b""]
    tree.mounts.write_bytes(b"\n".join(lines))
    tree.root, tree.own = other, other / "app" / "own"
    tree.hand_down(tree.own.parent, "memory pids")
    assert tree.create().path.parent == tree.own.parent


def test_an_empty_group_is_removed_in_the_end(tree: Tree) -> None:
    tree.hand_down(tree.own, "memory pids")
    group = tree.create()
    assert group.path.parent == tree.own
    group.close()
    assert not group.path.exists()


def test_missing_controllers_are_named(tree: Tree) -> None:
    tree.hand_down(tree.own.parent, "memory")
    with pytest.raises(cgroup.NoCgroup, match="pids are not handed down"):
        tree.create()


def test_a_machine_without_cgroup_v2_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "mounts").write_text("proc /proc proc rw 0 0\n")
    with pytest.raises(cgroup.NoCgroup, match="not mounted"):
        cgroup.create(tmp_path / "mounts", tmp_path / "none")


def test_a_process_in_no_group_is_told_so(tree: Tree) -> None:
    tree.membership.write_text("1:name=systemd:/\n")
    with pytest.raises(cgroup.NoCgroup, match="no cgroup v2 group"):
        tree.create()


def test_nothing_outside_the_mount_is_touched(tree: Tree) -> None:
    tree.membership.write_text("0::/\n")
    tree.hand_down(tree.root.parent, "memory pids")
    with pytest.raises(cgroup.NoCgroup):
        tree.create()

"""Attacks on files: nothing can be opened, looked at, made, changed or removed."""

from __future__ import annotations

import sys
from collections.abc import Callable

import pytest

from tests.attacks.attack import POLICY, Attack, absent_file, present_file

# Opens and stats are answered, not punished: libraries probe for files and do without.
ATTACKS = (
    Attack("files.read_file", "EACCES", {"path": "/etc/passwd"}),
    Attack("files.read_file", "EACCES", {"path": sys.executable}, name="read_interpreter"),
    Attack("files.read_file", "EACCES", {"path": "/proc/self/environ"}, name="read_environment"),
    Attack("files.read_file", "EACCES", {"path": "/proc/self/maps"}, name="read_address_layout"),
    Attack("files.read_own_source", "EACCES"),
    Attack("files.read_by_old_number", "EACCES", {"path": "/etc/passwd"}, needs=("open",)),
    Attack("files.read_by_new_number", "EACCES", {"path": "/etc/passwd"}),
    Attack("files.stat_file", "EACCES", {"path": "/etc/passwd"}),
    Attack("files.list_directory", "EACCES", {"path": "/"}),
    Attack("files.read_link", "EACCES", {"path": "/proc/self/exe"}),
    Attack("files.create_file", "EACCES", witness=absent_file),
    Attack(
        "files.create_file",
        "EACCES",
        {"path": "/dev/shm/fumehood-attack"},
        outside=None,
        name="create_shared_memory",
        why="create_file is its control",
    ),
    Attack("files.create_by_old_number", POLICY, witness=absent_file, needs=("creat",)),
    Attack("files.unlink", POLICY, witness=present_file),
    Attack("files.rename", POLICY, witness=present_file),
    Attack("files.change_mode", POLICY, witness=present_file),
    Attack("files.change_times", POLICY, witness=present_file),
    Attack("files.truncate", POLICY, witness=present_file),
    Attack("files.set_attribute", POLICY, witness=present_file, unless=("ENOTSUP",)),
    Attack("files.make_symlink", POLICY, witness=absent_file),
    Attack("files.make_hard_link", POLICY, witness=present_file),
    Attack("files.make_directory", POLICY, witness=absent_file),
    Attack("files.write_own_memory", "EACCES"),
    Attack("files.file_handle", POLICY, {"path": "/etc/passwd"}, unless=("ENOTSUP", "EOPNOTSUPP")),
    Attack("files.memory_file", POLICY),
    Attack("files.new_file_system", POLICY, unless=("EPERM",)),
    Attack("files.change_root", POLICY, unless=("EPERM",)),
    Attack("files.write_to_input", "EBADF", outside=None, why="there is no input outside"),
)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_is_refused(attack: Attack, refused: Callable[[Attack], None]) -> None:
    refused(attack)


@pytest.mark.parametrize("attack", ATTACKS, ids=str)
def test_succeeds_outside(attack: Attack, succeeds_outside: Callable[[Attack], None]) -> None:
    succeeds_outside(attack)

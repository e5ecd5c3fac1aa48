"""Attacks on files: nothing can be opened, looked at, made, changed or removed."""

from __future__ import annotations

from tests.attacks.attack import POLICY, Attack
from tests.attacks.tables import reasons
from tests.attacks.witnesses import (
    absent_file,
    handle,
    own_source,
    present_file,
    root_file,
    secret_entry,
    secret_file,
    secret_link,
    secret_size,
    shared_memory_file,
    stranger,
    touched_file,
)

_NOWHERE = {"path": "/fumehood-attack/nowhere"}

# Opens and stats are answered, not punished: libraries probe for files and do without.
ATTACKS = (
    Attack("files.read_file", "EACCES", witness=secret_file),
    Attack("files.read_own_source", "EACCES", witness=own_source),
    Attack("files.read_by_old_number", "EACCES", witness=secret_file, needs=("open",)),
    Attack("files.read_by_new_number", "EACCES", witness=secret_file),
    Attack("files.read_environment", "EACCES", witness=stranger),
    Attack("files.read_memory_file", "EACCES", witness=stranger),
    Attack("files.read_descriptor_of", "EACCES", witness=stranger),
    Attack("files.stat_file", "EACCES", witness=secret_size),
    Attack("files.list_directory", "EACCES", witness=secret_entry),
    Attack("files.read_link", "EACCES", witness=secret_link),
    Attack("files.create_file", "EACCES", witness=absent_file),
    Attack("files.create_file", "EACCES", witness=root_file, name="create_here", unless=("EACCES", "EROFS")),
    Attack("files.create_file", "EACCES", witness=shared_memory_file, name="create_shared_memory"),
    Attack("files.create_by_old_number", POLICY, witness=absent_file, needs=("creat",)),
    Attack("files.fill_disk", "EACCES", witness=absent_file),
    Attack("files.unlink", POLICY, witness=present_file),
    Attack("files.rename", POLICY, witness=present_file),
    Attack("files.change_mode", POLICY, witness=present_file),
    Attack("files.change_times", POLICY, witness=present_file),
    Attack("files.truncate", POLICY, witness=present_file),
    Attack("files.set_attribute", POLICY, witness=present_file, unless=("ENOTSUP",)),
    Attack("files.make_symlink", POLICY, witness=absent_file),
    Attack("files.make_hard_link", POLICY, witness=present_file),
    Attack("files.make_directory", POLICY, witness=absent_file),
    Attack("files.write_own_memory", "EACCES", word=reasons.INSIDE),
    Attack("files.file_handle", POLICY, witness=handle, unless=("ENOTSUP", "EOPNOTSUPP")),
    Attack("files.memory_file", POLICY),
    Attack("files.secret_memory_file", POLICY, unless=("ENOSYS",)),
    Attack("files.execute_memory", POLICY, witness=touched_file, outside="exit 0"),
    Attack("files.new_file_system", POLICY, unless=("EPERM",)),
    Attack("files.open_tree", POLICY, unless=("EPERM",)),
    Attack("files.change_root", POLICY, unless=("EPERM",)),
    # Places that do not exist: the call is made, and nothing is mounted on a machine whose walls are down.
    Attack("files.mount_over", POLICY, _NOWHERE, outside="ENOENT", unless=("EPERM",)),
    Attack("files.unmount", POLICY, _NOWHERE, outside="ENOENT", unless=("EPERM",)),
    Attack("files.pivot_root", POLICY, _NOWHERE, outside="ENOENT", unless=("EPERM",)),
    Attack("files.duplicate_descriptor", POLICY),
    Attack("files.read_standard_input", "EBADF", outside="done", word=reasons.OWN_DESCRIPTOR),
    Attack(
        "files.write_to_input",
        "EBADF",
        outside=None,
        why="there is no input outside",
        word=reasons.OWN_DESCRIPTOR,
        no_layer="the worker closes its input before the loader runs, and the file is sealed before that",
    ),
)

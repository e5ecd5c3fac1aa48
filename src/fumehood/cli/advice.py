"""What each layer is for and how to get it where it is absent; and what none of them can promise.

Facts of the kernel's manual pages and of the systems that are met most often; where the report already
says why a layer is absent, this says what to do about it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from fumehood.sandbox.layers import LayerName

_USER_NAMESPACE: Final = (
    "allow user namespaces: sysctl kernel.apparmor_restrict_unprivileged_userns=0 on Ubuntu 23.10 and later, "
    "kernel.unprivileged_userns_clone=1 on Debian before 11, user.max_user_namespaces above 0 elsewhere; "
    "in a container, a seccomp and AppArmor profile that lets unshare(2) and mount(2) through, such as "
    "--security-opt seccomp=PROFILE.json --security-opt apparmor=unconfined for Docker"
)
_WITH_USER_NAMESPACE: Final = (
    "comes with the user namespace, so see user-ns; where that is enforced, the seccomp or AppArmor profile of a "
    "container is in the way of unshare(2) or mount(2)"
)
_ANY_LINUX: Final = (
    "every Linux since 3.5 has what it needs; if it is absent, something that imitates Linux, or a sandbox around "
    "this process, is in its way"
)

UNWITNESSED: Final = (
    "nothing has to be got: the layer is installed, and counts as missing because nothing could show that it holds"
)

HOW_TO_GET: Final[Mapping[LayerName, str]] = {
    "user-ns": _USER_NAMESPACE,
    "mount-ns": _WITH_USER_NAMESPACE,
    "pid-ns": _WITH_USER_NAMESPACE,
    "net-ns": _WITH_USER_NAMESPACE,
    "ipc-ns": f"{_WITH_USER_NAMESPACE}; the kernel needs CONFIG_SYSVIPC",
    "uts-ns": _WITH_USER_NAMESPACE,
    "root": f"needs the mount namespace, which {_WITH_USER_NAMESPACE}",
    "capabilities": "start the application without capabilities, as an ordinary user, or in a container with --cap-drop=ALL",
    "uid": "start the application as root, so that workers can become nobody, or accept it: without the layer a "
    "worker runs as the user that started it, and the other layers keep it from that user's files and processes",
    "no-new-privs": _ANY_LINUX,
    "dumpable": _ANY_LINUX,
    "parent-death": _ANY_LINUX,
    "descriptors": _ANY_LINUX,
    "rlimits": _ANY_LINUX,
    "landlock": "Linux 5.13 or later, built with CONFIG_SECURITY_LANDLOCK, with landlock in the boot parameter lsm= "
    "(what there is stands in /sys/kernel/security/lsm); in a container, a seccomp profile that lets it through",
    "seccomp": "a kernel with CONFIG_SECCOMP_FILTER, on x86-64 or aarch64",
    "cgroup": "run under a systemd unit with Delegate=yes, or with systemd-run --user --scope -p Delegate=yes COMMAND; "
    "in a container, cgroup v2 mounted writable; without it rlimits still cap each worker",
    "deadline": "Linux 5.3 or later has pidfd_open(2); in a container, a seccomp profile that lets it through",
}

NOT_PROMISED: Final = (
    "That the text is true: a taken-over parser can return any text it likes, of the document it was given.",
    "Bugs of the kernel that a worker can reach through the few system calls it may make.",
    "Side channels: timing, caches, speculative execution.",
    "Secrecy of the address layout among the workers of one zygote, which share it until the zygote is replaced.",
)

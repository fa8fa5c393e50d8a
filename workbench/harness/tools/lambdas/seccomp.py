"""The system call filter of the sandbox, as a classic BPF program for the kernel's seccomp.

It is a list of refusals on top of the namespaces: what reaches around them (vsock, the keyring, io_uring, ptrace), what
escapes the memory limit (memory files, System V shared memory), what would leave a set-user-id or set-group-id file on
the host, and above all, unless the call may, every way to start a process and every socket. Threads still work: with
them alone the confined tree is one process, so a limit on that process is the limit of the whole.
"""

from __future__ import annotations

import errno
import platform
import struct
from collections.abc import Iterable, Mapping
from functools import cache

from workbench.harness.errors import HarnessError

_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _AND, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x54, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000

# Offsets in the kernel's `struct seccomp_data`; arguments are 64 bits wide and the kernel reads their low halves.
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, (16, 24, 32, 40)

_CLONE_THREAD = 0x00010000
_CLONE_NAMESPACES = 0x7E020080
_X32_CALLS = 0x40000000
_PR_SET_DUMPABLE = 4
_TIOCSTI, _TIOCLINUX = 0x5412, 0x541C
_AF_INET, _AF_INET6 = 2, 10
_SOCK_STREAM, _SOCK_TYPE_MASK = 1, 0xF
_SET_ID_BITS = 0o6000
# Only with one of these does opening take a mode; without, that argument may be anything.
_O_CREAT, _O_TMPFILE = 0o100, 0o20000000

_AUDIT_ARCHITECTURE = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}

# Numbers that both architectures share, because they were given out after the tables were unified.
_COMMON_REFUSED = {
    "pidfd_getfd": 438,
    "process_madvise": 440,
    "quotactl_fd": 443,
    "memfd_secret": 447,
    "process_mrelease": 448,
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "mount_setattr": 442,
}

_REFUSED: dict[str, dict[str, int]] = {
    "x86_64": {
        **_COMMON_REFUSED,
        "memfd_create": 319,
        "shmget": 29,
        "shmat": 30,
        "shmctl": 31,
        "semget": 64,
        "msgget": 68,
        "mq_open": 240,
        "ptrace": 101,
        "process_vm_readv": 310,
        "process_vm_writev": 311,
        "kcmp": 312,
        "add_key": 248,
        "request_key": 249,
        "keyctl": 250,
        "bpf": 321,
        "perf_event_open": 298,
        "userfaultfd": 323,
        "fanotify_init": 300,
        "name_to_handle_at": 303,
        "open_by_handle_at": 304,
        "unshare": 272,
        "setns": 308,
        "mount": 165,
        "umount2": 166,
        "pivot_root": 155,
        "swapon": 167,
        "swapoff": 168,
        "reboot": 169,
        "init_module": 175,
        "delete_module": 176,
        "finit_module": 313,
        "kexec_load": 246,
        "kexec_file_load": 320,
        "acct": 163,
        "quotactl": 179,
        "syslog": 103,
        "personality": 135,
        "modify_ldt": 154,
        "uselib": 134,
        "lookup_dcookie": 212,
        "vmsplice": 278,
        "mbind": 237,
        "set_mempolicy": 238,
        "migrate_pages": 256,
        "move_pages": 279,
        "settimeofday": 164,
        "clock_settime": 227,
        "clock_adjtime": 305,
        "adjtimex": 159,
        "iopl": 172,
        "ioperm": 173,
    },
    "aarch64": {
        **_COMMON_REFUSED,
        "memfd_create": 279,
        "shmget": 194,
        "shmctl": 195,
        "shmat": 196,
        "semget": 190,
        "msgget": 186,
        "mq_open": 180,
        "ptrace": 117,
        "process_vm_readv": 270,
        "process_vm_writev": 271,
        "kcmp": 272,
        "add_key": 217,
        "request_key": 218,
        "keyctl": 219,
        "bpf": 280,
        "perf_event_open": 241,
        "userfaultfd": 282,
        "fanotify_init": 262,
        "name_to_handle_at": 264,
        "open_by_handle_at": 265,
        "unshare": 97,
        "setns": 268,
        "mount": 40,
        "umount2": 39,
        "pivot_root": 41,
        "swapon": 224,
        "swapoff": 225,
        "reboot": 142,
        "init_module": 105,
        "delete_module": 106,
        "finit_module": 273,
        "kexec_load": 104,
        "kexec_file_load": 294,
        "acct": 89,
        "quotactl": 60,
        "syslog": 116,
        "personality": 92,
        "lookup_dcookie": 18,
        "vmsplice": 75,
        "mbind": 235,
        "set_mempolicy": 237,
        "migrate_pages": 238,
        "move_pages": 239,
        "settimeofday": 170,
        "clock_settime": 112,
        "clock_adjtime": 266,
        "adjtimex": 171,
    },
}

_FORKS: dict[str, dict[str, int]] = {"x86_64": {"fork": 57, "vfork": 58}, "aarch64": {}}
"""Calls that do nothing but start a process."""

_SENDS: dict[str, dict[str, int]] = {
    "x86_64": {"sendmsg": 46, "sendmmsg": 307},
    "aarch64": {"sendmsg": 211, "sendmmsg": 269},
}
"""Calls that can put an open file into a socket, where nobody sees that it is held. Without a network none needs them;
names are looked up with them."""

_JUDGED: dict[str, dict[str, int]] = {
    "x86_64": {"clone": 56, "ioctl": 16, "prctl": 157, "socket": 41, "socketpair": 53},
    "aarch64": {"clone": 220, "ioctl": 29, "prctl": 167, "socket": 198, "socketpair": 199},
}
"""Calls whose arguments decide."""

_HIDDEN = {"clone3": 435, "openat2": 437}
"""Calls whose arguments lie behind a pointer, where no filter sees them. Told that they do not exist, the C library and
the runtimes fall back to the older calls."""

_SETS_MODE: dict[str, dict[str, tuple[int, int]]] = {
    "x86_64": {
        "chmod": (90, 1),
        "fchmod": (91, 1),
        "fchmodat": (268, 2),
        "fchmodat2": (452, 2),
        "creat": (85, 1),
        "mkdir": (83, 1),
        "mkdirat": (258, 2),
        "mknod": (133, 1),
        "mknodat": (259, 2),
    },
    "aarch64": {
        "fchmod": (52, 1),
        "fchmodat": (53, 2),
        "fchmodat2": (452, 2),
        "mkdirat": (34, 2),
        "mknodat": (33, 2),
    },
}
"""Calls that give a file its mode: their number and which argument the mode is."""

_OPENS: dict[str, dict[str, tuple[int, int]]] = {
    "x86_64": {"open": (2, 1), "openat": (257, 2)},
    "aarch64": {"openat": (56, 2)},
}
"""Calls that may create a file: their number and which argument the flags are. The mode follows them."""

_Instruction = tuple[int, int, int, int]


def _step(code: int, value: int, if_true: int = 0, if_false: int = 0) -> _Instruction:
    return (code, if_true, if_false, value)


def _refuse(error: int) -> _Instruction:
    return _step(_RETURN, _ERRNO | error)


def _when(number: int, body: list[_Instruction]) -> list[_Instruction]:
    """`body` for one system call; it must end in a return, so that the accumulator still holds the number after it."""
    return [_step(_EQUAL, number, 0, len(body)), *body]


def _refuse_these(offset: int, values: Iterable[int], error: int) -> list[_Instruction]:
    """Refuse some values of an argument; what comes after decides about the others."""
    checks = [step for value in values for step in (_step(_EQUAL, value, 0, 1), _refuse(error))]
    return [_step(_LOAD, offset), *checks]


def _refuse_values(offset: int, values: Iterable[int], error: int) -> list[_Instruction]:
    return [*_refuse_these(offset, values, error), _step(_RETURN, _ALLOW)]


def _allow_values(offset: int, values: Iterable[int], error: int, mask: int | None = None) -> list[_Instruction]:
    wanted = list(values)
    narrowed = [] if mask is None else [_step(_AND, mask)]
    checks = [_step(_EQUAL, value, len(wanted) - at, 0) for at, value in enumerate(wanted)]
    return [_step(_LOAD, offset), *narrowed, *checks, _refuse(error), _step(_RETURN, _ALLOW)]


def _refuse_bits(offset: int, bits: int) -> list[_Instruction]:
    return [_step(_LOAD, offset), _step(_ANY_BIT, bits, 0, 1), _refuse(errno.EPERM), _step(_RETURN, _ALLOW)]


def _plain_modes(machine: str) -> list[_Instruction]:
    """No file gets a set-user-id or set-group-id bit: what is made in /workspace stays on the host."""
    program: list[_Instruction] = []
    for number, mode in _SETS_MODE[machine].values():
        program += _when(number, _refuse_bits(_ARGUMENTS[mode], _SET_ID_BITS))
    for number, flags in _OPENS[machine].values():
        creates = [
            _step(_LOAD, _ARGUMENTS[flags]),
            _step(_ANY_BIT, _O_CREAT | _O_TMPFILE, 1, 0),
            _step(_RETURN, _ALLOW),
        ]
        program += _when(number, [*creates, *_refuse_bits(_ARGUMENTS[flags + 1], _SET_ID_BITS)])
    return program


def _judged(calls: Mapping[str, int], *, processes: bool, network: bool) -> list[_Instruction]:
    only_threads = [
        _step(_LOAD, _ARGUMENTS[0]),
        _step(_ANY_BIT, _CLONE_NAMESPACES, 1, 0),
        _step(_ANY_BIT, _CLONE_THREAD, 1, 0),
        _refuse(errno.EPERM),
        _step(_RETURN, _ALLOW),
    ]
    no_namespaces = _refuse_bits(_ARGUMENTS[0], _CLONE_NAMESPACES)
    internet = (_AF_INET, _AF_INET6)
    sockets = _allow_values(_ARGUMENTS[0], internet, errno.EAFNOSUPPORT)
    if not network:
        # In words that say why: there is none. The network namespace, where nothing can be reached, is the other wall.
        sockets = [*_refuse_these(_ARGUMENTS[0], internet, errno.ENETUNREACH), _refuse(errno.EAFNOSUPPORT)]
    return [
        *_when(calls["clone"], no_namespaces if processes else only_threads),
        # Typing into a terminal.
        *_when(calls["ioctl"], _refuse_values(_ARGUMENTS[1], (_TIOCSTI, _TIOCLINUX), errno.EPERM)),
        # A process that hides from its owner could no longer be measured.
        *_when(calls["prctl"], _refuse_values(_ARGUMENTS[0], (_PR_SET_DUMPABLE,), errno.EPERM)),
        # No vsock and no netlink, which the network namespace does not cut or which tell of the host; no unix sockets,
        # because one that lies in /workspace leads out, and an abstract one belongs to the host's network. A connected
        # stream pair leads nowhere, and event loops use it.
        *_when(calls["socket"], sockets),
        *_when(
            calls["socketpair"],
            _allow_values(_ARGUMENTS[1], (_SOCK_STREAM,), errno.EPROTONOSUPPORT, mask=_SOCK_TYPE_MASK),
        ),
    ]


def supported(machine: str | None = None) -> bool:
    """Whether there is a filter for this processor (`platform.machine()` where None)."""
    return (machine or platform.machine()) in _AUDIT_ARCHITECTURE


@cache
def program(machine: str | None = None, *, processes: bool = False, network: bool = False) -> bytes:
    """The filter of a call, in the bytes that `bwrap --seccomp` reads; whether it may start processes, open sockets.

    Raises HarnessError `unavailable` for a processor whose system call numbers are not known here.
    """
    name = machine or platform.machine()
    if not supported(name):
        known = " and ".join(sorted(_AUDIT_ARCHITECTURE))
        raise HarnessError(
            "unavailable",
            f"There is no system call filter for the processor {name}; {known} are supported. "
            "Nothing runs without the filter.",
        )
    steps = [
        _step(_LOAD, _ARCHITECTURE),
        _step(_EQUAL, _AUDIT_ARCHITECTURE[name], 1, 0),
        _step(_RETURN, _KILL_PROCESS),
        _step(_LOAD, _NUMBER),
    ]
    if name == "x86_64":
        steps += [_step(_AT_LEAST, _X32_CALLS, 0, 1), _step(_RETURN, _KILL_PROCESS)]
    refused = {
        **_REFUSED[name],
        **({} if processes else _FORKS[name]),
        **({} if network else _SENDS[name]),
    }
    for number in sorted(refused.values()):
        steps += _when(number, [_refuse(errno.EPERM)])
    for number in _HIDDEN.values():
        steps += _when(number, [_refuse(errno.ENOSYS)])
    steps += _judged(_JUDGED[name], processes=processes, network=network)
    steps += _plain_modes(name)
    steps.append(_step(_RETURN, _ALLOW))
    return b"".join(struct.pack("<HBBI", *instruction) for instruction in steps)

"""The system call filter, run by a small machine of our own for both processors it is written for."""

from __future__ import annotations

import struct

import pytest

from workbench.harness.errors import HarnessError
from workbench.harness.tools.lambdas import seccomp

ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
ALLOW, KILL = "allow", "kill"
EPERM, ENOSYS, EPROTONOSUPPORT, EAFNOSUPPORT, ENETUNREACH = 1, 38, 93, 97, 101


def judge(program: bytes, number: int, *arguments: int, architecture: int) -> str | int:
    """What the kernel would answer: "allow", "kill" or an error number."""
    padded = (*arguments, *[0] * 6)[:6]
    data = struct.pack("<IIQ6Q", number, architecture, 0, *padded)
    steps = list(struct.iter_unpack("<HBBI", program))
    at = accumulator = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == 0x20:
            (accumulator,) = struct.unpack_from("<I", data, value)
        elif code == 0x54:
            accumulator &= value
        elif code == 0x06:
            return {0x7FFF0000: ALLOW, 0x80000000: KILL}.get(value, value & 0xFFFF)
        else:
            met = {0x15: accumulator == value, 0x35: accumulator >= value, 0x45: bool(accumulator & value)}[code]
            at += if_true if met else if_false


CALLS = [
    # name, x86_64, aarch64, arguments, answer
    ("read", 0, 63, (), ALLOW),
    ("execve", 59, 221, (), ALLOW),
    ("clone of a thread", 56, 220, (0x3D0F00,), ALLOW),
    ("clone of a thread with a namespace", 56, 220, (0x3D0F00 | 0x10000000,), EPERM),
    ("clone3", 435, 435, (), ENOSYS),
    ("memfd_create", 319, 279, (), EPERM),
    ("ptrace", 101, 117, (), EPERM),
    ("keyctl", 250, 219, (), EPERM),
    ("io_uring_setup", 425, 425, (), EPERM),
    ("shmget", 29, 194, (), EPERM),
    ("mount", 165, 40, (), EPERM),
    ("unshare", 272, 97, (), EPERM),
    ("prctl: a name", 157, 167, (15,), ALLOW),
    ("prctl: not dumpable", 157, 167, (4, 0), EPERM),
    ("ioctl: window size", 16, 29, (0, 0x5413), ALLOW),
    ("ioctl: TIOCSTI", 16, 29, (0, 0x5412), EPERM),
    ("ioctl: TIOCLINUX", 16, 29, (0, 0x541C), EPERM),
    ("ioctl: TIOCSTI with high bits", 16, 29, (0, 0x5412 | 1 << 40), EPERM),
    ("socket: unix", 41, 198, (1, 1), EAFNOSUPPORT),
    ("socket: netlink", 41, 198, (16, 3), EAFNOSUPPORT),
    ("socket: vsock", 41, 198, (40, 1), EAFNOSUPPORT),
    ("socketpair: stream", 53, 199, (1, 1 | 0o2000000), ALLOW),
    ("socketpair: datagram", 53, 199, (1, 2), EPROTONOSUPPORT),
    ("openat2", 437, 437, (), ENOSYS),
    ("open: read, whatever the mode", 2, None, (0, 0, 0o6755), ALLOW),
    ("openat: read, whatever the mode", 257, 56, (0, 0, 0, 0o6755), ALLOW),
]

SET_USER_ID, SET_GROUP_ID, STICKY = 0o4000, 0o2000, 0o1000

GIVE_A_MODE = [
    # name, x86_64, aarch64, the arguments before the mode
    ("chmod", 90, None, (0,)),
    ("fchmod", 91, 52, (3,)),
    ("fchmodat", 268, 53, (3, 0)),
    ("fchmodat2", 452, 452, (3, 0)),
    ("open: create", 2, None, (0, 0o100)),
    ("open: create and write", 2, None, (0, 0o101 | 0o2000000)),
    ("open: a file without a name", 2, None, (0, 0o20200002)),
    ("openat: create", 257, 56, (3, 0, 0o100)),
    ("openat: create and write", 257, 56, (3, 0, 0o101 | 0o2000000)),
    ("openat: a file without a name", 257, 56, (3, 0, 0o20200002)),
    ("creat", 85, None, (0,)),
    ("mkdir", 83, None, (0,)),
    ("mkdirat", 258, 34, (3, 0)),
    ("mknod", 133, None, (0,)),
    ("mknodat", 259, 33, (3, 0)),
]

CALLS += [
    (f"{name}: {mode:o}", x86_64, aarch64, (*before, mode), answer)
    for name, x86_64, aarch64, before in GIVE_A_MODE
    for mode, answer in (
        (0o755, ALLOW),
        (0o100666, ALLOW),
        (STICKY | 0o777, ALLOW),
        (SET_USER_ID, EPERM),
        (SET_GROUP_ID | 0o700, EPERM),
        (SET_USER_ID | SET_GROUP_ID | STICKY | 0o755, EPERM),
        (0o100000 | SET_USER_ID, EPERM),
        (1 << 40 | SET_USER_ID, EPERM),
    )
]


PERMISSIONS = [{"processes": processes, "network": network} for processes in (False, True) for network in (False, True)]

PERMITTED = [
    # name, x86_64, aarch64, arguments, the permission that decides, the answer without it
    ("fork", 57, None, (), "processes", EPERM),
    ("vfork", 58, None, (), "processes", EPERM),
    ("clone of a process", 56, 220, (17,), "processes", EPERM),
    ("clone of a process that shares memory", 56, 220, (0x4111,), "processes", EPERM),
    ("sendmsg", 46, 211, (), "network", EPERM),
    ("sendmmsg", 307, 269, (), "network", EPERM),
    ("socket: inet", 41, 198, (2, 1), "network", ENETUNREACH),
    ("socket: inet6", 41, 198, (10, 2), "network", ENETUNREACH),
]

ALWAYS_REFUSED = [
    ("clone of a process with a user namespace", 56, 220, (17 | 0x10000000,), EPERM),
    ("clone of a process with a network namespace", 56, 220, (17 | 0x40000000,), EPERM),
]
"""Also where processes may be started."""


def on_each_processor(calls):
    """The calls, each on every processor that has it: `fork` and `vfork` are x86_64's alone."""
    return [
        pytest.param(machine, number, *rest, id=f"{machine}: {name}")
        for name, x86_64, aarch64, *rest in calls
        for machine, number in (("x86_64", x86_64), ("aarch64", aarch64))
        if number is not None
    ]


@pytest.mark.parametrize(("machine", "number", "arguments", "answer"), on_each_processor(CALLS + ALWAYS_REFUSED))
def test_each_call_is_judged_whatever_is_permitted(machine, number, arguments, answer):
    for permissions in PERMISSIONS:
        program = seccomp.program(machine, **permissions)
        assert judge(program, number, *arguments, architecture=ARCHITECTURES[machine]) == answer


@pytest.mark.parametrize(("machine", "number", "arguments", "permission", "refusal"), on_each_processor(PERMITTED))
def test_what_needs_a_permission_needs_just_that_one(machine, number, arguments, permission, refusal):
    for permissions in PERMISSIONS:
        program = seccomp.program(machine, **permissions)
        answer = ALLOW if permissions[permission] else refusal
        assert judge(program, number, *arguments, architecture=ARCHITECTURES[machine]) == answer


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("permissions", PERMISSIONS, ids=str)
def test_another_processors_numbers_kill(machine, permissions):
    program = seccomp.program(machine, **permissions)
    assert judge(program, 0, architecture=0x40000003) == KILL
    if machine == "x86_64":
        assert judge(program, 0x40000000 | 57, architecture=ARCHITECTURES[machine]) == KILL


@pytest.mark.parametrize("machine", ARCHITECTURES)
@pytest.mark.parametrize("permissions", PERMISSIONS, ids=str)
def test_every_number_gets_an_answer_and_the_program_fits_the_kernel(machine, permissions):
    program = seccomp.program(machine, **permissions)
    assert len(program) // 8 <= 4096
    for number in range(600):
        assert judge(program, number, architecture=ARCHITECTURES[machine]) != KILL


def test_an_unknown_processor_is_unavailable():
    with pytest.raises(HarnessError) as caught:
        seccomp.program("riscv64")
    assert caught.value.code == "unavailable"
    assert "riscv64" in caught.value.message

"""The result channel: whole reports, in pieces or at once, and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from workbench.harness.tools.lambdas.channel import Channel

GOOD = [(b"HV4\nnull", "V", b"null"), (b"HX0\n", "X", b""), (b"HV2\n12trailing", "V", b"12")]
BAD = [
    b"",
    b"H",
    b"HV",
    b"HV9\nshort",
    b"HV-1\nx",
    b"HVx\nx",
    b"H" + b"9" * 40,
    b"HV1001\n" + b"x" * 1001,
    b"HV 3\n123",
]


@pytest.mark.parametrize(("sent", "kind", "payload"), GOOD)
@pytest.mark.parametrize("piece", [1, 3, 100])
async def test_a_report_arrives_whole(sent, kind, payload, piece):
    channel = Channel.pipe(1000)
    for at in range(0, len(sent), piece):
        os.write(channel.child_fd, sent[at : at + piece])
    assert await channel.hello
    report = await channel.report
    assert report is not None
    assert (report.kind, report.payload) == (kind, payload)
    channel.close()


@pytest.mark.parametrize("sent", BAD)
async def test_anything_else_is_no_report(sent):
    channel = Channel.pipe(1000)
    os.write(channel.child_fd, sent)
    channel.finish()
    assert channel.report.result() is None
    assert channel.hello.result() is sent.startswith(b"H")
    channel.close()


async def test_a_named_pipe_leaves_the_host_when_told():
    channel = Channel.named(1000)
    path = Path(channel.path)
    writer = os.open(path, os.O_WRONLY)
    channel.unlink()
    assert not path.parent.exists()
    os.write(writer, b"HV1\n5")
    os.close(writer)
    report = await channel.report
    assert report is not None
    assert report.payload == b"5"
    channel.close()

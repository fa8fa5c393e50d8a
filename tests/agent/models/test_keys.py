"""Keys come from the environment or the keyring, and what is missing is said without ever showing one."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from workbench.agent.models.keys import SERVICE, key_source
from workbench.harness.errors import HarnessError

keyring = pytest.importorskip("keyring")


def refused(reference: str) -> HarnessError:
    with pytest.raises(HarnessError) as caught:
        key_source(reference).read()
    return caught.value


class FileKeyring(keyring.backend.KeyringBackend):
    """A keyring in a file of the test's."""

    priority: Any = 1

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def _read(self) -> dict[str, str]:
        return json.loads(self._file.read_text()) if self._file.exists() else {}

    def get_password(self, service: str, username: str) -> str | None:
        return self._read().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._file.write_text(json.dumps(self._read() | {f"{service} {username}": password}))

    def delete_password(self, service: str, username: str) -> None:
        raise NotImplementedError


class LockedKeyring(FileKeyring):
    """A keyring whose owner does not unlock it."""

    def get_password(self, service: str, username: str) -> str | None:
        raise keyring.errors.KeyringLocked(f"{service} {username} is locked")


@pytest.fixture(autouse=True)
def _own_keyring_again() -> Iterator[None]:
    before = keyring.get_keyring()
    yield
    keyring.set_keyring(before)


def test_a_key_of_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", " sk-123 \n")

    source = key_source("${MY_KEY}")

    assert (source.read(), source.where) == ("sk-123", "the environment variable MY_KEY")
    assert "sk-123" not in repr(source)


def test_a_key_of_the_keyring(tmp_path: Path) -> None:
    keyring.set_keyring(FileKeyring(tmp_path / "keys"))
    keyring.set_password(SERVICE, "openai", "sk-456")

    source = key_source("keyring:openai")

    assert (source.read(), source.where) == ("sk-456", 'the keyring (service "workbench", name "openai")')


@pytest.mark.parametrize("value", [None, "", "  "])
def test_a_variable_that_is_not_set(value: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("MY_KEY", value)

    error = refused("${MY_KEY}")

    assert error.code == "unavailable"
    assert "MY_KEY is not set" in error.message
    assert "keyring set workbench NAME" in error.message


def test_an_entry_that_the_keyring_has_not(tmp_path: Path) -> None:
    keyring.set_keyring(FileKeyring(tmp_path / "keys"))

    error = refused("keyring:openai")

    assert error.code == "unavailable"
    assert 'Put it there with "keyring set workbench openai"' in error.message


def test_a_keyring_that_stays_locked(tmp_path: Path) -> None:
    keyring.set_keyring(LockedKeyring(tmp_path / "keys"))

    error = refused("keyring:openai")

    assert error.code == "unavailable"
    assert "Unlock it" in error.message


def test_a_machine_without_a_keyring() -> None:
    import keyring.backends.fail

    keyring.set_keyring(keyring.backends.fail.Keyring())

    error = refused("keyring:openai")

    assert error.code == "unavailable"
    assert "no keyring on this machine" in error.message


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "keyring", None)

    assert "pip install 'harness-workbench[models]'" in refused("keyring:openai").message


@pytest.mark.parametrize("value", ["two words", "schlüssel", "a\x00b", "a\nb"])
def test_what_cannot_be_a_key_is_not_shown(value: str, tmp_path: Path) -> None:
    keyring.set_keyring(FileKeyring(tmp_path / "keys"))
    keyring.set_password(SERVICE, "openai", value)

    error = refused("keyring:openai")

    assert error.code == "bad_input"
    assert value not in error.message


@pytest.mark.parametrize(
    "reference", ["sk-1234567890", "", "$KEY", "${}", "${A B}", "${KEY} ", "keyring:", "keyring: a", "env:KEY"]
)
def test_what_is_no_reference_is_not_shown(reference: str) -> None:
    error = refused(reference)

    assert error.code == "bad_input"
    assert "${NAME}" in error.message
    assert "sk-1234567890" not in error.message

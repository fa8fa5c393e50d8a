"""Where a model's key comes from: the environment or the keyring, never a file of the Space."""

from __future__ import annotations

import os
import re

from msgspec import Struct

from workbench.agent.models.extra import INSTALL
from workbench.harness.errors import HarnessError

SERVICE = "workbench"
"""The service that keys stand under in the keyring."""

_ENVIRONMENT = re.compile(r"\$\{([A-Za-z_][A-Za-z0-9_]*)\}\Z")
_KEYRING = re.compile(r"keyring:(\S+)\Z")
_FIT_FOR_A_HEADER = re.compile(r"[\x21-\x7e]+\Z")


class KeySource(Struct, frozen=True):
    """A reference to a key: the setting as it is written, and the place in words. It never holds the key."""

    reference: str
    where: str

    def read(self) -> str:
        """The key itself. It may ask the system's keyring, which can take a while: call it off the event loop.

        Raises:
            HarnessError: `unavailable` when there is no key, saying how to put one there; `bad_input` for a text
                that cannot be a key.
        """
        variable = _ENVIRONMENT.match(self.reference)
        found = _from_environment(variable[1]) if variable else _from_keyring(self.reference.partition(":")[2])
        key = found.strip()
        if not _FIT_FOR_A_HEADER.match(key):
            raise HarnessError(
                "bad_input",
                f"What stands in {self.where} cannot be a key: it is empty, or has spaces or letters that no key has. "
                "Put the key there, and nothing else.",
            )
        return key


def key_source(reference: str) -> KeySource:
    """Take a setting `key` apart, without reading the key.

    Raises:
        HarnessError: `bad_input` for what is neither `${NAME}` nor `keyring:NAME`.
    """
    if variable := _ENVIRONMENT.match(reference):
        return KeySource(reference, f"the environment variable {variable[1]}")
    if entry := _KEYRING.match(reference):
        return KeySource(reference, f'the keyring (service "{SERVICE}", name "{entry[1]}")')
    raise HarnessError(
        "bad_input",
        "A key is never written down itself: write ${NAME} to take it from the environment, or keyring:NAME to take "
        f'it from the keyring, where "keyring set {SERVICE} NAME" puts it.',
    )


def _from_environment(name: str) -> str:
    value = os.environ.get(name, "")
    if not value.strip():
        raise HarnessError(
            "unavailable",
            f"There is no key: the environment variable {name} is not set. Set it before you start the workbench, or "
            f'put the key into the keyring with "keyring set {SERVICE} NAME" and write keyring:NAME as the '
            "model's key in the settings.",
        )
    return value


def _from_keyring(name: str) -> str:
    try:
        import keyring
        import keyring.errors
    except ImportError:
        raise HarnessError(
            "unavailable", f"The keyring cannot be read: the package keyring is not installed. {INSTALL}"
        ) from None
    try:
        value = keyring.get_password(SERVICE, name)
    except keyring.errors.NoKeyringError:
        raise HarnessError(
            "unavailable",
            "There is no keyring on this machine. Write ${NAME} as the model's key in the settings, and set that "
            "environment variable.",
        ) from None
    except keyring.errors.KeyringError as error:
        raise HarnessError(
            "unavailable",
            f"The keyring did not give the key {name} ({type(error).__name__}). Unlock it and try again, or write "
            "${NAME} as the model's key in the settings, and set that environment variable.",
        ) from None
    if value is None:
        raise HarnessError(
            "unavailable",
            f"There is no key: the keyring has nothing named {name} for {SERVICE}. "
            f'Put it there with "keyring set {SERVICE} {name}".',
        )
    return value

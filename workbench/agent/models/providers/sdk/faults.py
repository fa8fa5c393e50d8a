"""What went wrong between us and a provider, in words that say what to do."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from typing import Any, cast

import httpx2
from pydantic_ai.exceptions import (
    ModelAPIError,
    ModelConnectionError,
    ModelContextWindowExceededError,
    ModelHTTPError,
    ModelQuotaExceededError,
    ModelTimeoutError,
    UnexpectedModelBehavior,
)

from workbench.agent.models.model import ModelFault
from workbench.agent.models.providers.sdk.incoming import Compressed, TooMuch
from workbench.agent.models.providers.sdk.stream import MOST_OF_AN_ANSWER
from workbench.agent.models.providers.shared import Way
from workbench.harness.text import fold, printable

MOST = 300
"""How many characters of a server's own words are passed on."""

_AGAIN = frozenset({408, 409, 429})
_TOO_LONG = re.compile(
    r"context[ _](length|size|window)|maximum context|prompt is too long|exceed\w* (the )?(available )?context"
    r"|input length and .?max_tokens.? exceed",
    re.IGNORECASE,
)
_LOADED = re.compile(r"overloaded|unavailable|try again|rate.?limit|too many requests|capacity|timeout", re.IGNORECASE)
_A_DAY = 24 * 60 * 60
_NO_PROTOCOL = "Failed to decode response as JSON"


class Faults:
    """The words for one model; `key` is taken out of whatever a server says."""

    def __init__(self, way: Way, key: str | None) -> None:
        self._way = way
        self._key = key

    def broken_off(self) -> ModelFault:
        """The stream ended before its end."""
        return ModelFault(
            "unavailable", f"{self._who} broke off in the middle of its answer. Asking again may help.", again=True
        )

    def too_much(self) -> ModelFault:
        """An answer without an end."""
        return ModelFault(
            "limit",
            f"{self._who} sent more than an answer may have, {MOST_OF_AN_ANSWER // 1024**2} MiB, and was not read on. "
            "Give the setting max_tokens of this model, or ask another.",
        )

    def _nothing(self) -> ModelFault:
        return ModelFault(
            "unavailable",
            f"{self._who} ended its answer before it began. Asking again may help; if not, check that "
            f"{self._way.base_url} is the right address, and that it speaks {self._way.provider}'s protocol.",
            again=True,
        )

    def of(self, error: Exception) -> ModelFault:
        """What an exception of the libraries means."""
        if isinstance(error, ModelFault):
            return error
        causes = _chain(error)
        if any(isinstance(cause, TooMuch) for cause in causes):
            return self.too_much()
        if any(isinstance(cause, Compressed) for cause in causes):
            return ModelFault(
                "failed", f"{self._who} answered compressed, though it was asked not to, and is not read."
            )
        said = self._said(error)
        if isinstance(error, ModelHTTPError):
            return self._status(error, error.status_code, said)
        if isinstance(error, ModelContextWindowExceededError):
            return self._too_long(said)
        if isinstance(error, ModelTimeoutError | httpx2.TimeoutException):
            return self._timeout(error)
        if isinstance(error, ModelConnectionError | httpx2.TransportError):
            return self._connection(error)
        if isinstance(error, ModelAPIError) and error.in_stream:
            return self._in_stream(error, said)
        if isinstance(error, ModelAPIError | UnexpectedModelBehavior) and "ended without" in error.message:
            return self.broken_off() if "finish" in error.message else self._nothing()
        if isinstance(error, ModelAPIError) and not error.message.startswith(_NO_PROTOCOL):
            return ModelFault("failed", f"{self._who} could not answer{said}.")
        return ModelFault(
            "failed",
            f"{self._who} could not be asked, or its answer could not be read ({type(error).__name__}). Check that "
            f"{self._way.base_url} is the right address, and that it speaks {self._way.provider}'s protocol.",
        )

    def unbuilt(self, error: Exception) -> ModelFault:
        """A request that could not be put together."""
        return ModelFault(
            "failed",
            f"The request to {self._who} cannot be put together ({type(error).__name__}). Check its name and options.",
        )

    def _status(self, error: ModelHTTPError, status: int, said: str) -> ModelFault:
        way = self._way
        if isinstance(error, ModelContextWindowExceededError) or (400 <= status < 500 and _TOO_LONG.search(said)):
            return self._too_long(said)
        if isinstance(error, ModelQuotaExceededError) or status == 402:
            return ModelFault(
                "refused", f"{self._who}: the account has no credit left{said}. Top it up, or ask another."
            )
        if status in _AGAIN or status >= 500:
            return self._later(error, status, said)
        if status == 401:
            return ModelFault("refused", f"{self._who} did not accept the key (401){said}. {self._key_words()}")
        if status == 403:
            return ModelFault(
                "refused",
                f"{self._who} does not allow this with {self._key_words()} (403){said}. Check what it may do.",
            )
        if status == 404:
            return ModelFault(
                "not_found",
                f"{self._who} was not found (404){said}. Check the model's name, {self._clean(way.name)}, and the "
                f"address, {way.base_url}.",
            )
        if status == 413:
            return ModelFault(
                "limit", f"The request is too large for {self._who} (413){said}. Begin a new thread, or send less."
            )
        return ModelFault(
            "bad_input",
            f"{self._who} refused the request ({status}){said}. If the settings give it options, check those.",
        )

    def _later(self, error: ModelHTTPError, status: int, said: str) -> ModelFault:
        if status == 429:
            words = f"{self._who} has been asked too often (429){said}"
        elif status >= 500:
            words = f"{self._who} has a trouble of its own ({status}){said}"
        else:
            words = f"{self._who} could not take the request now ({status}){said}"
        after = _after(error)
        when = f" It asks to wait {_span(after)}." if after else " Asking again may help."
        return ModelFault("unavailable", f"{words}.{when}", again=True, after_secs=after)

    def _too_long(self, said: str) -> ModelFault:
        return ModelFault(
            "limit",
            f"The request is longer than the context of {self._who}{said}. Tell the workbench how many tokens it "
            "takes (the setting context of this model), so that older messages are left out, or begin a new thread.",
        )

    def _timeout(self, error: Exception) -> ModelFault:
        connecting = getattr(error, "phase", None) == "connect" or isinstance(error, httpx2.ConnectTimeout)
        secs = self._way.connect_secs if connecting else self._way.read_secs
        did = f"did not take the connection to {self._way.base_url}" if connecting else "said nothing"
        return ModelFault("timeout", f"{self._who} {did} for {secs:g} seconds. Asking again may help.", again=True)

    def _connection(self, error: Exception) -> ModelFault:
        phase = getattr(error, "phase", None)
        if phase == "connect" or isinstance(error, httpx2.ConnectError):
            words = f"{self._who} cannot be reached at {self._way.base_url}. Check that it runs, and the network"
        else:
            words = f"The connection to {self._who} broke before its answer was whole. Asking again may help"
        return ModelFault("unavailable", f"{words}.", again=True)

    def _in_stream(self, error: ModelAPIError, said: str) -> ModelFault:
        kind = f"{error.provider_error_code} {error.provider_error_type}{said}"
        if _TOO_LONG.search(kind):
            return self._too_long(said)
        again = bool(_LOADED.search(kind))
        more = " Asking again may help." if again else ""
        code = "unavailable" if again else "failed"
        return ModelFault(code, f"{self._who} stopped its answer with an error{said}.{more}", again=again)

    @property
    def _who(self) -> str:
        return self._clean(self._way.id)

    def _key_words(self) -> str:
        source = self._way.key_from
        if source is None:
            return "No key was sent: this model has none in the settings."
        return f"It comes from {source.where}."

    def _said(self, error: Exception) -> str:
        """The server's own words, for the middle of a sentence: short, on one line, without the key."""
        words = _words_of(getattr(error, "body", None))
        if not words and isinstance(error, ModelAPIError) and not isinstance(error, ModelHTTPError):
            words = error.message
        words = self._clean(words).rstrip(".")
        return f', saying "{words}"' if words else ""

    def _clean(self, text: str) -> str:
        if self._key:
            text = text.replace(self._key, "[the key]")
        text = printable(fold(text[: MOST * 8]))
        return text if len(text) <= MOST else text[: MOST - 1] + "…"


def _after(error: ModelHTTPError) -> float | None:
    """Seconds to wait, as the server asks. The library reads whole ones and dates; some servers send parts of one."""
    after = error.retry_after
    if after is None:
        try:
            after = float((error.headers or {}).get("retry-after", ""))
        except ValueError:
            return None
    return after if math.isfinite(after) and after >= 0 else None


def _span(secs: float) -> str:
    return f"{secs:g} seconds" if secs <= _A_DAY else "for more than a day"


def _chain(error: BaseException | None) -> list[BaseException]:
    """An exception and what it came of."""
    chain: list[BaseException] = []
    while error is not None and error not in chain:
        chain.append(error)
        error = error.__cause__ or error.__context__
    return chain


def _words_of(body: object) -> str:
    """The message in an error's body, in whichever of the usual places it stands."""
    for _ in range(3):
        if not isinstance(body, Mapping):
            break
        table = cast("Mapping[str, Any]", body)
        body = next((table[key] for key in ("error", "message", "detail", "msg") if table.get(key)), "")
    return body if isinstance(body, str) else ""

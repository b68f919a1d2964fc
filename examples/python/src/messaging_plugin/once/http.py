"""Client of a journal on a server (`messaging serve --workers --journal`). Each function makes one request. The
caller decides about retries."""

import json
import ssl
from collections.abc import Mapping
from typing import Any, Final

from ..bearer import Server, Token
from ..connections import Broken, Late, NotConnected
from ..waits import run
from .journal import Item, JournalFailure, Page, Stale

_MOST_REPLY_BYTES: Final = 4 * 1024 * 1024
"""Maximum size of a reply in bytes: a page of 1 MiB in which every character is escaped."""
_REFUSED = (400, 401, 403, 404, 405, 413, 422)
"""Statuses that prove that nothing was written: the address, token, server or value is wrong."""


class HttpJournal:
    """A journal on a server, over SQLite or PostgreSQL. Threads can share an instance.

    `url` is the base URL of `messaging serve --workers`, and `token` a token in MESSAGING_JOURNAL_TOKENS.
    `timeout_ms` is the timeout of one request. `tls` is the TLS context; by default, the client trusts the authorities
    of the system. `allow_http` permits `http:` to hosts other than loopback, although the network can then read the
    token.
    """

    def __init__(
        self,
        url: str,
        token: Token | str,
        *,
        timeout_ms: int = 5_000,
        tls: ssl.SSLContext | None = None,
        allow_http: bool = False,
    ) -> None:
        if timeout_ms <= 0:
            raise ValueError("timeout_ms has to be more than 0")
        self._server = Server(url, token, tls=tls, allow_http=allow_http)
        self._limit = timeout_ms / 1000

    def get(self, key: str) -> str | None:
        """Returns the value of a key."""
        return self._nullable(self._ask("get", {"key": key}), "text")

    def swap(self, key: str, expected: str | None, text: str) -> Stale | None:
        """Replaces the value of a key if the value equals `expected`."""
        said = self._ask("swap", {"key": key, "expected": expected, "new": text})
        match said.get("swapped"):
            case True:
                return None
            case False:
                return Stale(self._nullable(said, "text"))
        raise self._wrong_reply()

    def list_items(self, after: str | None) -> Page:
        """Returns keys and their values, in the journal's order."""
        said = self._ask("list", {} if after is None else {"after": after})
        match said.get("items"):
            case [*given] if all(_is_item(item) for item in given):
                items = tuple(Item(item["key"], item["text"]) for item in given)
                return Page(items, self._nullable(said, "next"))
        raise self._wrong_reply()

    def close(self) -> None:
        """Closes the connections."""
        self._server.connections.close()

    def _ask(self, name: str, body: Mapping[str, object]) -> dict[str, Any]:
        data, path = json.dumps(body, ensure_ascii=False).encode(), f"/v1/journal/{name}"
        try:
            reply = run(
                self._server.exchange("POST", path, data, limit=self._limit, most_bytes=_MOST_REPLY_BYTES)
            )
        except (NotConnected, Broken, Late) as error:
            raise self._failure(str(error)) from None
        if reply.too_large:
            raise self._failure("the response is larger than 4 MiB")
        try:
            value = json.loads(reply.body)
        except (ValueError, RecursionError):
            value = None
        said = value if isinstance(value, dict) else {}
        if reply.status != 200:
            detail = said.get("detail")
            what = f": {detail}" if isinstance(detail, str) else ""
            raise self._failure(f"status {reply.status}{what}", refused=reply.status in _REFUSED)
        return said

    def _nullable(self, said: Mapping[str, object], name: str) -> str | None:
        value = said.get(name, 0)
        if value is None or isinstance(value, str):
            return value
        raise self._wrong_reply()

    def _wrong_reply(self) -> JournalFailure:
        return self._failure("the answer is not from a journal: check the url")

    def _failure(self, detail: str, *, refused: bool = False) -> JournalFailure:
        return JournalFailure(f"the journal: {self._server.masked(detail)}", refused=refused)


def _is_item(item: object) -> bool:
    return isinstance(item, dict) and isinstance(item.get("key"), str) and isinstance(item.get("text"), str)

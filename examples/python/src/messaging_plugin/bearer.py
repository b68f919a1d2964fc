"""HTTP client for `messaging serve --workers`, which requires a token. Makes each request once."""

import ipaddress
import re
import ssl
import time
from typing import Final

from . import http1
from .connections import Connections, Late
from .deadline import Deadline
from .origins import Origin
from .settings import Secret
from .waits import Steps

CONNECT_SECONDS: Final = 10.0
"""Timeout for opening a connection, TLS included."""

_URL = re.compile(r"(https?)://([^/?#@\s]+)((?:/[!\"$-\x3e@-~]*)?)")
_TOKEN = re.compile(r"[!-~]{1,4096}")


class Token(Secret):
    """A token that requests carry as `Authorization: Bearer`."""

    __slots__ = ()


class Server:
    """Makes requests to one server with one token. Threads and tasks can share an instance."""

    def __init__(
        self, url: str, token: Token | str, *, tls: ssl.SSLContext | None, allow_http: bool
    ) -> None:
        match = _URL.fullmatch(url)
        origin = Origin.of(match[1], match[2]) if match else None
        if match is None or origin is None:
            # The message does not contain the URL, because it can hold a password.
            raise ValueError("url must be an http or https URL; a user name, password, query or fragment is not allowed")
        if origin.scheme == "http" and not allow_http and not _is_loopback(origin.host):
            raise ValueError(
                "url would send the token unencrypted to another machine: use https, or allow_http"
            )
        self._origin, self._authority, self._base = origin, match[2], match[3].rstrip("/")
        self._token = token if isinstance(token, Token) else Token(token)
        if not _TOKEN.fullmatch(self._token.reveal()):
            raise ValueError("token has to consist of visible ASCII characters")
        if tls is not None and not (tls.check_hostname and tls.verify_mode is ssl.CERT_REQUIRED):
            raise ValueError("tls checks no certificates: any server would get the token; set verify_mode and check_hostname")
        self.connections = Connections(tls)

    def exchange(
        self, method: str, path: str, body: bytes, *, limit: float, most_bytes: int
    ) -> Steps[http1.Reply]:
        """Makes a request once, within `limit` seconds. Raises `NotConnected`, `Broken` or `Late`."""
        deadline = Deadline.after(limit)
        request = self._written(method, path, body)
        reply = http1.Reply(method, most_bytes)
        connection = self.connections.kept(self._origin) or (
            yield from self.connections.connect(self._origin, time.monotonic() + min(limit, CONNECT_SECONDS))
        )
        try:
            yield from connection.exchange(request, reply, deadline)
        except Late:
            raise Late("the deadline passed") from None
        finally:
            if reply.keeps:
                self.connections.keep(connection)
            else:
                connection.close()
        return reply

    def masked(self, text: str) -> str:
        """Returns a string with the token masked."""
        return text.replace(self._token.reveal(), "[redacted]")

    def _written(self, method: str, path: str, body: bytes) -> http1.Request:
        headers = [("authorization", f"Bearer {self._token.reveal()}")]
        if method == "POST":
            headers.append(("content-type", "application/json"))
        return http1.request(method, self._base + path, self._authority, headers, body)


def _is_loopback(host: str) -> bool:
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"

"""Permitted destinations of requests: scheme, host and port.

| entry of an allow list | permits |
|---|---|
| `https://api.example` | that host over TLS, port 443 |
| `http://127.0.0.1:8080` | plain HTTP to that address and port |
| (no entry) | nothing |

Scheme, host and port must match. Paths are ignored, and there are no wildcards.
"""

import re
from typing import NamedTuple

_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]+\]|[A-Za-z0-9._-]+)(?::([0-9]{1,5}))?", re.ASCII)
_PORTS = {"http": 80, "https": 443}


class Origin(NamedTuple):
    scheme: str
    host: str
    """Host name in lower case, or an IPv6 address in brackets."""
    port: int

    @classmethod
    def of(cls, scheme: str, authority: str) -> "Origin | None":
        """Returns an origin, or `None` if the scheme or the authority is invalid, for example `user@host`."""
        scheme = scheme.lower()
        match = _AUTHORITY.fullmatch(authority)
        if scheme not in _PORTS or match is None:
            return None
        port = int(match[2]) if match[2] else _PORTS[scheme]
        return cls(scheme, match[1].lower(), port) if 0 < port < 65536 else None

    @classmethod
    def of_url(cls, url: str) -> "Origin | None":
        match = re.match(r"([A-Za-z]+)://([^/?#]*)", url)
        return cls.of(match[1], match[2]) if match else None

    @classmethod
    def of_entry(cls, entry: str) -> "Origin":
        """Parses an entry of an allow list. Raises `ValueError`."""
        match = re.fullmatch(r"([A-Za-z]+)://([^/?#]*)", entry)
        origin = cls.of(match[1], match[2]) if match else None
        if origin is None:
            raise ValueError(f"{entry!r} is not scheme://host or scheme://host:port")
        return origin

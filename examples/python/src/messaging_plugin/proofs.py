"""Verifies proofs of origin of deliveries, with the settings and error reasons of the webhook component.

    proofs = Proofs.from_variables(os.environ)
    event = plugin.handle_event(*proofs.verify(headers, body))

`guest/core/tests/origin_cases.json` contains test cases for the component and for this module.
"""

import difflib
import hashlib
import hmac
import re
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from email.message import Message
from typing import Final, NamedTuple, NoReturn, Self, Unpack

from .proof_settings import (
    KEY,
    NAMES,
    STANDARD,
    STANDARD_HEADERS,
    TOLERANCE,
    ProofSettings,
    Signature,
    decode_base64,
    parsed,
    refuse_misspelled,
    value_of,
)

Headers = Mapping[str, str] | Message | Iterable[tuple[str | bytes, str | bytes]]
"""All headers of a request: a mapping, or pairs. A `str` stands for bytes in Latin-1, as in WSGI."""

__all__ = ["Delivery", "Headers", "ProofSettings", "Proofs", "Unverified"]

_MAX_PARTS: Final = 16
"""Maximum number of parts of a header with several signatures."""
_ID, _TIMESTAMP, _ = STANDARD_HEADERS
_REASONS: Final = {
    "missing": "is missing",
    "repeated": "is given more than once",
    "malformed": "is malformed",
    "wrong": "contains another secret, or a signature of other data",
    "untimely": "has a timestamp outside the tolerance around this machine's clock",
}


class Unverified(Exception):
    """The delivery does not prove its origin. Answer 401 without the reason.

    `str()` returns the reason, for the operator. The reason contains no value of the delivery.
    """


class Delivery(NamedTuple):
    """A verified delivery: the arguments of `handle_event`."""

    headers: tuple[tuple[str, str], ...]
    body: bytes | bytearray | str


class Proofs:
    """Verifies the proofs of origin of deliveries by the rules of `messaging serve`.

    At least one secret is required, and a delivery must pass every configured proof. Raises `InvalidSettings`, which
    names the setting, but contains no secret.
    """

    __slots__ = ("_header", "_path", "_signature")

    def __init__(self, **settings: Unpack[ProofSettings]) -> None:
        values = {}
        for name, value in settings.items():
            if name not in NAMES:
                near = difflib.get_close_matches(name, NAMES, 1)
                hint = f"did you mean {near[0]}?" if near else f"use {', '.join(NAMES)}"
                raise TypeError(f"{name} is not a setting; {hint}")
            kind = int if name == TOLERANCE else str
            if value is not None and type(value) is not kind:
                raise TypeError(f"{name} has to be a {kind.__name__}, not {type(value).__name__}")
            if value is not None:
                values[name] = str(value)
        self._read(values)

    @classmethod
    def from_variables(cls, variables: Mapping[str, str]) -> Self:
        """Reads `MESSAGING_WEBHOOK_*` variables, for example of `os.environ`. Ignores other variables, except misspelled
        names: a misspelled secret would have no effect.

        A secret can be in a file: `MESSAGING_WEBHOOK_HEADER_SECRET_FILE` names the file of the header's secret. The
        file's last line break is removed.
        """
        refuse_misspelled(variables)
        proofs = cls.__new__(cls)
        known = {name: value_of(variables, name) for name in NAMES}
        proofs._read({name: value for name, value in known.items() if value is not None})
        return proofs

    def _read(self, values: dict[str, str]) -> None:
        path, header, self._signature = parsed(values)
        self._path = path and _Shown(path)
        self._header = header and (header[0], _Shown(header[1]))

    def verify(
        self, headers: Headers, body: bytes | bytearray | str, *, path: str | None = None, now: float | None = None
    ) -> Delivery:
        """Returns the verified delivery for `handle_event`. Raises `Unverified` if a proof fails.

        `body` is the body as it arrived. `path` is the path of the request as it arrived; required if the path contains
        a secret. `now` replaces `time.time()`.
        """
        given = header_pairs(headers)
        # No signature covers the bytes of a lone surrogate, because UTF-8 cannot encode it.
        raw = body.encode("utf-8", "surrogatepass") if isinstance(body, str) else body
        if not isinstance(raw, bytes | bytearray):
            raise TypeError(
                f"body has to be bytes or a str, not {type(body).__name__}: "
                "pass the body as it arrived, because parsed JSON has lost the signed bytes"
            )

        def one(name: str) -> bytes:
            values = [value for known, value in given if known == name]
            if not values:
                _refuse(name, "missing")
            if len(values) > 1:
                _refuse(name, "repeated")
            try:
                return values[0].encode("latin-1")
            except UnicodeEncodeError:
                # A character above U+00FF is not one byte, so the signed bytes would be unclear.
                _refuse(name, "malformed")

        if self._path:
            if not isinstance(path, str):
                raise TypeError("path has to be a str: there is a secret in the path")
            segment = re.split("[?#]", path, maxsplit=1)[0].rpartition("/")[2]
            if not self._path.has(segment.encode(errors="replace")):
                raise Unverified("the path's last segment is not the secret")
        if self._header and not self._header[1].has(one(self._header[0])):
            _refuse(self._header[0], "wrong")
        if self._signature:
            _judge(self._signature, one, raw, int(time.time() if now is None else now))
        key = _ID if self._signature and self._signature.signed == STANDARD else KEY
        read = {"content-type": "content-type", key: KEY}
        return Delivery(tuple((read[name], value) for name, value in given if name in read), body)


def header_pairs(headers: Headers) -> list[tuple[str, str]]:
    """Returns the names, in lower case, and the values of headers."""
    # `email.message.Message`, the headers of http.server, has `items` and is no `Mapping`.
    pairs = headers.items() if isinstance(headers, Mapping | Message) else headers
    if isinstance(pairs, str | bytes | bytearray) or not isinstance(pairs, Iterable):
        raise TypeError(f"headers has to be a mapping or pairs, not {type(pairs).__name__}")
    return [(_string("name", name).lower(), _string("value", value)) for name, value in pairs]


def _string(what: str, given: str | bytes) -> str:
    if isinstance(given, bytes):
        return given.decode("latin-1")
    if isinstance(given, str):
        return given
    raise TypeError(f"{what} of a header has to be a str or bytes, not {type(given).__name__}")


def _refuse(header: str, reason: str) -> NoReturn:
    raise Unverified(f"the header {header} {_REASONS[reason]}")


class _Shown:
    """Secrets that each delivery contains. Compares digests, so that the duration reveals no secret."""

    def __init__(self, secrets: Sequence[bytes]) -> None:
        self._digests = [hashlib.sha256(secret).digest() for secret in secrets]

    def has(self, given: bytes) -> bool:
        digest = hashlib.sha256(given).digest()
        return any([hmac.compare_digest(digest, secret) for secret in self._digests])


def _judge(signature: Signature, one: Callable[[str], bytes], body: bytes | bytearray, now: int) -> None:
    """Raises `Unverified` if no signature is valid under any of the secrets, or if the timestamp is outside the
    tolerance."""
    signatures, start, timestamp = _presented(signature, one)
    right = []
    for key in signature.keys:
        mac = key.copy()
        mac.update(start)
        mac.update(body)
        right += [hmac.compare_digest(mac.digest(), given) for given in signatures]
    if not any(right):
        _refuse(signature.header, "wrong")
    if timestamp and signature.tolerance and abs(int(timestamp[1]) - now) > signature.tolerance:
        _refuse(timestamp[0], "untimely")


def _presented(
    signature: Signature, one: Callable[[str], bytes]
) -> tuple[list[bytes], bytes, tuple[str, bytes] | None]:
    """Returns the signatures, the signed bytes before the body, and the timestamp with its header."""
    value, key = one(signature.header), b""
    match signature.signed:
        case "timestamped":
            parts = _parts(value, b",", b"=")
            found = _decoded(signature, [text for name, text in parts if name == b"v1"])
            stamps = [text for name, text in parts if name == b"t"]
            timestamp = (signature.header, stamps[0] if len(stamps) == 1 else b"")
        case "standard-webhooks":
            parts = _parts(value, b" ", b",")
            found = _decoded(signature, [text for name, text in parts if name == b"v1"])
            key, timestamp = one(_ID) + b".", (_TIMESTAMP, one(_TIMESTAMP))
        case signed:
            prefix = signature.prefix
            found = _decoded(signature, [value[len(prefix) :]] if value.startswith(prefix) else [])
            if signed == "body":
                return found, b"", None
            if signed == "key.timestamp.body":
                key = one(KEY) + b"."
            timestamp = (signature.timestamp_header, one(signature.timestamp_header))
    if not re.fullmatch(rb"[0-9]{1,20}", timestamp[1]):
        _refuse(timestamp[0], "malformed")
    return found, key + timestamp[1] + b".", timestamp


def _decoded(signature: Signature, texts: list[bytes]) -> list[bytes]:
    found = [decoded for text in texts if (decoded := _decode(signature.encoding, text))]
    return found or _refuse(signature.header, "malformed")


def _parts(value: bytes, between: bytes, within: bytes) -> list[tuple[bytes, bytes]]:
    """Splits a header into pairs. Returns no pairs if there are more than `_MAX_PARTS`."""
    parts = [part.strip(b"\t\n\x0c\r ").partition(within) for part in value.split(between)]
    return [] if len(parts) > _MAX_PARTS else [(name, text) for name, found, text in parts if found]


def _decode(encoding: str, text: bytes) -> bytes | None:
    if encoding == "hex":
        return bytes.fromhex(text.decode()) if re.fullmatch(rb"[0-9a-fA-F]{64}", text) else None
    decoded = decode_base64(text)
    return decoded if decoded is not None and len(decoded) == 32 else None

"""The settings of the proofs of origin: their names, rules and defaults, as in the webhook component."""

import base64
import binascii
import difflib
import hmac
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final, Literal, NamedTuple, NoReturn, TypedDict

from . import records
from .errors import InvalidSettings
from .settings import is_unicode

PREFIX: Final = "MESSAGING_WEBHOOK_"
KEY: Final = "x-idempotency-key"
STANDARD: Final = "standard-webhooks"
STANDARD_HEADERS: Final = ("webhook-id", "webhook-timestamp", "webhook-signature")

Signed = Literal["body", "timestamp.body", "key.timestamp.body", "timestamped", "standard-webhooks"]


class ProofSettings(TypedDict, total=False):
    """Settings of the webhook component, without the prefix `MESSAGING_WEBHOOK_`. `None` means not set."""

    path_secret: str | None
    """Last segment of the URL's path; 16 to 256 unreserved URL characters."""
    path_secret_next: str | None
    """Second valid `path_secret` during a rotation. The other settings `…_next` have the same purpose."""
    header_secret: str | None
    """Value of a header; 16 to 4096 bytes."""
    header_secret_next: str | None
    header: str | None
    """Name of the header that contains `header_secret`; default `X-Webhook-Secret`."""
    signature_secret: str | None
    """Key of an HMAC-SHA256; 16 to 4096 bytes. With `standard-webhooks`: `whsec_` and Base64."""
    signature_secret_next: str | None
    signature_header: str | None
    """Header of the signature; default `X-Signature`."""
    signature_prefix: str | None
    """Text before the signature in its header; default: no text."""
    signature_encoding: Literal["hex", "base64"] | None
    """Encoding of the signature; default `hex`."""
    signed: Signed | None
    """Scheme of the signature; default `body`."""
    timestamp_header: str | None
    """Header of the timestamp in seconds since 1970; default `X-Timestamp`."""
    timestamp_tolerance_seconds: int | None
    """Maximum difference in seconds between timestamp and clock, 0 to 604800; with 0, the timestamp is not compared.
    Default: 300 with `standard-webhooks`, otherwise 0."""


NAMES: Final = tuple(ProofSettings.__annotations__)
TOLERANCE: Final = "timestamp_tolerance_seconds"
_SIMILAR: Final = 0.94
"""Least similarity of a misspelled name to a setting. One or two typing errors are above this value."""
_MAX_TOLERANCE_SECONDS: Final = 7 * 24 * 60 * 60
_STANDARD_TOLERANCE_SECONDS: Final = 5 * 60
_TAKEN: Final = frozenset(
    "connection content-encoding content-length content-type date expect host keep-alive proxy-authenticate "
    f"proxy-authorization proxy-connection te trailer transfer-encoding upgrade {KEY}".split()
)
"""Headers that cannot contain a proof of origin."""
_CONTROL: Final = re.compile(r"[\0-\x1f\x7f]")
_QUOTED: Final = "is in quotation marks; write the value without them"
_SAME_HEADER: Final = "is the header of another setting, too; use another header"


class Signature(NamedTuple):
    """A configured signature. `tolerance` is 0 if timestamps are not compared with the clock."""

    keys: list[hmac.HMAC]
    """HMAC states without input. They replace the keys, because the `repr` of a state does not show its key."""
    signed: str
    header: str
    prefix: bytes = b""
    encoding: str = "hex"
    timestamp_header: str = ""
    tolerance: int = 0


Parsed = tuple[list[bytes] | None, tuple[str, list[bytes]] | None, Signature | None]
"""The configured proofs: secrets of the path, name and secrets of a header, and the signature."""


def parsed(values: dict[str, str]) -> Parsed:
    """Parses settings. Raises `InvalidSettings` with the setting that the webhook component would report."""
    for name, value in values.items():
        if not is_unicode(value):
            _invalid(name, "contains half a surrogate pair")
    shown = {values.get(f"{kind}_secret{end}") for kind in ("path", "header") for end in ("", "_next")}
    for name in ("signature_secret", "signature_secret_next"):
        if values.get(name) and values[name] in shown:
            _invalid(
                name,
                "is also a path or header secret, which each delivery contains; "
                "set another secret",
            )
    path = _secrets(values, "path_secret", _path_secret)
    header = None
    if secrets := _secrets(values, "header_secret", _secret, ("header",)):
        header = (_header(values, "header", "x-webhook-secret"), secrets)
    signature = _signature(values)
    if not (path or header or signature):
        _invalid(
            "signature_secret",
            "is missing, and no other secret is set; set one, because it proves the origin of a delivery",
        )
    name = header[0] if header else ""
    if signature and signature.signed == STANDARD:
        if name in STANDARD_HEADERS:
            _invalid("header", _SAME_HEADER)
    elif signature:
        if signature.timestamp_header in (signature.header, name or signature.header):
            _invalid("timestamp_header", _SAME_HEADER)
        if signature.header == name:
            _invalid("signature_header", _SAME_HEADER)
    return path, header, signature


def refuse_misspelled(variables: Mapping[str, str]) -> None:
    """Raises `InvalidSettings` for a variable that is probably a misspelled setting."""
    known = [PREFIX + name.upper() for name in NAMES]
    known += [f"{name}_FILE" for name in known if "_SECRET" in name]
    for name in variables:
        near = name.startswith(PREFIX) and name not in known and difflib.get_close_matches(name, known, 1, _SIMILAR)
        if near:
            raise InvalidSettings(records.InvalidSettings(name, f"is not a setting; did you mean {near[0]}?"))


def value_of(variables: Mapping[str, str], name: str) -> str | None:
    """Returns the value of a setting. A secret can be in the file that `…_FILE` names."""
    variable = PREFIX + name.upper()
    value, path = variables.get(variable), variables.get(f"{variable}_FILE")
    if path is None or "_secret" not in name:
        return value
    if value is not None:
        _invalid(name, f"and {variable}_FILE are both set; unset one of them")
    # The error does not contain the path, because some operators write the secret itself into this setting.
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        failed = InvalidSettings(records.InvalidSettings(f"{variable}_FILE", f"names a file that cannot be read: {why}"))
        raise failed from None
    return text.removesuffix("\n").removesuffix("\r")


def decode_base64(text: bytes) -> bytes | None:
    """Decodes canonical Base64. Returns `None` for other text. Python's decoder would ignore invalid characters and
    trailing bits."""
    try:
        decoded = base64.b64decode(text)
    except binascii.Error:
        return None
    return decoded if base64.b64encode(decoded) == text else None


def _secrets(
    values: dict[str, str], name: str, convert: Callable[[str, str], bytes], others: tuple[str, ...] = ()
) -> list[bytes] | None:
    """Returns the secrets of a proof: one, or two during a rotation. Without a secret, rejects the settings `others`,
    which need a secret."""
    if name not in values:
        why = f"has no effect without {PREFIX}{name.upper()}; set both or remove it"
        _refuse(values, ("signed",) if "signed" in others else (), why)
        _refuse(values, (f"{name}_next", *others), why)
        return None
    names = [each for each in (name, f"{name}_next") if each in values]
    secrets = [convert(each, values[each]) for each in names]
    if secrets[1:] == secrets[:1]:
        detail = "equals the current secret; set another value or remove it"
        _invalid(f"{name}_next", detail)
    return secrets


def _signature(values: dict[str, str]) -> Signature | None:
    signed = values.get("signed", "body")
    others = NAMES[NAMES.index("signature_header") :]
    secrets = _secrets(values, "signature_secret", _whsec if signed == STANDARD else _secret, others)
    if secrets is None:
        return None
    keys = [hmac.new(secret, digestmod="sha256") for secret in secrets]
    tolerance, timestamp_header = 0, ""
    match signed:
        case "body":
            _refuse(
                values,
                ("timestamp_header", TOLERANCE),
                "has no effect if only the body is signed; remove it, or sign timestamp.body",
            )
        case "timestamp.body" | "key.timestamp.body":
            timestamp_header = _header(values, "timestamp_header", "x-timestamp")
            tolerance = _tolerance(values, 0)
        case "timestamped":
            _refuse(
                values,
                ("signature_prefix", "timestamp_header"),
                "has no effect with timestamped, whose header has the form t=…,v1=…; remove it",
            )
        case "standard-webhooks":
            _refuse(
                values,
                ("signature_header", "signature_prefix", "signature_encoding", "timestamp_header"),
                "has no effect with standard-webhooks, which defines headers and encoding; remove it",
            )
            tolerance = _tolerance(values, _STANDARD_TOLERANCE_SECONDS)
            return Signature(keys, signed, STANDARD_HEADERS[2], encoding="base64", tolerance=tolerance)
        case _:
            detail = "is not body, timestamp.body, key.timestamp.body, timestamped or standard-webhooks"
            _invalid("signed", detail)
    header = _header(values, "signature_header", "x-signature")
    prefix = _prefix(values.get("signature_prefix", ""))
    encoding = values.get("signature_encoding", "hex")
    if encoding not in ("hex", "base64"):
        _invalid("signature_encoding", "is neither hex nor base64")
    if signed == "timestamped":
        tolerance = _tolerance(values, 0)
    return Signature(keys, signed, header, prefix, encoding, timestamp_header, tolerance)


def _secret(name: str, value: str) -> bytes:
    if _CONTROL.search(value):
        _invalid(name, "contains a line break or another control character; remove it")
    if value[:1] == " " or value[-1:] == " ":
        _invalid(name, "begins or ends with a space; remove the space")
    if value[:1] in ('"', "'") and value[:1] == value[-1:]:
        _invalid(name, _QUOTED)
    return _sized(name, value.encode(), "is not 16 to 4096 bytes long")


def _path_secret(name: str, value: str) -> bytes:
    if not re.fullmatch(r"[A-Za-z0-9\-._~]*", value):
        _invalid(name, "contains more than letters, digits, `-`, `.`, `_` and `~`")
    return _sized(name, value.encode(), "is not 16 to 256 characters long", 256)


def _whsec(name: str, value: str) -> bytes:
    decoded = decode_base64(value.removeprefix("whsec_").encode()) if value.startswith("whsec_") else None
    detail = "is not a secret of standard-webhooks: whsec_, then 16 to 4096 bytes in Base64"
    return _sized(name, decoded or b"", detail)


def _sized(name: str, secret: bytes, detail: str, most: int = 4096) -> bytes:
    return secret if 16 <= len(secret) <= most else _invalid(name, detail)


def _prefix(value: str) -> bytes:
    if value.startswith(" ") or _CONTROL.search(value):
        detail = "begins with a space or contains a control character; remove it"
        _invalid("signature_prefix", detail)
    if value[:1] in ('"', "'"):
        _invalid("signature_prefix", _QUOTED)
    return value.encode()


def _tolerance(values: dict[str, str], default: int) -> int:
    value = values.get(TOLERANCE, str(default))
    digits = re.fullmatch("0*([0-9]{1,6})", value)
    if not digits or int(digits[1]) > _MAX_TOLERANCE_SECONDS:
        _invalid(TOLERANCE, "is not a whole number of seconds from 0 to 604800")
    return int(digits[1])


def _header(values: dict[str, str], name: str, default: str) -> str:
    value = values.get(name, default)
    if not re.fullmatch(r"[A-Za-z0-9!#$%&'*+\-.^_`|~]{1,256}", value):
        detail = "is not the name of a header: 1 to 256 letters, digits and any of !#$%&'*+-.^_`|~"
        _invalid(name, detail)
    if value.lower() in _TAKEN:
        detail = "has another purpose in deliveries, or is removed by proxies; use another header"
        _invalid(name, detail)
    return value.lower()


def _refuse(values: dict[str, str], names: tuple[str, ...], why: str) -> None:
    """Rejects the first of `names` that is set, in the order of `NAMES`."""
    for name in NAMES:
        if name in names and name in values:
            _invalid(name, why)


def _invalid(name: str, detail: str) -> NoReturn:
    raise InvalidSettings(records.InvalidSettings(PREFIX + name.upper(), detail))

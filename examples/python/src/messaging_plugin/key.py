"""The API key, which never enters the component. The component holds a placeholder.

The driver replaces the placeholder with the key in the `token` header, for requests to the base URL's origin. The
driver also masks the key in replies.
"""

import re
import secrets
from bisect import bisect_right
from collections.abc import Iterable

from .origins import Origin

NAME = "MESSAGING_API_KEY"
_HEADER = "token"

_LONGEST = 4096
_SHORTEST_MASKED = 4
"""Minimum length of a key that is masked. A shorter key is not secret, and its mask would damage ordinary text."""
_DEPTHS = 3
"""Maximum number of nested levels of JSON escapes in which the key is searched for."""
_FILLS = b"*#-_.+~^!$%&'|gGhHiIjJkKlLmMopqsvwxyzNOPQRSTUVWXYZ"
_ESCAPE = re.compile(rb'\\(?:u([0-9A-Fa-f]{4})|(["\\/t]))')
_CUT_ESCAPE = re.compile(rb"\\(?:u[0-9A-Fa-f]{0,3})?\Z")
_PLAIN = {b"t": b"\t"}
# Headers that could cause the service to return the key in another form or in parts.
_WITHOUT = {"accept-encoding", "accept-charset", "range", "te"}
# Code pages of EBCDIC, SCSU and BOCU-1 (1212 to 1215), and UTF-7 (65000), by number. Windows adds 20,000 or 50,000 to
# some numbers of EBCDIC.
_CODE_PAGES = frozenset(
    int(number)
    for number in (
        "37 39 273 274 275 277 278 280 281 282 283 284 285 286 290 297 410 420 423 424 425 500 "
        "803 833 836 838 870 871 875 880 905 918 924 930 931 933 935 937 939 1025 1026 1027 1047 "
        "1069 1070 1071 1097 1112 1122 1123 1130 1132 1137 1140 1141 1142 1143 1144 1145 1146 "
        "1147 1148 1149 1153 1154 1155 1156 1157 1158 1160 1164 1165 1166 1364 1371 1377 1388 "
        "1390 1399 4971 5026 5035 5123 8482 12712 16684 28709 1212 1213 1214 1215 65000"
    ).split()
)
_OTHER_CHARSET = re.compile("utf7|ebcdic|scsu|bocu|^hz|ibmthai$")
_NUMBER = re.compile(r"0*(\d{1,9})")


def _has_other_bytes(charset: str) -> bool:
    """Returns true for charsets in which the key's bytes can differ from ASCII without a zero byte: UTF-7, EBCDIC, HZ
    and compressed Unicode. The first number in a name counts as its code page. Other unknown charsets count as
    compatible with ASCII."""
    name = re.sub("[^a-z0-9]", "", charset)
    if _OTHER_CHARSET.search(name):
        return True
    page = _NUMBER.search(name)
    return page is not None and any(int(page[1]) - added in _CODE_PAGES for added in (0, 20_000, 50_000))


class NotForThere(Exception):
    """A request would carry the key to another origin or in another header."""


class HeldKey:
    """A key, its placeholder, and the only origin that receives the key."""

    __slots__ = ("_fill", "_key", "_origin", "_signs", "placeholder")

    def __init__(self, key: str, base_url: str) -> None:
        self._key = key.encode()
        self._signs = any(byte in self._key for byte in b'"\\/\t')
        self._origin = Origin.of_url(base_url)
        self.placeholder = f"placeholder-{secrets.token_hex(16)}"
        # A character that the key does not contain, so that masked text never equals the key.
        self._fill = next((bytes([byte]) for byte in _FILLS if byte not in self._key), b"\xff")

    def problem(self) -> str | None:
        """Returns the reason why a header cannot carry the key unchanged, or `None` if a header can. `wit/README.md`
        defines the rule."""
        if len(self._key) > _LONGEST:
            return "is longer than 4096 bytes"
        if any((byte < 0x20 and byte != 9) or byte >= 0x7F for byte in self._key):
            return "contains a control character, such as a line break, or a character outside ASCII"
        if self._key.strip() != self._key:
            return "begins or ends with white space"
        return None

    def put(self, headers: Iterable[tuple[str, str]], origin: Origin) -> list[tuple[str, str]]:
        """Returns the headers with the key in place of the placeholder. Raises `NotForThere`."""
        put: list[tuple[str, str]] = []
        keyed = False
        for name, value in headers:
            lower = name.lower()
            if self.placeholder in value:
                if lower != _HEADER or origin != self._origin:
                    raise NotForThere
                value, keyed = self._key.decode(), True
            put.append((lower, value))
        if keyed:
            put = [(name, value) for name, value in put if name not in _WITHOUT]
            put.append(("accept-encoding", "identity"))
        return put

    def mask(self, text: bytes, whole: bool = True) -> bytes:
        """Returns `text` with the key masked. If `text` is not whole, also masks an end that can be the beginning
        of the key."""
        if len(self._key) < _SHORTEST_MASKED or not text:
            return text
        spans: list[tuple[int, int]] = []
        layer = text
        layers: list[_Unescaped] = []
        for _ in range(_DEPTHS + 1):
            for start, end in self._found(layer, whole):
                for back in reversed(layers):
                    start, end = back.start(start), back.end(end)
                spans.append((start, end))
            # Stops if no further level can contain the key: an escaped character of the key is written `\u00..`, or
            # has a short escape like `\t`.
            if b"\\" not in layer or not (self._signs or b"u00" in text):
                break
            back = _Unescaped(layer)
            layer = back.text
            layers.append(back)
        if not spans:
            return text
        masked = bytearray(text)
        for start, end in spans:
            masked[start:end] = self._fill * (end - start)
        return bytes(masked)

    def _found(self, text: bytes, whole: bool) -> Iterable[tuple[int, int]]:
        key = self._key
        at = text.find(key)
        while at >= 0:
            yield at, at + len(key)
            at = text.find(key, at + len(key))
        if not whole:
            end = len(text)
            cut = _CUT_ESCAPE.search(text)
            for stop in {end, cut.start() if cut else end}:
                for size in range(min(len(key) - 1, stop), _SHORTEST_MASKED - 1, -1):
                    if text.endswith(key[:size], 0, stop):
                        yield stop - size, end
                        break

    def is_masked(self, text: str) -> bool:
        """Returns true if a string consists only of the mask, and is at least as long as the key."""
        fill = self._fill.decode("latin-1")
        return _SHORTEST_MASKED <= len(self._key) <= len(text) and set(text) == {fill}

    def hides(self, headers: Iterable[tuple[bytes, bytes]]) -> bool:
        """Returns true if the mask would not find the key in a body with these headers, because of the encoding."""
        for name, value in headers:
            text = value.decode("latin-1").lower()
            if name == b"content-encoding":
                if any(coding.strip() not in ("", "identity") for coding in text.split(",")):
                    return True
            elif name == b"content-type":
                for parameter in re.split("[;,]", text):
                    label, found, charset = parameter.partition("=")
                    if found and label.strip() == "charset":
                        if _has_other_bytes(charset):
                            return True
        return False


class _Unescaped:
    """A text with one level of JSON escapes removed, and the original positions of its bytes."""

    def __init__(self, text: bytes) -> None:
        # For each escape: the position after it in the new text, and the number of bytes removed so far.
        self._after: list[int] = [0]
        self._longer: list[int] = [0]
        parts: list[bytes] = []
        at = size = 0
        for escape in _ESCAPE.finditer(text):
            start, end = escape.span()
            parts += (text[at:start], self._plain(escape))
            size += start - at + 1
            self._after.append(size)
            self._longer.append(self._longer[-1] + end - start - 1)
            at = end
        parts.append(text[at:])
        self.text = b"".join(parts)

    @staticmethod
    def _plain(escape: re.Match[bytes]) -> bytes:
        if escape[1]:
            unit = int(escape[1], 16)
            # The key is ASCII, so any non-ASCII byte can stand for another character.
            return bytes([unit]) if unit < 0x80 else b"\xff"
        return _PLAIN.get(escape[2], escape[2])

    def start(self, at: int) -> int:
        """Returns the position in the original text at which the byte at `at` starts."""
        return at + self._longer[bisect_right(self._after, at) - 1]

    def end(self, at: int) -> int:
        """Returns the position in the original text at which the byte before `at` ends."""
        return at + self._longer[bisect_right(self._after, at) - 1]

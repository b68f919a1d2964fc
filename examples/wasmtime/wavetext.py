"""Reads and writes WAVE, the text form of component values in `wasmtime run --invoke`."""

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Case:
    """A case of a variant. Without a payload, also a case of an enumeration, or `none`."""

    name: str
    payload: Any = None


def write(value: Any) -> str:
    """Converts a record, list, string or option from JSON. `None` becomes `none`."""
    match value:
        case None:
            return "none"
        case str():
            return '"' + "".join(map(_escape, value)) + '"'
        case list():
            return "[" + ", ".join(map(write, value)) + "]"
        case dict():
            return "{" + ", ".join(f"{name}: {write(one)}" for name, one in value.items()) + "}"
    raise ValueError(f"no WAVE for {type(value)}")


def _escape(char: str) -> str:
    if char in '"\\':
        return "\\" + char
    return char if char.isprintable() else f"\\u{{{ord(char):x}}}"


def read(text: str) -> Any:
    """Returns records as dicts, lists as lists, and named values as a `Case`."""
    reader = _Reader(text.strip())
    value = reader.value()
    if reader.at != len(reader.text):
        raise ValueError(f"unexpected text at position {reader.at}")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def skip(self) -> None:
        while self.peek().isspace():
            self.at += 1

    def take(self, expected: str) -> None:
        self.skip()
        if self.peek() != expected:
            raise ValueError(f"{expected!r} is missing at {self.at}")
        self.at += 1

    def value(self) -> Any:
        self.skip()
        match self.peek():
            case '"':
                return self.string()
            case "[":
                return self.several("[", "]", self.value)
            case "{":
                return dict(self.several("{", "}", self.field))
        word = self.word()
        if word in ("true", "false"):
            return word == "true"
        if word[0].isdigit() or word[0] == "-":
            return int(word)
        if self.peek() != "(":
            return Case(word)
        self.take("(")
        payload = self.value()
        self.take(")")
        return Case(word, payload)

    def several(self, start: str, end: str, one: Any) -> list[Any]:
        self.take(start)
        found = []
        self.skip()
        while self.peek() != end:
            found.append(one())
            self.skip()
            if self.peek() == ",":
                self.at += 1
                self.skip()
        self.take(end)
        return found

    def field(self) -> tuple[str, Any]:
        self.skip()
        name = self.word()
        self.take(":")
        return (name, self.value())

    def word(self) -> str:
        start = self.at
        while self.peek() and (self.peek().isalnum() or self.peek() in "-%_"):
            self.at += 1
        if start == self.at:
            raise ValueError(f"no value at {start}")
        return self.text[start : self.at].lstrip("%")

    def string(self) -> str:
        self.take('"')
        found = []
        while (char := self.peek()) != '"':
            if not char:
                raise ValueError("a string has no end")
            self.at += 1
            found.append(self.escaped() if char == "\\" else char)
        self.take('"')
        return "".join(found)

    def escaped(self) -> str:
        char = self.peek()
        self.at += 1
        if char != "u":
            return {"n": "\n", "r": "\r", "t": "\t"}.get(char, char)
        self.take("{")
        end = self.text.index("}", self.at)
        number = int(self.text[self.at : end], 16)
        self.at = end + 1
        return chr(number)

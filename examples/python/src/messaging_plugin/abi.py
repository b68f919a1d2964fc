"""Conversion between Python values and the memory of a core module, by the component model's canonical ABI.

A Python type defines a WIT type: a dataclass is a record, an `Enum` an enum, a tuple a list, and `T | None` an
option. `Cases` is a variant or a result. Each definition in `wit.py` and `once/wit.py` serves both the callers of
this package and the conversion. Tests compare the definitions with the WIT.

    layout(Template).load(memory, at)    -> Template(...)
    layout(str).flat("text", memory)     -> [pointer, length]

For any content of the memory, `load` returns a value of its type, or raises `Malformed`, `struct.error` or
`IndexError`.
"""

import struct
from collections.abc import Callable, Sequence
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from types import UnionType
from typing import Annotated, Any, Protocol, Union, get_args, get_origin, get_type_hints

U16 = Annotated[int, "u16"]
U32 = Annotated[int, "u32"]

_PAIR = struct.Struct("<II")
_WORD = struct.Struct("<I")
_HALF = struct.Struct("<H")


class Malformed(Exception):
    """The component's memory does not hold a value of the promised type."""


class Memory(Protocol):
    """The linear memory of an instance."""

    view: memoryview
    """A view of the whole memory, for the load of a result."""

    def copy(self, data: bytes) -> int:
        """Returns the address of a copy of `data`. The component frees the copy."""

    def room(self, size: int, align: int) -> int:
        """Allocates `size` bytes and returns their address. The component frees these bytes."""

    def charge(self, size: int) -> None:
        """Counts the bytes that are copied out of the memory. Without a limit, overlapping values in a small memory
        could yield a result of any size."""


class Layout:
    """Layout of a type in memory and as flat parameters. In these interfaces, every flat parameter is an `i32`."""

    size: int
    align: int
    width: int
    """Number of flat parameters."""

    def flat(self, value: Any, memory: Memory) -> list[int]:
        """Returns `value` as parameters."""
        raise NotImplementedError

    def store(self, value: Any, memory: Memory, at: int) -> None:
        """Writes `value` to the memory."""
        raise NotImplementedError

    def load(self, memory: Memory, at: int) -> Any:
        """Reads a value from the memory."""
        raise NotImplementedError


MOST_FLAT = 16
"""Maximum number of flat parameters. More are passed as one address in memory."""


class Parameters:
    """The parameters of a function. `kinds` are their types."""

    def __init__(self, *kinds: Any) -> None:
        self._parts = [layout(kind) for kind in kinds]
        width = sum(part.width for part in self._parts)
        self._in_memory = width > MOST_FLAT
        self.width = 1 if self._in_memory else width
        self._offsets: list[int] = []
        self._size = 0
        for part in self._parts:
            self._offsets.append(_aligned(self._size, part.align))
            self._size = self._offsets[-1] + part.size
        self._align = max(part.align for part in self._parts)

    def words(self, memory: Memory, *values: Any) -> list[int]:
        """Returns `values` as flat parameters, or as one address in memory."""
        if self._in_memory:
            start = memory.room(self._size, self._align)
            for part, offset, value in zip(self._parts, self._offsets, values, strict=True):
                part.store(value, memory, start + offset)
            return [start]
        words: list[int] = []
        for part, value in zip(self._parts, values, strict=True):
            words += part.flat(value, memory)
        return words


class _Number(Layout):
    width = 1

    def __init__(self, form: struct.Struct) -> None:
        self.size = self.align = form.size
        self._form = form

    def flat(self, value: int, memory: Memory) -> list[int]:
        return [value]

    def store(self, value: int, memory: Memory, at: int) -> None:
        self._form.pack_into(memory.view, at, value)

    def load(self, memory: Memory, at: int) -> int:
        number: int = self._form.unpack_from(memory.view, at)[0]
        return number


class _Bool(Layout):
    size, align, width = 1, 1, 1

    def flat(self, value: bool, memory: Memory) -> list[int]:
        return [int(value)]

    def store(self, value: bool, memory: Memory, at: int) -> None:
        memory.view[at] = int(value)

    def load(self, memory: Memory, at: int) -> bool:
        return memory.view[at] != 0


class _Bytes(Layout):
    size, align, width = 8, 4, 2

    def flat(self, value: Any, memory: Memory) -> list[int]:
        data = self._bytes(value)
        # The pointer of an empty value is not read, but must be aligned. For bytes, 1 is aligned.
        return [memory.copy(data), len(data)] if data else [1, 0]

    def store(self, value: Any, memory: Memory, at: int) -> None:
        data = self._bytes(value)
        # `copy` can grow the memory and replace its view, so it runs before the view is used.
        pointer = memory.copy(data) if data else 1
        _PAIR.pack_into(memory.view, at, pointer, len(data))

    def load(self, memory: Memory, at: int) -> Any:
        view = memory.view
        pointer, length = _PAIR.unpack_from(view, at)
        memory.charge(length)
        part = view[pointer : pointer + length]
        if len(part) != length:
            raise Malformed("a text lies outside the memory")
        return self._value(part)

    def _bytes(self, value: Any) -> bytes:
        return bytes(value)

    def _value(self, part: memoryview) -> Any:
        return bytes(part)


class _Text(_Bytes):
    def _bytes(self, value: Any) -> bytes:
        data: bytes = value.encode()
        return data

    def _value(self, part: memoryview) -> str:
        try:
            return str(part, "utf-8")
        except UnicodeDecodeError:
            raise Malformed("a text is not UTF-8") from None


class _List(Layout):
    size, align, width = 8, 4, 2

    def __init__(self, element: Layout) -> None:
        self._element = element

    def flat(self, value: Sequence[Any], memory: Memory) -> list[int]:
        return list(self._written(value, memory))

    def store(self, value: Sequence[Any], memory: Memory, at: int) -> None:
        pair = self._written(value, memory)
        _PAIR.pack_into(memory.view, at, *pair)

    def _written(self, value: Sequence[Any], memory: Memory) -> tuple[int, int]:
        element = self._element
        if not value:
            return element.align, 0
        start = memory.room(len(value) * element.size, element.align)
        for index, item in enumerate(value):
            element.store(item, memory, start + index * element.size)
        return start, len(value)

    def load(self, memory: Memory, at: int) -> tuple[Any, ...]:
        start, length = _PAIR.unpack_from(memory.view, at)
        size, load = self._element.size, self._element.load
        memory.charge(length * size)
        return tuple([load(memory, at) for at in range(start, start + length * size, size)])


class _Record(Layout):
    def __init__(self, make: Callable[..., Any], parts: list[tuple[str, Layout]]) -> None:
        self._make = make
        located: list[tuple[str, int, Layout]] = []
        at = 0
        for name, part in parts:
            at = _aligned(at, part.align)
            located.append((name, at, part))
            at += part.size
        self.align = max(part.align for _, part in parts)
        self.size = _aligned(at, self.align)
        self.width = sum(part.width for _, part in parts)
        self._flats = [(name, part.flat) for name, _, part in located]
        self._stores = [(name, offset, part.store) for name, offset, part in located]
        self._loads = [(offset, part.load) for _, offset, part in located]

    def flat(self, value: Any, memory: Memory) -> list[int]:
        words: list[int] = []
        for name, flat in self._flats:
            words += flat(getattr(value, name), memory)
        return words

    def store(self, value: Any, memory: Memory, at: int) -> None:
        for name, offset, store in self._stores:
            store(getattr(value, name), memory, at + offset)

    def load(self, memory: Memory, at: int) -> Any:
        return self._make(*[load(memory, at + offset) for offset, load in self._loads])


class _Enum(Layout):
    size, align, width = 1, 1, 1

    def __init__(self, kind: type[Enum]) -> None:
        self._members = list(kind)
        self._index = {member: index for index, member in enumerate(self._members)}

    def flat(self, value: Enum, memory: Memory) -> list[int]:
        return [self._index[value]]

    def store(self, value: Enum, memory: Memory, at: int) -> None:
        memory.view[at] = self._index[value]

    def load(self, memory: Memory, at: int) -> Any:
        return _nth(self._members, memory.view[at])


class Cases(Layout):
    """A variant or a result. Its Python value is an instance of one of the classes in `cases`.

    Each case has a constructor and the type of its payload; `None` means no payload.
    """

    def __init__(self, *cases: tuple[Callable[..., Any], Any]) -> None:
        payloads = [None if kind is None else layout(kind) for _, kind in cases]
        held = [payload for payload in payloads if payload is not None]
        self._makes = [make for make, _ in cases]
        self._payloads = payloads
        # A tag takes one byte, because there are fewer than 256 cases.
        self.align = max([1, *[payload.align for payload in held]])
        self._offset = _aligned(1, self.align)
        size = max([0, *[payload.size for payload in held]])
        self.size = _aligned(self._offset + size, self.align)
        self.width = 1 + max([0, *[payload.width for payload in held]])
        self._loads = [
            (itself if make is kind else make, None if payload is None else payload.load)
            for (make, kind), payload in zip(cases, payloads, strict=True)
        ]

    def flat(self, value: Any, memory: Memory) -> list[int]:
        index = self._makes.index(type(value))
        payload = self._payloads[index]
        words = [index] + ([] if payload is None else payload.flat(value, memory))
        return words + [0] * (self.width - len(words))

    def store(self, value: Any, memory: Memory, at: int) -> None:
        index = self._makes.index(type(value))
        payload = self._payloads[index]
        memory.view[at] = index
        if payload is not None:
            payload.store(value, memory, at + self._offset)

    def load(self, memory: Memory, at: int) -> Any:
        make, load = _nth(self._loads, memory.view[at])
        return make() if load is None else make(load(memory, at + self._offset))


class Option(Layout):
    """An option: `None`, or a value of another type."""

    def __init__(self, kind: Any) -> None:
        self._some = some = layout(kind)
        self.align = some.align
        self._offset = _aligned(1, some.align)
        self.size = _aligned(self._offset + some.size, some.align)
        self.width = 1 + some.width

    def flat(self, value: Any, memory: Memory) -> list[int]:
        if value is None:
            return [0] * self.width
        return [1, *self._some.flat(value, memory)]

    def store(self, value: Any, memory: Memory, at: int) -> None:
        memory.view[at] = value is not None
        if value is not None:
            self._some.store(value, memory, at + self._offset)

    def load(self, memory: Memory, at: int) -> Any:
        # Rejects every tag except 0 and 1.
        is_some = _nth((False, True), memory.view[at])
        return self._some.load(memory, at + self._offset) if is_some else None


def layout(kind: Any) -> Layout:
    """Returns the layout of a Python type."""
    return kind if isinstance(kind, Layout) else _layout(kind)


@cache
def _layout(kind: Any) -> Layout:
    if kind is str:
        return _Text()
    if kind is bytes:
        return _Bytes()
    if kind is bool:
        return _Bool()
    if kind == U16:
        return _Number(_HALF)
    if kind == U32:
        return _Number(_WORD)
    if get_origin(kind) is Annotated:
        return layout(get_args(kind)[1])
    if get_origin(kind) is tuple:
        element, _ = get_args(kind)
        return _List(layout(element))
    if get_origin(kind) in (UnionType, Union):
        (some,) = [part for part in get_args(kind) if part is not type(None)]
        return Option(some)
    if isinstance(kind, type) and issubclass(kind, Enum):
        return _Enum(kind)
    if is_dataclass(kind) and isinstance(kind, type):
        hints = get_type_hints(kind, include_extras=True)
        return _Record(kind, [(field.name, layout(hints[field.name])) for field in fields(kind)])
    raise TypeError(f"{kind} has no layout")


def itself(value: Any) -> Any:
    """Constructor of a case that has no Python class. The Python value of such a case is its payload."""
    return value


def _aligned(at: int, align: int) -> int:
    return (at + align - 1) // align * align


def _nth(cases: Sequence[Any], index: int) -> Any:
    try:
        return cases[index]
    except IndexError:
        raise Malformed("a case that does not exist") from None

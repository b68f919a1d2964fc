"""The component: its file, its core module, the compiled code, and instances.

A component without imports contains one core module, and a shim for the handles of its resources. This module calls
the functions of the core module directly, because wasmtime-py's conversion of records takes much longer than a call.

| limit of an instance | value |
|---|---|
| memory | `memory_bytes` |
| time of a step | fuel: `STEP_FUEL`, and `BYTE_FUEL` for each byte of input, at most `MOST_FUEL` |

An instance imports nothing, so it cannot wait, read a clock, or inspect its host.
"""

import ctypes
import os
import struct
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import cache
from importlib import resources
from typing import Any, cast

from wasmtime import (
    Config,
    Engine,
    Func,
    FuncType,
    Instance,
    Memory,
    Module,
    Store,
    Trap,
    ValType,
    WasmtimeError,
)
from wasmtime import _ffi as ffi

from . import wit
from .abi import Layout, Malformed, Parameters
from .errors import MessagingError

FILE = "messaging_plugin_sans_io.wasm"

MEMORY_BYTES = 64 * 1024 * 1024
KEPT_MEMORY_BYTES = 1024 * 1024
"""Maximum memory in bytes of an instance that is kept for another call."""
MOST_KEPT = 32
"""Maximum number of instances that are kept for later calls."""

STEP_FUEL = 100_000_000
"""Fuel of a step without input: roughly this number of instructions. A regular step uses less than a thousandth of
this fuel."""
BYTE_FUEL = 50_000
"""Additional fuel for each byte of input. The plugin uses up to 450 for each byte. With thousands of `fields` it uses
more, because it compares each pair of fields."""
MOST_FUEL = 8_000_000_000

GIL_BYTES = 4 * 1024
"""A step with at least this many bytes of input releases the GIL. For a smaller step, acquiring the GIL again would
take longer than the step."""

# Direct calls of wasmtime's C API, because wasmtime-py's `Func` reads the types of a function at every call.
_LOCKED = ctypes.PyDLL(str(ffi.filename))
_CALL = _LOCKED.wasmtime_func_call_unchecked
_CALL_UNLOCKED = ctypes.CDLL(str(ffi.filename)).wasmtime_func_call_unchecked
for _function in (_CALL, _CALL_UNLOCKED):
    _function.restype = ctypes.c_void_p
    _function.argtypes = [ctypes.c_void_p] * 3 + [ctypes.c_size_t, ctypes.c_void_p]
_SET_FUEL = _LOCKED.wasmtime_context_set_fuel
_SET_FUEL.restype = ctypes.c_void_p
_SET_FUEL.argtypes = [ctypes.c_void_p, ctypes.c_uint64]

_MEMORY_SIZE = _LOCKED.wasmtime_memory_data_size
_MEMORY_SIZE.restype = ctypes.c_size_t
_MEMORY_SIZE.argtypes = [ctypes.c_void_p, ctypes.c_void_p]

_RAW = struct.Struct("<I12x")
"""A `wasmtime_val_raw_t` that holds an `i32`."""
_RAWS = [struct.Struct("<" + "I12x" * count) for count in range(17)]
_FOUR = _RAWS[4]

# The representation of a resource also serves as its handle, because only this module receives handles.
_HANDLES = """(module
    (func (export "[resource-new]") (param i32) (result i32) local.get 0)
    (func (export "[resource-drop]") (param i32)))"""


class Crash(Exception):
    """The component trapped, exceeded a limit, or left a malformed result. The instance must not be used again."""


class Code:
    """A compiled component. Threads, plugins and forked processes can share it."""

    def __init__(self, component: bytes, interface: wit.Interface = wit.SANS_IO) -> None:
        config = Config()
        # Compiles without threads, because threads do not exist in a forked process.
        config.parallel_compilation = False
        config.consume_fuel = True
        config.memory_may_move = False
        self.engine = Engine(config)
        self._module = Module(self.engine, core_module(component))
        self._handles = Module(self.engine, _HANDLES)
        self._interface = interface
        self._exports = _exports(interface)
        _check(self._module, interface, self._exports)

    def instance(self, memory_bytes: int = MEMORY_BYTES) -> "Plugged":
        """Returns a new instance. Raises `Crash`."""
        store = Store(self.engine)
        store.set_limits(
            memory_size=memory_bytes, table_elements=10_000, instances=2, tables=4, memories=1
        )
        store.set_fuel(STEP_FUEL)
        try:
            handles = Instance(store, self._handles, []).exports(store)
            names = [str(entry.name) for entry in self._module.imports]
            imports = [handles[name.partition("]")[0] + "]"] for name in names]
            instance = Instance(store, self._module, imports)
            return Plugged(store, instance, self._interface, self._exports)
        except (WasmtimeError, Trap) as error:
            raise Crash(_cause(error)) from None


@cache
def packaged(file: str = FILE, interface: wit.Interface = wit.SANS_IO) -> Code:
    """Returns a component of this package."""
    return Code(resources.files(__package__).joinpath(file).read_bytes(), interface)


def read(path: str | os.PathLike[str]) -> Code:
    """Returns the component in a file. Raises `ValueError` if the component does not have the plugin's interface."""
    with open(path, "rb") as file:
        return Code(file.read())


class Instances:
    """A pool of component instances. Each instance serves one call at a time."""

    def __init__(self, code: Code, memory_bytes: int = MEMORY_BYTES) -> None:
        self._code, self._memory_bytes = code, memory_bytes
        self.kept: deque[Plugged] = deque()

    @contextmanager
    def one(self) -> Iterator["Plugged"]:
        """Yields an instance for one call. Keeps it if the call ended with a result or a `MessagingError`. Raises
        `Crash`."""
        try:
            instance = self.kept.pop()
        except IndexError:
            instance = self._code.instance(self._memory_bytes)
        try:
            yield instance
        except MessagingError:
            self._keep(instance)
            raise
        self._keep(instance)

    def _keep(self, instance: "Plugged") -> None:
        if len(self.kept) < MOST_KEPT and instance.memory_bytes <= KEPT_MEMORY_BYTES:
            self.kept.append(instance)


def core_module(component: bytes) -> bytes:
    """Returns the first core module of a component. The other modules only connect its functions. Raises `ValueError`."""
    if component[:8] != b"\0asm\x0d\0\x01\0":
        raise ValueError("the file is not a WebAssembly component")
    at = 8
    while at < len(component):
        section, (size, start) = component[at], _number(component, at + 1)
        if section == 1:
            return component[start : start + size]
        at = start + size
    raise ValueError("the component has no core module")


def _number(data: bytes, at: int) -> tuple[int, int]:
    """Returns a LEB128 number and the position after it."""
    value = shift = 0
    for at in range(at, min(at + 5, len(data))):
        value |= (data[at] & 0x7F) << shift
        shift += 7
        if data[at] < 0x80:
            return value, at + 1
    raise ValueError("the component's file is damaged")


_REALLOC = "cabi_realloc"


def _post(name: str) -> str:
    return f"cabi_post_{name}"


Exports = dict[str, tuple[int, int]]
"""Functions with their numbers of parameters and results, all `i32`."""


def _exports(interface: wit.Interface) -> Exports:
    """Returns the functions that a component with this interface must export."""
    found = {_REALLOC: (4, 1)}
    for function in interface.functions:
        name = f"{interface.name}#{function.name}"
        found[name] = (function.given.width, 1)
        found[_post(name)] = (1, 0)
    for resource in interface.resources:
        names = _Names(interface.name, resource)
        found[names.start] = (resource.begun.width, 1)
        found[names.drop] = (1, 0)
        found[names.next] = (resource.inputs.width, 1)
        found[_post(names.next)] = (1, 0)
    return found


class _Names:
    """Names of a resource's functions."""

    def __init__(self, interface: str, resource: wit.Resource) -> None:
        self.start = f"{interface}#[constructor]{resource.name}"
        self.next = f"{interface}#[method]{resource.name}.next"
        self.drop = f"{interface}#[dtor]{resource.name}"


def _check(module: Module, interface: wit.Interface, exports: Exports) -> None:
    """Raises `ValueError` if the module does not implement the interface."""
    parts = ("new", "drop")
    own = {f"[resource-{part}]{resource.name}" for part in parts for resource in interface.resources}
    for entry in module.imports:
        if entry.module != f"[export]{interface.name}" or entry.name not in own:
            raise ValueError(f"the component imports {entry.module}, but this package provides no imports")
    types = {entry.name: entry.type for entry in module.exports}
    for name, (parameters, results) in exports.items():
        kind = types.get(name)
        if not isinstance(kind, FuncType):
            raise ValueError(f"the component does not export {name}")
        values = [*kind.params, *kind.results]
        if (len(kind.params), len(kind.results)) != (parameters, results) or any(
            value != ValType.i32() for value in values
        ):
            raise ValueError(f"the component exports {name} with another type")


class Plugged:
    """An instance. Runs one call at a time, in one thread at a time, and must not be used after a `Crash`."""

    view: memoryview

    def __init__(self, store: Store, instance: Instance, interface: wit.Interface, needed: Exports) -> None:
        self._store = store
        self._interface = interface.name
        self._names = {one.name: _Names(interface.name, one) for one in interface.resources}
        exports = instance.exports(store)
        self._context = ctypes.cast(store._context(), ctypes.c_void_p).value
        self._functions = {name: cast(Func, exports[name]) for name in needed}
        self._addresses = {
            name: ctypes.addressof(function._func) for name, function in self._functions.items()
        }
        self._posts = {name: self._addresses.get(_post(name), 0) for name in needed}
        self._realloc = self._addresses[_REALLOC]
        self._memory = cast(Memory, exports["memory"])
        self._memory_at = ctypes.addressof(self._memory._memory)
        self.memory_bytes = 0
        """Size of the memory, which never shrinks."""
        self._values = ctypes.create_string_buffer(16 * 16)
        self._values_at = ctypes.addressof(self._values)
        self._trap = ctypes.c_void_p()
        self._trap_at = ctypes.addressof(self._trap)
        self._call = _CALL
        self._given = 0
        self._left = 0
        self._look()

    def start(self, resource: wit.Resource, *values: object) -> int:
        """Starts a call with the constructor of a resource. Returns the call's handle."""
        self._given = 0
        self._renew()
        return self._run(self._names[resource.name].start, resource.begun.words(self, *values))

    def next(self, resource: wit.Resource, call: int, *inputs: object) -> Any:
        """Reports the outcome of the last step. Returns the next step."""
        self._renew()
        words = resource.inputs.words(self, call, *inputs)
        return self._result(self._names[resource.name].next, words, resource.step)

    def drop(self, resource: wit.Resource, call: int) -> None:
        """Ends a call in any state."""
        self._run(self._names[resource.name].drop, [call])

    def call(self, function: wit.Function, *values: object) -> Any:
        """Calls a function that does not belong to a resource."""
        self._given = 0
        self._renew()
        words = function.given.words(self, *values)
        return self._result(f"{self._interface}#{function.name}", words, function.result)

    def copy(self, data: bytes) -> int:
        size = len(data)
        self._given += size
        at = self.room(size, 1)
        self.view[at : at + size] = data
        return at

    def room(self, size: int, align: int) -> int:
        _FOUR.pack_into(self._values, 0, 0, 0, align, size)
        at = self._enter(self._realloc, 4)
        if at + size > self.memory_bytes:
            self._look()
            if at + size > self.memory_bytes:
                raise Crash("the component returned memory that it does not have")
        return at

    def charge(self, size: int) -> None:
        self._left -= size
        if self._left < 0:
            raise Malformed("a result is larger than the memory")

    def _renew(self) -> None:
        """Sets the fuel of the next step, according to the size of its input."""
        _SET_FUEL(self._context, min(STEP_FUEL + BYTE_FUEL * self._given, MOST_FUEL))
        self._call = _CALL if self._given < GIL_BYTES else _CALL_UNLOCKED

    def _look(self) -> None:
        """Replaces the view if the memory has grown. Resets the limit of `charge`."""
        self._left = size = _MEMORY_SIZE(self._context, self._memory_at)
        if size != self.memory_bytes:
            start = ctypes.addressof(self._memory.data_ptr(self._store).contents)
            self.view = memoryview((ctypes.c_char * size).from_address(start)).cast("B")
            self.memory_bytes = size

    def _run(self, name: str, words: list[int]) -> int:
        self._renew()
        count = len(words)
        _RAWS[count].pack_into(self._values, 0, *words)
        return self._enter(self._addresses[name], count)

    def _result(self, name: str, words: list[int], kind: Layout) -> Any:
        at = self._run(name, words)
        self._look()
        try:
            value = kind.load(self, at)
        except (Malformed, struct.error, IndexError) as error:
            raise Crash(f"the component's result cannot be read: {error}") from None
        _RAW.pack_into(self._values, 0, at)
        self._enter(self._posts[name], 1)
        return value

    def _enter(self, function: int, count: int) -> int:
        """Calls a function with the prepared parameters. Returns its first result, if it has a result."""
        error = self._call(self._context, function, self._values_at, count, self._trap_at)
        if error or self._trap.value:
            raise Crash(_cause(self._taken(error)))
        result: int = _RAW.unpack_from(self._values, 0)[0]
        return result

    def _taken(self, error: int | None) -> Exception:
        if error:
            failure = ctypes.cast(error, ctypes.POINTER(ffi.wasmtime_error_t))
            return WasmtimeError._from_ptr(failure)
        trap = ctypes.cast(self._trap.value or 0, ctypes.POINTER(ffi.wasm_trap_t))
        self._trap.value = None
        return Trap._from_ptr(trap)


def _cause(error: Exception) -> str:
    """Returns the cause in one line: the last line of wasmtime's message, without the backtrace."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    cause = lines[-1].partition(": ")[2] or lines[-1] if lines else "no reason given"
    return "stopped: the component computed for too long" if "all fuel consumed" in str(error) else cause

"""The plugin: loads the component once, and makes typed calls from any thread or task."""

import asyncio
import json
import os
import random
import ssl
import threading
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from types import TracebackType
from typing import Self, TypeVar

from . import records, wit
from .component import MEMORY_BYTES, Crash, Instances, Plugged, packaged, read
from .connections import Connections
from .deadline import Deadline, Stopwatch
from .driver import Driver, Progress
from .errors import BY_CASE, InvalidInput, InvalidSettings, MessagingError, OutcomeUnknown, PluginCrashed
from .key import NAME as KEY
from .key import HeldKey
from .origins import Origin
from .proofs import Headers, header_pairs
from .settings import BASE_URL, DEADLINE_MS, Settings, Variables, check_int, is_unicode
from .settings import deadline_ms as checked_deadline
from .waits import Pause, Steps, arun, run

Parameters = Mapping[str, str] | Sequence[tuple[str, str]]
"""Additional query parameters: names and values."""

Fields = Mapping[str, object] | Iterable[records.Field]
"""Additional members of a request: names and values, which are converted to JSON, or `Field`s, whose JSON is sent
unchanged."""

MAY_EXIST = "send_message was interrupted during its request: the message may exist. Look for it before you send again"

T = TypeVar("T")


class Plugin:
    """The component of the messaging plugin, ready for calls.

    Each call has its own instance of the component. An instance whose call ended is kept for later calls of the
    same `Plugin`, and therefore of the same account. No instance contains the API key. Threads and asyncio tasks can
    call concurrently, and a crashed call affects no other call.

    `component_path` names the file of another component with this interface; default: the component of this package.
    `allow` lists the permitted origins, for example `["https://api.example"]`; default: the origin of the base URL.
    An empty list permits no origin. `tls` is the TLS context; by default, the authorities of the system are trusted.
    """

    def __init__(
        self,
        settings: Settings | Variables,
        allow: Iterable[str] | None = None,
        *,
        component_path: str | os.PathLike[str] | None = None,
        tls: ssl.SSLContext | None = None,
        memory_bytes: int = MEMORY_BYTES,
    ) -> None:
        if tls is not None and not (tls.check_hostname and tls.verify_mode is ssl.CERT_REQUIRED):
            raise ValueError("tls checks no certificates: any server would get the API key; set verify_mode and check_hostname")
        self._code = packaged() if component_path is None else read(component_path)
        self._tls = tls
        self._memory_bytes = memory_bytes
        self._surround(settings, allow)

    def with_settings(
        self, settings: Settings | Variables, allow: Iterable[str] | None = None
    ) -> Self:
        """Returns a plugin with other settings. The two plugins share the compiled component and the TLS settings, but
        no connection."""
        other = type(self).__new__(type(self))
        other._code, other._tls, other._memory_bytes = self._code, self._tls, self._memory_bytes
        other._surround(settings, allow)
        return other

    def _surround(self, settings: Settings | Variables, allow: Iterable[str] | None) -> None:
        self._settings, self._key, base_url = _parted(settings)
        self._connections = Connections(self._tls)
        weakref.finalize(self, self._connections.close)
        self._driver = Driver(_origins(allow, base_url), self._key, self._connections)
        self._instances = Instances(self._code, self._memory_bytes)
        self._calls = _Calls()

    @property
    def base_url(self) -> str | None:
        """The base URL of the service, if configured."""
        return next((each.value for each in self._settings if each.name == BASE_URL), None)

    @property
    def deadline_ms(self) -> int | None:
        """The maximum duration of a call in milliseconds, if configured. Raises `InvalidSettings` for an invalid value."""
        return checked_deadline(next((each.value for each in self._settings if each.name == DEADLINE_MS), None))

    def send_message(
        self,
        phone: str,
        message: str | bytes,
        device: str | None = None,
        fields: Fields = (),
        *,
        deadline_ms: int | None = None,
    ) -> records.CreatedMessage:
        """Creates one message. Check `MessagingError.retry` before you repeat a failed call.

        `fields` are members that the service accepts and its specification does not list. `deadline_ms` is the
        deadline of this call; default: the plugin's deadline.
        """
        return run(self.sending(message_request(phone, message, device, fields), deadline_ms=deadline_ms))

    def list_templates(
        self,
        status: str | None = None,
        parameters: Parameters = (),
        every_page: str | None = None,
        *,
        deadline_ms: int | None = None,
    ) -> records.TemplatePage:
        """Lists templates. If `every_page` names the service's page parameter, the call reads every page."""
        return run(self._list(status, parameters, every_page, deadline_ms))

    def handle_event(self, headers: Headers, body: str | bytes | bytearray) -> records.Event:
        """Parses one webhook delivery. Does not verify its origin; use `Proofs.verify`."""
        held = [wit.Header(text("name", name), text("value", value)) for name, value in header_pairs(headers)]
        delivery = wit.WebhookDelivery(tuple(held), content("body", body))
        with self._calls, self._instance("handle-event") as instance:
            return _value(records.Event, instance.call(wit.HANDLE_EVENT, delivery), "handle-event")

    async def asend_message(
        self,
        phone: str,
        message: str | bytes,
        device: str | None = None,
        fields: Fields = (),
        *,
        deadline_ms: int | None = None,
    ) -> records.CreatedMessage:
        """`send_message` in a task.

        If the task is canceled and the request may have left, the outcome is unknown. The `CancelledError` then has a
        note, and its `may_exist` is true. `asyncio.timeout` and `wait_for` raise a `TimeoutError` with this error as
        `__cause__`; `gather` and task groups hide this error. Prefer `deadline_ms`, which ends the call with an error
        that states the outcome.
        """
        return await arun(self.sending(message_request(phone, message, device, fields), deadline_ms=deadline_ms))

    async def alist_templates(
        self,
        status: str | None = None,
        parameters: Parameters = (),
        every_page: str | None = None,
        *,
        deadline_ms: int | None = None,
    ) -> records.TemplatePage:
        """`list_templates` in a task."""
        return await arun(self._list(status, parameters, every_page, deadline_ms))

    def close(self) -> None:
        """Rejects further calls, waits for active calls, and closes the connections. In a task use `aclose`,
        because this method would block the event loop that active calls need."""
        self._calls.close()
        self._connections.close()

    async def aclose(self) -> None:
        """Waits for active calls and closes the plugin, without blocking the event loop."""
        await asyncio.to_thread(self.close)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        await self.aclose()

    def sending(
        self,
        request: wit.MessageRequest,
        stopwatch: Stopwatch | None = None,
        deadline_ms: int | None = None,
    ) -> Steps[records.CreatedMessage]:
        """Returns the steps of `send_message`. `Once` passes `stopwatch`, because the deadline counts from the moment when
        `Once` decides to send."""
        progress = Progress()
        try:
            created = yield from self._call(
                wit.SEND, request, records.CreatedMessage, "send-message", progress, deadline_ms, stopwatch
            )
        except PluginCrashed:
            raise
        except MessagingError as said:
            if progress.unsettled and not isinstance(said, OutcomeUnknown):
                # The component reports that no message exists, but a request may have created one. The outcome is
                # therefore unknown.
                detail = f"the component reports {said.case}, but its request may have created a message"
                raise _unknown(detail) from said
            raise
        except BaseException as error:  # cancelled, interrupted
            if progress.unsettled:
                error.add_note(MAY_EXIST)
                error.may_exist = True  # type: ignore[attr-defined]
            raise
        if self._key and self._key.is_masked(created.id):
            raise _unknown("the message was created, but the reply repeats the API key as its id", 201)
        return created

    def _list(
        self,
        status: str | None,
        parameters: Parameters,
        every_page: str | None,
        deadline_ms: int | None,
    ) -> Steps[records.TemplatePage]:
        if isinstance(parameters, Mapping):
            parameters = tuple(parameters.items())
        pairs = [
            wit.QueryParameter(text("parameters", name), text("parameters", value)) for name, value in parameters
        ]
        query = wit.TemplateQuery(
            None if status is None else text("status", status),
            tuple(pairs),
            None if every_page is None else text("every-page", every_page),
        )
        return self._call(wit.LIST, query, records.TemplatePage, "list-templates", Progress(), deadline_ms)

    def _call(
        self,
        kind: wit.CallKind,
        argument: object,
        result: type[T],
        function: str,
        progress: Progress,
        deadline_ms: int | None,
        stopwatch: Stopwatch | None = None,
    ) -> Steps[T]:
        settings = self._settings
        check_int("deadline_ms", deadline_ms)
        if (own := checked_deadline(deadline_ms)) is not None:
            others = [each for each in settings if each.name != DEADLINE_MS]
            settings = (*others, wit.Setting(DEADLINE_MS, str(own)))
        problem = self._key.problem() if self._key else None
        if problem:
            raise InvalidSettings(records.InvalidSettings(KEY, problem), function)
        with self._calls, self._instance(function) as instance:
            stopwatch = stopwatch or Stopwatch()
            call = instance.start(kind, settings, argument, random.getrandbits(32))
            outcome: wit.Input | None = None
            while True:
                elapsed_ms = int(stopwatch.elapsed() * 1000)
                step = instance.next(kind, call, min(elapsed_ms, 0xFFFFFFFF), outcome)
                match step:
                    case wit.HttpRequest():
                        # Uses the time that the component received, because the process may have been suspended since
                        # then.
                        deadline = Deadline(stopwatch, (elapsed_ms + step.time_left_ms) / 1000)
                        outcome = yield from self._driver.make(step, progress, deadline)
                    case wit.Wait():
                        yield Pause(step.milliseconds / 1000)
                        outcome = wit.Waited()
                    case wit.Done():
                        instance.drop(kind, call)
                        return _value(result, step.result, function)

    @contextmanager
    def _instance(self, function: str) -> Iterator[Plugged]:
        """Yields an instance for one call."""
        try:
            with self._instances.one() as instance:
                yield instance
        except Crash as crash:
            raise PluginCrashed(str(crash), function) from None


class PluginClosed(RuntimeError):
    """A call of a closed plugin. Nothing was sent."""

    case = "not-sent"

    def __init__(self) -> None:
        super().__init__("the plugin is closed")


class _Calls:
    """Counts the active calls of this process. Each call is one `with` block."""

    def __init__(self) -> None:
        self._renew()
        self._closed = False

    def _renew(self) -> None:
        self._process = os.getpid()
        self._idle = threading.Condition()
        self.under_way = 0

    def __enter__(self) -> None:
        if self._process != os.getpid():
            # The calls of the parent process do not exist in a forked process.
            self._renew()
        with self._idle:
            if self._closed:
                raise PluginClosed
            self.under_way += 1

    def __exit__(self, *_: object) -> None:
        with self._idle:
            self.under_way -= 1
            if self._closed:
                self._idle.notify_all()

    def close(self) -> None:
        """Rejects further calls, and waits for active calls."""
        if self._process != os.getpid():
            self._renew()
        with self._idle:
            self._closed = True
            self._idle.wait_for(lambda: self.under_way == 0)


def _unknown(detail: str, status: int | None = None) -> OutcomeUnknown:
    unknown = records.OutcomeUnknown(records.Stage.REPLY_UNCLEAR, detail, status, None)
    return OutcomeUnknown(unknown, "send-message")


def _value(kind: type[T], found: object, function: str) -> T:
    """Returns the value of a result, or raises its error."""
    if isinstance(found, wit.Error):
        exception, _ = BY_CASE[found.case]
        raise exception(found.payload, function)
    assert isinstance(found, kind)
    return found


def _parted(
    settings: Settings | Variables,
) -> tuple[tuple[wit.Setting, ...], HeldKey | None, str]:
    """Returns the settings with a placeholder for the API key, the API key, and the base URL."""
    if not isinstance(settings, Settings | Variables):
        raise TypeError(f"settings has to be Settings or Variables, not {type(settings).__name__}")
    variables = settings.variables() if isinstance(settings, Settings) else settings
    given = {name: value for name, value in variables if name.startswith("MESSAGING_")}
    base_url, key = given.get(BASE_URL, ""), given.get(KEY)
    # Without a key, the component reports the missing setting.
    held = HeldKey(key, base_url) if key else None
    if held:
        given[KEY] = held.placeholder
    return tuple([wit.Setting(name, value) for name, value in given.items()]), held, base_url


def _origins(allow: Iterable[str] | None, base_url: str) -> frozenset[Origin]:
    if isinstance(allow, str):
        raise TypeError("allow is a list of origins, not one string")
    if allow is not None:
        return frozenset(Origin.of_entry(entry) for entry in allow)
    own = Origin.of_url(base_url)
    return frozenset() if own is None else frozenset([own])


def message_request(
    phone: str, message: str | bytes, device: str | None, fields: Fields
) -> wit.MessageRequest:
    """Checks the types of the arguments, and returns a request."""
    return wit.MessageRequest(
        text("phone", phone),
        content("message", message),
        None if device is None else text("device", device),
        _members(fields),
    )


def _members(fields: Fields) -> tuple[records.Field, ...]:
    if isinstance(fields, Mapping):
        fields = [records.Field(name, _json(name, value)) for name, value in fields.items()]
    members = tuple(fields)
    for index, field in enumerate(members):
        path = f"fields[{index}]"
        if not isinstance(field, records.Field):
            raise TypeError(f"{path} has to be a Field, not {type(field).__name__}")
        text(f"{path}.name", field.name)
        text(f"{path}.json", field.json)
    return members


def _json(name: str, value: object) -> str:
    """Returns the JSON of a member. Raises `ValueError` if JSON cannot represent the value."""
    # Keeps a lone surrogate unescaped, so that the caller finds it. The package for Node writes the same JSON, so a
    # request has the same digest in both packages.
    try:
        return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise ValueError(f"fields: the value of {name!r} is not JSON: {error}") from None


def content(name: str, given: str | bytes | bytearray) -> str:
    """Returns a string that is given as a `str` or as bytes in UTF-8. Raises `TypeError` or `InvalidInput`."""
    if not isinstance(given, str | bytes | bytearray):
        raise TypeError(f"{name} has to be a str or bytes, not {type(given).__name__}")
    if isinstance(given, str):
        return text(name, given)
    try:
        return given.decode()
    except UnicodeDecodeError:
        raise InvalidInput(records.InvalidInput(name, "is not UTF-8")) from None


def text(name: str, given: str) -> str:
    """Checks a string of the caller, and returns it. Raises `TypeError` or `InvalidInput`."""
    if not isinstance(given, str):
        raise TypeError(f"{name} has to be a str, not {type(given).__name__}")
    if not (given.isascii() or is_unicode(given)):
        detail = "contains half a surrogate pair, which is not Unicode text"
        raise InvalidInput(records.InvalidInput(name, detail))
    return given

"""Compiled code, and the clock that stops code which does not end."""

import os
import threading
import weakref
from importlib import resources

from wasmtime import Config, Engine
from wasmtime.component import Component, ExportIndex

INTERFACE = "messaging:integration/messaging@0.2.0"
FUNCTIONS = ("send-message", "list-templates", "handle-event")

TICK_SECONDS = 0.02
"""wasmtime's unit for deadlines, here."""


class Code:
    """A plugin's component and `forwarder.wat`, compiled. Shared by threads and plugins."""

    def __init__(self, component_path: str | os.PathLike[str]) -> None:
        config = Config()
        config.epoch_interruption = True
        self.engine = Engine(config)
        self.component = Component.from_file(self.engine, component_path)
        _refuse_files_and_sockets(self.engine, self.component)
        self.functions = _exports(self.component)
        text = resources.files(__package__).joinpath("forwarder.wat").read_text()
        self.forwarder = Component(self.engine, text)
        self.process = os.getpid()

        stop = threading.Event()
        weakref.finalize(self, stop.set)
        clock = threading.Thread(
            target=_tick, args=(self.engine, stop), name="messaging-plugin-clock", daemon=True
        )
        clock.start()


def _tick(engine: Engine, stop: threading.Event) -> None:
    while not stop.wait(TICK_SECONDS):
        engine.increment_epoch()


def _refuse_files_and_sockets(engine: Engine, component: Component) -> None:
    """Raises `ValueError` for what no plugin needs, before the component runs."""
    for name in component.type.imports(engine):
        if name.startswith(("wasi:filesystem/", "wasi:sockets/")):
            raise ValueError(f"the component imports {name}: no plugin gets files or sockets")


def _exports(component: Component) -> dict[str, ExportIndex]:
    interface = component.get_export_index(INTERFACE)
    found: dict[str, ExportIndex] = {}
    for name in FUNCTIONS:
        index = component.get_export_index(name, interface) if interface else None
        if index is None:
            raise ValueError(f"the component does not export {name} of {INTERFACE}")
        found[name] = index
    return found

"""Sends messages through a business messaging service, from Python.

    with Plugin(Settings(base_url=..., api_key=...)) as plugin:
        print(plugin.send_message("+34600111222", "Your order is ready").id)
"""

from . import errors
from .errors import *
from .plugin import Fields, Plugin, PluginClosed
from .records import (
    CreatedMessage,
    Event,
    Field,
    IncompleteReason,
    Stage,
    Template,
    TemplatePage,
)
from .settings import ApiKey, Settings, Variables

__all__ = [
    "ApiKey",
    "CreatedMessage",
    "Event",
    "Field",
    "Fields",
    "IncompleteReason",
    "Plugin",
    "PluginClosed",
    "Settings",
    "Stage",
    "Template",
    "TemplatePage",
    "Variables",
]
__all__ += errors.__all__

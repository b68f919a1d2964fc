"""Sends messages through a business messaging service, from Python.

    with Plugin(Settings(base_url=..., api_key=...)) as plugin:
        print(plugin.send_message("+34600111222", "Your order is ready").id)
"""

from .errors import (
    Denied,
    ExecutionFailed,
    InvalidInput,
    InvalidSettings,
    MessagingError,
    NotSent,
    Other,
    OutcomeUnknown,
    PluginCrashed,
    RateLimited,
    Refused,
    Retry,
    Unauthorized,
    Unavailable,
    UnexpectedReply,
)
from .plugin import Fields, Plugin
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
    "Denied",
    "Event",
    "ExecutionFailed",
    "Field",
    "Fields",
    "IncompleteReason",
    "InvalidInput",
    "InvalidSettings",
    "MessagingError",
    "NotSent",
    "Other",
    "OutcomeUnknown",
    "Plugin",
    "PluginCrashed",
    "RateLimited",
    "Refused",
    "Retry",
    "Settings",
    "Stage",
    "Template",
    "TemplatePage",
    "Unauthorized",
    "Unavailable",
    "UnexpectedReply",
    "Variables",
]

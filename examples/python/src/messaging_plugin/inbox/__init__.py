"""Client of an inbox on another machine (`messaging serve --workers`).

    with Inbox("https://inbox.example", token) as inbox:
        inbox.run(lambda event: process(event.key, event.json()), concurrency=8)

`AsyncInbox` is the client for asyncio.
"""

from ..bearer import Token
from .errors import InboxError, InboxRefused, InboxUnavailable, LeaseLost, TokenRefused
from .events import AsyncLeasedEvent, LeasedEvent, ListedEvent, ShownEvent
from .tasks import AsyncInbox
from .threads import Inbox

__all__ = [
    "AsyncInbox",
    "AsyncLeasedEvent",
    "Inbox",
    "InboxError",
    "InboxRefused",
    "InboxUnavailable",
    "LeaseLost",
    "LeasedEvent",
    "ListedEvent",
    "ShownEvent",
    "Token",
    "TokenRefused",
]

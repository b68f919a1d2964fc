"""Processes the events of an inbox on another machine.

    MESSAGING_WORKER_TOKEN=... python worker.py https://inbox.example
"""

import os
import signal
import sys

from messaging_plugin.inbox import Inbox, LeasedEvent, TokenRefused


def handle(event: LeasedEvent) -> None:
    # The same event can be leased again, so do the work once for each key. Stop if `event.is_lost`.
    # Uses one write, because several threads print.
    sys.stdout.write(f"{event.key} {event.kind} {event.json().get('text')}\n")
    sys.stdout.flush()


def complain(error: Exception, event: LeasedEvent | None) -> None:
    print(event.key if event else "", error, file=sys.stderr)


if __name__ == "__main__":
    with Inbox(sys.argv[1], os.environ["MESSAGING_WORKER_TOKEN"], on_error=complain) as inbox:
        signal.signal(signal.SIGTERM, lambda *_: inbox.stop())
        try:
            inbox.run(handle, concurrency=8, dead_after=20)
        except TokenRefused as error:
            sys.exit(str(error))

"""Sends one message. After a failure, prints the required action.

    MESSAGING_BASE_URL=... MESSAGING_API_KEY=... python send.py PHONE TEXT
"""

import os
import sys

from messaging_plugin import MessagingError, Plugin, Retry, Variables


def main(phone: str, text: str) -> int:
    settings = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("MESSAGING_") and not name.startswith("MESSAGING_WEBHOOK_")
    }
    with Plugin(Variables(settings)) as plugin:
        try:
            print("created", plugin.send_message(phone, text).id)
        except MessagingError as error:
            again = "no message was created: correct the cause before you retry"
            if error.may_exist:
                again = "the message may exist: check before you send again"
            elif error.retry is Retry.SAFE:
                again = f"no message was created: retry after {error.retry_after_ms or 1000} ms"
            print(f"{error}; {again}", file=sys.stderr)
            return 1
    return 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(f"usage: {sys.argv[0]} PHONE TEXT")
    sys.exit(main(*sys.argv[1:]))

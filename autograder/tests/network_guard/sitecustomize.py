"""Refuses connections that leave this machine, in every Python process that a test starts.

Python imports `sitecustomize` by itself from PYTHONPATH. What was tried is written to the file named in the
environment, so that the test run can say so at its end.
"""

import os
import sys

LOG = "ATTENTION_COURSE_NETWORK_LOG"
LOCAL = ("localhost", "127.", "::1", "0.0.0.0")


def refuse(event: str, arguments: tuple) -> None:
    """Audit hook: raise `OSError` for a look-up or a connection to anywhere but this machine."""
    if event == "socket.connect":
        address = arguments[1]
        host = address[0] if isinstance(address, tuple) else ""
    elif event == "socket.getaddrinfo":
        host = arguments[0] or ""
    else:
        return
    host = host.decode() if isinstance(host, bytes) else str(host)
    if host and not host.startswith(LOCAL):
        with open(os.environ[LOG], "a", encoding="utf-8") as log:
            log.write(f"{event} {host} by {' '.join(sys.argv)[:200]}\n")
        raise OSError(f"the tests do not use the network, but something tried to reach {host}")


if LOG in os.environ:
    sys.addaudithook(refuse)

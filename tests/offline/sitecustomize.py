"""Python imports this as it starts, from a folder on its path: the network is out of bounds."""

import os
import sys

BOUNDS = ("socket.connect", "socket.getaddrinfo", "socket.sendto")
HERE = ("127.0.0.1", "localhost")  # where a notebook's kernel talks to who runs it


def stay_here(event: str, args: tuple[object, ...]) -> None:
    if event in BOUNDS and not _is_here(args[0 if event == "socket.getaddrinfo" else -1]):
        sys.stderr.write(f"reached for the network: {event}{args[-1:]}\n")
        sys.stderr.flush()
        os._exit(97)  # no library that tries its luck may catch it


def _is_here(address: object) -> bool:
    host = address[0] if isinstance(address, tuple) else address
    return host in HERE


sys.addaudithook(stay_here)

"""Python imports this as it starts, from a folder on its path: the network is out of bounds."""

import os
import sys

BOUNDS = ("socket.connect", "socket.getaddrinfo", "socket.sendto")


def stay_here(event: str, args: tuple[object, ...]) -> None:
    if event in BOUNDS:
        sys.stderr.write(f"reached for the network: {event}{args[-1:]}\n")
        sys.stderr.flush()
        os._exit(97)  # no library that tries its luck may catch it


sys.addaudithook(stay_here)

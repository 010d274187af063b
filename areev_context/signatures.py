"""Recognize packed texts that come back, by data that a retriever cannot forge.

A signature has the digests of the whole result and of the text; with a key of the application, also
a digest that nobody can make without the key. Without a key, a signature that fits its text shows
only that the text was packed: that is enough to refuse to pack it again, and for nothing else.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence

from areev_context.errors import InputError

__all__ = ["JOIN", "SIGNATURE", "are_packed", "is_packed", "signatures"]

SIGNATURE = "areev_context_signature"
"""The metadata key of a signature."""

JOIN = "\n\n"
"""The separator between texts that are one result."""


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


def _signed(whole: str, own: str, key: str | None) -> str:
    if key is None:
        return f"{whole}:{own}"
    code = hmac.new(key.encode(), f"{whole}:{own}".encode(), hashlib.sha256).hexdigest()
    return f"{whole}:{own}:{code}"


def signatures(texts: Sequence[str], key: str | None) -> list[str]:
    """Return the signature of each text of one result.

    Args:
        texts: All texts of the result, in order.
        key: The application's key; None = there is none.
    """
    whole = _digest(JOIN.join(texts))
    return [_signed(whole, _digest(text), key) for text in texts]


def are_packed(texts: Sequence[str], signed: Sequence[object], key: str | None) -> bool:
    """Return whether texts are all the unchanged texts of one result that was signed with the key.

    Args:
        texts: The texts that came in.
        signed: What stands in their metadata as the signature; anything.
        key: The application's key; None = there is none.

    Returns:
        False if no text is a packed one.

    Raises:
        InputError: A text is packed, but nothing shows that all of it is here, or who packed it.
    """
    packed = [n for n, text in enumerate(texts) if is_packed(signed[n], text)]
    if not packed:
        return False
    if key is not None and list(signed) == signatures(texts, key):
        return True
    place = packed[0]
    if key is None:
        raise InputError(
            f"passage {place} is a packed context that is not alone and unchanged, or was stored "
            "and read again: hand over all that was packed and nothing else, give the same "
            "signing_key to what packs and to what reads, or hand over the retriever's passages",
            row=place,
        )
    raise InputError(
        f"passage {place} is a packed context that was not signed with this signing_key, or not "
        "all of it is here: hand over all that was packed, alone and unchanged",
        row=place,
    )


def is_packed(signature: object, text: str) -> bool:
    """Return whether a value is the signature of a packed text, whoever signed it."""
    if not isinstance(signature, str) or signature.count(":") not in (1, 2):
        return False
    return signature.split(":")[1] == _digest(text)

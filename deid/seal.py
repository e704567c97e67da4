"""Seal what the private work folder has to keep: cases as taken in, and their known values.

AES-256-GCM (NIST SP 800-38D) under a key derived from the project's secret.  Without the secret the
work folder says nothing: destroying that one file destroys the originals that a run has kept.
"""

import os
import zlib

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from deid.errors import ConfigError

_NONCE = 12
_KEY = 32


class Seal:
    """Closes and opens byte strings with one project's secret."""

    def __init__(self, secret: bytes) -> None:
        """Derive the sealing key (HKDF-SHA256, RFC 5869)."""
        derived = HKDF(algorithm=SHA256(), length=_KEY, salt=None, info=b"medveil worklist")
        self._cipher = AESGCM(derived.derive(secret))

    def close(self, content: bytes) -> bytes:
        """Return the content compressed and encrypted."""
        nonce = os.urandom(_NONCE)
        return nonce + self._cipher.encrypt(nonce, zlib.compress(content), None)

    def open(self, sealed: bytes) -> bytes:
        """Return the content.

        Raises:
            ConfigError: another secret sealed it, or it was changed.
        """
        try:
            return zlib.decompress(self._cipher.decrypt(sealed[:_NONCE], sealed[_NONCE:], None))
        except InvalidTag:
            raise ConfigError(
                "The work folder was sealed with another key.",
                remedy="Give the key of the run that made it, or start over with --fresh.",
                reason="key_changed",
            ) from None

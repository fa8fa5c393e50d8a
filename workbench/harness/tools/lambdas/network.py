"""What of the host's /etc a call sees that may use the network: how names are found, and whom TLS trusts."""

from __future__ import annotations

import os

# Certificates by where the distributions keep them. Never a whole /etc/ssl or /etc/pki: private keys lie in there.
_FILES = (
    "/etc/resolv.conf",
    "/etc/hosts",
    "/etc/nsswitch.conf",
    "/etc/host.conf",
    "/etc/gai.conf",
    "/etc/services",
    "/etc/protocols",
    "/etc/ssl/certs",
    "/etc/ssl/cert.pem",
    "/etc/ssl/ca-bundle.pem",
    "/etc/ssl/openssl.cnf",
    "/etc/ca-certificates/extracted",
    "/etc/pki/ca-trust/extracted",
    "/etc/pki/tls/certs",
    "/etc/pki/tls/cert.pem",
    "/etc/pki/tls/openssl.cnf",
    "/var/lib/ca-certificates",
)


def files() -> list[tuple[str, str]]:
    """Those that are there: (what lies behind its path on the host, the path)."""
    return [(os.path.realpath(path), path) for path in _FILES if os.path.exists(path)]

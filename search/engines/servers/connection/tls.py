"""TLS as both client libraries take it: always verified."""

from __future__ import annotations

import ssl
from pathlib import Path

from search.engines.servers.connection.options import PREFIX, ServerOptions
from search.errors import InputError


def tls_context(options: ServerOptions) -> ssl.SSLContext:
    """Return a context that trusts the authority of the options, or the system's.

    Raises:
        InputError: a certificate or key cannot be used.
    """
    context = ssl.create_default_context()
    if options.ca_file:
        _readable("CA_FILE", options.ca_file)
        try:
            context.load_verify_locations(cafile=options.ca_file)
        except ssl.SSLError as error:
            raise _unusable("CA_FILE", options.ca_file, error) from error
    if options.client_certificate:
        _readable("CLIENT_CERTIFICATE", options.client_certificate)
        if options.client_key:
            _readable("CLIENT_KEY", options.client_key)
        try:
            # The password is there so that OpenSSL never asks for one at the terminal.
            context.load_cert_chain(options.client_certificate, options.client_key, password="")
        except (ssl.SSLError, ValueError) as error:
            raise _unusable("CLIENT_CERTIFICATE", options.client_certificate, error) from error
    return context


def _readable(name: str, path: str) -> None:
    try:
        Path(path).read_bytes()
    except OSError as error:
        raise _unusable(name, path, error) from error


def _unusable(name: str, path: str, error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(
        f"{PREFIX}{name}={path} cannot be used ({reason}); it must name a readable PEM file",
        code="engine.option",
    )

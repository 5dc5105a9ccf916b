"""Connections on which a request never comes, or comes in pieces."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator

import pytest
import uvicorn
from starlette.responses import PlainTextResponse

from rirag.server.middleware import TimedConnection
from rirag.server.options import ServeOptions
from rirag.server.serving import _bind

REQUEST = b"GET / HTTP/1.1\r\nHost: x\r\n\r\n"


class Hasty(TimedConnection):
    head_seconds = 0.3


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as bound:
        config = uvicorn.Config(
            PlainTextResponse("ok"), log_config=None, http=Hasty, lifespan="off"
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        thread.start()
        yield bound.getsockname()[1]
        server.should_exit = True
        thread.join(30)


def test_each_piece_of_a_response_is_sent_at_once() -> None:
    with _bind(ServeOptions(port=0)) as bound:
        assert bound.proto == socket.IPPROTO_TCP  # asyncio sets TCP_NODELAY for these alone


@pytest.mark.parametrize("sent", [b"", REQUEST[:9]])
def test_a_head_that_does_not_come_ends_the_connection(port: int, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        line.sendall(sent)
        received = b"".join(iter(lambda: line.recv(4096), b""))  # until the server closes it
    assert not received


def test_a_connection_that_is_used_again_stays_open(port: int) -> None:
    with socket.create_connection(("127.0.0.1", port), timeout=10) as line:
        for wait in (0.0, 0.5):  # longer than a head may take
            time.sleep(wait)
            line.sendall(REQUEST[:9])
            line.sendall(REQUEST[9:])
            received = b""
            while not received.endswith(b"ok"):  # the body may come after the head
                received += line.recv(4096)
            assert b"200 OK" in received

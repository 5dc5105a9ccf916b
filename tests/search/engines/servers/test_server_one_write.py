"""Small requests leave in one piece; large ones arrive whole."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
from extras import require

from search.engines.servers.connection import client_of
from search.engines.servers.connection.address import ServerAddress
from search.engines.servers.connection.options import ServerOptions

ANSWER = (
    b"HTTP/1.1 200 OK\r\nx-elastic-product: Elasticsearch\r\ncontent-type: application/json\r\n"
    b"content-length: 2\r\n\r\n{}"
)


@dataclass
class Listener:
    """Takes requests at a port and notes what comes with the first reading of each."""

    port: int = 0
    first: list[bytes] = field(default_factory=list)
    whole: list[bytes] = field(default_factory=list)

    def serve(self, listening: socket.socket) -> None:
        connection, _ = listening.accept()
        with connection:
            while data := connection.recv(2**20):
                self.first.append(data)
                head, _, body = data.partition(b"\r\n\r\n")
                while b"\r\n\r\n" not in data or len(body) < length(head):
                    data += connection.recv(2**20)
                    head, _, body = data.partition(b"\r\n\r\n")
                self.whole.append(body)
                connection.sendall(ANSWER)


def length(head: bytes) -> int:
    lines = head.lower().split(b"\r\n")
    return int(next(one for one in lines if one.startswith(b"content-length:")).split(b":")[1])


@pytest.fixture
def listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        made = Listener(listening.getsockname()[1])
        thread = threading.Thread(target=made.serve, args=(listening,))
        thread.start()
        yield made
        thread.join(timeout=10)


@pytest.mark.parametrize(
    ("product", "library"), [("elasticsearch", "elasticsearch"), ("opensearch", "opensearchpy")]
)
def test_head_and_body_of_a_small_request_come_together(
    listener: Listener, product: str, library: str
) -> None:
    require(library)
    address = ServerAddress.parse(f"{product}+http://127.0.0.1:{listener.port}/rules")
    client = client_of(address, ServerOptions())
    bodies = ["a question", "another", "x" * 200_000]
    for body in bodies:
        assert client.request("POST", "/_msearch", [{"q": body}]) == {}
    client.close()
    sent = [f'{{"q":"{body}"}}\n'.encode() for body in bodies]
    assert listener.whole == sent
    assert [one.endswith(body) for one, body in zip(listener.first[:2], sent[:2], strict=True)] == [
        True, True,
    ]  # fmt: skip

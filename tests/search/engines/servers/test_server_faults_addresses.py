"""No server, another server, HTTP for HTTPS: one sentence each, on every way into an index."""

from __future__ import annotations

import socket
import ssl
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import cli_support
import pytest
from extras import require
from fault_support import EVERY_WAY, ServerIndex, asked, at, loaded, opened, sentence
from proxy import TcpProxy
from server_processes import TestServer, free_port, openssl

from search.errors import IndexUnavailableError, InputError

Way = Callable[[ServerIndex], None]
every_way = pytest.mark.parametrize("way", EVERY_WAY, ids=lambda way: way.__name__)
both = pytest.mark.parametrize("product", ["elasticsearch", "opensearch"])


@pytest.fixture(autouse=True)
def clients() -> None:
    """Some of these tests need no server; all need its client."""
    require("elasticsearch")
    require("opensearchpy")


@pytest.fixture(scope="module")
def tls_front(server: TestServer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TcpProxy]:
    """Each server behind a front that speaks TLS, with a certificate of its own."""
    certificate, key = make_certificate(tmp_path_factory.mktemp("tls"))
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    with TcpProxy(server.port, tls=context) as proxy:
        proxy.ca_file = str(certificate)
        yield proxy


def make_certificate(folder: Path) -> tuple[Path, Path]:
    certificate, key = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        [openssl(), "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2",
         "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1",
         "-addext", "keyUsage=critical,digitalSignature,keyCertSign",
         "-keyout", key, "-out", certificate],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key


@contextmanager
def answering(reply: bytes) -> Iterator[int]:
    """A port that sends the same to every caller, and closes."""
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def serve() -> None:
            while True:
                try:
                    caller, _ = listener.accept()
                except OSError:
                    return
                with caller:
                    caller.recv(65_536)
                    caller.sendall(reply)

        threading.Thread(target=serve, daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


@both
@every_way
def test_no_server_is_told(product: str, way: Way) -> None:
    port = free_port()
    index = at(f"{product}+http://127.0.0.1:{port}/rules")
    said = sentence(lambda: way(index), IndexUnavailableError)
    assert said.startswith(f"no server answers at http://127.0.0.1:{port} (")
    assert said.endswith("; start it, or correct the host and port of the index")


@both
def test_a_host_that_does_not_exist_is_told(product: str) -> None:
    index = at(f"{product}+http://no-such-host.invalid:9200/rules")
    said = sentence(lambda: opened(index), IndexUnavailableError)
    assert "no server answers at http://no-such-host.invalid:9200" in said


@both
@every_way
def test_a_port_where_something_else_answers_is_told(product: str, way: Way) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\nContent-Type: text/html\r\n\r\n<html></html>"
    with answering(page) as port:
        index = at(f"{product}+http://127.0.0.1:{port}/rules")
        said = sentence(lambda: way(index), IndexUnavailableError)
    assert f"the server at http://127.0.0.1:{port}" in said


@both
def test_a_port_that_does_not_speak_http_is_told(product: str) -> None:
    with answering(b"SSH-2.0-OpenSSH_9.2\r\n") as port:
        index = at(f"{product}+http://127.0.0.1:{port}/rules")
        said = sentence(lambda: opened(index), IndexUnavailableError)
    assert f"http://127.0.0.1:{port}" in said


@every_way
def test_https_to_a_server_without_it_is_told(server: TestServer, way: Way) -> None:
    index = at(f"{server.product}+https://127.0.0.1:{server.port}/rules")
    said = sentence(lambda: way(index), IndexUnavailableError)
    assert f"https://127.0.0.1:{server.port} does not speak HTTPS" in said
    assert f"write {server.product}+http://" in said


@every_way
def test_http_to_a_server_with_https_is_told(
    server: TestServer, tls_front: TcpProxy, way: Way
) -> None:
    index = at(f"{server.product}+http://127.0.0.1:{tls_front.port}/rules")
    said = sentence(lambda: way(index), IndexUnavailableError)
    assert f"write {server.product}+https://" in said


@every_way
def test_a_certificate_of_an_unknown_authority_is_told(
    server: TestServer, tls_front: TcpProxy, way: Way
) -> None:
    index = at(f"{server.product}+https://127.0.0.1:{tls_front.port}/rules")
    said = sentence(lambda: way(index), IndexUnavailableError)
    assert f"the certificate of https://127.0.0.1:{tls_front.port} is not trusted" in said
    assert "RIRAG_SERVER_CA_FILE" in said


def test_a_certificate_of_another_authority_is_told(
    server: TestServer, tls_front: TcpProxy, tmp_path: Path
) -> None:
    other, _ = make_certificate(tmp_path)
    url = f"{server.product}+https://127.0.0.1:{tls_front.port}/rules"
    said = sentence(lambda: opened(at(url, ca_file=str(other))), IndexUnavailableError)
    assert "is not trusted" in said


def test_a_certificate_for_another_host_is_told(server: TestServer, tls_front: TcpProxy) -> None:
    index = at(
        f"{server.product}+https://127.0.0.2:{tls_front.port}/rules", ca_file=tls_front.ca_file
    )
    # 127.0.0.2 is this machine too, where the system lets it.
    said = sentence(lambda: opened(index), IndexUnavailableError)
    assert "is not trusted" in said or "no server answers" in said


def test_the_right_authority_opens_the_door(
    server: TestServer, tls_front: TcpProxy, fresh_name: str
) -> None:
    url = f"{server.product}+https://127.0.0.1:{tls_front.port}/{fresh_name}"
    index = at(url, ca_file=tls_front.ca_file)
    loaded(index)
    opened(index)


@pytest.mark.parametrize("content", [None, "no certificate"])
def test_an_authority_file_that_cannot_be_used_is_told(
    server: TestServer, tmp_path: Path, content: str | None
) -> None:
    path = tmp_path / "ca.pem"
    if content is not None:
        path.write_text(content)
    url = f"{server.product}+https://127.0.0.1:{server.port}/rules"
    said = sentence(lambda: opened(at(url, ca_file=str(path))), InputError)
    assert f"RIRAG_SERVER_CA_FILE={path} cannot be used" in said


@every_way
def test_the_other_product_behind_a_scheme_is_told(server: TestServer, way: Way) -> None:
    other = {"elasticsearch": "opensearch", "opensearch": "elasticsearch"}[server.product]
    index = at(f"{other}+{server.http_url}/rules")
    said = sentence(lambda: way(index), IndexUnavailableError)
    assert f"write {server.product}+http://" in said
    assert server.indices("rules") == {}


@pytest.mark.parametrize("name", ["Rules", "_rules", "a b", "rules,other", "..", "a" * 300, "é"])
def test_a_name_that_servers_refuse_is_told_before_anything_is_sent(name: str) -> None:
    for way in EVERY_WAY:
        index = at(f"elasticsearch+http://127.0.0.1:{free_port()}/{name}")
        assert "cannot be used" in sentence(lambda way=way, index=index: way(index), InputError)


@pytest.mark.parametrize("scheme", ["elasticsearch", "elasticsearch+ftp", "solr+http", "http"])
def test_a_scheme_that_no_engine_knows_is_refused_by_the_command_line(
    scheme: str, tmp_path: Path
) -> None:
    done = cli_support.run("search", "a", "--index", f"{scheme}://h:9200/x", cwd=tmp_path)
    assert f"{scheme}://" in done.refused(2)


def test_a_password_in_the_url_is_refused_and_not_shown(tmp_path: Path) -> None:
    url = "elasticsearch+http://elastic:s3cret@127.0.0.1:9200/rules"
    done = cli_support.run("search", "fees", "--index", url, cwd=tmp_path)
    said = done.refused(2)
    assert "s3cret" not in said
    assert "RIRAG_SERVER_PASSWORD" in said


@both
@pytest.mark.parametrize(
    "arguments",
    [("search", "fees"), ("ask", "fees?"), ("documents", "list")],
    ids=lambda arguments: arguments[0],
)
def test_the_command_line_says_that_no_server_answers(
    product: str, arguments: tuple[str, ...], tmp_path: Path
) -> None:
    url = f"{product}+http://127.0.0.1:{free_port()}/rules"
    done = cli_support.run(*arguments, "--index", url, cwd=tmp_path)
    assert "no server answers" in done.refused(3)


def test_the_command_line_loads_nothing_without_a_server(tmp_path: Path) -> None:
    (tmp_path / "rules.txt").write_text("1\tA rule.\n", encoding="utf-8")
    url = f"elasticsearch+http://127.0.0.1:{free_port()}/rules"
    done = cli_support.run("ingest", "rules.txt", "--index", url, cwd=tmp_path)
    assert "no server answers" in done.refused(3)


def test_asking_for_an_index_that_is_not_there_names_the_command(
    server: TestServer, fresh_name: str
) -> None:
    index = at(f"{server.url}/{fresh_name}")
    asked(index)
    said = sentence(lambda: opened(index), IndexUnavailableError)
    assert said.endswith(f"make it with: rirag ingest SOURCE --index {index.url}")
    assert server.indices(fresh_name) == {}

"""`scripts/servers` says in one sentence what it cannot do, and keeps away from what is not its."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from server_processes import COMMAND, ROOT, TestServer, free_port

sys.path.insert(0, str(ROOT / "scripts"))

from test_servers.account import Account, instances_home
from test_servers.archives import Archive
from test_servers.docker import run_arguments
from test_servers.options import ServerOptions
from test_servers.products import PRODUCTS
from test_servers.refusal import MissingError, RefusalError
from test_servers.security import Credentials


def command(*arguments: object, **variables: str) -> tuple[int, str]:
    """Run it; return the exit code and all that it said."""
    done = subprocess.run(
        [*COMMAND, *map(str, arguments)], check=False, capture_output=True, text=True,
        env={"PATH": "/usr/bin:/bin", **variables},
    )  # fmt: skip
    return done.returncode, done.stdout + done.stderr


def test_a_machine_without_maven_is_told_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(MissingError, match="apt install maven"):
        PRODUCTS["opensearch"].archive.unpack(Path.cwd() / "never")


def test_a_cache_folder_with_a_blank_is_refused(tmp_path: Path) -> None:
    tmp_path.chmod(0o755)
    place = Path("/var/tmp/rirag servers test")
    code, said = command("status", "elasticsearch", XDG_CACHE_HOME=str(place))
    assert (code, said.count("\n")) == (1, 1)
    assert "a blank in its name" in said
    assert not place.exists()


def test_a_folder_with_other_things_in_it_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine.txt").write_text("precious")
    for action in ("start", "stop"):
        code, said = command(action, "opensearch", "--fresh", "--data", tmp_path)
        assert (code, said) == (
            1,
            f"servers: {tmp_path} holds no server; give --data an empty folder\n",
        )
    assert [path.name for path in tmp_path.iterdir()] == ["mine.txt"]


def test_a_port_that_is_taken_is_told(server: TestServer) -> None:
    other = {"elasticsearch": "opensearch", "opensearch": "elasticsearch"}[server.product]
    code, said = command("start", other, "--port", server.port)
    assert code == 1
    assert said == (
        f"servers: something else answers on port {server.port}; stop it or give --port\n"
    )


def test_a_server_that_does_not_run_is_told() -> None:
    assert command("status", "opensearch", "--port", free_port()) == (1, "it does not run\n")
    assert command("stop", "opensearch", "--port", free_port()) == (0, "it did not run\n")


def test_options_that_contradict_one_another_are_refused(tmp_path: Path) -> None:
    assert command("start", "opensearch", "--secure")[0] == 1
    assert command("start", "opensearch", "--docker", "--data", tmp_path)[0] == 1


def test_an_archive_that_is_not_the_one_known_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = Archive("a.group", "thing", "1", "0" * 64)
    fetched = tmp_path / "thing-1.zip"
    fetched.write_bytes(b"something else")
    monkeypatch.setattr(Archive, "_fetched", lambda self, folder: fetched)
    with pytest.raises(RefusalError, match=r"a\.group:thing:1:zip has the SHA-256 [0-9a-f]{64}"):
        wrong.unpack(tmp_path / "target")
    assert [path.name for path in tmp_path.iterdir()] == ["thing-1.zip"]


def test_a_private_folder_cannot_be_entered_by_another_account(tmp_path: Path) -> None:
    other = Account(uid=65_534, gid=65_534)
    tmp_path.chmod(0o700)
    assert not other.may_enter(tmp_path / "servers")
    assert Account().may_enter(tmp_path / "servers")


def test_quick_instances_are_in_memory_if_there_is_any(tmp_path: Path) -> None:
    in_memory = instances_home(tmp_path / "home", quick=True, memory=tmp_path)
    assert in_memory.parent == tmp_path
    for quick, memory in ((False, tmp_path), (True, tmp_path / "none")):
        assert instances_home(tmp_path / "home", quick, memory) == tmp_path / "home" / "instances"


def test_the_image_gets_the_settings_and_listens_on_this_machine_only() -> None:
    options = ServerOptions(9300, heap="1g", settings=("http.max_content_length=1mb",))
    arguments = run_arguments(PRODUCTS["opensearch"], options, "name", None)
    assert arguments[:6] == [
        "run",
        "--detach",
        "--name",
        "name",
        "--publish",
        "127.0.0.1:9300:9200",
    ]
    assert arguments[-1] == "opensearchproject/opensearch:3.6.0"
    for setting in (
        "discovery.type=single-node",
        "http.max_content_length=1mb",
        "DISABLE_SECURITY_PLUGIN=true",
        "OPENSEARCH_JAVA_OPTS=-Xms1g -Xmx1g",
    ):
        assert arguments[arguments.index(setting) - 1] == "--env"


def test_the_secure_image_finds_its_certificate_and_password(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("s3cret")
    options = ServerOptions(9300, secure=True)
    arguments = run_arguments(PRODUCTS["elasticsearch"], options, "name", Credentials(tmp_path))
    assert f"{tmp_path}:/usr/share/elasticsearch/config/certificates:ro" in arguments
    assert "xpack.security.http.ssl.certificate=certificates/certificate.pem" in arguments
    assert "xpack.security.enabled=true" in arguments
    assert "ELASTIC_PASSWORD=s3cret" in arguments

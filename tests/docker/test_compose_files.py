"""docker/compose.yaml and docker/compose.embedded.yaml keep what their pages promise."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from compose_files import DOCKER, FILES, read, servers, services, sources

from search.engines.servers import ServerAddress, ServerOptions
from search.engines.servers.connection import client_of

SERVICES = services()
SERVERS = {"elasticsearch": "elasticsearch", "opensearch": "opensearchpy"}
"""Product and the library of its client."""
OURS = {name: one for name, one in SERVICES.items() if one["image"].startswith("rirag:")}


@pytest.mark.parametrize("name", FILES)
def test_a_file_follows_the_specification_of_compose(name) -> None:
    checked = subprocess.run(
        [sys.executable, "-m", "check_jsonschema", "--builtin-schema", "vendor.compose-spec",
         str(DOCKER / name)],
        capture_output=True, text=True, check=False,
    )  # fmt: skip

    assert checked.returncode == 0, checked.stdout + checked.stderr


@pytest.mark.parametrize("name", SERVICES)
def test_a_service_has_limits_and_no_privileges(name) -> None:
    service = SERVICES[name]

    assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert "privileged" not in service
    assert service["logging"]["options"]["max-size"]


@pytest.mark.parametrize("name", OURS)
def test_our_image_runs_on_a_file_system_that_cannot_be_written(name) -> None:
    assert OURS[name]["read_only"] is True
    assert OURS[name]["tmpfs"] == ["/tmp"]


@pytest.mark.parametrize("name", OURS)
def test_only_set_up_is_root_and_it_can_only_hand_over_files(name) -> None:
    service = OURS[name]

    if name.endswith(("-credentials", "-account")):
        assert service["user"] == "0:0"
        assert service["cap_add"] == ["CHOWN", "DAC_OVERRIDE", "FOWNER"]
        assert service["restart"] == "no"
    else:
        assert "user" not in service
        assert "cap_add" not in service


@pytest.mark.parametrize("name", SERVICES)
def test_ports_are_open_to_this_machine_only(name) -> None:
    assert all(port.startswith("127.0.0.1:") for port in SERVICES[name].get("ports", ()))


@pytest.mark.parametrize("name", SERVICES)
def test_no_secret_stands_in_the_environment(name) -> None:
    environment = SERVICES[name].get("environment", {})
    secrets = {
        variable
        for variable in environment
        if re.search(r"PASSWORD|SECRET|API_KEY", variable) and not variable.endswith("_FILE")
    }

    assert secrets == set()


def test_secrets_are_files_that_git_does_not_keep() -> None:
    secrets = read("compose.yaml")["secrets"]

    assert {one["file"] for one in secrets.values()} == {
        "./secrets/admin-password", "./secrets/rirag-password",
    }  # fmt: skip
    assert "/secrets/" in (DOCKER / ".gitignore").read_text().splitlines()


@pytest.mark.parametrize(("name", "server"), servers().items())
def test_a_server_is_healthy_only_when_it_answers_over_tls_to_its_administrator(
    name, server
) -> None:
    command = server["healthcheck"]["test"][1]

    assert "--cacert ca.pem" in command
    assert "https://localhost:9200/_cluster/health?wait_for_status=yellow" in command
    assert "$$(cat admin-password)" in command
    assert "--insecure" not in command


@pytest.mark.parametrize(("name", "server"), servers().items())
def test_rirag_waits_for_a_healthy_server_and_the_server_for_its_credentials(name, server) -> None:
    rirag = dict(SERVICES[f"rirag-{name}"]["depends_on"])

    assert rirag.pop(name) == {"condition": "service_healthy"}
    waits = [*rirag.values(), *server["depends_on"].values()]
    assert {one["condition"] for one in waits} == {"service_completed_successfully"}


@pytest.mark.parametrize("name", servers())
def test_the_address_and_credentials_of_rirag_are_ones_that_rirag_takes(
    name, monkeypatch, tmp_path: Path
) -> None:
    environment = SERVICES[f"rirag-{name}"]["environment"]
    (tmp_path / "rirag-password").write_text("of rirag\n")
    for variable, value in environment.items():
        monkeypatch.setenv(variable, value.replace("/credentials", str(tmp_path)))

    address = ServerAddress.parse(environment["RIRAG_INDEX"])
    options = ServerOptions.from_environment()

    assert (address.product, address.node) == (name, f"https://{name}:9200")
    assert (options.user, options.password) == ("rirag", "of rirag")
    assert options.ca_file == str(tmp_path / "ca.pem")


def supported(name) -> tuple[str, str, tuple[tuple[int, ...], ...]]:
    pytest.importorskip(SERVERS[name])
    versions = client_of(ServerAddress.parse(f"{name}+http://h/i"), ServerOptions()).versions
    oldest, before = (".".join(map(str, one)) for one in versions)
    return oldest, before, versions


@pytest.mark.parametrize("name", SERVERS)
def test_a_server_is_pinned_to_a_version_that_rirag_supports(name) -> None:
    *_, (oldest, before) = supported(name)
    tag = re.fullmatch(r"[\w./-]+:(\d+)\.(\d+)\.(\d+)", servers()[name]["image"])

    assert tag, "the image names no version"
    assert oldest <= tuple(map(int, tag.groups())) < before


@pytest.mark.parametrize("name", SERVERS)
def test_the_page_of_a_server_names_the_versions_that_rirag_supports(name) -> None:
    oldest, before, _ = supported(name)
    page = (DOCKER.parent / "docs" / f"{name}.md").read_text(encoding="utf-8")

    assert f"{oldest} or newer, below {before}" in page


def test_rirag_never_sees_the_key_of_a_server() -> None:
    for name in servers():
        assert f"{name}-credentials" in sources(SERVICES[name])
        assert f"{name}-credentials" not in sources(SERVICES[f"rirag-{name}"])


def test_every_volume_that_is_mounted_is_declared_and_the_other_way_round() -> None:
    for file in FILES:
        content = read(file)
        mounted = {
            source
            for service in content["services"].values()
            for source in sources(service)
            if not source.startswith((".", "/", "$"))
        }
        assert mounted == set(content["volumes"])


def test_files_of_the_host_that_are_mounted_exist() -> None:
    for service in SERVICES.values():
        for source in sources(service):
            if source.startswith("./"):
                assert (DOCKER / source).exists(), source


def test_the_version_of_the_image_is_the_version_of_rirag() -> None:
    from importlib.metadata import version

    assert {one["image"] for one in OURS.values()} == {f"rirag:{version('rirag')}"}

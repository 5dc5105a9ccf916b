"""docker/Dockerfile: what can be told without building it; scripts/check-image builds it."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from compose_files import DOCKER

TEXT = (DOCKER / "Dockerfile").read_text(encoding="utf-8")
STAGES = re.split(r"^FROM ", TEXT, flags=re.MULTILINE)[1:]


def instructions(stage: str) -> list[str]:
    """Return the instructions of a stage, each as one line, without comments."""
    lines = "\n".join(line for line in stage.splitlines() if not line.startswith("#"))
    return [line for line in lines.replace("\\\n", " ").splitlines() if line.strip()]


def test_hadolint_has_nothing_to_say() -> None:
    hadolint = Path(sys.executable).with_name("hadolint")
    checked = subprocess.run(
        [str(hadolint), str(DOCKER / "Dockerfile")], capture_output=True, text=True, check=False
    )

    assert checked.returncode == 0, checked.stdout + checked.stderr


def test_the_last_stage_gets_what_was_installed_and_nothing_that_installs() -> None:
    last = " ".join(instructions(STAGES[-1]))

    assert len(STAGES) == 2
    assert "COPY --from=build /opt/rirag" in last
    assert not re.search(r"\bpip\b|python3-venv|build-essential|\bgcc\b", last)


def test_the_image_runs_as_an_ordinary_user_and_has_a_health_check() -> None:
    last = instructions(STAGES[-1])

    assert "USER 10001:10001" in last
    assert [line for line in last if line.startswith("HEALTHCHECK")]
    assert 'ENTRYPOINT ["rirag"]' in last


def test_all_that_is_copied_is_sent_to_the_builder_and_nothing_else() -> None:
    copied = {
        source
        for line in instructions(STAGES[0])
        if line.startswith("COPY ")
        for source in line.split()[1:-1]
    }
    ignored = (DOCKER / "Dockerfile.dockerignore").read_text(encoding="utf-8").splitlines()

    assert {line[1:] for line in ignored if line.startswith("!")} == copied
    assert "*" in ignored


def test_every_package_of_the_wheel_is_copied() -> None:
    import tomllib

    project = tomllib.loads((DOCKER.parent / "pyproject.toml").read_text(encoding="utf-8"))
    wheel = project["tool"]["hatch"]["build"]["targets"]["wheel"]

    for package in wheel["packages"]:
        assert f"COPY {package} {package}" in instructions(STAGES[0])

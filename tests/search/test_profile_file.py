"""Profile files: what they give a search, and every mistake told with its line."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from search.errors import InputError
from search.index import Index
from search.ranking import profile_file
from search.ranking.learned.learned_fusion import load_learned_fusion
from search.ranking.profile_file import MODEL_FILES, load_profile, read_profiles
from search.ranking.profiles import AlphaStep, Profile

MINE = """\
# Fitted by hand.
[mine]
source = "A guess."
fusion = "convex"
alpha = [{ words = 4, value = 0.8 }, { value = 0.25 }]
document_weight = 0.2
heading_weight = 1
votes_weight = 0.3
depth = 40
rerank_count = 10
rerank_weight = 0.5
"""


def save(folder: Path, text: str) -> Path:
    path = folder / "mine.toml"
    path.write_text(text, encoding="utf-8")
    return path


def changed(line: str) -> str:
    """The file with another line for the same field."""
    field = line.partition(" ")[0]
    return re.sub(rf"(?m)^{field} = .*$", line, MINE)


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as error:
        load_profile(str(save(folder, text)))
    return str(error.value).removeprefix(f"{folder / 'mine.toml'}:")


def test_a_file_may_begin_with_the_mark_that_windows_writes(tmp_path: Path) -> None:
    assert load_profile(save(tmp_path, "\ufeff" + MINE)).depth == 40


def test_a_file_is_taken_in_place_of_a_name(rulebook: Index, tmp_path: Path) -> None:
    plan = rulebook.search("client money", profile=str(save(tmp_path, MINE))).plan
    assert (plan.profile, plan.profile_source) == ("mine", "A guess.")
    assert (plan.alpha, plan.document_weight, plan.depth) == (0.8, 0.2, 40)
    assert plan.profile_encoder == ""


def test_a_file_that_was_changed_is_read_again(tmp_path: Path) -> None:
    path = save(tmp_path, MINE)
    assert load_profile(str(path)).depth == 40
    path.write_text(changed("depth = 41"), encoding="utf-8")
    assert load_profile(str(path)).depth == 41


def test_models_are_looked_for_beside_the_file(tmp_path: Path) -> None:
    folder = tmp_path / "fitted"
    folder.mkdir()
    for field in set(MODEL_FILES) & set(Profile.__dataclass_fields__):
        profile = load_profile(str(save(folder, MINE + f'{field} = "model.json"\n')))
        assert getattr(profile, field) == str(folder / "model.json")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("depth = 0", "9: profile 'mine': depth must be a whole number from 1 to 1000, not 0."),
        ("depth = 5.5", "9: profile 'mine': depth must be a whole number from 1 to 1000, not 5.5."),
        ("document_weight = 2", "6: profile 'mine': document_weight must be a number from 0 to 1"),
        ("votes_weight = true", "8: profile 'mine': votes_weight must be a number from 0 to 1"),
        ('fusion = "sum"', "4: profile 'mine': fusion must be convex or rrf, not 'sum'."),
        ('source = ""', "3: profile 'mine': source must be a non-empty text, not ''."),
        ("alpha = []", "5: profile 'mine': alpha must be a list of rows"),
        ("alpha = [{ value = 1.2 }]", "5: profile 'mine': the value of each row of alpha"),
        (
            "alpha = [{ words = 4, value = 1 }]",
            "5: profile 'mine': the last row of alpha must not have",
        ),
        ("alpha = [{ weight = 1 }]", "5: profile 'mine': a row of alpha has words and value"),
        (
            "alpha = [{ words = 9, value = 1 }, { words = 4, value = 1 }, { value = 1 }]",
            ("5: profile 'mine': each row of alpha but the last needs words, in ascending order."),
        ),
        ("depth =", "9: this is not valid TOML: Invalid value"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, line: str, message: str) -> None:
    assert refusal(tmp_path, changed(line)).startswith(message)


def test_a_name_of_a_file_that_no_file_can_have_is_refused(tmp_path: Path) -> None:
    path = save(tmp_path, MINE + 'learned = "a\\u0000b"\n')
    with pytest.raises(InputError, match=r"mine\.toml:12: .* learned must be a text without NUL"):
        read_profiles(path)


@pytest.mark.parametrize(
    ("value", "reason"),
    [("9" * 5000, "a number has too many digits"), ("[" * 5000, "it is nested too deep")],
    ids=["number", "brackets"],
)
def test_toml_beyond_what_can_be_read_is_refused(tmp_path: Path, value: str, reason: str) -> None:
    with pytest.raises(InputError, match=rf"mine\.toml: this TOML cannot be read: {reason}\."):
        read_profiles(save(tmp_path, changed(f"depth = {value}")))


def test_unknown_missing_and_stray_fields_are_told(tmp_path: Path) -> None:
    assert refusal(tmp_path, MINE + "colour = 1\n").startswith(
        "12: profile 'mine': unknown field 'colour'; a profile has: alpha, alpha_covered, "
    )
    without = MINE.replace("depth = 40\n", "")
    assert refusal(tmp_path, without) == "2: profile 'mine': the field 'depth' is missing."
    assert "is outside any table" in refusal(tmp_path, f"depth = 3\n{MINE}")


def test_a_file_must_hold_one_profile(tmp_path: Path) -> None:
    two = MINE + MINE.replace("[mine]", "[other]")
    assert "the file must contain a single profile, not mine, other." in refusal(tmp_path, two)
    assert "the file contains no profile" in refusal(tmp_path, "# nothing\n")


def test_a_file_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="the profile file cannot be read: No such file"):
        load_profile(str(tmp_path / "none.toml"))


@pytest.mark.parametrize(
    ("words", "alpha"), [(1, 0.8), (2, 0.8), (4, 0.6), (8, 0.4), (16, 0.3), (32, 0.2), (99, 0.2)]
)
def test_a_smooth_alpha_goes_straight_between_its_rows(words: int, alpha: float) -> None:
    rows = (AlphaStep(0.8, 2), AlphaStep(0.4, 8), AlphaStep(0.2, 32))
    profile = replace(load_profile("even"), alpha=rows, alpha_shape="smooth")
    assert profile.alpha_for(words) == pytest.approx(alpha)


def test_a_smooth_alpha_is_read_with_words_in_every_row(tmp_path: Path) -> None:
    smooth = changed("alpha = [{ words = 2, value = 1 }, { words = 20, value = 0 }]")
    profile = load_profile(str(save(tmp_path, smooth + 'alpha_shape = "smooth"\n')))
    assert profile.alpha_for(20) == 0
    with_open_end = changed("alpha = [{ words = 2, value = 1 }, { value = 0 }]")
    assert "but the last needs words, in ascending order." in refusal(
        tmp_path, with_open_end + 'alpha_shape = "smooth"\n'
    )


@pytest.fixture
def fitted_for_two(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Profiles of which one is for the encoder with the revision `r1`."""
    general = MINE.replace("[mine]", "[default]")
    fitted = MINE.replace("[mine]", "[fitted]") + 'encoder = "e"\nencoder_revision = "r1"\n'
    monkeypatch.setattr(profile_file, "PROFILES_FILE", save(tmp_path, general + fitted))


@pytest.mark.usefixtures("fitted_for_two")
def test_the_default_is_the_profile_fitted_for_the_encoder() -> None:
    assert load_profile("default", "r1").name == "fitted"
    assert load_profile("default", "r2").name == "default"
    assert load_profile("default").name == "default"
    assert load_profile("fitted", "r2").name == "fitted"


def test_over_other_documents_the_default_is_the_profile_for_elsewhere(rulebook: Index) -> None:
    encoder = rulebook.describe().encoder
    home = load_profile("default", encoder.revision)
    away = load_profile("default", encoder.revision, rulebook.pipeline.names.titles)
    known = load_learned_fusion(home.learned).fitted_for.documents
    assert away.name == home.elsewhere == rulebook.search("client money").plan.profile
    assert load_profile("default", encoder.revision, known) == home
    assert load_profile(home.name, encoder.revision, rulebook.pipeline.names.titles) == home


def test_a_search_takes_the_profile_of_its_encoder_and_says_so(
    rulebook: Index, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder = rulebook.describe().encoder
    general = MINE.replace("[mine]", "[default]")
    fitted = (
        MINE.replace("[mine]", "[fitted]")
        + f'encoder = "{encoder.name}"\nencoder_revision = "{encoder.revision}"\n'
    )
    monkeypatch.setattr(profile_file, "PROFILES_FILE", save(tmp_path, general + fitted))
    result = rulebook.search("client money")
    plan = result.plan
    assert (plan.profile, plan.profile_encoder, result.trace.notes) == ("fitted", encoder.name, ())
    assert f"profile     fitted, fitted for {encoder.name}" in plan.describe()


def test_a_search_tells_the_weight_that_its_passages_leave_to_words(rulebook: Index) -> None:
    even = load_profile("even")
    assert rulebook.search("client money", profile=even).plan.alpha == 0.5
    covered = replace(even, alpha_covered=100.0)
    assert 0 < rulebook.search("client money", profile=covered).plan.alpha < 0.1


def test_a_profile_of_another_encoder_is_told(rulebook: Index) -> None:
    other = replace(load_profile("even"), encoder="other", encoder_revision="ffff")
    (note,) = rulebook.search("client money", profile=other).trace.notes
    assert note.startswith("the profile even was fitted for other (revision ffff), but this index")


def test_profiles_that_ship_are_read_in_order() -> None:
    assert next(iter(read_profiles(profile_file.PROFILES_FILE))) == "default"

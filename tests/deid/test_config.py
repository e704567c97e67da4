from pathlib import Path

import pytest

from deid.config import load_config
from deid.errors import ConfigError
from deid.schema import Action, Kind


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "medveil.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_kind_is_in_the_default_policy() -> None:
    assert set(load_config().policy.rules) == set(Kind)


def test_sex_age_and_clinical_content_stay_by_default() -> None:
    policy = load_config().policy
    keepers = (Kind.AGE, Kind.SEX, Kind.DURATION, Kind.DOSE, Kind.MEASUREMENT, Kind.CLINICAL)
    assert {policy.rule(kind).action for kind in keepers} == {Action.KEEP}


def test_names_and_ids_yield_to_nothing_by_default() -> None:
    policy = load_config().policy
    assert not any(policy.rule(k).yields_to for k in (Kind.NAME, Kind.RESIDENT_ID, Kind.PHONE))


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("[deid]\npolicie = 'paper'", "policie"),
        ("[deid.detect]\norc = 'x'", "orc"),
        ("[deid.run]\nworkers = 'many'", "workers"),
        ("[deid]\npolicy = 'strictest'", "strictest"),
        ("[deid", "TOML"),
    ],
)
def test_what_is_wrong_in_the_file_is_named(tmp_path: Path, text: str, word: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_config(written(tmp_path, text))
    assert word in str(caught.value)


def test_a_missing_file_is_a_config_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError):
        load_config(tmp_path / "none.toml")


def test_other_settings_have_another_fingerprint_and_the_same_ones_the_same(tmp_path: Path) -> None:
    plain = load_config()
    same = load_config(written(tmp_path, "[grade]\nanything = 1\n"))
    other = load_config(written(tmp_path, "[deid.detect]\ncodes = ''\n"))
    assert plain.fingerprint == same.fingerprint != other.fingerprint


def test_a_policy_of_ones_own_is_read_beside_the_configuration(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nversion = "1"\n[rules]\nsex = { action = "remove" }\n', encoding="utf-8"
    )
    policy = load_config(written(tmp_path, "[deid]\npolicy = 'mine.toml'")).policy
    assert policy.rule(Kind.SEX).action is Action.REMOVE
    assert policy.rule(Kind.NAME).action is Action.REMOVE


def test_a_policy_that_names_an_unknown_kind_or_action_is_refused_by_name(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nversion = "1"\n[rules]\nsecks = { action = "remove" }\n', encoding="utf-8"
    )
    with pytest.raises(ConfigError, match="secks"):
        load_config(written(tmp_path, "[deid]\npolicy = 'mine.toml'"))


def test_a_policy_that_shifts_dates_is_refused_until_there_is_a_shift(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(
        'name = "mine"\nversion = "1"\n[rules]\ndate = { action = "shift" }\n', encoding="utf-8"
    )
    with pytest.raises(ConfigError, match="date"):
        load_config(written(tmp_path, "[deid]\npolicy = 'mine.toml'"))

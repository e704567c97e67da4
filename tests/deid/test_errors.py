import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deid import errors
from deid.errors import DeidError

CLASSES = [v for v in vars(errors).values() if isinstance(v, type) and issubclass(v, DeidError)]


@given(kind=st.sampled_from(CLASSES), cause=st.text(), remedy=st.text(), reason=st.text())
def test_errors_survive_the_trip_from_a_worker(
    kind: type[DeidError], cause: str, remedy: str, reason: str
) -> None:
    error = kind(cause, remedy=remedy, reason=reason)
    back = pickle.loads(pickle.dumps(error))  # noqa: S301 - our own bytes
    assert type(back) is kind
    assert vars(back) == vars(error)
    assert str(back) == str(error)
    assert back.reason == (reason or kind.code)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("DeidError", 1), ("ConfigError", 2), ("BackendMissingError", 3), ("InputError", 4),
        ("UnsupportedFormatError", 4), ("UnreadableFileError", 4), ("LeakError", 5),
        ("ReleaseBlockedError", 6), ("EgressError", 7), ("BackendFailedError", 8),
    ],
)  # fmt: skip
def test_exit_codes_are_what_scripts_rely_on(name: str, code: int) -> None:
    assert getattr(errors, name).exit_code == code


def test_a_message_says_cause_and_remedy() -> None:
    assert str(DeidError("The file is empty.", remedy="Export it again.")) == (
        "The file is empty. Export it again."
    )
    bare = DeidError("The file is empty.")
    assert (str(bare), bare.remedy, bare.reason) == ("The file is empty.", "", "failed")


def test_machine_words_differ() -> None:
    assert len({c.code for c in CLASSES}) == len(CLASSES) == 10

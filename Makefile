# make demo: install and try.  make test: everything that must hold.  Nothing here needs root.

SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DELETE_ON_ERROR:
.PHONY: venv demo test lock mutants clean

BIN := .venv/bin
# --no-deps: rapidocr asks for opencv-python-headless, we install opencv-python, and both unpack
# into `cv2`, so that whichever comes last overwrites half of the other.  The locks hold every
# package by name and hash, without the headless one, and nothing else is installed.
INSTALL := $(BIN)/python -m pip install --quiet --no-deps --disable-pip-version-check

venv: .venv/installed

# A stamp is written last, so that an interrupted install is repeated from the start.
.venv/locked: requirements.lock
	@python=; \
	for name in python3.11 python3.12 python3.13 python3; do \
	  if $$name -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' \
	      2>/dev/null; then python=$$name; break; fi; \
	done; \
	if [ -z "$$python" ]; then \
	  echo "MedVeil needs Python 3.11, 3.12 or 3.13 as python3.11, python3.12, python3.13 or" \
	    "python3; found: $$(python3 --version 2>&1 || true)" >&2; \
	  exit 1; \
	fi; \
	echo "Making .venv with $$python"; \
	$$python -m venv --clear .venv
	$(INSTALL) --require-hashes -r requirements.lock
	@touch $@

.venv/installed: .venv/locked pyproject.toml
	$(INSTALL) --no-build-isolation -e .
	@touch $@

.venv/dev: .venv/locked requirements-dev.lock
	$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

# The example holds one truncated picture on purpose: exit code 1 with a summary is what we expect.
demo: venv
	$(BIN)/deid run examples/export --out demo-out --fresh || [ $$? -eq 1 ]
	@echo
	@echo "Now look at"
	@echo "  demo-out/report/index.html     what was masked, what is in doubt, what failed and why"
	@echo "  demo-out/corpus/cases.jsonl    the consultations, one a line"
	@echo "  demo-out/corpus/media/         the pictures and DICOM files, painted over"
	@echo "and compare with examples/export and examples/expected.jsonl"

test: .venv/installed .venv/dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m pytest -n 2

# How strong are the tests of the pure core?  Results: docs/mutation.md.
mutants: .venv/installed .venv/dev
	$(BIN)/python tests/mutants.py

# Without the settings of the machine that makes them, the locks hold what the public index has for
# every platform.
COMPILE = env -u UV_INDEX -u UV_INDEX_URL -u UV_DEFAULT_INDEX -u UV_EXTRA_INDEX_URL \
  -u UV_FIND_LINKS -u UV_CONSTRAINT -u UV_OVERRIDE .lock/bin/uv --no-config pip compile --quiet \
  --universal --python-version 3.11 --generate-hashes --no-emit-index-url --no-header \
  --no-annotate --no-emit-package opencv-python-headless --upgrade

lock: .venv/locked
	$(BIN)/python -m venv --clear .lock
	.lock/bin/python -m pip install --quiet --disable-pip-version-check uv
	@# The editable install of ours is built with what the lock holds, too.
	$(BIN)/python -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb")); \
	  print(*p["build-system"]["requires"], "editables", sep="\n")' > .lock/build.in
	$(COMPILE) pyproject.toml .lock/build.in -o requirements.lock
	$(COMPILE) pyproject.toml .lock/build.in --extra dev -c requirements.lock -o requirements-dev.lock
	rm -rf .lock

clean:
	rm -rf .venv .lock demo-out mutants .pytest_cache .mypy_cache .ruff_cache .hypothesis \
	  .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

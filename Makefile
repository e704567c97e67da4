# Two commands do everything: `make demo` and `make test`.  Both make their own virtual environment.
#
# Packages are installed from lock files with hashes and without dependency resolution (--no-deps):
# rapidocr asks for opencv-python-headless, which unpacks into the same folder as opencv-python.

.DELETE_ON_ERROR:
SHELL := /bin/bash
VENV := .venv
BIN := $(VENV)/bin
UNFINISHED := $(VENV)/unfinished
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps
PYTHON := $(shell for p in python3.11 python3.12 python3.13 python3; do \
	command -v $$p >/dev/null 2>&1 && $$p -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null && echo $$p && break; done)

.PHONY: demo test lint check venv dev lock mutants clean

demo: venv
	@$(BIN)/deid run examples/export --out demo-out --fresh; status=$$?; \
	if [ $$status -gt 1 ]; then exit $$status; fi; \
	echo "Open demo-out/report/index.html in a browser."; \
	echo "One case is quarantined on purpose: its picture is cut off."

test: dev lint
	$(BIN)/python -m pytest -n 2

lint: dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

venv: $(VENV)/installed

dev: $(VENV)/installed-dev

$(VENV)/installed: requirements.lock pyproject.toml
	@test -n "$(PYTHON)" || { echo "MedVeil needs Python 3.11, 3.12 or 3.13: install one and try again." >&2; exit 1; }
	@# A run that was interrupted may have left half a package: begin again.
	@if [ -e $(UNFINISHED) ] || ! $(BIN)/python -m pip --version >/dev/null 2>&1; then \
		echo "Making $(VENV) with $(PYTHON) ..."; $(PYTHON) -m venv --clear $(VENV); fi
	@touch $(UNFINISHED)
	@echo "Installing what MedVeil needs (about 900 MB on disk) ..."
	@$(INSTALL) --require-hashes -r requirements.lock
	@$(INSTALL) --no-build-isolation -e .
	@$(BIN)/python -c "import cv2" 2>/dev/null || { \
		echo "OpenCV cannot load: on a slim Linux it needs libGL and GLib (Debian: libgl1 libglib2.0-0)." >&2; exit 1; }
	@rm -f $(UNFINISHED)
	@touch $@

$(VENV)/installed-dev: $(VENV)/installed requirements-dev.lock
	@echo "Installing what the tests need ..."
	@$(INSTALL) --require-hashes -r requirements-dev.lock
	@touch $@

# Remake the lock files from pyproject.toml (needs the network; uv resolves for every platform).
lock:
	python3 -m venv $(VENV)-lock && $(VENV)-lock/bin/pip install --quiet uv
	$(VENV)-lock/bin/uv pip compile pyproject.toml --extra build $(LOCK) -o requirements.lock
	$(VENV)-lock/bin/uv pip compile pyproject.toml --extra build --extra dev $(LOCK) -o requirements-dev.lock
	rm -rf $(VENV)-lock
LOCK := --universal --python-version 3.11 --generate-hashes --no-config --no-emit-index-url --no-header --no-annotate --no-emit-package opencv-python-headless --quiet

# Changes the core in one place at a time and runs its tests: minutes, so not part of `make test`.
mutants: dev
	@rm -rf mutants
	$(BIN)/mutmut run --max-children 2 >mutants.log 2>&1 || { tail -n 40 mutants.log; exit 1; }
	@echo "Changes that no test noticed (docs/mutation.md says why):"
	@$(BIN)/mutmut results

clean:
	rm -rf $(VENV) demo-out mutants mutants.log .pytest_cache .mypy_cache .ruff_cache

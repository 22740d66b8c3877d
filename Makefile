# Every target makes .venv from a fresh clone first; a second run installs nothing.
# PYTHON=... chooses the interpreter (3.11 to 3.13).

SHELL := /bin/bash
ADVISOR_PORT ?= 7860

# Nothing leaves the machine after the installation.
export HF_HUB_OFFLINE := 1
export TRANSFORMERS_OFFLINE := 1
export ANONYMIZED_TELEMETRY := False
export GRADIO_ANALYTICS_ENABLED := False
export LANGSMITH_TRACING := false
export LANGGRAPH_STRICT_MSGPACK := true

USABLE := import sys, venv, ensurepip; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))
PYTHON ?= $(shell for name in python3 python3.13 python3.12 python3.11; do \
	if $$name -c '$(USABLE)' >/dev/null 2>&1; then echo $$name; break; fi; done)

.PHONY: run test lint bench leave-one-out docs screenshots constraints clean install install-test python

run: install  ## browser chat and API on http://127.0.0.1:7860
	.venv/bin/advisor serve

test: lint  ## lint, types, dependency rule and all tests
	.venv/bin/python -m pytest -n 2 --dist loadfile

lint: install-test
	.venv/bin/ruff check .
	.venv/bin/ruff format --check .
	.venv/bin/mypy
	.venv/bin/lint-imports

bench: install-test  ## figures of speed and quality
	.venv/bin/python -m tests.benchmarks.bench
	.venv/bin/python -m tests.benchmarks.bench_answers
	.venv/bin/python -m tests.benchmarks.bench_catalog

leave-one-out: install-test  ## error of the time model on each source its fit has not seen
	.venv/bin/python -m tests.benchmarks.leave_one_out

docs: install-test  ## docs/tools.md, docs/settings.md and the examples of README.md
	.venv/bin/python -m scripts.tools_doc
	.venv/bin/python -m scripts.settings_doc
	.venv/bin/python -m scripts.readme_examples

screenshots: install-test  ## docs/screenshots, made by the browser tests
	ADVISOR_SCREENSHOTS=docs/screenshots .venv/bin/python -m pytest tests/browser -q

constraints: install-test  ## constraints.txt from .venv
	.venv/bin/python -m scripts.pin_constraints

install: python
	@$(PYTHON) scripts/setup_env.py run

install-test: python
	@$(PYTHON) scripts/setup_env.py test

python:
	@test -n "$(PYTHON)" || { echo "Python 3.11, 3.12 or 3.13 with venv is needed (Debian: apt install python3-venv), or PYTHON=/path/to/python." >&2; exit 1; }

clean:  ## everything that a build or a test made, .venv too
	rm -rf .venv build dist *.egg-info .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

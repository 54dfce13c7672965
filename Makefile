# Two commands for everybody: `make demo` and `make test`. `make check` runs every gate, `make thorough` the slow proofs.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: demo test slow thorough chat-model milvus ray check lint docs api package clean

# A stamp per set of extras: installing again happens only when pyproject.toml changed.
$(BIN)/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.demo: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[chroma,cli,local]'
	@touch $@

$(VENV)/.test: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[local,test]'
	@touch $@

$(VENV)/.dev: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --editable '.[dev]'
	@touch $@ $(VENV)/.test

demo: $(VENV)/.demo
	$(BIN)/python examples/demo.py

# Files side by side, one for each processor.
test: $(VENV)/.test
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

# Larger doses of what the tests try: more ways to ask under faults, kills with every store, more examples of each rule.
slow: $(VENV)/.test
	HYPOTHESIS_PROFILE=slow $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile -m 'slow or not slow'

# The splitter's laws over about a hundred thousand generated notes, the index's over three thousand histories, and the
# question graph's over four thousand conversations.
thorough: $(VENV)/.test
	HYPOTHESIS_PROFILE=thorough $(BIN)/python -m pytest tests/splitters/test_laws.py tests/indexing/test_state_machine.py \
		tests/graphs/test_laws.py

# The question graph with a real chat model, whose server's address OBSIRAG_TEST_CHAT_URL names.
chat-model: $(VENV)/.test
	$(BIN)/python -m pytest tests/graphs/test_real_model.py tests/plugins/test_openai.py
	$(BIN)/python benchmarks/chat_model.py --base-url "$(OBSIRAG_TEST_CHAT_URL)"

# Indexing with Ray workers that are killed and starved; Ray isn't among the tests' packages, being large.
ray: $(VENV)/.test
	$(BIN)/python -m pip install --quiet --editable '.[ray]'
	OBSIRAG_TEST_RAY=1 $(BIN)/python -m pytest tests/components/test_ray_engine.py

# The documentation, as pages in the folder site.
docs: $(VENV)/.dev
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

# After a change of the public interface that is meant.
api: $(VENV)/.dev
	$(BIN)/python tests/support/public_api.py > tests/public_api.txt

# Wheel and sdist, and what a user has who installs nothing but the wheel: an empty environment of its own for each.
package: $(VENV)/.dev
	rm -rf dist $(VENV)/package
	$(BIN)/python -m build --outdir dist
	$(PYTHON) -m venv $(VENV)/package
	$(VENV)/package/bin/python -m pip install --quiet dist/*.whl
	cd / && $(CURDIR)/$(VENV)/package/bin/python $(CURDIR)/tests/support/installed.py
	$(VENV)/package/bin/python -m pip install --quiet "$$(ls dist/*.whl)[cli]"
	cd / && $(CURDIR)/$(VENV)/package/bin/python $(CURDIR)/tests/support/installed.py --commands

# Everything of Milvus, the real server included, which comes as a package.
milvus: $(VENV)/.test
	$(BIN)/python -m pip install --quiet milvus
	OBSIRAG_TEST_MILVUS=1 $(BIN)/python -m pytest tests/plugins/test_milvus.py tests/components/test_milvus_journeys.py

lint: $(VENV)/.dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/vulture

check: lint
	$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadfile

clean:
	rm -rf $(VENV) .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache

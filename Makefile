# Everything lives in $(VENV). Needed: Python 3.11 or later with its venv module, and make.
#
#   make demo    read the files of examples/inbox
#   make test    the quick tests; ARGS goes to pytest: make test ARGS="-k cli"
#   make endurance   20,000 reads while workers crash and zygotes are killed; about six minutes
#   make attacks the whole attack suite, layer by layer; writes docs/attacks.md; some seven minutes
#   make fuzz    every regression, and the same minutes of fuzzing every time; about three minutes
#   make fuzz-long   SECONDS of it over all targets (8 hours), seeded from SEEDS, with another SEED every time
#   make kills   200 ingests are killed at random moments, looked at and gone on with; about ten minutes
#   make lint    style, types, and the arrows between modules
#
# Another interpreter: make PYTHON=python3.13 VENV=.venv313 test

PYTHON ?= python3
VENV ?= .venv
ARGS ?=
SECONDS ?= 28800
SEEDS ?= examples/inbox
SEED ?= $(shell date +%s)

BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed
TEST := $(VENV)/.test
LINT := $(VENV)/.lint

.PHONY: demo test attacks endurance fuzz fuzz-long kills lint clean
.DELETE_ON_ERROR:

demo: $(INSTALLED)
	@$(BIN)/python examples/upload.py examples/inbox

# The attacks count every process, so they run by themselves; 5 is pytest's code for no test selected by ARGS.
test: $(TEST)
	$(BIN)/python -m pytest tests/attacks $(ARGS) || [ $$? -eq 5 ]
	$(BIN)/python -m pytest --ignore tests/attacks --numprocesses logical --dist loadfile $(ARGS) || [ $$? -eq 5 ]

endurance: $(TEST)
	FUMEHOOD_ENDURANCE=10000 $(BIN)/python -m pytest tests/endurance -s $(ARGS)

attacks: $(TEST)
	@$(BIN)/python -P tests/attacks/everything.py

fuzz: $(TEST)
	$(BIN)/python -m pytest tests/fuzz/test_regressions.py -q $(ARGS)
	$(BIN)/fumehood fuzz --seconds 120 --seed 1

fuzz-long: $(TEST)
	$(BIN)/fumehood fuzz --seconds $(SECONDS) --seed $(SEED) --seeds $(SEEDS) $(ARGS)

kills: $(TEST)
	FUMEHOOD_KILLS=200 $(BIN)/python -m pytest tests/cli/test_kills.py -s $(ARGS)

lint: $(LINT)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports

clean:
	rm -rf $(VENV)

$(INSTALLED): pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "fumehood needs Python 3.11 or later; name one: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --editable '.[pdfium]'
	@touch $@

# The groups are read here, because pip knows them only from 25.1.
GROUP = import sys, tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["dependency-groups"][sys.argv[1]], sep="\n")

$(LINT): $(TEST)  # The tests are type-checked too.
$(TEST) $(LINT): $(VENV)/.%: $(INSTALLED)
	@$(BIN)/python -c '$(GROUP)' $* > $@.txt
	$(BIN)/python -m pip install --quiet --requirement $@.txt
	@touch $@

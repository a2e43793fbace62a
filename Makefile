# The front door. Every target sets up what it needs by itself; see tools/setup.sh.
.DEFAULT_GOAL := build
.PHONY: setup setup-check build demo test wheel bench lint format sanitize fuzz clean help

JOBS ?= $(shell nproc)
FUZZ_SECONDS ?= 600

help: ## Show this help
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

setup:
	@tools/setup.sh build

build: setup ## Build the program, build/bin/warden
	@tools/build.sh release

demo: build ## Train under watch, look into the run, show it (DEMO=--no-serve: not the last)
	@examples/demo.sh $(DEMO)

test: build ## Run all tests
	@tools/test.sh

wheel: build ## Build the Python package and try it in an environment of its own
	@tools/wheel.sh

bench: ## Measure against the original library, NumPy and the machine's limits
	@tools/setup.sh build bench
	@tools/build.sh release -DWARDEN_BENCH=ON
	@bench/run.sh

setup-check:
	@tools/setup.sh build check

lint: setup-check ## Check format, layers, clang-tidy and ruff
	@tools/lint.sh

format: setup-check ## Format all sources
	@git ls-files -co --exclude-standard '*.h' '*.cc' | xargs clang-format-19 -i
	@build/venv/bin/ruff format --quiet .

sanitize: setup-check ## Short fuzz runs, then the C++ tests under asan+ubsan and tsan
	@tools/sanitize.sh

fuzz: setup-check ## Fuzz every parser for FUZZ_SECONDS each (600)
	@tools/build.sh fuzz
	@fuzz/run.sh $(FUZZ_SECONDS)

clean: ## Remove everything that was built
	rm -rf build web/node_modules

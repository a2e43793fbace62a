# The front door. Every target installs what it needs and nothing more; see tools/setup.sh.
.DEFAULT_GOAL := build
.PHONY: build demo corpus test pages wheel sdist package docs bench lint format sanitize fuzz clean help

JOBS ?= $(shell nproc)
export JOBS
FUZZ_SECONDS ?= 600
# Where tools/setup.sh puts Node.js on machines that have none, or an old one.
export PATH := $(CURDIR)/build/venv-node/bin:$(PATH)

help: ## Show this help
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z]+):.*## (.*)/  make \1|\2/' | column -t -s '|'

build: ## Build the program, build/bin/warden, and the Python module
	@tools/setup.sh build
	@tools/build.sh release

demo: ## Train a broken model under watch, then show it in the dashboard (DEMO=--no-serve: no dashboard)
	@tools/setup.sh build --later demo
	@tools/setup.sh --along demo & framework=$$!; tools/build.sh release; built=$$?; wait $$framework && exit $$built
	@examples/demo.sh $(DEMO)

build_tests = tools/build.sh release $(if $(ONLY),--configure-tests,--tests)
test: ## Run all tests, or some: ONLY=rules, ONLY=Suite.Case, ONLY=tests/e2e/cli_test.py
	@tools/setup.sh --packages build demo test
	@tools/setup.sh build web
	@tools/setup.sh --along build demo test & environments=$$!; $(build_tests); built=$$?; wait $$environments && exit $$built
	@$(build_tests) # The environments that were not there yet get our packages.
	@tools/test.py $(if $(ONLY),'$(ONLY)')

corpus: ## Run all trainings of tests/corpus and write docs/reference/corpus.md (half an hour)
	@tools/setup.sh build demo corpus
	@tools/build.sh release
	@python3 tests/corpus/run.py --jobs $(JOBS) --write

pages: ## Build the web pages into web/dist, for machines without Node.js
	@tools/setup.sh build
	@tools/pages.sh

wheel: ## Build Python wheels for every CPython of this machine into dist/
	@tools/setup.sh build package
	@tools/wheel.sh

sdist: ## Build the Python source package, web pages included, into dist/
	@tools/setup.sh build package
	@tools/sdist.sh

package: ## Build the tarball and the Debian package into dist/
	@tools/setup.sh build package
	@tools/build.sh release
	@tools/package.sh

docs: ## Build the documentation site into build/site
	@tools/setup.sh build docs
	@tools/docs.sh

bench: ## Measure against the original library, NumPy and the machine's limits
	@tools/setup.sh build demo test bench
	@tools/build.sh release --tests -DWARDEN_BENCH=ON
	@bench/run.sh

lint: ## Check formatting, words, types, layers, clang-tidy, ruff, ESLint
	@tools/setup.sh build check
	@tools/lint.sh

format: ## Format all sources
	@tools/setup.sh build check
	@git ls-files -co --exclude-standard '*.h' '*.cc' | xargs clang-format-19 -i
	@build/venv-lint/bin/ruff format --quiet .
	@cd web && npm run --silent format

sanitize: ## Short fuzz runs, then the C++ tests under asan+ubsan and tsan
	@tools/setup.sh build check
	@tools/sanitize.sh

fuzz: ## Fuzz every parser for FUZZ_SECONDS each (600)
	@tools/setup.sh build check
	@tools/build.sh fuzz
	@fuzz/run.sh $(FUZZ_SECONDS)

clean: ## Remove everything that was built
	rm -rf build dist web/node_modules web/dist

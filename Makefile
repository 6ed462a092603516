# Everything a contributor runs. `make help` lists the targets.

GO ?= go
FUZZTIME ?= 30s
# Where make release puts mrgen.
BINARY ?= bin/mrgen
# What releases are linked with; .goreleaser.yaml has the same. The default of GODEBUG has work stop while garbage
# is collected, see docs/performance.md: //go:debug lines, for which the go command sets this variable, refuse it.
LDFLAGS := -s -w -X=runtime.godebugDefault=gcstoptheworld=1
# The last one that Go 1.26 builds. The workflow release has the same.
GORELEASER ?= v2.14.0
# Right after make test, CHECKFLAGS= keeps the results of tests that the budget is nothing to.
CHECKFLAGS ?= -count=1
# The packages in which make mutate makes slips: those of testdata/mutate/shares.txt.
ROOM ?= $(shell sed 's/^\#.*//; s/ .*//' testdata/mutate/shares.txt)
# What make ratchet compares with.
BASE ?= main
# The releases of Kubernetes that judge what is generated.
RELEASES ?= 1.31 1.32 1.33 1.34 1.35 1.36 1.37

.DEFAULT_GOAL := help

.PHONY: help
help: ## Show this list.
	@awk 'BEGIN {FS = ":.*## "} /^[a-z0-9-]+:.*## / {printf "  %-10s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: build
build: ## Build bin/mrgen.
	$(GO) build -o bin/mrgen ./cmd/mrgen

.PHONY: release
release: ## Build bin/mrgen, or BINARY, as releases are.
	$(GO) build -trimpath -ldflags="$(LDFLAGS)" -o $(BINARY) ./cmd/mrgen

.PHONY: example
example: build ## Generate the code of the example provider, in a copy below bin.
	@rm -rf bin/provider-example
	@cp -R testdata/provider-example bin/provider-example
	@rm -rf bin/provider-example/package
	@find bin/provider-example -name 'zz_generated.*' -exec rm {} +
	cd bin/provider-example && ../mrgen generate
	@printf '%s\n' "" "Generated in bin/provider-example, from the types in apis. To begin with, look at" \
		"  apis/namespaced/ec2/v1beta1/subnet_types.go             types, written by hand" \
		"  apis/namespaced/ec2/v1beta1/zz_generated.resolvers.go   the method that resolves a reference" \
		"  internal/clients/namespaced/sql/zz_generated.convert.go conversions between a kind and an SDK" \
		"  package/crds/ec2.m.aws.crossplane.io_subnets.yaml       rules for required and immutable fields"

# The heap of tests, and of what they link, is small: to collect garbage at a hundred percent takes
# a third of the processor time. Programs link a tenth faster without cgo, and without tables for debuggers
# in three fifths of the time. With -trimpath, packages of mrgen that are compiled once are so for all clones and copies.
test check: export GOGC ?= 1600
test check: export GOMEMLIMIT ?= 1GiB
test check: export CGO_ENABLED ?= 0

.PHONY: test
test: ## Run all tests.
	$(GO) test -trimpath -vet=off -ldflags='-s -w' -timeout 60m ./...

.PHONY: check
check: vet ## Check formatting, run go vet, and all tests, those that make choices at random for longer: takes minutes.
	MRGEN_TEST_BUDGET=large $(GO) test -trimpath -ldflags='-s -w' $(CHECKFLAGS) -timeout 60m ./...

mutate ratchet: export GOGC ?= 1600
mutate ratchet: export CGO_ENABLED ?= 0

.PHONY: mutate
mutate: ## Make slips in packages, one at a time, that their own tests should notice; ROOM=generator/internal/cel has one, MUTATEFLAGS=-update writes the shares.
	$(GO) run -trimpath ./testdata/mutate $(MUTATEFLAGS) $(ROOM)

.PHONY: ratchet
ratchet: ## Make 40 slips in the packages that changed since BASE, and fail if tests notice fewer than testdata/mutate/shares.txt says.
	$(GO) test -trimpath ./testdata/mutate
	$(GO) run -trimpath ./testdata/mutate -n 40 -limit 5m -against=$(BASE)

.PHONY: race
race: ## Run all tests with the race detector, which needs a C compiler.
	CGO_ENABLED=1 $(GO) test -race -timeout 60m ./...

.PHONY: windows
windows: ## Compile and vet mrgen, and its tests, for Windows.
	GOOS=windows $(GO) build -o bin/mrgen.exe ./cmd/mrgen
	GOOS=windows $(GO) vet ./...

.PHONY: snapshot
snapshot: ## Try what a release does, below dist, without what needs the network, docker, cosign or syft.
	$(GO) run github.com/goreleaser/goreleaser/v2@$(GORELEASER) check
	$(GO) run github.com/goreleaser/goreleaser/v2@$(GORELEASER) release --snapshot --clean --skip=publish,docker,sign,sbom,homebrew

.PHONY: bench
bench: ## Measure mrgen against controller-gen and angryjet; BENCHFLAGS=-help shows how.
	cd testdata/bench && $(GO) run . $(BENCHFLAGS)

.PHONY: vet
vet: ## Check formatting and run go vet.
	@unformatted=$$(gofmt -s -l cmd generator markers testdata/provider-* testdata/stubs testdata/mrds testdata/admission testdata/bench testdata/e2e testdata/sarif testdata/crdify testdata/openapi testdata/simulated testdata/life testdata/setup testdata/loop testdata/lateinit testdata/celtest testdata/testmodule testdata/testprovider testdata/budget testdata/expect testdata/mutate); \
	if [ -n "$$unformatted" ]; then echo "run gofmt -s -w on:"; echo "$$unformatted"; exit 1; fi
	$(GO) vet -trimpath ./... $(addprefix ./testdata/,simulated celtest testmodule testprovider budget expect mutate)

.PHONY: combinations
combinations: ## Try every combination of markers, types and places: takes half an hour; FLAGS="-three -seed 2" tries three markers, too.
	$(GO) test -count=1 -timeout 0 -v ./generator/internal/combinations -run TestCombinations -every $(FLAGS)

.PHONY: e2e
e2e: ## Run what is generated on a control plane, of KUBERNETES=1.37 and CROSSPLANE=2.3.3 if you want; it takes minutes to build.
	cd testdata/e2e && export E2E_KUBERNETES=$(KUBERNETES) E2E_CROSSPLANE=$(CROSSPLANE) && $(GO) run -trimpath ./build && $(GO) vet -trimpath ./... && $(GO) test -trimpath -count=1 -timeout 20m ./...

.PHONY: matrix
matrix: ## Have releases of Kubernetes judge what is generated: RELEASES="1.31 1.37", or all.
	@cd testdata/admission && for release in $(RELEASES); do \
		echo "Kubernetes $$release"; \
		modules=""; if [ -f releases/$$release.mod ]; then modules="-modfile=releases/$$release.mod"; fi; \
		MRGEN_TEST_BUDGET=large $(GO) test -trimpath -count=1 $$modules -run 'TestMatrix$$|TestRelease$$' . -release=$$release $(MATRIXFLAGS) || exit 1; \
	done

.PHONY: update-matrix
update-matrix: ## Record what releases of Kubernetes say, in docs/compatibility.md too.
	$(MAKE) matrix MATRIXFLAGS=-update
	cd testdata/admission && $(GO) test -count=1 -run 'TestCompatibility$$' . -update

.PHONY: lint
lint: ## Run golangci-lint, which must be installed.
	golangci-lint run

.PHONY: generate
generate: build ## Regenerate what is generated in this repository: docs, and the providers below testdata.
	bin/mrgen markers -o markdown > docs/markers.md
	bin/mrgen help -o markdown > docs/commands.md
	bin/mrgen lint --explain all > docs/lint.md
	bin/mrgen diagnostics -o markdown > docs/diagnostics.md
	bin/mrgen schema > docs/mrgen.schema.json
	@for provider in testdata/provider-*; do (cd $$provider && ../../bin/mrgen generate) || exit 1; done

update: export MRGEN_TEST_BUDGET = large

.PHONY: update
update: generate ## Rewrite all expected output: what generate does, and what tests compare with.
	@for tests in ./generator/fix:. ./generator/internal/source/apitypes:. ./generator/internal/rules:TestRules ./generator/internal/extensions/versionconversion:TestStage ./generator/internal/extensions/versionconversion:TestCases ./generator/internal/stages/crd:TestStage ./generator/internal/stages/observation:. ./generator/internal/stages/resolvers:. ./cmd/mrgen:TestScripts; do \
		$(GO) test $${tests%%:*} -run $${tests##*:} -update || exit 1; \
	done

.PHONY: fuzz
fuzz: ## Fuzz every fuzz target for FUZZTIME each.
	@for module in . testdata/admission testdata/provider-angryjet testdata/provider-references; do \
		for package in $$(cd $$module && $(GO) list ./...); do \
			for target in $$(cd $$module && $(GO) test -list '^Fuzz' $$package | grep '^Fuzz'); do \
				echo "$$package $$target"; \
				(cd $$module && $(GO) test -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package) || exit 1; \
			done; \
		done; \
	done

.PHONY: clean
clean: ## Remove what was built.
	rm -rf bin

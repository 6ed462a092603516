package othertools

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
	"github.com/mrgen-io/mrgen/generator/run"
	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// read reads a module with some files.
func read(t *testing.T, files map[string][]byte) (Plan, diag.List) {
	t.Helper()
	root := t.TempDir()
	testmodule.Write(t, filepath.Join(root, "go.mod"), []byte("module example.org/p\n"))
	testmodule.WriteTree(t, root, files)
	return Read(root, "mrgen generate")
}

func TestFindTool(t *testing.T) {
	for line, want := range map[string]tool{
		"controller-gen object": controllerGen, "../bin/controller-gen object": controllerGen,
		"go run sigs.k8s.io/controller-tools/cmd/controller-gen@v1 object":                                         controllerGen,
		"go run -modfile ../tools/go.mod -tags generate github.com/crossplane/crossplane-tools/cmd/angryjet ./...": angryjet,
		"go tool angryjet ./...": angryjet, "go tool -modfile=a mrgen": mrgen, "rm -rf ../package/crds": remove, "echo controller-gen": "", "go vet rm": "",
		"go run ./cmd/rm -rf x": "", "mockgen -destination=angryjet": "",
	} {
		got, _ := findTool(strings.Fields(line))
		expect.True(t, got == want, "%q runs %q, want %q", line, got, want)
	}
}

// TestReadSkips checks that directives are looked for where the go command does.
func TestReadSkips(t *testing.T) {
	const directive = "package p\n\n//go:generate controller-gen object paths=./...;./v1\n"
	plan, diags := read(t, map[string][]byte{
		"apis/a.go": []byte(directive), "vendor/a.go": []byte(directive), "testdata/a.go": []byte(directive), ".hidden/a.go": []byte(directive),
		"_old/a.go": []byte(directive), "nested/go.mod": []byte("module example.org/nested\n"), "nested/a.go": []byte(directive), "apis/not-go.txt": []byte(directive),
		"other/generates.go": []byte("package p\n\n//go:generate echo controller-gen\n"),
	})
	expect.None(t, diags)
	diff := cmp.Diff(map[string]string{
		"packages": "./apis/... ./apis/v1", "crds.dir": "package/crds", "rules.required": "off", "rules.immutable": "off", "markers": "warn", "versions.mode": "off",
	}, plan.Settings)
	expect.True(t, diff == "", "settings differ (-want +got):\n%s", diff)
	expect.Equal(t, []string{"apis/a.go"}, slices.Sorted(maps.Keys(plan.Files)), "it changes")
}

// TestReadOutside checks that a file which a Makefile includes from outside the module stays.
func TestReadOutside(t *testing.T) {
	folder := t.TempDir()
	testmodule.WriteTree(t, folder, map[string][]byte{
		"common.mk": []byte("gen:\n\tcontroller-gen object paths=./apis/...\n"), "p/go.mod": []byte("module example.org/p\n"),
		"p/Makefile": []byte("include ../common.mk\ncrds:\n\tcontroller-gen crd paths=./apis/... output:crd:dir=package/crds\n"),
	})
	plan, diags := Read(filepath.Join(folder, "p"), "mrgen generate")
	const want = "../common.mk:2: warning: this directive stays, since it is outside the module: put mrgen in its place yourself"
	expect.True(t, len(diags) == 1 && diags[0].String() == want, "got %v, want %s", diags, want)
	for name := range plan.Files {
		expect.True(t, filepath.IsLocal(name), "%s is to be changed", name)
	}
}

// TestReadIncluded checks that commands are replaced whose tools another file names.
func TestReadIncluded(t *testing.T) {
	plan, diags := read(t, map[string][]byte{
		"tools.mk": []byte("GEN = bin/controller-gen\n"),
		"Makefile": []byte("include tools.mk\nall:\n\t@$(GEN) object paths=./apis/...\nboth:\n\t$(GEN) crd webhook paths=./...\nhelp:\n\tbin/controller-gen crd rbac paths=./... ## Both.\n"),
	})
	expect.None(t, diags)
	const want = "include tools.mk\nall:\n\t@mrgen generate\nboth:\n\t$(GEN) webhook paths=./...\n\tmrgen generate\nhelp:\n\tbin/controller-gen rbac paths=./... ## Both.\n\tmrgen generate\n"
	expect.Equal(t, want, string(plan.Files["Makefile"]))
}

// TestReadKept checks that mrgen takes the place of the directive for CRDs, not of one for a single package.
func TestReadKept(t *testing.T) {
	const methods, crds = "//go:generate angryjet generate-methodsets ./...\n", "//go:generate controller-gen crd paths=./... output:crd:dir=%s\n"
	plan, diags := read(t, map[string][]byte{
		"apis/a/types.go": []byte("package a\n\n" + methods), "apis/generate.go": []byte("package apis\n\n" + fmt.Sprintf(crds, "../crds")),
		"apis/z/types.go": []byte("package z\n\n" + fmt.Sprintf(crds, "../../crds")),
	})
	expect.None(t, diags)
	for name, content := range plan.Files {
		expect.Equal(t, name == "apis/generate.go", strings.Contains(string(content), "mrgen generate"), "%s runs mrgen", name)
	}
}

// TestReadFolders follows a script through its folders, and compares with the folders of bash.
func TestReadFolders(t *testing.T) {
	const object = "controller-gen object paths=./..."
	for name, script := range map[string]string{
		"own folder":      "cd \"$(dirname \"$0\")/..\"\ncd apis && " + object,
		"absolute":        "ROOT=$(cd \"$(dirname \"${BASH_SOURCE[0]}\")/..\" && pwd)\ncd \"${ROOT}/apis\"\n" + object,
		"spaces":          "DIR=$( cd -- \"$( dirname -- \"${BASH_SOURCE[0]}\" )\" &> /dev/null && pwd )\ncd \"${DIR}\"/../apis/\n" + object,
		"of the variable": "cd \"${BASH_SOURCE[0]%/*}/../apis\"\n" + object,
		"subshell":        "(cd docs; ls)\n(cd apis; " + object + ")\n",
		"pushed":          "pushd apis >/dev/null\n" + object + " && true\n",
	} {
		root := t.TempDir()
		testmodule.WriteTree(t, root, map[string][]byte{"go.mod": []byte("module example.org/p\n"), "hack/gen.sh": []byte(script), "apis/a": nil, "docs/a": nil})
		plan, diags := Read(root, "pwd >../out")
		got := plan.Settings["packages"]
		expect.True(t, got == "./apis/..." && len(diags) == 0, "%s: it is about %s: %v", name, got, diags)
		testmodule.WriteTree(t, root, map[string][]byte{"hack/gen.sh": plan.Files["hack/gen.sh"]})
		if output, err := testmodule.Run(root, "bash", "hack/gen.sh"); err != nil {
			t.Errorf("%s: %v: %s", name, err, output)
			continue
		}
		if got, err := os.ReadFile(filepath.Join(root, "out")); err != nil || filepath.Base(strings.TrimSpace(string(got))) != "apis" {
			t.Errorf("%s: bash runs it in %s: %v", name, got, err)
		}
	}
}

// TestReadOtherModule runs mrgen in this module where a command runs in another one.
func TestReadOtherModule(t *testing.T) {
	plan, diags := read(t, map[string][]byte{
		"api/go.mod": []byte("module example.org/p/api\n"), "Makefile": []byte("a:\n\tcd api; controller-gen crd paths=./... output:crd:dir=../crds\n"),
	})
	got := string(plan.Files["Makefile"])
	expect.True(t, len(diags) == 0 && got == "a:\n\tcd api; mrgen generate -C ..\n", "got %v and\n%s", diags, got)
	expect.Equal(t, "./api/... crds", plan.Settings["packages"]+" "+plan.Settings["crds.dir"], "it is about")
}

// TestReadSets names packages whose CRDs two commands write.
func TestReadSets(t *testing.T) {
	const crds = "\tcontroller-gen crd output:crd:dir="
	for commands, want := range map[string]string{ // later commands write the same files again
		"a paths=./a/...\n" + crds + "a paths=./a/v1 crd:maxDescLen=0\n" + crds + "a paths=./a/v1 crd:maxDescLen=1": "\n  - {packages: [./a/v1], dir: a, maxDescription: 1}",
		"a paths=./a\n" + crds + "a paths=./... crd:maxDescLen=0":                                                   "",
		"a paths=./a\n" + crds + "b paths=./b\n" + crds + "b paths=./b/... crd:maxDescLen=0":                        "\n  - {packages: [./b/...], dir: b, maxDescription: 0}",
	} {
		plan, diags := read(t, map[string][]byte{"Makefile": []byte("a:\n" + crds + commands + "\n")})
		got := plan.Settings["crds.sets"]
		expect.True(t, got == want && !diags.HasErrors(), "%s\ngot %s and %v", commands, got, diags)
		const again = "a directive before it writes these CRDs with another maxDescLen, and mrgen writes them once, with this one: check what reads them in between"
		last := diag.Position{File: "Makefile", Line: 2 + strings.Count(commands, "\n")}
		expect.True(t, len(diags) != 0 && diags[len(diags)-1].Pos == last && diags[len(diags)-1].Message == again, "%s\ngot %v, want it at %v", commands, diags, last)
	}
	for commands, want := range map[string]string{
		crds + "a paths=./a/...\n" + crds + "b paths=./b":                                           "",
		crds + "a paths=./a/...;./c\n" + crds + "b paths=./b paths=./c":                             "Makefile:3: warning: a directive before it writes CRDs of ./c, too: mrgen writes them to a alone",
		crds + "a paths=./a/...\n" + crds + "b paths=./a/v1/...":                                    "Makefile:3: a directive before it writes the CRDs of these packages to a: replace this one by cp after mrgen generate, and run adopt again",
		crds + "a paths=./a/...\n\tcontroller-gen crd:maxDescLen=0 paths=./...":                     "Makefile:3: a directive before it writes CRDs of the same packages to a with other settings: keep one of the two",
		"\tcontroller-gen object paths=./...\n\tcontroller-gen crd paths=./... output:crd:dir=$(A)": "Makefile:3: this command would still write CRDs, and so would mrgen: do what the warning says, or set crds.dir in mrgen.yaml",
		crds + "a paths=./a/...\n\tcontroller-gen crd:maxDescLen=0 paths=./b":                       "",
	} {
		plan, diags := read(t, map[string][]byte{"Makefile": []byte("a:\n" + strings.ReplaceAll(commands, ";", "\\;") + "\n")})
		got := fmt.Sprint(append(plan.CRDs, diags...))
		expect.True(t, len(diags) <= 2 && strings.HasPrefix(strings.Trim(got, "[]"), want) && (want != "" || len(diags) == 0), "%s\ngot %s", commands, got)
	}
}

// TestReadEdits names commands that change the CRDs, and no others.
func TestReadEdits(t *testing.T) {
	const crds = "controller-gen crd paths=./... output:crd:dir=config/crd"
	for command, isEdit := range map[string]bool{
		"rm config/crd/example.org_as.yaml": true, "sed -i s/a/b/ config/crd/*.yaml": true, "$(YQ) -i .a=1 ./config/crd/a.yaml": true,
		"kustomize build config > config/crd/a.yaml": true, "cp a.yaml config/crd": true, "cd config && yamlfmt crd": true,
		"for f in config/crd/*.yaml; do { cat h; cat \"$$f\"; } > \"$$f.tmp\" && mv \"$$f.tmp\" $${f}; done": true,
		"for f in a b; do cat h > config/crd/$$f.yaml; done":                                                 true, "sed -i s/a/b/ $$(find config/crd/* -type f)": true, "find config/crd | xargs yq -i .a=1": true,
		"ls config/crd/*.yaml | while read -r f; do yq -i .a=1 $$f; done":                               true,
		"while read -r f; do sed -i s/a/b/ $$f; done < <(find config/crd -name '*.yaml')":               true,
		"find config/crd -name '*.yaml' | sort | while read -r f; do yq -i .a=1 $$f; done":              true,
		"mapfile -t all < <(ls config/crd/*.yaml); for f in \"$${all[@]}\"; do sed -i s/a/b/ $$f; done": true, "D=config; C=$$D/crd; sed -i s/a/b/ $$C/*.yaml": true,
		"{ cat h; cat a.yaml; } > config/crd/a.yaml": true, "strip() { sed -i s/a/b/ $$1; }; strip config/crd/a.yaml": true,
		"kustomize build a -o config/crd/a.yaml": true, "go tool addlicense config/crd": true, "@$(foreach f,$(wildcard config/crd/*.yaml),$(call edit,$(f)))": true,
		"$(foreach f,a b,echo $(f);)": false, "rm config/crd/*_as.yaml": true, "$(MAKE) -f hack/edit.mk edit": true, "hack/edit config/crd": true, "hack/edit": true,
		"hack/edit config/other": false, "for f in config/crd/*.yaml; do kubectl apply -f $$f > log; done": false, "find config/crd | xargs cat > all.yaml": false,
		"cp config/crd/*.yaml charts": false, "kustomize build config/crd > all.yaml": false, "rm -rf config/crds": false, "rm -rf config/crd/*": false,
		"cd $(A) && rm config/crd/a": false,
	} {
		_, diags := read(t, map[string][]byte{
			"Makefile":    []byte("a:\n\t" + crds + "\n\t" + command + "\ndefine edit\nyq -i .a=1 $(1);\nendef\n"),
			"hack/go.mod": []byte("module example.org/hack\n"), "hack/edit.mk": []byte("#\nedit:\n\trm config/crd/a.yaml\n"),
			"hack/edit": []byte("#!/usr/bin/env bash\nDIR=\"${1:-config/crd}\"\nfor f in \"${DIR}\"/*.yaml; do sed -i s/a/b/ \"$f\"; done\n"),
		})
		const want = ":3: warning: this changes config/crd, where mrgen writes CRDs, and mrgen verify reports it: change a copy, or set crds.dir to another folder"
		got := len(diags) == 1 && strings.HasSuffix(diags[0].String(), want)
		expect.True(t, got == isEdit && (isEdit || len(diags) == 0), "%s: %v", command, diags)
	}
}

// TestReadBlocks checks that commands on several lines of a Taskfile or a justfile are replaced as a whole, or stay.
func TestReadBlocks(t *testing.T) {
	const object = "controller-gen object paths=./apis/..."
	for name, test := range map[string]struct{ before, after, problem string }{
		"folded":              {"- >-\n  controller-gen object\n  paths=./apis/...\n\n- a", "- >-\n  mrgen generate\n\n- a", ""},
		"folded, named":       {"- cmd: >\n    " + object + "\n  silent: true", "- cmd: >\n    mrgen generate\n  silent: true", ""},
		"not ASCII":           {"  prüfen: " + object + "\n  \"ü\": {cmd: b}", "  prüfen: mrgen generate\n  \"ü\": {cmd: b}", ""},
		"a text":              {"  desc: " + object + "\n  prompt: [" + object + "]\n  cmd: " + object, "  desc: " + object + "\n  prompt: [" + object + "]\n  cmd: mrgen generate", ""},
		"a key":               {"  ? " + object + "\n  : b", "", ""},
		"other paths":         {"- protoc --go_opt paths=source_relative a.proto\n- |\n  {{if\n  protoc --go_opt paths=a", "", ""},
		"variables":           {"  GEN: controller-gen\n  ARGS: object paths=./...\n  cmds: ['{{.GEN}} {{.ARGS}}']", "", "4: warning: this directive stays, since mrgen can't tell what it does"},
		"folded, another":     {"- >\n  docker run tools\n  " + object, "", "3: warning: this directive stays, since mrgen can't tell what it does"},
		"folded, a part":      {"- >\n  cd apis &&\n  controller-gen object paths=./...", "- >\n  cd apis &&\n  mrgen generate", ""},
		"literal":             {"- |\n  if true; then\n    " + object + "\n  fi", "- |\n  if true; then\n    mrgen generate\n  fi", ""},
		"literal, continued":  {"- |\n  controller-gen object \\\n    paths=./apis/...", "- |\n  mrgen generate", ""},
		"literal, moved":      {"- |\n  cd $A\n  " + object, "", "4: warning: this directive stays, since it may run in another folder"},
		"literal, unreadable": {"- |\n  if {{\"(\"}}\n  " + object, "", "4: warning: this directive stays, since mrgen can't tell what it does"},
		"folded, continued":   {"- >\n  controller-gen object \\\n    paths=./apis/...", "- >\n  mrgen generate", ""},
		"folded, two":         {"- >\n  a\n\n  " + object, "- >\n  a\n\n  mrgen generate", ""},
		"plain":               {"- cmd: controller-gen object\n    paths=./apis/...\n- b", "- cmd: mrgen generate\n- b", ""},
		"quoted":              {"  - \"{{.CONTROLLER_GEN}} object paths='./apis/...'\"", "  - mrgen generate", ""},
		"shorthand":           {"  " + "gen: " + object, "  gen: mrgen generate", ""},
		"two":                 {"- " + object + "\n- " + object, "- mrgen generate", ""},
		"two, named":          {"- " + object + "\n- cmd: " + object + "\n  silent: true", "- mrgen generate\n- cmd: mrgen generate\n  silent: true", ""},
		"two tasks":           {"  a: " + object + "\n  b: " + object, "  a: mrgen generate\n  b: mrgen generate", ""},
		"in braces":           {"- {cmd: " + object + ", silent: true}", "", "2: warning: this directive stays, since it is a part"},
		"unknown":             {"- controller-gen crd paths={{.PATHS}}", "", "2: warning: this directive stays, since the value of paths={{.PATHS}} isn't known"},
		"just, continued":     {"  @controller-gen object \\\n    paths=./apis/...", "  @mrgen generate", ""},
		"just, another":       {"  docker run tools \\\n    " + object, "", "2: warning: this directive stays, since mrgen can't tell what it does"},
	} {
		root, file := t.TempDir(), "Taskfile.yml"
		if strings.HasPrefix(name, "just") {
			file = "justfile"
		}
		const first = "x: # angryjet\n"
		testmodule.WriteTree(t, root, map[string][]byte{
			"go.mod": []byte("module example.org/p\n"), file: []byte(first + test.before + "\n"),
			"apis/a.go": []byte("package p\n\n//go:generate controller-gen object paths=./...\n"),
		})
		plan, diags := Read(root, "mrgen generate")
		want := ""
		if test.after != "" {
			want = first + test.after + "\n"
		}
		got := string(plan.Files[file])
		expect.True(t, got == want, "%s: got\n%s\nwant\n%s", name, got, want)
		switch isQuiet := test.problem == ""; {
		case isQuiet && len(diags) > 0:
			t.Errorf("%s: got %v", name, diags)
		case !isQuiet && (len(diags) != 1 || !strings.HasPrefix(diags[0].String(), file+":"+test.problem)):
			t.Errorf("%s: got %v, want %s", name, diags, test.problem)
		}
	}
}

// TestReadNamed checks that each command is named that may run a tool, at its line, and no other one.
func TestReadNamed(t *testing.T) {
	const unclear, object = ": mrgen can't tell what it does with its tools", "controller-gen object paths=./apis/..."
	const script = "#!/bin/bash\nGEN=\"go run x/controller-gen\"\nARGS=\"object crd\"\nARGS+=\" paths=./apis/...\"\nOPTS=(\n  $GEN\n  object paths=.\n)\nCMD='controller-gen object paths=.'\n"
	for _, test := range []struct {
		file, source string
		want         []string
	}{
		{"apis/b.go", "package p\n\n//go:generate protoc --go_out=. --go_opt paths=source_relative x.proto\n", nil},
		{"Makefile", "a:\n\t$(MAKE) -C apis generate paths=./...\n\tprotoc paths=$(X) # controller-gen\n\techo $(ARGS)\n", nil},
		{"Makefile", "a: # controller-gen\n\t$$GEN object paths=./...\n\tsh -c '$(GEN) object paths=./...'\n", []string{"2" + unclear, "3" + unclear}},
		{"Makefile", "TOOL ?= controller-gen\nARGS ?= object crd paths=./...\ngenerate:\n\t$(TOOL) $(ARGS)\nci: ARGS += -w\nci: generate\nrelease: TOOL = echo\nrelease:\n\t$(TOOL) x\n", []string{"4" + unclear}},
		{"justfile", "gen := \"controller-gen\"\nargs := \"object paths=./...\"\na:\n  {{gen}} {{ args }}\n  protoc paths={{args}}\n", []string{"4" + unclear}},
		{"apis/b.go", "package p\n\n//go:generate -command cg go run x/controller-gen\n//go:generate cg object paths=./...\n", []string{"3" + unclear}},
		{"hack/a.sh", "alias cg=controller-gen\ncg object paths=.\n", []string{"1" + unclear}},
		{"hack/a.sh", script + "$GEN $ARGS\n", []string{"10" + unclear}},
		{"hack/a.sh", script + "f() {\n  \"${OPTS[@]}\"\n}\n", []string{"11" + unclear}},
		{"hack/a.sh", script + "eval \"$CMD\"\n$CONTROLLER_GEN --version\n", []string{"10" + unclear}},
		{"hack/a.sh", script + "CONTROLLER_GEN_ALL=\"$CMD\"\n$CONTROLLER_GEN_ALL\n", []string{"11" + unclear}},
		{"hack/a.sh", script + "echo \"$CMD\"\necho \"$GEN $ARGS\"\n", nil},
		{"hack/a.sh", "#!/bin/zsh\necho ${(z)x}\n" + object + "\n\n# " + object + "\nif x; then controller-gen crd \\\n    paths=.\nfi\n", []string{"3" + unclear, "6" + unclear}},
		{"Taskfile.yml", "a: {\n" + object + "\nb: " + object + "\n", []string{"2" + unclear, "3" + unclear}},
		{"Taskfile.yml", "tasks: {dir: mkdir -p package/crds, desc: controller-gen --help,\n  gen: {cmds: [" + object + "]}}\n", []string{"2: it is a part"}},
		{"Makefile", "a:\n\tcontroller-gen object:headerFile=\"h.txt\",year=$(YEAR) paths=./...\n\tcontroller-gen object:headerFile=$(F) paths=.\n",
			[]string{"2: mrgen writes no year: write it into the header's file, remove year=$(YEAR)", "3: the value of headerFile=$(F) isn't known"}},
	} {
		plan, diags := read(t, map[string][]byte{test.file: []byte(test.source), "apis/a.go": []byte("package p\n\n//go:generate controller-gen crd paths=./...\n")})
		var got []string
		for i, d := range diags {
			line := strings.Replace(strings.TrimPrefix(d.String(), test.file+":"), "warning: this directive stays, since ", "", 1)
			if i < len(test.want) && strings.HasPrefix(line, test.want[i]) {
				line = test.want[i]
			}
			got = append(got, line)
		}
		expect.Equal(t, test.want, got, "%s", test.source)
		if plan.Settings["deepcopy"] != "off" { // what stays may write them
			t.Errorf("%s: mrgen writes deep copies", test.source)
		}
	}
}

// TestReadEmptied checks which commands of go generate remove all CRDs, so that an old one is stale.
func TestReadEmptied(t *testing.T) {
	for command, want := range map[string]bool{
		"rm -rf ../package/crds": true, "bash -c \"rm -rf ../package/crds/*.yaml\"": true, "/bin/sh -c 'rm -rf ../package/crds/*; mkdir ../a'": true,
		"bash -c \"find ../package/crds -name '*.yaml' -delete\"": true, "find ../package/crds -name *.yaml -delete": true,
		"bash -c \"rm -rf ../package/crds/old.yaml\"": false, "bash -c \"find . -name 'zz_*' -delete\"": false, "bash hack/x.sh --rm ../package/crds": false,
		"rm-some ../package/crds": false, "bash -c \"ls ../package/crds\"": false,
	} {
		plan, diags := read(t, map[string][]byte{
			"apis/a.go": []byte("package p\n\n//go:generate " + command + "\n//go:generate controller-gen object crd paths=./... output:crd:dir=../package/crds\n"),
		})
		expect.True(t, plan.Emptied == want && len(diags) == 0, "%s: removes all CRDs: %v, %v", command, plan.Emptied, diags)
	}
}

// TestReadSchemes checks where a program's scheme gets kinds.
func TestReadSchemes(t *testing.T) {
	for line, want := range map[string]bool{"apis.AddToScheme(mgr.GetScheme())": true, "add(mgr.GetScheme(), apis.AddToScheme)": true, "apis.AddToScheme(s)": false} {
		plan, _ := read(t, map[string][]byte{
			"main.go":   []byte("package main\n\nfunc main() { " + line + " }\n"),
			"apis/a.go": []byte("package p\n\n//go:generate controller-gen object paths=./...\n"),
		})
		expect.Equal(t, want, len(plan.Schemes) == 1 && plan.Schemes[0].String() == "main.go:3", "%s: found at %v", line, plan.Schemes)
	}
}

// TestReadFolder checks that a command of a Taskfile runs in the folder of its task.
func TestReadFolder(t *testing.T) {
	for dir, want := range map[string]string{
		"apis": "./apis/v1 in apis/crds", "./apis/..": "./v1 in crds",
		"../apis":       "Taskfile.yml:5: warning: this directive stays, since ../apis/v1 lies outside the module",
		"/apis":         "Taskfile.yml:5: warning: this directive stays, since /apis/v1 is not relative to the folder",
		"'{{.FOLDER}}'": "Taskfile.yml:5: warning: this directive stays, since {{.FOLDER}}/v1 is not relative to the folder",
	} {
		plan, diags := read(t, map[string][]byte{
			"Taskfile.yml": []byte("tasks:\n  gen:\n    cmds:\n      - a\n      - controller-gen object crd paths=./v1 output:crd:dir=crds\n    dir: " + dir +
				"\n  other:\n    cmds: [b]\n"),
		})
		got := plan.Settings["packages"] + " in " + plan.Settings["crds.dir"]
		if diags.HasErrors() {
			got = diags[1].String()
		}
		expect.Equal(t, want, got, "%s", dir)
	}
}

// TestReadPrograms holds that a program which runs the tools is named if nothing else does, and that one which only
// mentions them is not.
func TestReadPrograms(t *testing.T) {
	const refused = ": this program seems to run controller-gen or angryjet, and mrgen can't take its place: write mrgen.yaml yourself, as the guide shows"
	const nothing = "no directive, Makefile or script here runs controller-gen or angryjet in a way that mrgen understands: write mrgen.yaml yourself, as the guide shows"
	for _, c := range []struct{ file, source, want string }{
		{"hack/tool.go", "package main\n\nvar c = exec.Command(\"controller-gen\", \"object\")\n", "hack/tool.go:3" + refused},
		{"hack/tool.go", "package main\n\nimport \"sigs.k8s.io/controller-tools/pkg/crd\"\n", "hack/tool.go:3" + refused},
		{"hack/tool.go", "package main\n\nimport (\n\tc \"sigs.k8s.io/controller-tools/pkg/crd\"\n\t_ \"x\"\n)\n", "hack/tool.go:4" + refused},
		{"tools.go", "package tools\n\nimport _ \"sigs.k8s.io/controller-tools/cmd/controller-gen\"\n", nothing},
		{"tools.go", "package tools\n\nimport (\n\t_ \"sigs.k8s.io/controller-tools/cmd/controller-gen\"\n)\n", nothing},
		{"hack/tool.go", "package main\n\nvar c = `bin/angryjet`\n", "hack/tool.go:3" + refused},
		{"tasks.py", "import os\nos.system('controller-gen crd')\n", "tasks.py:2" + refused},
		{"hack/tool.go", "// Code generated by controller-gen. DO NOT EDIT.\n\npackage main\n\nvar c = \"a controller-gen\"\n", nothing},
	} {
		_, diags := read(t, map[string][]byte{c.file: []byte(c.source)})
		expect.True(t, len(diags) == 1 && strings.HasPrefix(diags[0].String(), c.want), "%q: got %v, want %q", c.source, diags, c.want)
	}
}

// TestReadComments checks which comments of replaced directives go.
func TestReadComments(t *testing.T) {
	const object, methods = "//go:generate controller-gen object paths=./...\n", "//go:generate angryjet generate-methodsets ./...\n"
	const ours = "// Generate deep copies, method sets, resolvers and CRDs, by the settings in mrgen.yaml\n//go:generate mrgen generate\n"
	for before, after := range map[string]string{
		"// Deep copies.\n" + object + "\n// Methods.\n" + methods + "\npackage a\n":     ours + "\npackage a\n",
		"// Package a is one.\n//\n" + object + "package a\n":                            "// Package a is one.\n//\n" + ours + "package a\n",
		object + "\n// Package a is one.\n//\n" + methods + "package a\n":                ours + "\n// Package a is one.\npackage a\n",
		"// All.\n//go:generate echo\n" + object + methods + "package a\n":               "// All.\n//go:generate echo\n//go:generate mrgen generate\npackage a\n",
		"// Both.\n//go:generate controller-gen crd webhook paths=.\n\npackage a // x\n": "// Both.\n//go:generate controller-gen webhook paths=.\n//go:generate mrgen generate\n\npackage a // x\n",
		"package a\r\n\r\n// Deep.\r\n" + strings.ReplaceAll(object, "\n", "\r\n"):       "package a\r\n\r\n" + strings.ReplaceAll(ours, "\n", "\r\n"),
		"package a\n\n// Ours.\n//go:generate mrgen generate --quiet\n" + object:         "package a\n\n// Ours.\n//go:generate mrgen generate --quiet\n",
		"package a\n\n" + strings.TrimSpace(object):                                      "package a\n\n" + ours,
	} {
		plan, diags := read(t, map[string][]byte{"apis/a.go": []byte(before)})
		got := string(plan.Files["apis/a.go"])
		expect.True(t, got == after && len(diags) == 0, "%q: got\n%q\nwant\n%q\n%v", before, got, after, diags)
	}
}

// TestReadLinks checks that links are left alone, and files that they lead to are edited once.
func TestReadLinks(t *testing.T) {
	root := t.TempDir()
	testmodule.WriteTree(t, root, map[string][]byte{
		"go.mod": []byte("module example.org/p\n"), "build/Makefile": []byte("all:\n\tcontroller-gen object crd paths=./apis/... output:crd:dir=config\n"),
	})
	for link, to := range map[string]string{"Makefile": "build/Makefile", "gone.sh": "nowhere", "folder.go": "build"} {
		if err := os.Symlink(to, filepath.Join(root, link)); err != nil {
			t.Skip(err)
		}
	}
	plan, diags := Read(root, "mrgen generate")
	got := slices.Sorted(maps.Keys(plan.Files))
	expect.True(t, len(diags) == 0 && slices.Equal(got, []string{"build/Makefile"}), "it changes %v: %v", got, diags)
	// make runs where the link is.
	expect.Equal(t, "./apis/... config", plan.Settings["packages"]+" "+plan.Settings["crds.dir"], "the link's folder has")
}

func TestCompare(t *testing.T) {
	const crd = "---\napiVersion: v1\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.20.0\n  name: a\n"
	for name, test := range map[string]struct {
		before, after string
		want          string
	}{
		"header":     {"// Code generated by controller-gen. DO NOT EDIT.\n\npackage a\n", "\n// Code generated by mrgen. DO NOT EDIT.\n\npackage a\n", Header},
		"annotation": {crd, "# Code generated by mrgen from apis. DO NOT EDIT.\n---\napiVersion: v1\nmetadata:\n  name: a\n", Header},
		"other annotations": {
			"metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.20.0\n    other: b\n  name: a\n",
			"metadata:\n  annotations:\n    other: b\n  name: a\n", Header,
		},
		"lost annotation": {"metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.20.0\n    other: b\n  name: a\n", "metadata:\n  name: a\n", OlderTool + Lost},
		"the same tool": {
			"apiVersion: v1\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: " + followed + "\n  name: a\n", "apiVersion: v1\nmetadata:\n  name: a\n  labels: {b: c}\n", Changed,
		},
		"form": {
			"---\napiVersion: v1\nmetadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.5.0\n  creationTimestamp: null\n  name: a b\nstatus: {}\n",
			"metadata:\n  name: |-\n    a\n    b\napiVersion: v1\n", OlderForm,
		},
		"fields": {
			"apiVersion: v1\nspec:\n  versions:\n  - name: v1\n    schema:\n      properties:\n        spec: {properties: {a: {type: string}}}\n",
			"apiVersion: v1\nspec:\n  versions:\n  - name: v1\n    schema:\n      properties:\n        spec: {properties: {b: {type: string}}}\n", OlderTool + Lost + Stale,
		},
		"constraints": {"apiVersion: v1\nspec:\n  properties:\n    a: {type: string}\n", "apiVersion: v1\nspec:\n  properties:\n    a: {type: string, pattern: a}\n", OlderTool},
	} {
		expect.Equal(t, test.want, strings.Join(Compare("a.yaml", []byte(test.before), []byte(test.after)), ""), "%s", name)
	}
	const resolve = "package a\n\nfunc (mg *A) ResolveReferences() { r(R{CurrentValue: a}); %s }\n"
	for name, test := range map[string]struct {
		before, after string
		want          string
	}{
		"comments":        {"// +build x\n\npackage a\n\n// F is.\nfunc F() {}\n", "package a\n\n// F does.\nfunc F() {}\n", OlderForm},
		"requests":        {"package a\n\nfunc (a *A) Get() {}\n", "package a\n\nfunc (a *A) Get() {}\nfunc (a *A) GetLastHandledReconcileAt() {}\n", Requests},
		"another method":  {"package a\n\nfunc (a *A) Get() {}\n", "package a\n\nfunc (a *A) Get() {}\nfunc (a *A) Resolve() {}\n", Stale},
		"another getter":  {"package a\n\nfunc (a *A) Get() {}\n", "package a\n\nfunc (a *A) Get() {}\nfunc (a *A) GetOther() {}\n", OtherCode},
		"lost setter":     {"package a\n\nfunc (a *A) Get() {}\nfunc (a *A) SetOther() {}\n", "package a\n\nfunc (a *A) Get() {}\n", OtherCode},
		"lost method":     {"package a\n\nfunc (a *A) Get() {}\n", "package a\n", Stale},
		"errors":          {fmt.Sprintf(resolve, "wrap()"), fmt.Sprintf(resolve, "say()") + "func say() {}\n", Errors},
		"year":            {"/*\nCopyright 2023 A.\n*/\n\npackage a\n", "/*\nCopyright 2026 A.\n*/\n\npackage a\n", Header},
		"another value":   {fmt.Sprintf(resolve, ""), fmt.Sprintf(resolve, "r(R{CurrentValue: b})"), OtherCode},
		"another copy":    {"package a\n\nfunc (a *A) DeepCopyInto() { x() }\n", "package a\n\nfunc (a *A) DeepCopyInto() { y() }\n", OtherCode},
		"does not parse":  {"package a\n\nfunc (", "package a\n", Stale},
		"the header, too": {"// Code generated by angryjet. DO NOT EDIT.\n\npackage a\n", "// Code generated by mrgen. DO NOT EDIT.\n\npackage a\n", Header},
	} {
		expect.Equal(t, test.want, strings.Join(Compare("a.go", []byte(test.before), []byte(test.after)), ""), "%s", name)
	}
}

// TestIsStale checks that nothing is removed that somebody may need.
func TestIsStale(t *testing.T) {
	const header = "// Code generated by angryjet. DO NOT EDIT.\n\n"
	for _, test := range []struct {
		name, content string
		want          bool
	}{
		{"a.go", header + "package a\n", true},
		{"a.go", header + "package a\n\nimport \"fmt\"\n", true},
		{"a.go", header + "package a\n\nfunc F() {}\n", false},
		{"a.go", header + "package a\n\nvar a = 1\n", false},
		{"a.go", "package a\n", false},
		{"a.yaml", "metadata:\n  annotations:\n    controller-gen.kubebuilder.io/version: v0.5.0\n", true},
		{"a.yaml", "metadata:\n  name: a\n", false},
	} {
		expect.Equal(t, test.want, IsStale(test.name, []byte(test.content)), "%s with %q", test.name, test.content)
	}
}

// yamlComment matches a comment of mrgen's in settings.
var yamlComment = regexp.MustCompile(`(?m)^ *# (?:With|create|on,).*\r?\n`)

// TestExistingSettings checks that settings of the author stay, and that missing ones are added in any form of YAML.
func TestExistingSettings(t *testing.T) {
	const dir, rules = "crds:\n  dir: package/crds\n", "rules:\n  required: off\n  immutable: off\n"
	const packages = "packages: [./apis/...]\n"
	for have, want := range map[string]string{
		"":                                       packages + dir + rules,
		"# Mine.\n":                              "# Mine.\n" + packages + dir + rules,
		"# Mine.\n---\n# Nothing.":               "# Mine.\n---\n# Nothing.\n" + packages + dir + rules,
		"packages: [./x]":                        "packages: [./x]\n" + dir + rules,
		"crds:\n    # why\n    managed: false\n": "crds:\n    dir: package/crds\n    # why\n    managed: false\n" + packages + rules,
		"rules:\n  required: enforce # now\n":    "rules:\n  immutable: off\n  required: enforce # now\n" + packages + dir,
		"\"crds\":\n  managed: false\n...\n":     "\"crds\":\n  dir: package/crds\n  managed: false\n" + packages + rules + "...\n",
		"crds: # here\n  # nothing yet\nrules:":  "crds: # here\n  dir: package/crds\n  # nothing yet\nrules:\n  required: off\n  immutable: off\n" + packages,
		"{}":                                     "{rules: {immutable: off, required: off}, crds: {dir: package/crds}, packages: [./apis/...]}\n",
		"é: {crds: {managed: false}}\ncrds: {managed: false} # c\n":         "é: {crds: {managed: false}}\ncrds: {dir: package/crds, managed: false} # c\n" + packages + rules,
		"---\n\npackages: [\n      ./x, # one\n\n]\ncrds:\n    dir:   a\n":  "---\n\npackages: [\n      ./x, # one\n\n]\ncrds:\n    dir:   a\n" + rules,
		"  packages: [./x]\n\n  crds: {}   # none\n":                        "  packages: [./x]\n\n  crds: {dir: package/crds}   # none\n  rules:\n    required: off\n    immutable: off\n",
		"# a\r\npackages: [./x]\r\nrules:\r\n  # b\r\n  immutable: off\r\n": "# a\r\npackages: [./x]\r\nrules:\r\n  required: off\r\n  # b\r\n  immutable: off\r\ncrds:\r\n  dir: package/crds\r\n",
		"packages: [ ./x ]\n\n" + dir + rules:                               "packages: [ ./x ]\n\n" + dir + rules,
		"packages: [./x]\ncrds: ~\n":                                        "mrgen.yaml:2: mrgen can't add to settings in this form: write crds.dir: package/crds yourself",
	} {
		root := t.TempDir()
		testmodule.Write(t, filepath.Join(root, SettingsFile), []byte(have))
		e := expect.Value(readExisting(root))(t)
		p := Plan{Settings: map[string]string{"packages": "./apis/...", "crds.dir": "package/crds"}, existing: e}
		p.leaveRules()
		content, diags := p.YAML()
		if diags.HasErrors() {
			content = []byte(diags[0].String())
		}
		expect.Equal(t, want, yamlComment.ReplaceAllString(string(content), ""), "%q becomes", have)
	}
}

// TestReadOptions checks which options of controller-gen become settings, and that a header file that
// isn't there is reported where a directive names it.
func TestReadOptions(t *testing.T) {
	read := func(arguments string) (run.Options, string) {
		plan, diags := read(t, map[string][]byte{
			"header.txt": []byte("// A licence.\n"),
			"apis/a.go":  []byte("package p\n\n//go:generate controller-gen " + arguments + " paths=./...\n"), "apis/v1/doc.go": []byte("package v1\n"),
		})
		text := ""
		for _, d := range diags {
			text += d.String() + "\n"
		}
		var options run.Options
		plan.Apply(&options)
		return options, text
	}
	for arguments, want := range map[string]run.Options{
		"object crd": {},
		"object crd:generateEmbeddedObjectMeta=true":  {EmbeddedObjectMeta: true},
		"object crd:generateEmbeddedObjectMeta":       {EmbeddedObjectMeta: true},
		"object crd:generateEmbeddedObjectMeta=false": {},
		"object crd:ignoreUnexportedFields=true":      {},
		"crd":                                         {NoDeepCopies: true},
		"object":                                      {},
		"object:headerFile=../header.txt crd:allowDangerousTypes=true":            {HeaderFile: "header.txt", AllowDangerousTypes: true},
		"crd:allowDangerousTypes=true,generateEmbeddedObjectMeta=true object":     {EmbeddedObjectMeta: true, AllowDangerousTypes: true},
		"crd:generateEmbeddedObjectMeta=true,maxDescLen=0,allowDangerousTypes=no": {},
	} {
		got, problems := read(arguments)
		if strings.Contains(arguments, "=no") {
			expect.True(t, strings.Contains(problems, "apis/a.go:3: "), "%s: got %q", arguments, problems)
			continue
		}
		got = run.Options{HeaderFile: got.HeaderFile, AllowDangerousTypes: got.AllowDangerousTypes, EmbeddedObjectMeta: got.EmbeddedObjectMeta, NoDeepCopies: got.NoDeepCopies}
		diff := cmp.Diff(want, got)
		expect.True(t, diff == "" && problems == "", "%s: %s (-want +got):\n%s", arguments, problems, diff)
	}
}

// FuzzTasks reads Taskfiles that nobody would write, and checks that an edited one has the same keys, and the
// same texts but for commands.
func FuzzTasks(f *testing.F) {
	const command = "controller-gen object paths=./apis/..."
	for _, source := range []string{
		"a:\n  é: " + command + "\n  b: c\n", "\ufeffé: " + command, "tasks:\n  desc: " + command + "\n  d: {desc: " + command + ", dir: a}\n", "a: |\n\n  " + command + "\n", "a: >-\n  x\n   " + command, "? |\n  " + command + "\n: &a >+\n  " + command + "\n", "[" + command + ", '" + command + "']",
		"a: \"controller-gen object\\\n  paths=./apis/...\"", "é: " + command + " # b", "a: !!str\n  " + command, "a: |2\n    " + command + "\r\nb: *c", "- " + command + "\n  x\n- cmd: " + command + "\n  silent: true",
	} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		plan, _ := read(t, map[string][]byte{"Taskfile.yml": []byte(source)})
		var before, after yaml.Node
		if yaml.Unmarshal([]byte(source), &before) != nil || plan.Files["Taskfile.yml"] == nil {
			return
		}
		err := yaml.Unmarshal(plan.Files["Taskfile.yml"], &after)
		expect.Must(t, err == nil, "%q becomes %q: %v", source, plan.Files["Taskfile.yml"], err)
		diff := cmp.Diff(texts(&before), texts(&after))
		expect.True(t, diff == "", "%q becomes %q:\n%s", source, plan.Files["Taskfile.yml"], diff)
	})
}

// texts returns the keys of a document with their paths, and the values that aren't commands.
func texts(node *yaml.Node) map[string]bool {
	found := map[string]bool{}
	var visit func(at string, n *yaml.Node)
	visit = func(at string, n *yaml.Node) {
		for key, value := range yamlnode.Fields(n) {
			at := at + "/" + key.Value
			found[at] = true
			visit(at, value)
		}
		if n.Kind != yaml.MappingNode {
			for _, inner := range n.Content {
				visit(at+"/-", inner)
			}
		}
		if n.Kind == yaml.ScalarNode && !commands.MatchString(n.Value) {
			found[at+": "+n.Value] = true
		}
	}
	visit("", node)
	return found
}

// commands matches texts with a command of a tool, or mrgen's in its place.
var commands = regexp.MustCompile(`mrgen generate|controller-gen|angryjet`)

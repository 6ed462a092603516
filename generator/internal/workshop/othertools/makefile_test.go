package othertools

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mrgen-io/mrgen/testdata/expect"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

func loadMakefile(root string) *makefile {
	m := newMakefile(&scan{root: root, sources: map[string]string{}}, ".")
	m.load("Makefile")
	return m
}

func loadSource(t *testing.T, source string) *makefile {
	root := t.TempDir()
	testmodule.Write(t, filepath.Join(root, "Makefile"), []byte(source))
	return loadMakefile(root)
}

// TestMakefile compares the commands that make would run for a target with those that a makefile has for it.
func TestMakefile(t *testing.T) {
	program, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make isn't installed")
	}
	for name, source := range map[string]string{
		"below its use":     "all:\n\t@$(GEN) paths=./...\n\nGEN ?= $(BIN)/controller-gen\nBIN = bin\n",
		"simply expanded":   "DIR = a\nGEN := controller-gen output:crd:dir=$(DIR)\nDIR = b\nall:\n\t-$(GEN) $(DIR) $$HOME $$$$\n",
		"set twice":         "GEN ?= a\nGEN ?= b\nGEN += c\nGEN += $(D)\nD = d\nall:\n\techo $(GEN)\n",
		"define":            "define gen\n@echo $(1)\ncontroller-gen $(2) \\\n  paths=$(1)\nendef\nall:\n\t$(call gen,./apis/...,crd object)\n",
		"define, simply":    "A = a\ndefine gen :=\n$(A)\nendef\nA = b\nall:\n\techo $(gen)\n",
		"target-specific":   "OPTIONS = crd\nall: OPTIONS = object\nall: OPTIONS += more\nother: OPTIONS = x\nall:\n\tcontroller-gen $(OPTIONS)\n",
		"call in braces":    "define gen\necho ${1} $2 $$1 $$(1)\nendef\nall:\n\t$(call gen,a,b)\n",
		"include by folder": "include $(CURDIR)/more.mk ${CURDIR}/a.inc\nall:\n\t$(GEN) $(OTHER)\n",
		"continuation":      "OPTIONS = a \\\n\tb # comment\nall:\n\tcontroller-gen $(OPTIONS) \\\n\t\tpaths=./... \\\n\t\tc\n",
		"include":           "-include gone.mk more.mk\ninclude $(wild) *.inc\nall:\n\t$(GEN) $(OTHER)\n",
		"conditions":        "ifeq ($(A),1)\nGEN = a/controller-gen\nelse\nGEN = a/controller-gen\nendif\nall:\n\t$(GEN)\n",
		"computed name":     "A = B\nX_B = c\nall:\n\techo $(X_$(A)) ${X_B} $(A)\n",
		"prerequisite":      "all: bin/controller-gen other\n\t$< crd paths=./...\nbin/controller-gen other:\n", "inline": "all: other ; echo $(A)\nA = a\nother:\n",
		"canned": "CMD = controller-gen crd\nexport CMD\n.PHONY: all\nall: ## help\n\t@$(CMD)\n\n# comment\n\t# shown\n\techo '#'\n",
	} {
		t.Run(name, func(t *testing.T) {
			root := t.TempDir()
			testmodule.WriteTree(t, root, map[string][]byte{
				"Makefile": []byte(source), "more.mk": []byte("GEN = controller-gen\n"), "a.inc": []byte("OTHER = paths=./apis\n"),
			})
			cmd := exec.Command(program, "-n", "--no-print-directory", "all")
			cmd.Dir, cmd.Env = root, []string{"PATH=" + os.Getenv("PATH")}
			output := expect.Value(cmd.Output())(t)
			var want []string
			for line := range strings.SplitSeq(strings.ReplaceAll(strings.ReplaceAll(string(output), "\\\n\t", " "), "\\\n", " "), "\n") {
				want = append(want, strings.Join(strings.Fields(line), " "))
			}
			m := loadMakefile(root)
			var got []string
			for _, r := range m.recipes {
				for _, command := range m.commands(r) {
					got = append(got, strings.Join(strings.Fields(command), " "))
				}
			}
			diff := cmp.Diff(want, append(got, ""))
			expect.True(t, diff == "", "commands differ (-make +got):\n%s", diff)
		})
	}
}

// TestMakefileOfTargets checks that a variable that a target sets is unknown elsewhere, since prerequisites see it.
func TestMakefileOfTargets(t *testing.T) {
	const source = "DIR = a\ntop: DIR = b\ntop: mid\n\techo $(DIR)\nmid:\n\techo $(DIR)\n"
	m := loadSource(t, source)
	var got []string
	for _, r := range m.recipes {
		got = append(got, m.commands(r)...)
	}
	expect.Equal(t, []string{"echo b", "echo $(DIR)"}, got, "commands differ")
}

// TestMakefileRunsNothing checks that the functions of make that have effects have none.
func TestMakefileRunsNothing(t *testing.T) {
	root := t.TempDir()
	marker := filepath.Join(root, "marker")
	source := "A := $(shell touch " + marker + ")\nB != touch " + marker + "\n$(shell touch " + marker + ")\n$(file >" + marker + ",x)\n" +
		"all: marker\n\t+touch " + marker + "\n\t$(A) $(B) $(shell touch " + marker + ")\n"
	m := loadSource(t, source)
	for _, r := range m.recipes {
		m.commands(r)
	}
	_, err := os.Stat(marker)
	expect.True(t, err != nil, "a function ran")
}

// doubling returns a Makefile with variables that each name the one before it twice.
func doubling(line, first, last string) string {
	all := first + "\n"
	for i := range 40 {
		all += fmt.Sprintf(line, i+1, i, i)
	}
	return all + last
}

// FuzzMakefile reads what make refuses, too: unfinished references and variables that refer to themselves.
func FuzzMakefile(f *testing.F) {
	for _, source := range []string{"A = $(", "all:\n\techo $(A ${\n", "A = $(A)$(A)\nB = $(A)$(B)\nall:\n\t$(B)\n", "define A\n$(call A,$(1))\n", "all: A += $(B\n", "include $(\n", "all:\n\ta <(b) ${c@P} {1..9}\n", doubling("A%d = $(A%d)$(A%d)\n", "A0 = x", "all:\n\techo $(A40)\n"),
		doubling("A%d = $(A%d)$(A%d)\n", "A0 =", "all:\n\techo $(A40)\n"), "all:\n\ta=x; " + strings.Repeat("a+=$$a; ", 40) + "echo $$a\n"} {
		f.Add(source)
	}
	f.Fuzz(func(t *testing.T, source string) {
		m := loadSource(t, source)
		for _, r := range m.recipes {
			for _, command := range m.commands(r) {
				_, _ = invocations(command, map[string]string{}) // what isn't shell is an error
			}
		}
	})
}

// TestInvocations checks how commands are found in scripts.
func TestInvocations(t *testing.T) {
	for text, want := range map[string][]string{
		`a  "b c" 'd"e' f\ g`:                           {"a|b c|de|f g!"},
		"TOOL=\"go tool angryjet\"\n$TOOL x ./...\n":    {"$TOOL|x|./...!"},
		"A=1\nA=2\nx $A ${B} ${C:-c}":                   {"x|$A|${B}|${C:-c}!"},
		"$(go env GOPATH)/bin/x \"$(a b)\"":             {"$(go env GOPATH)/bin/x|$(a b)!"},
		"a && b":                                        {"a", "b"},
		"a > b":                                         {"a"},
		"if a; then\n  b \\\n    c\nfi":                 {"a", "b|c!"},
		"cd x\nfor i in 1 2; do\n\tb $i\ndone":          {"cd|x!", "b|$i!^"},
		"cat <<END\ncontroller-gen paths=.\nEND\n# a\n": {"cat"},
		`bash -c "a b"`:                                 {"bash|-c|a b!"},
		// Nothing is expanded.
		"source <(a b)":                      {"source|<(a b)!", "a|b"},
		"a {1..1000000000} {b..z}":           {"a|{1..1000000000}|{b..z}!"},
		"a {b,c}{d,e}{f,g}{h,i}":             {"a|{b,c}{d,e}{f,g}{h,i}!"},
		"a {b,c}":                            {"a|{b,c}!"},
		"A=b\na ${A@P} ${A@Q}":               {"a|${A@P}|${A@Q}!"},
		"A=$((1/0))\na $A $((2**64)) @(b|c)": {"a|$A|$((2**64))|@(b|c)!"},
		"A=(b c)\na ${A[0]} ${#A} ${!A}":     {"a|${A[0]}|${#A}|${!A}!"},
	} {
		list, err := invocations(text, map[string]string{})
		expect.True(t, err == nil, "%s: %v", text, err)
		var got []string
		for _, c := range list {
			line := strings.Join(c.words, "|")
			if c.alone {
				line += "!"
			}
			if c.folder.isUnknown || c.folder.path != "" {
				line += "^"
			}
			got = append(got, line)
		}
		expect.Equal(t, want, got, "%s", text)
	}
	for _, text := range []string{`a "b`, "a (", "if a"} {
		got, err := invocations(text, map[string]string{})
		expect.True(t, err != nil, "%s has %+v, and isn't a script", text, got)
	}
}

// TestProgram checks which tool a word names.
func TestProgram(t *testing.T) {
	for word, want := range map[string]tool{
		"bin/controller-gen": controllerGen, "$(shell go env GOPATH)/bin/controller-gen": controllerGen, "$(abspath bin/controller-gen)": controllerGen,
		"$(shell which angryjet)": angryjet, "${LOCALBIN}/controller-gen-$(VERSION)": controllerGen, "bin/controller-gen@v0.14.0": controllerGen,
		"$(CONTROLLER_GEN)": controllerGen, "{{.CONTROLLER_GEN}}": controllerGen, "$(GEN)": "gen", "controller": "controller", "": "",
	} {
		expect.Equal(t, want, program(word), "%s names", word)
	}
}

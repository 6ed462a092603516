// Package othertools finds the commands by which a provider runs controller-gen and angryjet, and replaces them
// by mrgen with the same settings.
package othertools

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/mrgen-io/mrgen/generator/run"
)

// A tool is a program that directives run.
type tool string

const (
	controllerGen tool = "controller-gen"
	angryjet      tool = "angryjet"
	// resolver is upjet's tool that makes angryjet's resolvers look up kinds at run time.
	resolver tool = "resolver"
	remove   tool = "rm"
	find     tool = "find"
	mrgen    tool = "mrgen"
)

// generates reports whether mrgen generates the tool's output.
func (t tool) generates() bool { return t == controllerGen || t == angryjet }

// A replacement is a directive's task. Paths are relative to the module root.
type replacement struct {
	tool tool
	// Options are mrgen's for the same. CRDDir is empty if the directive writes no CRDs.
	run.Options
	// objects is set if the directive writes deep copies.
	objects bool
	// others is set if the directive makes or removes files that mrgen doesn't, such as webhooks. taken are the
	// words for the files that mrgen makes.
	others bool
	taken  []string
	// removed are the paths that an rm or find removes.
	removed []removal
	// files are the names that it gives to generated files.
	files []string
}

// A removal is a word of a directive and the path that it removes.
type removal struct{ word, path string }

// findTool returns the tool that a command runs, and its arguments. The command may start it directly, with go
// run, with go tool, or in a shell that does nothing else. For other commands, it returns "".
func findTool(list []string) (tool, []string) {
	if len(list) == 3 && list[1] == "-c" && (path.Base(list[0]) == "bash" || path.Base(list[0]) == "sh") {
		inner, err := invocations(list[2])
		if err != nil || len(inner) != 1 || !inner[0].alone || slices.Contains(inner[0].words, "-c") {
			return "", nil
		}
		return findTool(inner[0].words)
	}
	isGo := false
	if len(list) > 1 && (path.Base(list[0]) == "go" || list[0] == "$(GO)") {
		isGo = list[1] == "run" || list[1] == "tool"
	}
	for i, word := range list {
		t := program(word)
		isKnown := slices.Contains([]tool{controllerGen, angryjet, mrgen}, t) || t == resolver && strings.Contains(word, "upjet/")
		if isKnown || i == 0 && (t == remove || t == find) {
			return t, list[i+1:]
		}
		if !isGo {
			break // a later name is an argument of another program, such as go install
		}
	}
	return "", nil
}

// program returns the tool that a word names: the last element of its path, also within functions of make, without
// a version.
func program(word string) tool {
	name := strings.TrimRight(word, ")} ")
	name = name[strings.LastIndexAny(name, "/ ")+1:]
	if end := strings.IndexAny(name, "@:"); end >= 0 {
		name = name[:end]
	}
	// A variable that is set elsewhere has the name of its tool.
	if strings.ContainsAny(name[:min(1, len(name))], "${") {
		name = strings.ReplaceAll(strings.ToLower(strings.Trim(name, "${(. ")), "_", "-")
	}
	for _, t := range []tool{controllerGen, angryjet} {
		if strings.HasPrefix(name, string(t)+"-") {
			return t
		}
	}
	return tool(name)
}

// mentions reports whether a text probably runs one of the tools that mrgen replaces.
func mentions(text string) bool {
	return looseNames.MatchString(text) && (strings.Contains(text, "paths=") || strings.Contains(text, "generate-methodsets"))
}

// read returns the replacement of a directive in a folder. An error names an option that mrgen lacks.
func read(t tool, arguments []string, folder, module string) (replacement, error) {
	r := replacement{tool: t, Options: run.Options{MaxDescription: -1}}
	place := placer{folder: folder, module: module}
	for _, a := range arguments {
		if strings.HasPrefix(a, "$") && t.generates() {
			return r, fmt.Errorf("the value of %s isn't known before it runs: write it there", a)
		}
	}
	var err error
	switch t {
	case controllerGen:
		err = r.readControllerGen(arguments, place)
	case angryjet:
		err = r.readAngryjet(arguments, place)
	case remove, find:
		r.readRemoved(arguments, place)
	}
	return r, err
}

// A placer turns the paths in a directive into paths relative to the module root.
type placer struct{ folder, module string }

// inRoot matches the paths by which make and shells name their own folder.
var inRoot = regexp.MustCompile(`^\$(?:[({](?:CURDIR|PWD|shell pwd|pwd)[)}](?:/|$)|\((?:abspath|realpath) ([^()$ ]+)\))`)

func (p placer) file(name string) (string, error) {
	name = inRoot.ReplaceAllString(name, "./$1")
	if path.IsAbs(name) || strings.Contains(name, "$") {
		return "", fmt.Errorf("%s is not relative to the folder", name)
	}
	name = path.Join(p.folder, name)
	if name == ".." || strings.HasPrefix(name, "../") {
		return "", fmt.Errorf("%s lies outside the module", name)
	}
	return name, nil
}

func (p placer) pattern(pattern string) (string, error) {
	pattern = inRoot.ReplaceAllString(pattern, "./$1")
	if rest, found := strings.CutPrefix(pattern, p.module); found && (rest == "" || rest[0] == '/') {
		return "." + rest, nil
	}
	if !strings.HasPrefix(pattern, ".") {
		return "", fmt.Errorf("the pattern %s is not one of this module", pattern)
	}
	name, err := p.file(pattern)
	if name == "." {
		return ".", err
	}
	return "./" + name, err
}

// unknownOption is the error for an option of a command whose files mrgen writes as well: one of the two has to go.
func unknownOption(option string) error {
	return fmt.Errorf("mrgen has nothing like %s: remove that, and run adopt again", option)
}

// otherGenerators matches the generators of files that mrgen doesn't write, and their folders.
var otherGenerators = regexp.MustCompile(`^(?:output:)?(?:rbac|webhook|schemapatch|applyconfiguration)(?:[:=]|$)`)

// readControllerGen reads the options of controller-gen, see
// https://book.kubebuilder.io/reference/controller-gen.
func (r *replacement) readControllerGen(arguments []string, place placer) error {
	generators := map[string]bool{}
	output, other := "", ""
	for _, argument := range arguments {
		name, value, _ := strings.Cut(argument, "=")
		generator, options, _ := strings.Cut(argument, ":")
		var err error
		switch {
		case generator == "object" || generator == "crd":
			generators[generator] = true
			r.taken = append(r.taken, argument)
			if options != "" {
				err = r.readOptions(options, place)
			}
		case name == "paths":
			err = r.addPatterns(strings.FieldsFunc(strings.Trim(value, "{}"), func(c rune) bool { return c == ';' || c == ',' }), place)
		case name == "output:crd:artifacts:config" || name == "output:crd:dir":
			r.taken = append(r.taken, argument)
			output, err = place.file(value)
		case name == "output:artifacts:config": // the other generators' as well
			var folder string
			folder, err = place.file(value)
			output = cmp.Or(output, folder)
		case otherGenerators.MatchString(argument):
			r.others, other = true, cmp.Or(other, argument)
		default:
			err = unknownOption(argument)
		}
		if err != nil {
			return err
		}
	}
	switch {
	case len(generators) == 0 && r.others:
		return fmt.Errorf("mrgen has nothing like %s", other)
	case len(generators) == 0:
		return fmt.Errorf("it makes neither deep copies nor CRDs")
	}
	r.objects = generators["object"]
	if generators["crd"] {
		r.CRDDir = cmp.Or(output, path.Join(place.folder, "config/crd")) // controller-gen's default
	}
	return nil
}

// readOptions reads the options of the generators object and crd.
func (r *replacement) readOptions(options string, place placer) error {
	for option := range strings.SplitSeq(options, ",") {
		name, value, _ := strings.Cut(option, "=")
		var err error
		switch {
		case name == "headerFile":
			r.HeaderFile, err = place.file(value)
		case name == "crdVersions" && (value == "v1" || value == "{v1}"):
		case name == "trivialVersions", name == "preserveUnknownFields" && value == "false":
			// Without effect on CRDs of apiextensions.k8s.io/v1.
		case name == "allowDangerousTypes":
			r.AllowDangerousTypes, err = strconv.ParseBool(cmp.Or(value, "true"))
		case name == "maxDescLen":
			r.MaxDescription, err = strconv.Atoi(value)
		case name == "generateEmbeddedObjectMeta":
			r.EmbeddedObjectMeta, err = strconv.ParseBool(cmp.Or(value, "true"))
		default:
			err = unknownOption(option)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// readAngryjet reads the arguments of angryjet.
func (r *replacement) readAngryjet(arguments []string, place placer) error {
	if len(arguments) == 0 || arguments[0] != "generate-methodsets" {
		return fmt.Errorf("it is not generate-methodsets")
	}
	for i := 1; i < len(arguments); i++ {
		argument := arguments[i]
		name, value, hasValue := strings.Cut(strings.TrimLeft(argument, "-"), "=")
		isFlag := strings.HasPrefix(argument, "-")
		if isFlag && !hasValue && i+1 < len(arguments) {
			i++
			value = arguments[i]
		}
		var err error
		switch {
		case !isFlag:
			err = r.addPatterns([]string{argument}, place)
		case strings.HasPrefix(name, "filename-"):
			r.files = append(r.files, value)
		case name == "header-file":
			r.HeaderFile, err = place.file(value)
		default:
			err = unknownOption(argument)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r *replacement) addPatterns(patterns []string, place placer) error {
	for _, pattern := range patterns {
		name, err := place.pattern(pattern)
		if err != nil {
			return err
		}
		r.Packages = append(r.Packages, name)
	}
	return nil
}

// readRemoved reads the paths in the module that an rm removes, or the folders in which a find deletes YAML files.
func (r *replacement) readRemoved(arguments []string, place placer) {
	isYAML := func(a string) bool { return strings.HasSuffix(a, ".yaml") }
	// Deleted Go files don't matter: mrgen generates them again.
	if r.tool == find && (!slices.Contains(arguments, "-delete") || !slices.ContainsFunc(arguments, isYAML)) {
		return
	}
	for _, argument := range arguments {
		isFlag := strings.HasPrefix(argument, "-")
		if isFlag && r.tool == find {
			return // the conditions follow
		}
		// Paths outside the module can't be CRDs of this run.
		if name, err := place.file(argument); err == nil && !isFlag {
			r.removed = append(r.removed, removal{argument, strings.TrimSuffix(name, "/*.yaml")})
		}
	}
}

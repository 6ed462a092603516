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
)

// A tool is a program that directives run.
type tool string

const (
	controllerGen tool = "controller-gen"
	angryjet      tool = "angryjet"
	// resolver is upjet's tool that makes angryjet's resolvers look up kinds at run time.
	resolver tool = "resolver"
	remove   tool = "rm"
	mrgen    tool = "mrgen"
)

// generates reports whether mrgen generates the tool's output.
func (t tool) generates() bool { return t == controllerGen || t == angryjet }

// A replacement is a directive's task. Paths are relative to the module root.
type replacement struct {
	tool tool
	// settings are mrgen's for the same, by key, except the packages. A directive without CRDs has no crds.dir.
	settings map[string]string
	packages []string
	// objects is set if the directive writes deep copies.
	objects bool
	// others is set if the directive makes files that mrgen doesn't, such as webhooks. taken are the words for the
	// files that mrgen makes.
	others bool
	taken  map[string]bool
	// removed are the paths that an rm removes.
	removed []string
	// files are the names that it gives to generated files.
	files []string

	place placer
}

// findTool returns the tool that a command runs, and its arguments. The command may start it directly, with go
// run or with go tool. For other commands, it returns "".
func findTool(list []string) (tool, []string) {
	isGo := false
	if len(list) > 1 && (path.Base(list[0]) == "go" || list[0] == "$(GO)") {
		isGo = list[1] == "run" || list[1] == "tool"
	}
	for i, word := range list {
		t := program(word)
		isKnown := slices.Contains([]tool{controllerGen, angryjet, mrgen}, t) || t == resolver && strings.Contains(word, "upjet/")
		if isKnown || i == 0 && t == remove {
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

// generators matches the options of controller-gen for the files that mrgen makes, too.
var generators = regexp.MustCompile(`\b(?:object|crd)\b`)

// mentions reports whether a text probably runs one of the tools that mrgen replaces, by any name.
func mentions(text string) bool {
	isControllerGen := strings.Contains(text, "paths=") && (looseNames.MatchString(text) || generators.MatchString(text))
	return isControllerGen || strings.Contains(text, "generate-methodsets")
}

// read returns the replacement of a directive in a place. An error names an option that mrgen lacks.
func read(t tool, arguments []string, place placer) (replacement, error) {
	r := replacement{tool: t, settings: map[string]string{}, taken: map[string]bool{}, place: place}
	for i, argument := range arguments {
		arguments[i] = inRoot.ReplaceAllString(argument, "./$1")
		if t.generates() && unknown.MatchString(arguments[i]) && !otherGenerators.MatchString(argument) {
			return r, fmt.Errorf("the value of %s isn't known before it runs: write it there", argument)
		}
	}
	var err error
	switch t {
	case controllerGen:
		err = r.readControllerGen(arguments)
	case angryjet:
		err = r.readAngryjet(arguments)
	case remove:
		r.readRemoved(arguments)
	}
	return r, err
}

// A placer turns the paths in a directive into paths relative to the module root.
type placer struct{ folder, module string }

var (
	// inRoot matches the paths by which make and shells name their own folder.
	inRoot = regexp.MustCompile(`\$(?:[({](?:CURDIR|PWD|shell pwd|pwd)[)}](?:/|$)|\((?:abspath|realpath) ([^()$ ]+)\))`)
	// unknown matches the variables of make, shells and task.
	unknown = regexp.MustCompile(`\$|\{\{`)
)

func (p placer) file(name string) (string, error) {
	isAbs := path.IsAbs(name) || path.IsAbs(p.folder)
	name = path.Join(p.folder, name)
	switch {
	case isAbs || unknown.MatchString(name):
		return "", fmt.Errorf("%s is not relative to the folder", name)
	case name == ".." || strings.HasPrefix(name, "../"):
		return "", fmt.Errorf("%s lies outside the module", name)
	}
	return name, nil
}

func (p placer) pattern(pattern string) (string, error) {
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

// otherGenerators matches the generators of files that mrgen doesn't write, and their folders.
var otherGenerators = regexp.MustCompile(`^(?:output:)?(?:rbac|webhook|schemapatch|applyconfiguration)(?:[:=]|$)`)

// readControllerGen reads the options of controller-gen, see
// https://book.kubebuilder.io/reference/controller-gen.
func (r *replacement) readControllerGen(arguments []string) error {
	makes, other := map[string]bool{}, ""
	for _, argument := range arguments {
		generator, options, _ := strings.Cut(argument, ":")
		isOurs := generator == "object" || generator == "crd"
		if isOurs || strings.HasPrefix(argument, "output:crd:") {
			r.taken[argument] = true
		}
		list := []string{argument}
		switch {
		case isOurs:
			makes[generator], list = true, strings.Split(options, ",")
		case otherGenerators.MatchString(argument):
			r.others, other = true, cmp.Or(other, argument)
			continue
		}
		for _, option := range list {
			name, value, _ := strings.Cut(option, "=")
			if err := r.set(option, name, value); err != nil {
				return err
			}
		}
	}
	switch {
	case len(makes) == 0 && r.others:
		return fmt.Errorf("mrgen has nothing like %s", other)
	case len(makes) == 0:
		return fmt.Errorf("it makes neither deep copies nor CRDs")
	}
	r.objects = makes["object"]
	if !makes["crd"] {
		delete(r.settings, "crds.dir")
	} else if r.settings["crds.dir"] == "" {
		r.settings["crds.dir"] = path.Join(r.place.folder, "config/crd") // controller-gen's default
	}
	return nil
}

// readAngryjet reads the arguments of angryjet.
func (r *replacement) readAngryjet(arguments []string) error {
	if len(arguments) == 0 || arguments[0] != "generate-methodsets" {
		return fmt.Errorf("it is not generate-methodsets")
	}
	for i := 1; i < len(arguments); i++ {
		argument := arguments[i]
		name, value, hasValue := strings.Cut(strings.TrimLeft(argument, "-"), "=")
		switch isFlag := strings.HasPrefix(argument, "-"); {
		case !isFlag:
			name, value = "paths", argument
		case !hasValue && i+1 < len(arguments):
			i++
			value = arguments[i]
		}
		if err := r.set(argument, name, value); err != nil {
			return err
		}
	}
	return nil
}

// keys are mrgen's settings for the options of the tools.
var keys = map[string]string{
	"headerFile":                  "headerFile",
	"header-file":                 "headerFile",
	"output:artifacts:config":     "crds.dir", // the other generators' as well
	"output:crd:artifacts:config": "crds.dir",
	"output:crd:dir":              "crds.dir",
	"maxDescLen":                  "crds.maxDescription",
	"allowDangerousTypes":         "crds.allowDangerousTypes",
	"generateEmbeddedObjectMeta":  "crds.embeddedObjectMeta",
}

// set reads an option with a name and a value.
func (r *replacement) set(option, name, value string) error {
	key := keys[name]
	switch {
	case key == "headerFile" || key == "crds.dir":
		file, err := r.place.file(value)
		if name == "output:artifacts:config" {
			file = cmp.Or(r.settings[key], file)
		}
		r.settings[key] = file
		return err
	case key == "crds.maxDescription":
		r.settings[key] = value
		_, err := strconv.Atoi(value)
		return err
	case key != "":
		isOn, err := strconv.ParseBool(cmp.Or(value, "true"))
		if isOn {
			r.settings[key] = "true"
		}
		return err
	case name == "paths":
		for _, pattern := range strings.FieldsFunc(strings.Trim(value, "{}"), func(c rune) bool { return c == ';' || c == ',' }) {
			local, err := r.place.pattern(pattern)
			if err != nil {
				return err
			}
			r.packages = append(r.packages, local)
		}
	case strings.HasPrefix(name, "filename-"):
		r.files = append(r.files, value)
	case option == "": // a generator without options
	case name == "trivialVersions" || slices.Contains([]string{"preserveUnknownFields=false", "crdVersions=v1", "crdVersions={v1}"}, option):
		// Without effect on CRDs of apiextensions.k8s.io/v1.
	default:
		// mrgen writes the other files of the command as well: one of the two has to go.
		return fmt.Errorf("mrgen has nothing like %s: remove that, and run adopt again", option)
	}
	return nil
}

// readRemoved reads the paths that an rm removes.
func (r *replacement) readRemoved(arguments []string) {
	for _, argument := range arguments {
		if strings.HasPrefix(argument, "-") {
			continue
		}
		name, err := r.place.file(argument)
		if err != nil {
			name = argument // outside the module, so not the CRDs of this run
		}
		r.removed = append(r.removed, strings.TrimSuffix(name, "/*.yaml"))
	}
}

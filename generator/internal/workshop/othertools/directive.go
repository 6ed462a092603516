// Package othertools finds the commands by which a provider runs controller-gen and angryjet, and replaces them
// by mrgen with the same settings.
package othertools

import (
	"cmp"
	"errors"
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

// goRuns matches the commands by which the go command runs a program.
var goRuns = regexp.MustCompile(`^(?:\S*/)?(?:go|\$\(GO\)) (?:run|tool) `)

// findTool returns the tool that a command runs, and its arguments. The command may start it directly, with go
// run or with go tool. For other commands, it returns "".
func findTool(list []string) (tool, []string) {
	text := strings.Join(list, " ")
	if removes.MatchString(text) {
		return remove, strings.Fields(text)[1:]
	}
	isGo := goRuns.MatchString(text)
	for i, word := range list {
		t := program(word)
		isKnown := slices.Contains([]tool{controllerGen, angryjet, mrgen}, t) || t == resolver && strings.Contains(word, "upjet/")
		if isKnown {
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

var (
	// removes matches the commands that remove files, also through a shell or find.
	removes = regexp.MustCompile(`^(?:\S*/)?(?:rm |(?:(?:ba)?sh|find) .*(?:[\s;&|(]rm | -delete\b))`)
	// contents matches the end of a path to all files in a folder.
	contents = regexp.MustCompile(`(?:/\*(?:\.[^/]*)?)?;?$`)
)

// usages matches the arguments of controller-gen and angryjet, and the commands that give a program another name.
var usages = regexp.MustCompile(`^(?:-command|alias) |(?:^|[\s"'(])(?:paths=|generate-methodsets\b)`)

// read sets the directive's task by the arguments of its tool. An error names an option that mrgen lacks.
func (d *directive) read(arguments []string) error {
	d.settings, d.taken = map[string]string{}, map[string]bool{}
	switch {
	case d.tool == remove:
		for _, argument := range arguments {
			if !strings.HasPrefix(argument, "-") {
				d.removed = append(d.removed, contents.ReplaceAllString(path.Join(d.folder, argument), ""))
			}
		}
		return nil
	case !d.tool.generates():
		return nil
	case d.tool == angryjet && arguments[0] != "generate-methodsets":
		return errors.New("it is not generate-methodsets")
	}
	makes := map[string]bool{}
	for i := 0; i < len(arguments); i++ {
		argument := inRoot.ReplaceAllString(arguments[i], "./$1")
		generator, options, _ := strings.Cut(argument, ":")
		list, isFlag := []string{argument}, strings.HasPrefix(argument, "-")
		switch {
		case otherGenerators.MatchString(argument) || d.keepsObjects && generator == "object":
			d.others, makes[generator] = true, true
			continue
		case generator == "object" || generator == "crd":
			makes[generator], d.taken[argument] = true, true
			list = strings.Split(options, ",")
		case strings.HasPrefix(argument, "output:crd:"):
			d.taken[argument] = true
		case d.tool == angryjet && i == 0:
			continue
		case d.tool == angryjet && !isFlag:
			list[0] = "paths=" + argument
		case isFlag && !strings.Contains(argument, "=") && i+1 < len(arguments):
			i++
			list[0] += "=" + arguments[i]
		}
		for _, option := range list {
			if err := d.set(option); err != nil {
				return err
			}
		}
	}
	d.objects = makes["object"] && !d.keepsObjects
	switch {
	case d.tool == controllerGen && makes["object"] && !d.objects && !d.crds:
		return fmt.Errorf("deepcopy is off in %s", SettingsFile)
	case d.tool == controllerGen && makes["schemapatch"] && !d.objects && !d.crds:
		return errors.New("schemapatch changes CRDs that somebody wrote, and mrgen writes whole ones")
	case d.tool == controllerGen && !d.objects && !d.crds:
		return errors.New("it makes neither deep copies nor CRDs")
	case d.objects && slices.ContainsFunc(arguments, func(a string) bool { return strings.HasPrefix(a, "output:dir=") }):
		return errors.New("mrgen writes deep copies beside their types: remove output:dir, set output:crd:dir for CRDs, and run adopt again")
	case !makes["crd"]:
		delete(d.settings, "crds.dir")
	case d.settings["crds.dir"] == "":
		return d.set("output:crd:dir=config/crd") // controller-gen's default
	}
	return nil
}

var (
	// inRoot matches the paths by which make and shells name their own folder.
	inRoot = regexp.MustCompile(`\$(?:PWD(?:/|$)|[({](?:CURDIR|PWD|shell pwd|pwd)[)}](?:/|$)|\((?:abspath|realpath) ([^()$ ]+)\))`)
	// unknown matches the variables of make, shells and task.
	unknown = regexp.MustCompile(`\$|\{\{`)
)

// local returns a path in the directive relative to the module root.
func (d *directive) local(name string) (string, error) {
	isAbs := path.IsAbs(name) || path.IsAbs(d.folder)
	name = path.Join(d.folder, name)
	switch {
	case isAbs || unknown.MatchString(name):
		return "", fmt.Errorf("%s is not relative to the folder", name)
	case name == ".." || strings.HasPrefix(name, "../"):
		return "", fmt.Errorf("%s lies outside the module", name)
	}
	return name, nil
}

func (d *directive) pattern(pattern string) (string, error) {
	if rest, found := strings.CutPrefix(pattern, d.module); found && (rest == "" || rest[0] == '/') {
		return "." + rest, nil
	}
	if !strings.HasPrefix(pattern, ".") {
		return "", fmt.Errorf("the pattern %s is not one of this module", pattern)
	}
	name, err := d.local(pattern)
	if name == "." {
		return ".", err
	}
	return "./" + name, err
}

// otherGenerators matches the generators of files that mrgen doesn't write, and their folders.
var otherGenerators = regexp.MustCompile(`^(?:output:)?(?:rbac|webhook|schemapatch|applyconfiguration)(?:[:=]|$)`)

// keys are mrgen's settings for the options of the tools.
var keys = map[string]string{
	"headerFile":                  "headerFile",
	"header-file":                 "headerFile",
	"output:artifacts:config":     "crds.dir", // the other generators' as well
	"output:dir":                  "crds.dir",
	"output:crd:artifacts:config": "crds.dir",
	"output:crd:dir":              "crds.dir",
	"maxDescLen":                  "crds.maxDescription",
	"allowDangerousTypes":         "crds.allowDangerousTypes",
	"generateEmbeddedObjectMeta":  "crds.embeddedObjectMeta",
}

// set reads an option of a tool, see https://book.kubebuilder.io/reference/controller-gen.
func (d *directive) set(option string) error {
	name, value, _ := strings.Cut(strings.TrimLeft(option, "-"), "=")
	key := keys[name]
	isRead := key != "" || name == "paths" || strings.HasPrefix(name, "filename-")
	switch {
	case unknown.MatchString(name), isRead && unknown.MatchString(value):
		return fmt.Errorf("the value of %s isn't known before it runs: write it there", option)
	case key == "headerFile" || key == "crds.dir":
		file, err := d.local(value)
		if name == "output:artifacts:config" || name == "output:dir" { // one for CRDs alone comes first
			file = cmp.Or(d.settings[key], file)
		}
		d.settings[key] = file
		return err
	case key == "crds.maxDescription":
		d.settings[key] = value
		_, err := strconv.Atoi(value)
		return err
	case key != "" && (value == "" || value == "true"):
		d.settings[key] = "true"
	case name == "paths":
		for _, pattern := range strings.FieldsFunc(strings.Trim(value, "{}"), func(c rune) bool { return strings.ContainsRune(";, ", c) }) {
			local, err := d.pattern(pattern)
			if err != nil {
				return err
			}
			d.packages = append(d.packages, local)
		}
	case strings.HasPrefix(name, "filename-"):
		d.files = append(d.files, value)
	case value == "false" || name == "trivialVersions" || name == "ignoreUnexportedFields" || slices.Contains([]string{"", "crdVersions=v1", "crdVersions={v1}"}, option):
		// A default, as for mrgen, or without effect on CRDs of apiextensions.k8s.io/v1.
	case name == "year":
		return fmt.Errorf("mrgen writes no year: write it into the header's file, remove %s, and run adopt again", option)
	default:
		// mrgen writes the other files of the command as well: one of the two has to go.
		return fmt.Errorf("mrgen has nothing like %s: remove that, and run adopt again", option)
	}
	return nil
}

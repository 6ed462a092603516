package lintrules

import (
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

var delivery = &linter.Rule{
	Name:     "delivery",
	Doc:      "Makefiles, Dockerfiles and jobs name files, images and targets that exist, jobs verify what is generated, and names are the provider's own.",
	Source:   linter.Source{Name: "GNU make, Rule Syntax", URL: "https://www.gnu.org/software/make/manual/html_node/Rule-Syntax.html"},
	Why:      "Else a release fails, or an image can't start, long after the change. Two providers with one leader election ID keep each other from working.",
	Severity: linter.Warning,
	Run:      checkDelivery,
}

var (
	// ofMake matches the targets of a call of make in a job, isTarget one of them, includes a line of a Makefile that includes another, and
	// target the targets of a rule.
	ofMake   = regexp.MustCompile(`(?m)(?:^[ \t]*(?:- )?(?:run:|script:)?|&&|;)[ \t]*make[ \t]+([\w.=/:$(){}"' \t-]+?)[ \t]*(?:#.*|&&.*|;.*|\|.*)?$`)
	isTarget = regexp.MustCompile(`^\w[\w./-]*$`)
	includes = regexp.MustCompile(`(?m)^[ \t]*-?s?include\b`)
	target   = regexp.MustCompile(`(?m)^([\w./%$(){}: -]+?)[ \t]*::?(?:[^=]|$)`)
	// ofFolder matches a file or folder of the module that a command takes.
	ofFolder = regexp.MustCompile(`(?m)^[ \t].*?\bkubectl\b.* (?:-f|--filename)[ =]([\w./-]+)|--(?:package-root|examples-root)[ =]([\w./-]+)|(?:\bgo|\$[({]GO[)}]) (?:build|run)\b.* \./([\w/-]+)|` +
		`\bdocker\b.*? build\b.*? (?:-f|--file)[ =]([\w./-]+)`)
	// copied matches what a Dockerfile copies, and entrypoint the program that it starts.
	copied     = regexp.MustCompile(`(?m)^(?:COPY|ADD)((?:[ \t]+--\S+)*)[ \t]+([^\[\n]+)$`)
	entrypoint = regexp.MustCompile(`(?m)^(?:ENTRYPOINT|CMD)[ \t]+\[[ \t]*"([^"]+)"`)
	stageLine  = regexp.MustCompile(`(?m)^FROM[ \t]+(?:--\S+[ \t]+)*(\S+)`)
	ofRoot     = regexp.MustCompile(`--(?:package|examples)-root[ =]\S+`)
	// tagged and packed match the images and packages that are made, embedded and pushed those that are taken, and outputs the files that
	// go build writes.
	tagged    = regexp.MustCompile(`\bdocker\b.*? build\b.*? (?:-t|--tag)[ =](\S+)`)
	embedded  = regexp.MustCompile(`--embed-runtime-image[ =](\S+)`)
	packed    = regexp.MustCompile(`\bxpkg build\b.*? (?:-o|--package-file)[ =](\S+)`)
	pushed    = regexp.MustCompile(`\bxpkg push\b.*?--package-files?[ =](\S+)`)
	outputs   = regexp.MustCompile(`\bgo build\b.*? -o[ =]([^\s;&]+)`)
	verifyRun = regexp.MustCompile(`(?m)^\t.*(?:\bmrgen\b|\$[({]MRGEN[)}]).* verify\b.*$`)
	lintRun   = regexp.MustCompile(`(?:\bmrgen\b|\$[({]MRGEN[)}]).* (?:lint\b|--lint\b)`)
	leaderID  = regexp.MustCompile(`LeaderElectionID:\s*"crossplane-leader-election-([\w.-]+)"`)
	majorPath = regexp.MustCompile(`^v\d+$`)
)

// searched are the folders in which images without others, such as distroless, look for a program by its name.
var searched = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

func checkDelivery(p *linter.Pass) {
	var jobs []jobFile
	hasVerified := false
	makefile := p.Text("Makefile")
	known, isKnown := targetsOf(makefile)
	for name, content := range p.Matching(buildFiles...) {
		hasVerified = hasVerified || lintRun.MatchString(content)
		checkFolders(p, name, content)
		checkMade(p, name, content)
		switch {
		case strings.Contains(path.Base(name), "Dockerfile"):
			checkImage(p, name, content)
		case strings.HasSuffix(name, ".yml"), strings.HasSuffix(name, ".yaml"):
			if isKnown {
				checkTargets(p, name, content, known)
			}
			jobs = append(jobs, newJobFile(p, name, content))
		}
	}
	if at := verifyRun.FindStringIndex(makefile); at != nil && !hasVerified {
		p.File(diag.Position{File: "Makefile", Line: linter.LineAt(makefile, at[0])}, "verify", nil,
			"nothing runs lint, so that no job tells of what it finds: write verify --lint")
	}
	checkJobs(p, jobs)
	checkOwnNames(p)
}

// checkFolders reports files and folders in commands that aren't there. What a build makes is in bin or below a folder of its own, or named
// where it is made.
func checkFolders(p *linter.Pass, name, content string) {
	for _, m := range ofFolder.FindAllStringSubmatchIndex(content, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] < 0 {
				continue
			}
			named := strings.Trim(content[m[i]:m[i+1]], "/.")
			first, _, _ := strings.Cut(named, "/")
			isOwn := slices.Contains([]string{"package", "packages", "examples", "example", "cmd", "hack", "internal"}, first)
			isRoot := i == 4 && !strings.Contains(ofRoot.ReplaceAllString(content, ""), named) || i == 8 && !strings.Contains(content[m[0]:m[1]], "cd ")
			if named != "" && (isOwn || isRoot) && !p.Exists(named) {
				p.File(diag.Position{File: name, Line: linter.LineAt(content, m[i])}, named, nil, "the provider has no %s: correct the path", named)
			}
		}
	}
}

// checkMade reports images and packages that a file takes and doesn't make, if it makes others.
func checkMade(p *linter.Pass, name, content string) {
	for _, of := range []struct{ makes, takes *regexp.Regexp }{{tagged, embedded}, {packed, pushed}} {
		var made []string
		for _, m := range of.makes.FindAllStringSubmatch(content, -1) {
			made = append(made, asPattern(m[1]))
		}
		for _, m := range of.takes.FindAllStringSubmatchIndex(content, -1) {
			taken := asPattern(content[m[2]:m[3]])
			isUnknown := len(made) == 0 || slices.Contains(made, taken) || strings.Contains(strings.Join(append(made, taken), " "), "$")
			if !isUnknown {
				p.File(diag.Position{File: name, Line: linter.LineAt(content, m[2])}, taken, nil,
					"nothing here makes %s: correct it, such as to %s, which is made", taken, made[0])
			}
		}
	}
}

// asPattern returns an image or a file with the sign that pattern rules have for what differs.
func asPattern(name string) string {
	return strings.TrimRight(strings.NewReplacer("$*", "%", "$(*)", "%", `"`, "", "'", "").Replace(name), ")")
}

// targetsOf returns the targets of a Makefile as patterns, if they are known: those of included files and in variables aren't.
func targetsOf(makefile string) (patterns []string, areKnown bool) {
	if makefile == "" || includes.MatchString(makefile) {
		return nil, false
	}
	for _, m := range target.FindAllStringSubmatch(makefile, -1) {
		for _, word := range strings.Fields(m[1]) {
			if strings.Contains(word, "$") || word == "%" {
				return nil, false // it may be any
			}
			patterns = append(patterns, strings.ReplaceAll(word, "%", "*"))
		}
	}
	return patterns, true
}

// checkTargets reports targets that jobs make and the Makefile hasn't.
func checkTargets(p *linter.Pass, name, content string, known []string) {
	for _, m := range ofMake.FindAllStringSubmatchIndex(content, -1) {
		for _, word := range strings.Fields(content[m[2]:m[3]]) {
			if word == "-C" || word == "-f" {
				break // another Makefile
			}
			isKnown := slices.ContainsFunc(known, func(pattern string) bool {
				matches, _ := path.Match(pattern, word) // a target isn't a bad pattern
				return matches
			})
			if isTarget.MatchString(word) && !isKnown {
				p.File(diag.Position{File: name, Line: linter.LineAt(content, m[2])}, word, nil, "the Makefile has no target %s: correct it, or write one", word)
			}
		}
	}
}

// A copying is a file that an image copies.
type copying struct {
	source, to string
	at         diag.Position
	// isMade is set if another stage of the image has it, and isLast if the last stage copies it.
	isMade, isLast bool
}

// copyings returns what an image copies, whose last stage begins at an offset.
func copyings(name, content string, last int) []copying {
	var all []copying
	for _, m := range copied.FindAllStringSubmatchIndex(content, -1) {
		words := strings.Fields(content[m[4]:m[5]])
		for _, source := range words[:max(0, len(words)-1)] {
			at := diag.Position{File: name, Line: linter.LineAt(content, m[4])}
			all = append(all, copying{source, words[len(words)-1], at, content[m[2]:m[3]] != "", m[0] > last})
		}
	}
	return all
}

// checkImage reports files that an image copies and the module hasn't, and a program that isn't in an image without others.
func checkImage(p *linter.Pass, name, content string) {
	stages := stageLine.FindAllStringSubmatchIndex(content, -1)
	if len(stages) == 0 {
		return
	}
	last := stages[len(stages)-1]
	all := copyings(name, content, last[0])
	for _, c := range all {
		found, _ := filepath.Glob(filepath.Join(p.Root, filepath.FromSlash(c.source)))
		isOutput := strings.ContainsAny(c.source, "$*") || strings.HasPrefix(c.source, "bin/") || strings.HasPrefix(c.source, "_output/")
		if isInRoot := !strings.Contains(name, "/"); isInRoot && !isOutput && !c.isMade && len(found) == 0 {
			p.File(c.at, c.source, nil, "the provider has no %s to copy: correct the path", c.source)
		}
	}
	m := entrypoint.FindStringSubmatchIndex(content[last[0]:])
	if m == nil {
		return
	}
	program, isThere := content[last[0]+m[2]:last[0]+m[3]], false
	for _, c := range all {
		if !c.isLast || !c.starts(program, strings.Contains(content, "PATH=")) {
			continue
		}
		isThere = true
		if made := outputs.FindAllStringSubmatch(content[:last[0]], -1); c.isMade && !slices.ContainsFunc(made, func(m []string) bool { return isSameFile(m[1], c.source) }) && len(made) > 0 {
			p.File(c.at, c.source, nil, "go build doesn't write %s here, so that there is no image: copy %s", c.source, made[0][1])
		}
	}
	base := content[last[2]:last[3]]
	if isBare := strings.Contains(base, "distroless/static") || base == "scratch"; isBare && !isThere {
		p.File(diag.Position{File: name, Line: linter.LineAt(content, last[0]+m[2])}, program, nil,
			"the image has no %s, so that no container starts: copy it, or name a file that is copied", program)
	}
}

// starts reports whether a file that is copied is what an image starts. An image may name other folders with programs than images have.
func (c copying) starts(program string, hasPath bool) bool {
	return slices.ContainsFunc([]string{path.Clean(c.to), path.Join(c.to, path.Base(c.source))}, func(file string) bool {
		isOnPath := hasPath || slices.Contains(searched, path.Dir(file))
		return file == program || isOnPath && path.Base(file) == program || strings.Contains(file, "$")
	})
}

// isSameFile reports whether two paths, of which one may be relative to a folder that isn't known, may name one file. One with a variable
// may name any.
func isSameFile(a, b string) bool {
	return strings.ContainsAny(a+b, "$*") || path.Base(a) == path.Base(b) || path.Base(b) == path.Base(path.Dir(a)) || strings.HasSuffix(a, "/")
}

// checkOwnNames reports names of other providers in the package's metadata and in the program.
func checkOwnNames(p *linter.Pass) {
	own := path.Base(p.Module())
	if majorPath.MatchString(own) {
		own = path.Base(path.Dir(p.Module()))
	}
	file := path.Join(p.PackageDir(), metadataFile)
	_, metadata := yamlnode.Field(p.YAML(file), "metadata")
	_, named := yamlnode.Field(metadata, "name")
	if named == nil || own == "" || own == "." {
		return
	}
	const template = "provider-template"
	if named.Value == template && own != template {
		p.File(diag.Position{File: file, Line: named.Line}, "metadata.name", nil, "%s is the name of the template: write that of this provider, such as %s", template, own)
	}
	for at := range p.Find(leaderID) {
		if id := leaderID.FindStringSubmatch(p.Text(at.File))[1]; id != own && id != named.Value {
			p.File(at, "LeaderElectionID", nil,
				"%s is another provider, and only one of two with this ID works in a namespace: write crossplane-leader-election-%s", id, own)
		}
	}
}

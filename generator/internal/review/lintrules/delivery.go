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
	Doc:      "Makefiles, Dockerfiles and jobs name files and targets that exist, jobs verify what is generated, and names are the provider's own.",
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
	ofFolder = regexp.MustCompile(`(?m)^[ \t].*?\bkubectl\b.* (?:-f|--filename)[ =]([\w./-]+)|--(?:package-root|examples-root)[ =]([\w./-]+)|\bgo (?:build|run)\b.* \./([\w/-]+)`)
	// copied matches what a Dockerfile copies, and entrypoint the program that it starts.
	copied     = regexp.MustCompile(`(?m)^(?:COPY|ADD)((?:[ \t]+--\S+)*)[ \t]+([^\[\n]+)$`)
	entrypoint = regexp.MustCompile(`(?m)^(?:ENTRYPOINT|CMD)[ \t]+\[[ \t]*"([^"]+)"`)
	stageLine  = regexp.MustCompile(`(?m)^FROM[ \t]+(?:--\S+[ \t]+)*(\S+)`)
	// generates and verifies match what jobs do with generated files, and note the name of a step or a comment.
	note      = regexp.MustCompile(`(?m)^[ \t]*(?:- )?name:.*$|#.*$`)
	generates = regexp.MustCompile(`(?m)^[^#\n]*\b(?:make|mrgen)[ \t]+generate\b`)
	verifies  = regexp.MustCompile(`\bverify\b|\bgit[ \t]+(?:diff|status)\b|check-diff|\breviewable\b`)
	verifyRun = regexp.MustCompile(`(?m)^\t.*(?:\bmrgen\b|\$[({]MRGEN[)}]).* verify\b.*$`)
	lintRun   = regexp.MustCompile(`(?:\bmrgen\b|\$[({]MRGEN[)}]).* (?:lint\b|--lint\b)`)
	leaderID  = regexp.MustCompile(`LeaderElectionID:\s*"crossplane-leader-election-([\w.-]+)"`)
	majorPath = regexp.MustCompile(`^v\d+$`)
)

// searched are the folders in which images without others, such as distroless, look for a program by its name.
var searched = []string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

// A job is a file with jobs of continuous integration.
type job struct{ name, content string }

func checkDelivery(p *linter.Pass) {
	var jobs []job
	hasVerified := false
	makefile := p.Text("Makefile")
	known, isKnown := targetsOf(makefile)
	for name, content := range p.Matching(buildFiles...) {
		hasVerified = hasVerified || lintRun.MatchString(content)
		checkFolders(p, name, content)
		switch {
		case path.Base(name) == "Dockerfile":
			checkImage(p, name, content)
		case strings.HasSuffix(name, ".yml"), strings.HasSuffix(name, ".yaml"):
			if isKnown {
				checkTargets(p, name, content, known)
			}
			jobs = append(jobs, job{name, content})
		}
	}
	if at := verifyRun.FindStringIndex(makefile); at != nil && !hasVerified {
		p.File(diag.Position{File: "Makefile", Line: linter.LineAt(makefile, at[0])}, "verify", nil,
			"nothing runs lint, so that no job tells of what it finds: write verify --lint")
	}
	checkJobs(p, jobs)
	checkOwnNames(p)
}

// checkFolders reports files and folders in commands that aren't there. What a build makes is in bin or below a folder of its own.
func checkFolders(p *linter.Pass, name, content string) {
	for _, m := range ofFolder.FindAllStringSubmatchIndex(content, -1) {
		for i := 2; i < len(m); i += 2 {
			if m[i] < 0 {
				continue
			}
			named := strings.Trim(content[m[i]:m[i+1]], "/.")
			first, _, _ := strings.Cut(named, "/")
			isOwn := slices.Contains([]string{"package", "packages", "examples", "example", "cmd", "hack", "internal"}, first)
			if isOwn && !p.Exists(named) {
				p.File(diag.Position{File: name, Line: linter.LineAt(content, m[i])}, named, nil, "the provider has no %s: correct the path", named)
			}
		}
	}
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

// checkImage reports files that an image copies and the module hasn't, and a program that isn't in an image without others.
func checkImage(p *linter.Pass, name, content string) {
	stages := stageLine.FindAllStringSubmatchIndex(content, -1)
	if len(stages) == 0 {
		return
	}
	last := stages[len(stages)-1]
	base := content[last[2]:last[3]]
	var programs []string
	for _, m := range copied.FindAllStringSubmatchIndex(content, -1) {
		words := strings.Fields(content[m[4]:m[5]])
		if len(words) < 2 {
			continue
		}
		sources, to := words[:len(words)-1], words[len(words)-1]
		for _, source := range sources {
			at := diag.Position{File: name, Line: linter.LineAt(content, m[4])}
			found, _ := filepath.Glob(filepath.Join(p.Root, filepath.FromSlash(source)))
			isOutput := strings.ContainsAny(source, "$*") || strings.HasPrefix(source, "bin/") || strings.HasPrefix(source, "_output/")
			if isInRoot := !strings.Contains(name, "/"); isInRoot && !isOutput && content[m[2]:m[3]] == "" && len(found) == 0 {
				p.File(at, source, nil, "the provider has no %s to copy: correct the path", source)
			}
			if m[0] > last[0] {
				programs = append(programs, path.Clean(to), path.Join(to, path.Base(source)))
			}
		}
	}
	isBare := strings.Contains(base, "distroless/static") || base == "scratch"
	m := entrypoint.FindStringSubmatchIndex(content[last[0]:])
	if !isBare || m == nil {
		return
	}
	program := content[last[0]+m[2] : last[0]+m[3]]
	isThere := slices.ContainsFunc(programs, func(file string) bool {
		isOnPath := slices.Contains(searched, path.Dir(file)) || strings.Contains(content, "PATH=")
		return file == program || isOnPath && path.Base(file) == program || strings.Contains(file, "$")
	})
	if !isThere {
		p.File(diag.Position{File: name, Line: linter.LineAt(content, last[0]+m[2])}, program, nil,
			"the image has no %s, so that no container starts: copy it, or name a file that is copied", program)
	}
}

// checkJobs reports a job that generates without comparing, so that what is out of date passes.
func checkJobs(p *linter.Pass, jobs []job) {
	if slices.ContainsFunc(jobs, func(j job) bool { return verifies.MatchString(withoutNotes(j.content)) }) {
		return
	}
	for _, j := range jobs {
		if at := generates.FindStringIndex(j.content); at != nil {
			p.File(diag.Position{File: j.name, Line: linter.LineAt(j.content, at[0])}, "generate", nil,
				"no job tells if generated files are out of date: run mrgen verify here, or make verify")
		}
	}
}

// withoutNotes returns YAML without the names of steps and comments, which say more than is done.
func withoutNotes(content string) string {
	return note.ReplaceAllString(content, "")
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

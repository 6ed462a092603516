package lintrules

import (
	"regexp"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/generator/internal/yamlnode"
)

var (
	// note matches what says more than is done: a comment, the name of a step, and that of a job.
	note = regexp.MustCompile(`(?m)^[ \t]*(?:- )?name:.*$|#.*$|^[ \t]*[\w-]+:[ \t]*$`)
	// generates, tests, verifies and releases match what jobs do, and ofChanges what has them run for changes.
	generates = regexp.MustCompile(`(?m)^[^#\n]*\b(?:make|mrgen)[ \t]+generate\b`)
	tests     = regexp.MustCompile(`(?m)^[^#\n]*\b(?:make[ \t].*\b(?:test|cover)\b|go[ \t]+test\b)`)
	verifies  = regexp.MustCompile(`(?:[\w)}"'.][ \t]+\+?|/)verify\b|\bgit[ \t]+(?:diff|status)\b|check-diff|\breviewable\b|mrgen-io/mrgen@|\.github/workflows/[\w.-]+@`)
	ofChanges = regexp.MustCompile(`pull_request|branches|merge_group|workflow_call`)
	releases  = regexp.MustCompile(`(?m)\bmake[ \t](?:.*[ \t])?(?:push|publish)\b|\bxpkg push\b`)
)

// A jobFile is a file with jobs of continuous integration.
type jobFile struct {
	name, content string
	// jobs are those that do something, and names are those of all, nil if they aren't known.
	jobs  []job
	names []string
	// ofChanges is set if the jobs run for changes, and not for tags alone or by hand.
	ofChanges bool
}

// A job is one of a file.
type job struct {
	name string
	line int
	node *yaml.Node
	// does is what it does, without notes.
	does string
}

// newJobFile reads a file with jobs. It has none if it can't be parsed.
func newJobFile(p *linter.Pass, name, content string) jobFile {
	f := jobFile{name: name, content: content}
	root := p.YAML(name)
	_, jobs := yamlnode.Field(root, "jobs")
	switch _, on := yamlnode.Field(root, "on"); {
	case name == ".gitlab-ci.yml":
		jobs, f.ofChanges = root, true
	case on != nil:
		text, err := yaml.Marshal(on)
		isPush := strings.Contains(string(text), "push") && !strings.Contains(string(text), "tags")
		f.ofChanges = err == nil && (isPush || ofChanges.Match(text))
	default:
		f.ofChanges = true
	}
	_, included := yamlnode.Field(root, "include")
	for key, value := range yamlnode.Fields(jobs) {
		if included == nil {
			f.names = append(f.names, key.Value)
		}
		text, err := yaml.Marshal(value)
		_, script := yamlnode.Field(value, "script")
		if _, steps := yamlnode.Field(value, "steps"); err == nil && (steps != nil || script != nil) {
			f.jobs = append(f.jobs, job{key.Value, key.Line, value, note.ReplaceAllString(string(text), "")})
		}
	}
	return f
}

// checkJobs reports jobs that generate or test without comparing, so that what is out of date passes, and jobs that wait for others in vain.
func checkJobs(p *linter.Pass, files []jobFile) {
	for _, f := range files {
		checkNeeds(p, f)
	}
	isVerified := func(f jobFile) bool { return f.ofChanges && verifies.MatchString(note.ReplaceAllString(f.content, "")) }
	for _, isGitLab := range []bool{false, true} {
		var of []jobFile
		for _, f := range files {
			if strings.HasPrefix(f.name, ".gitlab") == isGitLab {
				of = append(of, f)
			}
		}
		if slices.ContainsFunc(of, isVerified) {
			continue
		}
		reportUnverified(p, of)
	}
}

// reportUnverified reports the first job of some that generates for changes, or else that tests them.
func reportUnverified(p *linter.Pass, of []jobFile) {
	for _, does := range []*regexp.Regexp{generates, tests} {
		for _, f := range of {
			if at := does.FindStringIndex(f.content); at != nil && f.ofChanges {
				p.File(diag.Position{File: f.name, Line: linter.LineAt(f.content, at[0])}, "generate", nil,
					"no job tells if generated files are out of date: run mrgen verify here, or make verify")
				return
			}
		}
	}
}

// checkNeeds reports a job that needs one that isn't there, and one that publishes beside those that test, and doesn't wait for them.
func checkNeeds(p *linter.Pass, f jobFile) {
	for _, j := range f.jobs {
		_, needs := yamlnode.Field(j.node, "needs")
		_, stage := yamlnode.Field(j.node, "stage")
		for _, n := range neededBy(needs) {
			if n != nil && n.Kind == yaml.ScalarNode && !strings.Contains(n.Value, "$") && f.names != nil && !slices.Contains(f.names, n.Value) {
				p.File(diag.Position{File: f.name, Line: n.Line}, n.Value, nil, "there is no job %s, so that none of this file runs: correct the name", n.Value)
			}
		}
		if needs != nil || stage != nil && stage.Value != "test" || !releases.MatchString(j.does) || tests.MatchString(j.does) || verifies.MatchString(j.does) {
			continue
		}
		var others []string
		for _, other := range f.jobs {
			if tests.MatchString(other.does) || verifies.MatchString(other.does) {
				others = append(others, other.name)
			}
		}
		if len(others) > 0 {
			p.File(diag.Position{File: f.name, Line: j.line}, j.name, nil,
				"the job %s publishes also if %s fails, since it doesn't wait: write needs: [%s]", j.name, others[0], strings.Join(others, ", "))
		}
	}
}

// neededBy returns the names of jobs that one needs, apart from those of other pipelines and optional ones.
func neededBy(needs *yaml.Node) []*yaml.Node {
	if needs == nil || needs.Kind == yaml.ScalarNode {
		return []*yaml.Node{needs}
	}
	var all []*yaml.Node
	for _, n := range needs.Content {
		if _, of := yamlnode.Field(n, "job"); of != nil && len(n.Content) == 2 {
			n = of
		}
		all = append(all, n)
	}
	return all
}

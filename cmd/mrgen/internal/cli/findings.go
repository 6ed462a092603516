package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/pflag"

	"github.com/mrgen-io/mrgen/generator"
)

// A findingFormat is a form of findings.
type findingFormat struct {
	name  string
	write func(root string, findings []generator.Finding) ([]byte, error)
}

// findingFormats are all, the default first.
var findingFormats = []findingFormat{
	{"text", writeText},
	{"json", writeJSON},
	{"sarif", writeSARIF},
	{"github", writeGitHub},
}

// Set takes the name of a form.
func (f *findingFormat) Set(name string) error {
	for _, format := range findingFormats {
		if format.name == name {
			*f = format
			return nil
		}
	}
	return errors.New("must be text, json, sarif or github")
}

// Choices returns the names of all forms.
func (f *findingFormat) Choices() []string {
	var names []string
	for _, format := range findingFormats {
		names = append(names, format.name)
	}
	return names
}

// String returns the name of the form.
func (f *findingFormat) String() string { return f.name }

// Type returns what stands for the value in help texts.
func (f *findingFormat) Type() string { return "format" }

func addFormatFlag(flags *pflag.FlagSet, format *findingFormat) {
	flags.VarP(format, "output", "o", "text, json, sarif, or github for annotations of GitHub Actions")
}

// writeText returns a line for each finding.
func writeText(_ string, findings []generator.Finding) ([]byte, error) {
	var text bytes.Buffer
	for _, f := range findings {
		fmt.Fprintln(&text, f)
	}
	return text.Bytes(), nil
}

// writeJSON returns a list of findings.
func writeJSON(_ string, findings []generator.Finding) ([]byte, error) {
	type place struct {
		Kind string `json:"kind,omitempty"`
		Path string `json:"path"`
	}
	type finding struct {
		Rule     string  `json:"rule"`
		Severity string  `json:"severity"`
		File     string  `json:"file"`
		Line     int     `json:"line,omitempty"`
		Column   int     `json:"column,omitempty"`
		Message  string  `json:"message"`
		Places   []place `json:"places"`
		Fixable  bool    `json:"fixable"`
	}
	all := []finding{}
	for _, f := range findings {
		var places []place
		for _, p := range f.Places {
			places = append(places, place(p))
		}
		all = append(all, finding{f.Rule, f.Severity.String(), f.Pos.File, f.Pos.Line, f.Pos.Column, f.Message, places, len(f.Edits) > 0})
	}
	return indented(all)
}

func indented(value any) ([]byte, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(value)
	return text.Bytes(), err
}

// The parts of SARIF 2.1.0 that findings need, see
// https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html.
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool struct {
			Driver sarifDriver `json:"driver"`
		} `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifDriver struct {
		Name           string      `json:"name"`
		InformationURI string      `json:"informationUri"`
		Rules          []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID            string       `json:"id"`
		Short         sarifMessage `json:"shortDescription"`
		Full          sarifMessage `json:"fullDescription"`
		HelpURI       string       `json:"helpUri"`
		Configuration struct {
			Level string `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifMessage struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID       string            `json:"ruleId"`
		RuleIndex    int               `json:"ruleIndex"`
		Level        string            `json:"level"`
		Message      sarifMessage      `json:"message"`
		Locations    []sarifLocation   `json:"locations"`
		Fingerprints map[string]string `json:"partialFingerprints"`
	}
	sarifLocation struct {
		Physical struct {
			Artifact struct {
				URI string `json:"uri"`
			} `json:"artifactLocation"`
			Region *sarifRegion `json:"region,omitempty"`
		} `json:"physicalLocation"`
	}
	sarifRegion struct {
		StartLine   int `json:"startLine"`
		StartColumn int `json:"startColumn,omitempty"`
	}
)

// writeSARIF returns a SARIF log. Its paths are relative to the root of the repository where
// that is known, as GitHub wants them, or else to that of the module.
func writeSARIF(root string, findings []generator.Finding) ([]byte, error) {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	driver := &run.Tool.Driver
	driver.Name, driver.InformationURI = "mrgen", "https://github.com/mrgen-io/mrgen"
	index := map[string]int{}
	for i, r := range generator.LintRules() {
		index[r.Name] = i
		rule := sarifRule{ID: r.Name, Short: sarifMessage{r.Doc}, Full: sarifMessage{r.Doc + " " + r.Why}, HelpURI: r.Source.URL}
		rule.Configuration.Level = sarifLevel(r.Severity)
		driver.Rules = append(driver.Rules, rule)
	}
	prefix := repositoryPath(root)
	for _, f := range findings {
		result := sarifResult{RuleID: f.Rule, RuleIndex: index[f.Rule], Level: sarifLevel(f.Severity), Message: sarifMessage{f.Message}}
		var location sarifLocation
		location.Physical.Artifact.URI = uri(path.Join(prefix, f.Pos.File))
		if f.Pos.Line > 0 {
			location.Physical.Region = &sarifRegion{f.Pos.Line, f.Pos.Column}
		}
		result.Locations = []sarifLocation{location}
		result.Fingerprints = map[string]string{"mrgen/v1": f.Rule + " " + f.Places[0].Kind + " " + f.Places[0].Path}
		run.Results = append(run.Results, result)
	}
	return indented(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// uri returns a path as a relative reference.
func uri(name string) string {
	var b strings.Builder
	for _, c := range []byte(name) {
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

func sarifLevel(s generator.LintSeverity) string {
	switch s {
	case generator.LintError:
		return "error"
	case generator.LintWarning:
		return "warning"
	default:
		return "note"
	}
}

// writeGitHub returns workflow commands that make GitHub Actions show findings.
func writeGitHub(root string, findings []generator.Finding) ([]byte, error) {
	var lines bytes.Buffer
	prefix := repositoryPath(root)
	for _, f := range findings {
		command := "error"
		switch f.Severity {
		case generator.LintWarning:
			command = "warning"
		case generator.LintHint:
			command = "notice"
		}
		annotate(&lines, command, prefix, f.Pos, f.Message+" ("+f.Rule+")")
	}
	return lines.Bytes(), nil
}

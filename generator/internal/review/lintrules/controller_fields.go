package lintrules

import (
	"regexp"
	"slices"
	"strings"

	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/review/controllers"
	"github.com/mrgen-io/mrgen/generator/internal/review/linter"
	"github.com/mrgen-io/mrgen/markers"
)

// ofContract completes a rule that follows from how a managed reconciler calls a controller.
func ofContract(r linter.Rule) *linter.Rule {
	r.Source = "Provider Development Guide, Defining Resource Controllers"
	r.URL = "https://github.com/crossplane/crossplane/blob/main/contributing/guide-provider-development.md"
	r.Severity, r.Controllers = linter.Warning, true
	return &r
}

// unreadParameter is the rule unread-parameter.
var unreadParameter = ofContract(linter.Rule{
	Name:   "unread-parameter",
	Doc:    "Some code reads each field of spec.forProvider.",
	Why:    "Users set the field, and nothing happens.",
	Before: "// MultiAZ is read by no code.\nMultiAZ *bool `json:\"multiAZ,omitempty\"`",
	After:  "func createInput(p *InstanceParameters) *sdk.CreateInput {\n\treturn &sdk.CreateInput{MultiAZ: p.MultiAZ}\n}",
	Run: func(p *linter.Pass) {
		isRead := func(c *controllers.Field) bool { return len(c.Read) > 0 }
		eachParameter(p, func(f *linter.Field, _ *controllers.Field) {
			if !lacks(p, f, isRead) || isWithin(p, f.ParentField, isRead) {
				return
			}
			p.Field(f, nil, "no code reads %s, neither %s nor what it calls: send it to the API, or remove the field", f.Name, looked(p, f))
		})
	},
})

// unsentParameter is the rule unsent-parameter.
var unsentParameter = ofContract(linter.Rule{
	Name:   "unsent-parameter",
	Doc:    "The value of each field of spec.forProvider gets into a request, or decides on one.",
	Why:    "Users set the field, and the API never hears of it.",
	Before: "if p.MultiAZ != nil && *p.MultiAZ != aws.ToBool(db.MultiAZ) {\n\treturn false\n}",
	After:  "input := &sdk.ModifyInput{MultiAZ: p.MultiAZ}",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			if !isLeaf(f) || len(code.Read) == 0 || code.Sent {
				return
			}
			p.Field(f, nil, "%s is read by %s, but its value reaches no request: send it in Create and Update, or remove the field",
				f.Name, functions(code.Read))
		})
	},
})

// unfilledObservation is the rule unfilled-observation.
var unfilledObservation = ofContract(linter.Rule{
	Name:   "unfilled-observation",
	Doc:    "Some code sets each field of status.atProvider.",
	Why:    "The field is documented, and never there.",
	Before: "// ARN is set by no code.\nARN *string `json:\"arn,omitempty\"`",
	After:  "cr.Status.AtProvider.ARN = db.DBInstanceArn",
	Run: func(p *linter.Pass) {
		isWritten := func(c *controllers.Field) bool { return len(c.Written) > 0 }
		eachField(p, linter.AtProvider, func(f *linter.Field, _ *controllers.Field) {
			if !lacks(p, f, isWritten) || isWithin(p, f.ParentField, isWritten) || idle.MatchString(linter.Words(f.Doc)) {
				return
			}
			p.Field(f, nil, "no code sets %s, neither %s nor what it calls: set it in Observe, or remove the field", f.Name, looked(p, f))
		})
	},
})

// comparedUnsent is the rule compared-unsent.
var comparedUnsent = ofContract(linter.Rule{
	Name:   "compared-unsent",
	Doc:    "What Observe compares, Update sends.",
	Why:    "The resource is never up to date, and is updated for ever.",
	Before: "if ptr.Deref(p.Description, \"\") != db.Description {\n\treturn false\n}",
	After:  "input := &sdk.ModifyInput{Description: p.Description}",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			if !isLeaf(f) || len(code.Compared) == 0 || isFixed(f) {
				return
			}
			p.Field(f, nil, "%s is compared by %s, but no update sends it, so that a difference stays for ever: send it in Update, or mark it +immutable",
				f.Name, functions(code.Compared))
		})
	},
})

// uncomparedParameter is the rule uncompared-parameter.
var uncomparedParameter = ofContract(linter.Rule{
	Name:   "uncompared-parameter",
	Doc:    "What Update sends, Observe compares.",
	Why:    "A change of the field has no effect until another one is changed.",
	Before: "input := &sdk.ModifyInput{Description: p.Description}",
	After:  "if ptr.Deref(p.Description, \"\") != db.Description {\n\treturn false\n}",
	Run: func(p *linter.Pass) {
		eachParameter(p, func(f *linter.Field, code *controllers.Field) {
			if !isLeaf(f) || len(code.Updated) == 0 || isFixed(f) || p.Secret(f.Field) != "" {
				return
			}
			p.Field(f, nil, "%s is sent by %s, but no check compares it, so that changing it alone has no effect: compare it in Observe, or mark it +immutable",
				f.Name, functions(code.Updated))
		})
	},
})

// isFixed reports whether a field can't change, or says so, or identifies the resource.
func isFixed(f *linter.Field) bool {
	return f.IsImmutable() || f.OwnMarker(markers.Identifier) != nil || fixed.MatchString(linter.Words(f.Doc)) ||
		slices.ContainsFunc(f.Markers, func(m model.Marker) bool { return strings.Contains(m.Text, "oldSelf") })
}

// fixed matches comments of fields that don't change.
var fixed = regexp.MustCompile(`(?i)immutable|\b(can ?not|can't|may not|must not|won't) be (changed|modified|updated|altered)|(read|write)-?only|not (be )?returned|not return|not reconciled`)

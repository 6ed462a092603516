package controllers_test

import (
	"context"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mrgen-io/mrgen/generator"
	"github.com/mrgen-io/mrgen/generator/lint"
	"github.com/mrgen-io/mrgen/testdata/testmodule"
)

// A pair is a slip in a controller that a rule finds, beside code that is nearly the same and right. Each edit replaces one text by
// another, in the kind or its controller.
type pair struct {
	name, rule  string
	wrong, good []string
	// message is a part of the finding.
	message string
}

var pairs = []pair{
	{
		name: "absent", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{"return managed.ExternalObservation{}, resource.Ignore(isNotFound, err)", "return managed.ExternalObservation{}, nil"},
		good: []string{"return managed.ExternalObservation{}, resource.Ignore(isNotFound, err)",
			"if isNotFound(err) {\nreturn managed.ExternalObservation{}, nil\n}\nreturn managed.ExternalObservation{}, err"},
	},
	{
		name: "absentother", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{"return managed.ExternalObservation{}, resource.Ignore(isNotFound, err)",
			"e.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalObservation{ResourceExists: false}, nil"},
		good: []string{"return managed.ExternalObservation{}, resource.Ignore(isNotFound, err)",
			"if !isNotFound(err) {\nreturn managed.ExternalObservation{}, err\n}\nreturn managed.ExternalObservation{}, nil"},
	},
	{
		name: "absentbelow", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{"got, err := e.api.Get(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, resource.Ignore(isNotFound, err)",
			"got, err := e.find(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, err\n\t}\n\tif got == nil {\n\t\treturn managed.ExternalObservation{}, nil",
			"func observe(", "func (e *external) find(ctx context.Context, id string) (*sdk.Bucket, error) {\ngot, err := e.api.Get(ctx, id)\n" +
				"if err != nil {\nreturn nil, nil\n}\nreturn got, nil\n}\n\nfunc observe("},
		good: []string{"got, err := e.api.Get(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, resource.Ignore(isNotFound, err)",
			"got, err := e.find(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, err\n\t}\n\tif got == nil {\n\t\treturn managed.ExternalObservation{}, nil",
			"func observe(", "func (e *external) find(ctx context.Context, id string) (*sdk.Bucket, error) {\ngot, err := e.api.Get(ctx, id)\n" +
				"if isNotFound(err) {\nreturn nil, nil\n}\nreturn got, err\n}\n\nfunc observe("},
	},
	{
		name: "swallowupdate", rule: "swallowed-error", message: "external.Update doesn't return the error of Update",
		wrong: []string{"return managed.ExternalUpdate{}, err\n}\n\nfunc (e *external) Delete", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\n}\n" +
			"return managed.ExternalUpdate{}, nil\n}\n\nfunc (e *external) Delete"},
		good: []string{"return managed.ExternalUpdate{}, err\n}\n\nfunc (e *external) Delete", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\n" +
			"return managed.ExternalUpdate{}, err\n}\nreturn managed.ExternalUpdate{}, nil\n}\n\nfunc (e *external) Delete"},
	},
	{
		name: "swallowdelete", rule: "swallowed-error", message: "external.Delete doesn't return the error of Delete",
		wrong: []string{"err := e.api.Delete(ctx, meta.GetExternalName(cr))\n\treturn managed.ExternalDelete{}, resource.Ignore(isNotFound, err)",
			"_ = e.api.Delete(ctx, meta.GetExternalName(cr))\n\treturn managed.ExternalDelete{}, nil"},
		good: []string{"err := e.api.Delete(ctx, meta.GetExternalName(cr))\n\treturn managed.ExternalDelete{}, resource.Ignore(isNotFound, err)",
			"if err := e.api.Delete(ctx, meta.GetExternalName(cr)); !isNotFound(err) {\nreturn managed.ExternalDelete{}, err\n}\n" +
				"return managed.ExternalDelete{}, nil"},
	},
	{
		name: "swallowparse", rule: "swallowed-error", message: "doesn't return the error of parsed",
		wrong: []string{"quota, err := number(p.Quota)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tin :=",
			"var err error\nquota := new(int64)\n\tif p.Quota != nil {\n*quota, _ = parsed(*p.Quota)\n}\n\tin :=",
			"func observe(", "func parsed(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }\n\nfunc observe("},
		good: []string{"quota, err := number(p.Quota)\n\tif err != nil {\n\t\treturn nil, err\n\t}\n\tin :=",
			"var err error\nquota := new(int64)\n\tif p.Quota != nil {\nif *quota, err = parsed(*p.Quota); err != nil {\nreturn nil, err\n}\n}\n\tin :=",
			"func observe(", "func parsed(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }\n\nfunc observe("},
	},
	{
		name: "unnamed", rule: "unset-external-name", message: "which Create neither sends nor sets",
		wrong: []string{"meta.SetExternalName(cr, made.ID)", "_ = made"},
		good:  []string{"meta.SetExternalName(cr, made.ID)", "meta.AddAnnotations(cr, map[string]string{meta.AnnotationKeyExternalName: made.ID})"},
	},
	{
		name: "namelost", rule: "unset-external-name", message: "external name that Update sets",
		wrong: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "err = e.api.Update(ctx, meta.GetExternalName(cr), in)\nmeta.SetExternalName(cr, in.Name)"},
		good: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)",
			"err = e.api.Update(ctx, meta.GetExternalName(cr), in)\nmeta.SetExternalName(cr, in.Name)\nif err == nil {\nerr = e.kube.Update(ctx, cr)\n}"},
	},
	{
		name: "undeleted", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{"return managed.ExternalDelete{}, resource.Ignore(isNotFound, err)", "return managed.ExternalDelete{}, err"},
		good:  []string{"return managed.ExternalDelete{}, resource.Ignore(isNotFound, err)", "if isNotFound(err) {\nerr = nil\n}\nreturn managed.ExternalDelete{}, err"},
	},
	{
		name: "absentfound", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{"got, err := e.api.Get(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, resource.Ignore(isNotFound, err)\n\t}",
			"got, isFound := e.find(ctx, id)\nif !isFound {\nreturn managed.ExternalObservation{}, nil\n}",
			"func observe(", "func (e *external) find(ctx context.Context, id string) (*sdk.Bucket, bool) {\ngot, err := e.api.Get(ctx, id)\n" +
				"if err != nil {\nreturn nil, false\n}\nreturn got, true\n}\n\nfunc observe("},
		good: []string{"got, err := e.api.Get(ctx, id)", "got, err := e.find(ctx, id)",
			"func observe(", "func (e *external) find(ctx context.Context, id string) (*sdk.Bucket, error) { return e.api.Get(ctx, id) }\n\nfunc observe("},
	},
	{
		name: "swallowbelow", rule: "swallowed-error", message: "external.push doesn't return the error of Update",
		wrong: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "e.push(ctx, cr, in)",
			"func observe(", "func (e *external) push(ctx context.Context, cr *v1.Bucket, in *sdk.Input) {\n" +
				"if err := e.api.Update(ctx, meta.GetExternalName(cr), in); err != nil {\ne.log.Info(\"failed\", err)\n}\n}\n\nfunc observe("},
		good: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "err = e.push(ctx, cr, in)",
			"func observe(", "func (e *external) push(ctx context.Context, cr *v1.Bucket, in *sdk.Input) error {\n" +
				"return errors.Join(e.api.Update(ctx, meta.GetExternalName(cr), in))\n}\n\nfunc observe("},
	},
	{
		name: "undeletedjoined", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{"return managed.ExternalDelete{}, resource.Ignore(isNotFound, err)", "if err != nil {\nreturn managed.ExternalDelete{}, errors.Join(errors.New(\"failed\"), err)\n}\n" +
			"return managed.ExternalDelete{}, nil"},
		good: []string{"return managed.ExternalDelete{}, resource.Ignore(isNotFound, err)", "if err != nil && !errors.Is(err, sdk.ErrNotFound) {\n" +
			"return managed.ExternalDelete{}, errors.Join(errors.New(\"failed\"), err)\n}\nreturn managed.ExternalDelete{}, nil"},
	},
	{
		name: "silent", rule: "silent-late-init", message: "never sets ResourceLateInitialized",
		wrong: []string{"\t\tResourceLateInitialized: late,\n", "", "late := lateInitialize", "_ = lateInitialize"},
		good: []string{"\t\tResourceLateInitialized: late,\n", "", "late := lateInitialize(&cr.Spec.ForProvider, got)",
			"lateInitialize(cr.Spec.ForProvider.DeepCopy(), got)"},
	},
	{
		name: "alwayslate", rule: "silent-late-init", message: "always sets ResourceLateInitialized",
		wrong: []string{"ResourceLateInitialized: late", "ResourceLateInitialized: true", "late := lateInitialize", "_ = lateInitialize"},
		good: []string{"\treturn managed.ExternalObservation{\n", "\tif late {\nreturn managed.ExternalObservation{ResourceExists: true, ResourceLateInitialized: true}, nil\n}\n" +
			"\treturn managed.ExternalObservation{\n"},
	},
	{
		name: "overwritten", rule: "silent-late-init", message: "overwrites spec's Region",
		wrong: []string{"if p.Region == nil {", "if got.Region != \"\" {"},
		good:  []string{"if p.Region == nil {", "if p.Region == nil && got.Region != \"\" {"},
	},
	{
		name: "unready", rule: "never-ready", message: "no code sets the condition Ready",
		wrong: []string{"cr.SetConditions(xpv2.Available())", "cr.SetConditions(xpv2.Creating())"},
		good:  []string{"cr.SetConditions(xpv2.Available())", "ready := xpv2.Available()\ncr.SetConditions(ready)"},
	},
	{
		name: "secretunread", rule: "unread-secret", message: "no code reads PasswordSecretRef",
		wrong: []string{"ref := cr.Spec.ForProvider.PasswordSecretRef\n", "var ref *xpv2.LocalSecretKeySelector\n"},
		good:  []string{"ref := cr.Spec.ForProvider.PasswordSecretRef\n", "p := cr.Spec.ForProvider\nref := p.PasswordSecretRef\n"},
	},
	{
		name: "secretunrotated", rule: "unrotated-secret", message: "only Create reads PasswordSecretRef",
		wrong: []string{"\tin.Password, err = e.password(ctx, cr)\n\treturn in, err", "\treturn in, err", "made, err := e.api.Create(ctx, in)",
			"if in.Password, err = e.password(ctx, cr); err != nil {\nreturn managed.ExternalCreation{}, err\n}\nmade, err := e.api.Create(ctx, in)"},
		good: []string{"\tin.Password, err = e.password(ctx, cr)\n\treturn in, err", "\treturn in, err", "made, err := e.api.Create(ctx, in)",
			"if in.Password, err = e.password(ctx, cr); err != nil {\nreturn managed.ExternalCreation{}, err\n}\nmade, err := e.api.Create(ctx, in)",
			"err = e.api.Update(", "if in.Password, err = e.password(ctx, cr); err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nerr = e.api.Update("},
	},
	{
		name: "secretunsaved", rule: "unsaved-secret", message: "generates a secret that no connection details have",
		wrong: []string{"\"github.com/crossplane/crossplane-runtime/v2/pkg/meta\"", "\"github.com/crossplane/crossplane-runtime/v2/pkg/meta\"\n\"github.com/crossplane/crossplane-runtime/v2/pkg/password\"",
			"made, err := e.api.Create(ctx, in)", "if in.Password, err = password.Generate(); err != nil {\nreturn managed.ExternalCreation{}, err\n}\nmade, err := e.api.Create(ctx, in)"},
		good: []string{"\"github.com/crossplane/crossplane-runtime/v2/pkg/meta\"", "\"github.com/crossplane/crossplane-runtime/v2/pkg/meta\"\n\"github.com/crossplane/crossplane-runtime/v2/pkg/password\"",
			"made, err := e.api.Create(ctx, in)", "if in.Password, err = password.Generate(); err != nil {\nreturn managed.ExternalCreation{}, err\n}\nmade, err := e.api.Create(ctx, in)",
			"return managed.ExternalCreation{}, nil", "return managed.ExternalCreation{ConnectionDetails: managed.ConnectionDetails{\"password\": []byte(in.Password)}}, nil"},
	},
	{
		name: "mutatedrequest", rule: "mutated-spec", message: "changes Class of the resource",
		wrong: []string{"\tin.Password, err =", "if p.Class == nil {\np.Class = new(string)\n}\n\tin.Password, err ="},
		good:  []string{"p := &cr.Spec.ForProvider\n\tquota, err := number(p.Quota)\n\tif err != nil {\n\t\treturn nil, err", "p := cr.Spec.ForProvider.DeepCopy()\n\tquota, err := number(p.Quota)\n\tif err != nil {\n\t\treturn nil, err", "\tin.Password, err =", "if p.Class == nil {\np.Class = new(string)\n}\n\tin.Password, err ="},
	},
	{
		name: "mutatedmetadata", rule: "mutated-spec", message: "changes ObjectMeta of the resource",
		wrong: []string{"err = e.api.Update(ctx", "cr.Labels[\"updated\"] = in.Name\nerr = e.api.Update(ctx"},
		good:  []string{"made, err := e.api.Create(ctx, in)", "cr.Annotations[\"created\"] = in.Name\nmade, err := e.api.Create(ctx, in)"},
	},
	{
		name: "sorted", rule: "mutated-spec", message: "sorts Zones in place",
		wrong: []string{"slices.Clone(p.Zones), slices", "p.Zones, slices"},
		good:  []string{"slices.Clone(p.Zones), slices", "append([]string{}, p.Zones...), slices"},
	},
	{
		name: "untracked", rule: "untracked-usage", message: "never records",
		wrong: []string{"if err := c.usage.Track(ctx, cr); err != nil {\n\t\treturn nil, err\n\t}\n", "_ = cr\n"},
		good: []string{"if err := c.usage.Track(ctx, cr); err != nil {\n\t\treturn nil, err\n\t}\n", "if err := c.track(ctx, cr); err != nil {\n\t\treturn nil, err\n\t}\n",
			"func observe(", "func (c *connector) track(ctx context.Context, cr *v1.Bucket) error { return c.usage.Track(ctx, cr) }\n\nfunc observe("},
	},
	{
		name: "unread", rule: "unread-parameter", message: "no code reads Lock",
		wrong: []string{"\tcase p.Lock != nil && *p.Lock != got.Lock:\n\t\treturn false, nil\n", "", "Lock: p.Lock, ", ""},
		good:  []string{"Lock: p.Lock, ", "Lock: lockOf(p), ", "func observe(", "func lockOf(p *v1.BucketParameters) *bool { return p.Lock }\n\nfunc observe("},
	},
	{
		name: "unsent", rule: "unread-parameter", message: "no code reads Region",
		wrong: []string{"\tif p.Region != nil {\n\t\tin.Region = *p.Region\n\t}\n", ""},
		good: []string{"\tif p.Region != nil {\n\t\tin.Region = *p.Region\n\t}\n", "\tsetRegion(in, p.Region)\n", "func observe(",
			"func setRegion(in *sdk.Input, region *string) {\nif region != nil {\nin.Region = *region\n}\n}\n\nfunc observe("},
	},
	{
		name: "unfilled", rule: "unfilled-observation", message: "no code sets State",
		wrong: []string{", State: string(got.State)", ""},
		good:  []string{", State: string(got.State)", "", "\to.Zones = make", "o.State = string(got.State)\n\to.Zones = make"},
	},
	{
		name: "unmade", rule: "unfilled-observation", message: "no code sets Zones",
		wrong: []string{"\to.Zones = make([]string, len(got.Zones))\n", ""},
		good:  []string{"\to.Zones = make([]string, len(got.Zones))\n\tfor i := range got.Zones {\n\t\to.Zones[i] = got.Zones[i]\n\t}", "for _, zone := range got.Zones {\no.Zones = append(o.Zones, zone)\n}"},
	},
	{
		name: "comparedunsent", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate, but Update",
		wrong: []string{"Lock: p.Lock, ", ""},
		good:  []string{"Lock: p.Lock, ", "", "\tin.Password, err =", "if p.Lock != nil {\nin.Lock = p.Lock\n}\n\tin.Password, err ="},
	},
	{
		name: "uncompared", rule: "uncompared-parameter", message: "Update reads Lock, but",
		wrong: []string{"\tcase p.Lock != nil && *p.Lock != got.Lock:\n\t\treturn false, nil\n", ""},
		good:  []string{"p.Lock != nil && *p.Lock != got.Lock", "differs(p, got)", "func observe(", "func differs(p *v1.BucketParameters, got *sdk.Bucket) bool { return p.Lock != nil && *p.Lock != got.Lock }\n\nfunc observe("},
	},
	{
		name: "inorder", rule: "lossy-compare", message: "compares Zones in order",
		wrong: []string{"\tzones, other := slices.Clone(p.Zones), slices.Clone(got.Zones)\n\tslices.Sort(zones)\n\tslices.Sort(other)\n", "", "slices.Equal(zones, other)", "slices.Equal(p.Zones, got.Zones)"},
		good: []string{"\tzones, other := slices.Clone(p.Zones), slices.Clone(got.Zones)\n\tslices.Sort(zones)\n\tslices.Sort(other)\n", "", "slices.Equal(zones, other)", "slices.Equal(p.Zones, got.Zones)",
			"+listType=set", "+listType=atomic"},
	},
	{
		name: "foreign", rule: "foreign-secret", message: "from the namespace in",
		wrong: []string{"xpv2.LocalSecretKeySelector", "xpv2.SecretKeySelector", "Namespace: cr.GetNamespace()", "Namespace: ref.Namespace"},
		good:  []string{"Namespace: cr.GetNamespace()", "Namespace: cr.Namespace"},
	},
}

// TestContract plants each slip in a copy of a controller that keeps the contract: its rule finds it, and nothing else, and there is
// no finding in the copy that is right.
func TestContract(t *testing.T) {
	base, err := txtar.ParseFile("testdata/contract/base.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	pairs := slices.Concat(pairs, errorPairs, changePairs, fieldPairs, clientPairs)
	copies := map[string][]string{"base": nil}
	for _, p := range pairs {
		copies[p.name+"wrong"], copies[p.name+"good"] = p.wrong, p.good
	}
	for _, f := range base.Files {
		if !strings.Contains(f.Name, "CASE") {
			testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(f.Name)), f.Data)
		}
	}
	for name, edits := range copies {
		done := make([]bool, len(edits)/2)
		for _, f := range base.Files {
			if !strings.Contains(f.Name, "CASE") {
				continue
			}
			text := strings.ReplaceAll(string(f.Data), "CASE", name)
			for i := range done {
				if strings.Contains(text, edits[2*i]) {
					text, done[i] = strings.Replace(text, edits[2*i], edits[2*i+1], 1), true
				}
			}
			testmodule.Write(t, filepath.Join(dir, filepath.FromSlash(strings.ReplaceAll(f.Name, "CASE", name))), []byte(text))
		}
		if i := slices.Index(done, false); i >= 0 {
			t.Errorf("%s: %q is not in the base", name, edits[2*i])
		}
	}
	example := testmodule.Repository(t, "testdata/provider-example")
	goMod := strings.Replace(string(testmodule.Read(t, filepath.Join(example, "go.mod"))), "github.com/mrgen-io/provider-example", "example.org/provider", 1)
	sdk := testmodule.Require("example.org/sdk", "v0.0.0", filepath.Join(dir, "sdk"))
	testmodule.Write(t, filepath.Join(dir, "go.mod"), append([]byte(goMod), sdk...))
	testmodule.Write(t, filepath.Join(dir, "go.sum"), testmodule.Read(t, filepath.Join(example, "go.sum")))
	made, err := generator.Generate(context.Background(), options(dir))
	if err != nil || made.Diagnostics.HasErrors() {
		t.Fatal(err, made.Diagnostics)
	}
	if diags, err := made.Apply(context.Background()); err != nil || diags.HasErrors() {
		t.Fatal(err, diags)
	}
	found, err := lint.Run(context.Background(), options(dir), lint.Options{Controllers: []string{"./..."}})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range found.Diagnostics {
		t.Error(d)
	}
	got := map[string][]lint.Finding{}
	for _, f := range found.Findings {
		if ruleNamed(t, f.Rule).Controllers {
			name := strings.Split(path.Dir(f.Pos.File), "/")[1]
			got[name] = append(got[name], f)
		}
	}
	for _, p := range pairs {
		for _, f := range got[p.name+"good"] {
			t.Errorf("%s, which is right: %s", p.name, f)
		}
		isFound := false
		for _, f := range got[p.name+"wrong"] {
			if f.Rule == p.rule && strings.Contains(f.Message, p.message) {
				isFound = true
			} else {
				t.Errorf("%s: another finding: %s", p.name, f)
			}
		}
		if !isFound {
			t.Errorf("%s: %s finds nothing", p.name, p.rule)
		}
	}
	for _, r := range lint.Rules() {
		isApart := r.Name == "missing-controller" || r.Name == "dropped-reference" // held by tests of their own
		if r.Controllers && !isApart && !slices.ContainsFunc(pairs, func(p pair) bool { return p.rule == r.Name }) {
			t.Errorf("rule %s has no pair", r.Name)
		}
	}
	for _, f := range slices.Concat(got["base"], got["store"], got["retry"], got["text"]) {
		t.Errorf("the base: %s", f)
	}
	if n := len(got["held"]); n != 3 {
		t.Errorf("%d findings in packages that know Kubernetes, want 3", n)
	}
	generic := 2 // in each copy of a pair
	if c := found.Controllers; c == nil || c.Clients != len(copies)+generic || c.Kinds != len(copies) || len(c.Missing) > 0 {
		t.Errorf("looked at %v, want %d", c, len(copies))
	}
}

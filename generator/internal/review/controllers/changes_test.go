package controllers_test

const (
	create     = "made, err := e.api.Create(ctx, in)"
	setName    = "meta.SetExternalName(cr, made.ID)"
	noCreation = "return managed.ExternalCreation{}, nil"
	runtimePkg = "\"github.com/crossplane/crossplane-runtime/v2/pkg/meta\""
	filled     = "\t\tp.Region = &got.Region\n\t\tlate = true\n"
	unlate     = "ResourceLateInitialized: late,"
	update     = "err = e.api.Update(ctx, meta.GetExternalName(cr), in)"
	available  = "\tif got.State == sdk.Active {\n\t\tcr.SetConditions(xpv2.Available())\n\t}\n"
	generate   = "if in.Password, err = password.Generate(); err != nil {\nreturn managed.ExternalCreation{}, err\n}\n" + create
	track      = "if err := c.usage.Track(ctx, cr); err != nil {\n\t\treturn nil, err\n\t}\n"
	connected  = "func (c *connector) Connect("
)

// names returns a pair about the external name: Create makes a resource with a name that nothing saves, or good code.
func names(name string, good ...string) pair {
	return pair{name: name, rule: "unset-external-name", message: "which Create neither sends nor sets", wrong: []string{setName, "_ = made"}, good: append([]string{setName, "_ = made"}, good...)}
}

// mutates returns a pair of beginnings of Update: one changes the resource.
func mutates(name, message, wrong, good string) pair {
	return pair{name: name, rule: "mutated-spec", message: message, wrong: []string{update, wrong + "\n" + update}, good: []string{update, good + "\n" + update}}
}

// generates returns a pair about a generated secret.
func generates(name string, good ...string) pair {
	imported := []string{runtimePkg, runtimePkg + "\n\"github.com/crossplane/crossplane-runtime/v2/pkg/password\"", create, generate}
	return pair{name: name, rule: "unsaved-secret", message: "generates a secret", wrong: imported, good: append(imported[:4:4], good...)}
}

// endless returns a pair of ends of late initialization: one never ends.
func endless(name, wrong, good string) pair {
	end := "\treturn late\n"
	return pair{name: name, rule: "silent-late-init", message: "reports late initialization of", wrong: []string{end, wrong + "\n" + end}, good: []string{end, good + "\n" + end}}
}

// rows returns a pair of functions of a name that fill fields: one does by the rows of a table, and nobody says so.
func rows(name, function string) pair {
	calls := func(argument, parameter string) []string {
		return []string{unlate, "", "late := lateInitialize(&cr.Spec.ForProvider, got)", function + argument + "\n" + "_ = lateInitialize",
			connected, "type Table struct{}\n\nfunc " + function + parameter + "{}\n\n" + connected}
	}
	return pair{name: name, rule: "silent-late-init", message: "never sets ResourceLateInitialized", wrong: calls("(Table{})", "(Table)"), good: calls("()", "()")}
}

// unready returns a pair about the conditions that Observe sets: nobody knows those of the good one.
func unready(name, conditions, declaration string) pair {
	return pair{
		name: name, rule: "never-ready", message: "", wrong: []string{available, "cr.SetConditions(xpv2.Creating(), xpv2.ReconcileSuccess())\n"},
		good: []string{available, "cr.SetConditions(" + conditions + ")\n", connected, declaration + "\n\n" + connected},
	}
}

var changePairs = []pair{
	names("nameunread", "id := meta.GetExternalName(cr)\n\tif id == \"\" {", "id := cr.Spec.ForProvider.Name\n\tif meta.GetExternalName(cr) == \"\" {"),
	names("sendsname", create, "in.Name = cr.Name\nin.Class = cr.Labels[\"class\"]\n"+create),
	names("sendsgetname", create, "in.Name = cr.GetName()\n"+create),
	names("sendsuid", create, "in.Name = string(cr.GetUID())\n"+create),
	names("sendsuidfield", create, "in.Name = string(cr.UID)\n"+create),
	names("sendsexternal", create, "in.Name = meta.GetExternalName(cr)\n"+create),
	names("sendsannotation", create, "in.Name = cr.Annotations[\"crossplane.io/external-name\"]\n"+create),
	names("setsannotations", noCreation, "cr.SetAnnotations(map[string]string{\"crossplane.io/external-name\": in.Name})\n"+noCreation),
	names("setsannotation", noCreation, "cr.Annotations[\"crossplane.io/external-name\"] = in.Name\n"+noCreation),
	names("initializer", connected, "func initialize(cr *v1.Bucket) { meta.SetExternalName(cr, cr.Spec.ForProvider.Name) }\n\n"+connected),
	names("uncreated", "made, err := e.api.Create(ctx, in)\n", "made, err := in, error(nil)\n"),
	{
		name: "namelogged", rule: "unset-external-name", message: "which Create neither sends nor sets",
		wrong: []string{setName, "_ = made", available, "e.log.Info(cr.Name)\n" + available},
		good:  []string{setName, "e.rename(cr, in)\n_ = made", connected, "func (e *external) rename(cr *v1.Bucket, in *sdk.Input) { meta.SetExternalName(cr, in.Name) }\n\n" + connected},
	},
	{
		name: "namefound", rule: "unset-external-name", message: "which Create neither sends nor sets",
		wrong: []string{setName, "_ = made", got, "got, err := e.api.Get(ctx, \"\")\nif err != nil {\nreturn managed.ExternalObservation{}, err\n}\nif got.ID != id {\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{setName, "_ = made", got, "got, err := e.api.Get(ctx, cr.Spec.ForProvider.Name)\nif err != nil || id == \"\" {\nreturn managed.ExternalObservation{}, err\n}"},
	},
	{
		name: "namedlate", rule: "unset-external-name", message: "",
		wrong: []string{setName, "_ = made", update, update + "\nmeta.SetExternalName(cr, in.Name)"},
		good: []string{update, update + "\ne.rename(cr, in.Name)", available, "e.rename(cr, got.Name)\n" + available,
			connected, "func (e *external) rename(cr *v1.Bucket, name string) { meta.SetExternalName(cr, name) }\n\n" + connected},
	},
	{
		name: "namedby", rule: "unset-external-name", message: "external name that Update sets",
		wrong: []string{update, "var u interface {\nUpdate(context.Context, string, *sdk.Input) error\n} = e.api\nerr = u.Update(ctx, in.Name, in)\nmeta.SetExternalName(cr, in.Name)"},
		good:  []string{noCreation, "for key, value := range map[string]string{in.Class: in.Name} {\ncr.Annotations[key] = value\n}\n" + noCreation},
	},
	{
		name: "namedinupdate", rule: "unset-external-name", message: "external name that Update sets",
		wrong: []string{update, update + "\nmeta.SetExternalName(cr, in.Name)"},
		good:  []string{update, update + "\ne.rename(cr, in)", setName, "e.rename(cr, in)\n_ = made", connected, "func (e *external) rename(cr *v1.Bucket, in *sdk.Input) { meta.SetExternalName(cr, in.Name) }\n\n" + connected},
	},
	{
		name: "savesstatus", rule: "unset-external-name", message: "external name that Update sets",
		wrong: []string{update, update + "\nmeta.SetExternalName(cr, in.Name)\nif err == nil {\nerr = e.kube.Status().Update(ctx, cr)\n}"},
		good:  []string{update, update + "\nmeta.SetExternalName(cr, in.Name)\nif err == nil {\nerr = e.kube.Patch(ctx, cr, client.Merge)\n}"},
	},
	mutates("mutatedclass", "changes Class of the resource", "cr.Spec.ForProvider.Class = nil", "cr.Status.AtProvider.State = \"\""),
	mutates("mutatedcopy", "changes Zones of the resource", "p := &cr.Spec.ForProvider\np.Zones = nil", "p := cr.Spec.ForProvider\np.Zones = nil\n_ = p"),
	mutates("mutatedclosure", "changes Class of the resource", "func() { cr.Spec.ForProvider.Class = nil }()", "func() { in.Class = *cr.Spec.ForProvider.Class }()"),
	mutates("mutateditem", "changes Zones of the resource", "cr.Spec.ForProvider.Zones[0] = \"\"", "zones := slices.Clone(cr.Spec.ForProvider.Zones)\nzones[0] = \"\""),
	mutates("mutatedentry", "changes Tags of the resource", "cr.Spec.ForProvider.Tags[\"a\"] = \"\"", "tags := maps.Clone(cr.Spec.ForProvider.Tags)\ntags[\"a\"] = \"\""),
	mutates("mutatedvalue", "changes Class of the resource", "*cr.Spec.ForProvider.Class = \"\"", "class := *cr.Spec.ForProvider.Class\nclass += \"\"\nin.Class = class"),
	mutates("mutatedlate", "changes Class of the resource", "_ = in\nvar f filler = fill{}\nf.fill(&cr.Spec.ForProvider)\nreturn managed.ExternalUpdate{}, nil\n}\n\ntype filler interface{ fill(*v1.BucketParameters) }\n\ntype fill struct{}\n\n"+
		"func (fill) fill(p *v1.BucketParameters) { p.Class = nil }\n\nfunc (e *external) nothing(ctx context.Context, cr *v1.Bucket, in *sdk.Input) (managed.ExternalUpdate, error) {\nvar err error",
		"lateInitialize(cr.Spec.ForProvider.DeepCopy(), &sdk.Bucket{})"),
	{
		name: "mutateddelete", rule: "mutated-spec", message: "changes Class of the resource",
		wrong: []string{deleted, "cr.Spec.ForProvider.Class = nil\n" + deleted},
		good:  []string{deleted, "cr = cr.DeepCopy()\ncr.Spec.ForProvider.Class = nil\n" + deleted},
	},
	{
		name: "mutatedsaved", rule: "mutated-spec", message: "changes Class of the resource",
		wrong: []string{create, "cr.Spec.ForProvider.Class = nil\n" + create},
		good:  []string{create, "cr.Spec.ForProvider.Class = nil\nif err := e.kube.Update(ctx, cr); err != nil {\nreturn managed.ExternalCreation{}, err\n}\n" + create},
	},
	{
		name: "sortedother", rule: "mutated-spec", message: "sorts Zones in place",
		wrong: []string{"slices.Clone(p.Zones), slices", "p.Zones, slices"},
		good:  []string{"slices.Clone(p.Zones), slices", "slices.Sorted(slices.Values(p.Zones)), slices"},
	},
	{
		name: "reversed", rule: "mutated-spec", message: "sorts Zones in place",
		wrong: []string{"slices.Clone(p.Zones), slices", "p.Zones, slices", "slices.Sort(zones)", "slices.Reverse(zones)"},
		good:  []string{"slices.Sort(zones)", "slices.Reverse(zones)"},
	},
	{
		name: "sortedslice", rule: "mutated-spec", message: "sorts Zones in place",
		wrong: []string{"slices.Clone(p.Zones), slices", "p.Zones, slices", "slices.Sort(zones)", "sort.Strings(zones)", "\t\"strconv\"", "\t\"sort\"\n\t\"strconv\""},
		good:  []string{"slices.Sort(zones)", "sort.Strings(zones)", "\t\"strconv\"", "\t\"sort\"\n\t\"strconv\""},
	},
	{
		name: "lateby", rule: "silent-late-init", message: "Observe never sets ResourceLateInitialized",
		wrong: []string{unlate, "", "late := lateInitialize(", "lateInitialize("},
		good:  []string{unlate, "", "late := lateInitialize(", "late := lateInitialize(", "return managed.ExternalObservation{\n", "o := managed.ExternalObservation{\n", "[]byte(got.Class)},\n\t}, nil", "[]byte(got.Class)},\n\t}\n\to.ResourceLateInitialized = late\n\treturn o, nil"},
	},
	{
		name: "latesaved", rule: "silent-late-init", message: "Observe never sets ResourceLateInitialized",
		wrong: []string{unlate, "", "late := lateInitialize(", "lateInitialize("},
		good:  []string{unlate, "", "late := lateInitialize(&cr.Spec.ForProvider, got)", "if lateInitialize(&cr.Spec.ForProvider, got) {\nif err := e.kube.Update(ctx, cr); err != nil {\nreturn managed.ExternalObservation{}, err\n}\n}"},
	},
	{
		name: "latealways", rule: "silent-late-init", message: "Observe always sets ResourceLateInitialized",
		wrong: []string{unlate, "ResourceLateInitialized: true,", "late := lateInitialize(", "lateInitialize("},
		good:  []string{"return managed.ExternalObservation{\n", "if late {\nreturn managed.ExternalObservation{ResourceExists: true, ResourceLateInitialized: true}, nil\n}\nreturn managed.ExternalObservation{\n", unlate, ""},
	},
	{
		name: "overwritten", rule: "silent-late-init", message: "overwrites spec's Region",
		wrong: []string{"\tif p.Region == nil {\n" + filled + "\t}\n", filled},
		good:  []string{"\tif p.Region == nil {\n" + filled + "\t}\n", "\tif p.Name == \"\" {\n" + filled + "\t}\n"},
	},
	{
		name: "overwrittenby", rule: "silent-late-init", message: "overwrites spec's Region",
		wrong: []string{"\tif p.Region == nil {\n" + filled + "\t}\n", "\tfor i := 0; i < len(got.Zones); i++ {\nif got.Zones[i] != \"\" {\n" + filled + "\t}\n}\nif p.Region != nil {\nlate = true\n}\n"},
		good:  []string{"\tif p.Region == nil {\n" + filled + "\t}\n", "\tif got.Region != \"\" && p.Region == nil {\n" + filled + "\t}\n"},
	},
	{
		name: "overwrittenconstant", rule: "silent-late-init", message: "overwrites spec's Region",
		wrong: []string{"\tif p.Region == nil {\n" + filled + "\t}\n", filled},
		good:  []string{"\tif p.Region == nil {\n" + filled + "\t}\n", "\tdefaultRegion := \"eu\"\n\tp.Region = &defaultRegion\n\tlate = true\n"},
	},
	{
		name: "overwrittenfield", rule: "silent-late-init", message: "overwrites spec's Region",
		wrong: []string{"\tif p.Region == nil {\n" + filled + "\t}\n", filled + "if p.Region != nil {\nfmt.Println(*p.Region)\n}\n"},
		good:  []string{"\tif p.Region == nil {\n" + filled + "\t}\n", "\tp.Region = p.Class\nif p.Tags == nil {\np.Tags = map[string]string{}\n}\np.Tags[\"region\"] = got.Region\nlate = true\n", available, "cr.Spec.ForProvider.Class = &cr.Name\n" + available},
	},
	{
		name: "overwritteninner", rule: "silent-late-init", message: "overwrites spec's Size",
		wrong: []string{"late := false\n", "late := false\n\tp.Limits.Size = got.Size\n"},
		good:  []string{"late := false\n", "late := false\n\tif p.Limits == nil {\np.Limits = new(shared.Limits)\np.Limits.Size = got.Size\n}\n", sdkImport, sdkImport + "\t\"example.org/provider/apis/shared\"\n"},
	},
	endless("endless", "if p.Class == nil {\np.Class = got.Parent\nlate = true\n}", "if p.Class == nil && got.Parent != nil {\np.Class = got.Parent\nlate = true\n}"),
	endless("endlessreversed", "if p.Class != nil {\nreturn late\n}\np.Class = got.Parent\nlate = true", "if got.Parent == nil {\nreturn late\n}\nif p.Class == nil {\np.Class = got.Parent\nlate = true\n}"),
	endless("endlessother", "if got.Name != \"\" && p.Class == nil {\np.Class = got.Parent\nlate = true\n}", "if p.Class == nil {\np.Class = &got.Class\nlate = true\n}"),
	endless("endlessreturn", "if p.Class == nil {\np.Class = got.Parent\nreturn true\n}", "if p.Class == nil {\np.Class = got.Parent\nreturn p.Class != nil\n}"),
	endless("endlesspointer", "said := &late\nif p.Class == nil {\np.Class = got.Parent\n*said = true\n}", "said := &late\nif p.Class == nil {\np.Class = got.Parent\n*said = false\n}"),
	endless("endlessname", "if p.Name == \"\" {\np.Name = got.Name\nlate = true\n}", "if p.Name == \"\" {\np.Name = *p.Class\nlate = true\n}"),
	endless("endlesshelper", "if p.Class == nil {\np.Class = got.Parent\nlate = true\n}", "if p.Class == nil && late {\np.Class = got.Parent\n}"),
	{
		name: "latefirst", rule: "silent-late-init", message: "Observe always sets ResourceLateInitialized",
		wrong: []string{unlate, "ResourceLateInitialized: true,", "late := lateInitialize(", "lateInitialize("},
		good: []string{unlate, "ResourceLateInitialized: true,", "late := lateInitialize(&cr.Spec.ForProvider, got)",
			"if !lateInitialize(&cr.Spec.ForProvider, got) {\nreturn managed.ExternalObservation{ResourceExists: true}, nil\n}"},
	},
	rows("laterows", "LateInitialize"),
	rows("laterowsspec", "LateInitializeSpec"),
	{
		name: "unavailable", rule: "never-ready", message: "",
		wrong: []string{available, "cr.SetConditions(xpv2.Creating())\n"},
		good:  []string{available, "condition := xpv2.Creating()\nif got.State == sdk.Active {\ncondition.Status = \"True\"\n}\ncr.SetConditions(condition)\n"},
	},
	{
		name: "unavailableby", rule: "never-ready", message: "",
		wrong: []string{available, "cr.SetConditions(pending())\n", connected, "func pending() xpv2.Condition { return xpv2.Creating() }\n\n" + connected},
		good:  []string{available, "cr.SetConditions(condition(got))\n", connected, "func condition(got *sdk.Bucket) xpv2.Condition {\nif got.State == sdk.Active {\nreturn xpv2.Available()\n}\nreturn xpv2.Creating()\n}\n\n" + connected},
	},
	generates("savesdetails", noCreation, "return managed.ExternalCreation{ConnectionDetails: managed.ConnectionDetails{\"password\": []byte(in.Password)}}, nil"),
	generates("savesother", generate, "if in.Password, err = Generate(); err != nil {\nreturn managed.ExternalCreation{}, err\n}\n"+create, connected,
		"func Generate() (string, error) { return \"\", nil }\n\nvar _ = password.Generate\n\n"+connected),
	generates("appliessecret", create, "if err := resource.NewAPIPatchingApplicator(e.kube).Apply(ctx, &corev1.Secret{}); err != nil {\nreturn managed.ExternalCreation{}, err\n}\n"+create),
	generates("savessecret", create, "if err := e.kube.Create(ctx, &corev1.Secret{StringData: map[string]string{\"password\": in.Password}}); err != nil {\nreturn managed.ExternalCreation{}, err\n}\n"+create),
	unready("readybody", "condition(got)", "func condition(got *sdk.Bucket) xpv2.Condition { return xpv2.Condition{Type: xpv2.TypeReady, Status: corev1.ConditionStatus(got.State)} }"),
	unready("readyvalue", "condition()", "var condition func() xpv2.Condition"),
	unready("readylist", "conditions(got)...", "func conditions(got *sdk.Bucket) []xpv2.Condition { return nil }"),
	unready("readyslice", "conditions(got)[:1]...", "func conditions(got *sdk.Bucket) []xpv2.Condition { return nil }"),
	{
		name: "untrackedby", rule: "untracked-usage", message: "never records",
		wrong: []string{track, "_ = cr\n"},
		good:  []string{track, "if err := c.each(func() error { return nil }); err != nil {\nreturn nil, err\n}\n_ = cr\n", connected, "func (c *connector) each(do func() error) error { return c.hook(do) }\n\n" + connected, "usage resource.ModernTracker", "usage resource.ModernTracker\n\thook func(func() error) error"},
	},
}

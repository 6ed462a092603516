package controllers_test

const (
	lockCase     = "p.Lock != nil && *p.Lock != got.Lock"
	lockCaseAll  = "\tcase " + lockCase + ":\n\t\treturn false, nil\n"
	sendsLock    = "Lock: p.Lock, "
	sortedZones  = "\tzones, other := slices.Clone(p.Zones), slices.Clone(got.Zones)\n\tslices.Sort(zones)\n\tslices.Sort(other)\n"
	sortedOther  = "\tother := slices.Clone(got.Zones)\n\tslices.Sort(other)\n"
	sortedByLess = "\tother := slices.Clone(got.Zones)\n\tsort.Slice(other, func(i, j int) bool { return other[i] < other[j] })\n"
	equalZones   = "slices.Equal(zones, other)"
	sendsClass   = "\tif p.Class != nil {\n\t\tin.Class = *p.Class\n\t}\n"
	classCase    = "p.Class != nil && *p.Class != got.Class"
	state        = ", State: string(got.State)"
	observed     = "cr.Status.AtProvider = observe(got)"
	imports      = "\t\"strconv\"\n"
	updating     = "func (e *external) Update("
)

// compares returns a pair about a parameter that Update sends: Observe ignores it, or compares it.
func compares(name string, good ...string) pair {
	return pair{name: name, rule: "uncompared-parameter", message: "Update reads Lock, but", wrong: []string{lockCaseAll, ""}, good: good}
}

// concludes returns a pair about a parameter that Update doesn't send, by the condition in the comparison.
func concludes(name, wrong, good string) pair {
	return pair{
		name: name, rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate, but",
		wrong: []string{sendsLock, "", lockCase, wrong}, good: []string{sendsLock, "", lockCase, good},
	}
}

// imported adds an import to edits.
func imported(path string, edits ...string) []string {
	return append([]string{imports, imports + "\t\"" + path + "\"\n"}, edits...)
}

// fixed returns a pair about a parameter that Update doesn't send: it may say that it doesn't change.
func fixed(name, comment string) pair {
	return pair{
		name: name, rule: "compared-unsent", message: "Lock is compared by", wrong: []string{sendsLock, ""},
		good: []string{sendsLock, "", "// Lock protects the bucket.", "// Lock " + comment},
	}
}

var fieldPairs = []pair{
	compares("comparesderef", imported("k8s.io/utils/ptr", lockCase, "ptr.Deref(p.Lock, false) != got.Lock")...),
	compares("comparesdeep", imported("reflect", lockCase, "!reflect.DeepEqual(p.Lock, &got.Lock)")...),
	compares("compareswhole", imported("reflect", lockCase, "!reflect.DeepEqual(p, &v1.BucketParameters{Lock: &got.Lock})")...),
	compares("comparescmp", imported("github.com/google/go-cmp/cmp", lockCase, "cmp.Diff(p, &v1.BucketParameters{Lock: &got.Lock}) != \"\"")...),
	compares("comparesjson", imported("encoding/json", lockCase, "differ(p, got)", "func observe(",
		"func differ(p *v1.BucketParameters, got *sdk.Bucket) bool {\ndata, _ := json.Marshal(p)\nreturn string(data) != got.Name\n}\n\nfunc observe(")...),
	compares("comparesclosure", lockCase, "func() bool { return p.Lock != nil && *p.Lock != got.Lock }()"),
	compares("comparesinterface", lockCase, "comparer(equal{}).differ(p, got)", "func observe(",
		"type comparer interface{ differ(*v1.BucketParameters, *sdk.Bucket) bool }\n\ntype equal struct{}\n\n"+
			"func (equal) differ(p *v1.BucketParameters, got *sdk.Bucket) bool { return p.Lock != nil && *p.Lock != got.Lock }\n\nfunc observe("),
	compares("comparesvalue", lockCase, "compare(p, got)", "func observe(",
		"var compare = differ\n\nfunc differ(p *v1.BucketParameters, got *sdk.Bucket) bool { return p.Lock != nil && *p.Lock != got.Lock }\n\nfunc observe("),
	compares("comparesgeneric", lockCase, "differs(p.Lock, got.Lock)", "func observe(",
		"func differs[T comparable](want *T, got T) bool { return want != nil && *want != got }\n\nfunc observe("),
	compares("comparescopy", lockCase, "differ(*p, got)", "func observe(",
		"func differ(p v1.BucketParameters, got *sdk.Bucket) bool { return p.Lock != nil && *p.Lock != got.Lock }\n\nfunc observe("),
	concludes("concludesequal", "p.Lock != nil && !(*p.Lock == got.Lock)", "p.Lock != nil && *p.Lock"),
	concludes("concludestwice", "p.Lock != nil && *p.Lock != got.Lock || *p.Lock != got.Lock", "p.Lock != nil"),
	concludes("concludesconstant", "p.Lock != nil && got.Lock != *p.Lock", "p.Lock != nil && (true == *p.Lock) && *p.Lock == true && got.Name == \"\""),
	concludes("concludesclosure", lockCase+" && got.Name != \"\"", "func() bool { return p.Lock != nil && *p.Lock != got.Lock }()"),
	{
		name: "concludesobserve", rule: "compared-unsent", message: "Lock is compared by bucket.external.Observe",
		wrong: []string{sendsLock, "", lockCaseAll, "", "upToDate, err :=", "p := cr.Spec.ForProvider\nif p.Lock != nil && *p.Lock != got.Lock {\ne.log.Info(\"differs\")\n}\nupToDate, err :="},
		good: []string{sendsLock, "", lockCaseAll, "", "upToDate, err :=", "e.say(cr, got)\nupToDate, err :=",
			"func observe(", "func (e *external) say(cr *v1.Bucket, got *sdk.Bucket) {\np := cr.Spec.ForProvider\nif p.Lock != nil && *p.Lock != got.Lock {\ne.log.Info(\"differs\")\n}\n}\n\nfunc observe("},
	},
	{
		name: "concludesloop", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate",
		wrong: []string{sendsLock, ""},
		good:  []string{sendsLock, "", lockCase, "contains(p, got)", "func observe(", "func contains(p *v1.BucketParameters, got *sdk.Bucket) bool {\nfor range got.Zones {\nif *p.Lock == got.Lock {\nreturn true\n}\n}\nreturn false\n}\n\nfunc observe("},
	},
	{
		name: "concludesdeep", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate",
		wrong: append(imported("reflect", sendsLock, ""), lockCase, "p.Lock != nil && !reflect.DeepEqual(*p.Lock, got.Lock)"),
		good:  append(imported("reflect", sendsLock, ""), lockCase, "p.Lock != nil && !reflect.DeepEqual(*p.Lock, true)"),
	},
	{
		name: "inorderdeep", rule: "lossy-compare", message: "compares Zones in order",
		wrong: imported("reflect", sortedZones, "\t_ = slices.Index[[]string]\n", equalZones, "reflect.DeepEqual(p.Zones, got.Zones)"),
		good:  imported("reflect", sortedZones, "\t_ = slices.Index[[]string]\n", equalZones, "len(p.Zones) == len(got.Zones) && reflect.DeepEqual(got.Zones, got.Zones) && p.Zones[0] == got.Zones[0]"),
	},
	{
		name: "inordercmp", rule: "lossy-compare", message: "compares Zones in order",
		wrong: imported("github.com/google/go-cmp/cmp", sortedZones, "\t_ = slices.Index[[]string]\n", equalZones, "cmp.Equal(p.Zones, got.Zones)"),
		good:  imported("github.com/google/go-cmp/cmp", sortedZones, "\t_ = slices.Index[[]string]\n", equalZones, "cmp.Equal(p.Zones, got.Zones, cmp.Transformer(\"sort\", func(l []string) map[string]bool { return nil }))"),
	},
	{
		name: "byaddress", rule: "lossy-compare", message: "compares the address of Class",
		wrong: []string{classCase, "p.Class != &got.Class"},
		good:  []string{classCase, "p.Class != nil && *p.Class != got.Class && p.Class != got.Parent"},
	},
	{
		name: "inordersorted", rule: "lossy-compare", message: "compares Zones in order",
		wrong: []string{sortedZones, "\tother := slices.Sorted(slices.Values(got.Zones))\n\t_ = other\n", equalZones, "slices.Equal(p.Zones, got.Zones)"},
		good:  []string{sortedZones, "\tslices.Sort(got.Zones)\n", equalZones, "slices.Equal(p.Zones, got.Zones)"},
	},
	{
		name: "inordersortsother", rule: "lossy-compare", message: "compares Zones in order",
		wrong: []string{sortedZones, sortedOther, equalZones, "slices.Equal(p.Zones, got.Zones)"},
		good:  []string{sortedZones, sortedOther, equalZones, "slices.Equal(p.Zones, other)"},
	},
	{
		name: "inordersortslice", rule: "lossy-compare", message: "compares Zones in order",
		wrong: imported("sort", sortedZones, sortedByLess, equalZones, "slices.Equal(p.Zones, got.Zones)"),
		good:  imported("sort", sortedZones, sortedByLess, equalZones, "slices.Equal(p.Zones, other)"),
	},
	{
		name: "concludeshelper", rule: "compared-unsent", message: "Class is compared by bucket.external.isUpToDate",
		wrong: imported("k8s.io/utils/ptr", "\tif p.Class != nil {\n\t\tin.Class = *p.Class\n\t}\n", "", "p.Class != nil && *p.Class != got.Class", "ptr.Deref(p.Class, \"\") != got.Class"),
		good:  imported("k8s.io/utils/ptr", "\tif p.Class != nil {\n\t\tin.Class = *p.Class\n\t}\n", "", "p.Class != nil && *p.Class != got.Class", "ptr.Deref(p.Class, \"\") != \"\""),
	},
	{
		name: "concludestext", rule: "compared-unsent", message: "Class is compared by bucket.external.isUpToDate",
		wrong: []string{sendsClass, "", classCase, "p.Class != nil && got.Class != \"x\"+*p.Class && strconv.Quote(*p.Class) != got.Class"},
		good: imported("path", sendsClass, "", classCase, "path.IsAbs(*p.Class) || strings.Contains(\"x\", *p.Class) || "+
			"strings.TrimPrefix(*p.Class, got.Class) == \"\" || got.Has(*p.Class) || *p.Class+got.Class == \"\" || strings.HasPrefix(*p.Class, \"x\") == got.Lock", "\t\"strconv\"\n", "\t\"strconv\"\n\t\"strings\"\n"),
	},
	{
		name: "concludescreated", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate",
		wrong: []string{sendsLock, ""},
		good: []string{sendsLock, "", lockCaseAll, "", noCreation, "if cr.Differs(made.Lock) {\ne.log.Info(\"differs\")\n}\n" + noCreation,
			"// BucketList is a list.", "func (b *Bucket) Differs(lock bool) bool { return *b.Spec.ForProvider.Lock != lock }\n\n// BucketList is a list."},
	},
	{
		name: "concludesname", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate",
		wrong: []string{sendsLock, ""},
		good:  []string{sendsLock, "", lockCase, "differs(p, got) != \"\"", "func observe(", "func differs(p *v1.BucketParameters, got *sdk.Bucket) string {\nif p.Lock != nil && *p.Lock != got.Lock {\nreturn \"lock\"\n}\nreturn \"\"\n}\n\nfunc observe("},
	},
	{
		name: "concludesderef", rule: "compared-unsent", message: "Lock is compared by bucket.external.isUpToDate",
		wrong: append(imported("k8s.io/utils/ptr", sendsLock, ""), lockCase, "ptr.Deref(p.Lock, false) != got.Lock"),
		good:  append(imported("k8s.io/utils/ptr", sendsLock, ""), lockCase, "ptr.Deref(p.Lock, false)"),
	},
	fixed("fixedcomment", "can't be changed."), fixed("fixedmarker", "is fixed.\n\t// +immutable"),
	fixed("fixedrule", "is fixed.\n\t// +kubebuilder:validation:XValidation:rule=\"self == oldSelf\""), fixed("fixedidentifier", "is fixed.\n\t// +mrgen:identifier"),
	{
		name: "unasking", rule: "compared-unsent", message: "Lock is compared by",
		wrong: []string{sendsLock, ""},
		good:  []string{sendsLock, "", update, "_ = in"},
	},
	{
		name: "unaskingupdate", rule: "uncompared-parameter", message: "Update reads Lock, but",
		wrong: []string{lockCaseAll, ""},
		good:  []string{lockCaseAll, "", update, "_ = in"},
	},
	{
		name: "filledby", rule: "unfilled-observation", message: "no code sets State",
		wrong: []string{state, "", observed, observed + "\ne.log.Info(fmt.Sprint(len(cr.Status.AtProvider.State)))"},
		good:  []string{state, "", observed, observed + "\nfor _, into := range []*string{&cr.Status.AtProvider.State} {\n*into = got.Name\n}"},
	},
	{
		name: "filledlist", rule: "unfilled-observation", message: "no code sets Zones",
		wrong: []string{"\to.Zones = make([]string, len(got.Zones))\n", "", "o.Zones[i] = got.Zones[i]", "e.Zones[i] = got.Zones[len(o.Zones)-1]", "for i := range got.Zones", "e := sdk.Bucket{}\n\tfor i := range got.Zones"},
		good:  []string{"\to.Zones = make([]string, len(got.Zones))\n", "\tcopied(o.Zones)\n", "func observe(", "func copied(into []string) {}\n\nfunc observe("},
	},
	{
		name: "foreignmap", rule: "foreign-secret", message: "from the namespace in",
		wrong: append(imported("strings", "xpv2.LocalSecretKeySelector", "xpv2.SecretKeySelector"), "Namespace: cr.GetNamespace()", "Namespace: strings.TrimSpace(ref.Namespace)"),
		good: []string{"xpv2.LocalSecretKeySelector", "xpv2.SecretKeySelector", update, "err = e.settings(ctx, cr, cr.Spec.ForProvider.PasswordSecretRef)\n" + update, connected,
			"func (e *external) settings(ctx context.Context, cr *v1.Bucket, ref *xpv2.SecretKeySelector) error {\n" +
				"return e.kube.Get(ctx, types.NamespacedName{Namespace: ref.Namespace, Name: ref.Name}, &corev1.ConfigMap{})\n}\n\n" + connected,
			"return string(secret.Data[ref.Key]), err", "secret.Namespace = ref.Namespace\n\treturn string(secret.Data[ref.Key]), err"},
	},
	{
		name: "logged", rule: "unread-parameter", message: "no code reads Lock",
		wrong: imported("log", lockCaseAll, "", sendsLock, "", "\tif p.Region != nil {", "log.Println(\"parameters\", p)\n\tif p.Region != nil {"),
		good:  []string{sendsLock, "", "\tif p.Region != nil {", "in.Class = fmt.Sprintln(\"parameters\", p)\n\tif p.Region != nil {"},
	},
	{
		name: "copied", rule: "unread-parameter", message: "no code reads Lock",
		wrong: []string{lockCaseAll, "", sendsLock, "", update, "_ = cr.Spec.ForProvider.DeepCopy()\n" + update},
		good:  imported("encoding/json", sendsLock, "", "\tif p.Region != nil {", "data, err := json.Marshal(p)\nif err != nil {\nreturn nil, err\n}\nin.Class = string(data)\n\tif p.Region != nil {"),
	},
	{
		name: "asked", rule: "unread-parameter", message: "no code reads Lock",
		wrong: []string{lockCaseAll, "", sendsLock, "", "\tif p.Region == nil {", "\tif p.Lock == nil {\np.Lock = &got.Lock\nlate = true\n}\n\tif p.Region == nil {"},
		good:  []string{lockCaseAll, "\tcase p.Lock == nil:\n\t\treturn false, nil\n", sendsLock, "", "\tif p.Region != nil {", "\tif p.Lock != nil {\nin.Class = \"locked\"\n}\n\tif p.Region != nil {"},
	},
	{
		name: "decoded", rule: "unfilled-observation", message: "no code sets State",
		wrong: imported("encoding/json", state, "", observed, observed+"\nif _, err := json.Marshal(&cr.Status.AtProvider); err != nil {\nreturn managed.ExternalObservation{}, err\n}"),
		good:  imported("encoding/json", state, "", observed, observed+"\nif err := json.Unmarshal([]byte(got.Name), &cr.Status.AtProvider); err != nil {\nreturn managed.ExternalObservation{}, err\n}"),
	},
	{
		name: "scanned", rule: "unfilled-observation", message: "no code sets State",
		wrong: []string{state, "", observed, observed + "\ne.log.Info(cr.Status.AtProvider.State)"},
		good:  []string{state, "", observed, observed + "\nif _, err := fmt.Sscan(got.Name, &cr.Status.AtProvider.State); err != nil {\nreturn managed.ExternalObservation{}, err\n}"},
	},
	{
		name: "clients", rule: "untracked-usage", message: "never records",
		wrong: []string{track, "_ = cr\n"},
		good: []string{"type external struct {", "type fakeExternal struct{ external }\n\ntype mockExternal struct{ *external }\n\ntype wrapped[T any] struct{ managed.ExternalClient }\n\n" +
			"type other struct{}\n\nfunc (other) Observe(*v1.Bucket) (int, error) { return 0, nil }\nfunc (other) Create(*v1.Bucket) {}\nfunc (other) Update(*v1.Bucket) {}\nfunc (other) Delete(*v1.Bucket) {}\n\n" +
			"var _ = []any{&fakeExternal{}, &mockExternal{}, &wrapped[int]{}, other{}}\n\ntype external struct {"},
	},
}

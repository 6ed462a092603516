package controllers_test

import "strings"

const (
	asserted  = "cr := mg.(*v1.Bucket)"
	assertion = "cr, ok := mg.(*v1.Bucket)\n\tif !ok {\n\t\treturn managed.ExternalObservation{}"
	bucketOf  = "func bucketOf(mg resource.Managed) *v1.Bucket { return mg.(*v1.Bucket) }\n\n"
	sdkImport = "\t\"example.org/sdk\"\n"
	fails     = "if err != nil {\nreturn managed.ExternalUpdate{}, err\n}"
	discards  = "_ = e.api.Update(ctx, \"\", in)\n"
	pusher    = "type pusher interface {\n\tpush(context.Context) error\n\tclose()\n}\n\ntype real struct{ api *sdk.Client }\n\nfunc (real) close() {}\n\n"
	pushed    = "var p pusher = real{e.api}\nerr = p.push(ctx)\n_ = in"
	params    = "p := &cr.Spec.ForProvider\n\tquota, err := number(p.Quota)\n\tif err != nil {\n\t\treturn nil"
)

// typed is a generic external client, whose Update ends with some code.
func typed(update string) []string {
	code := "type typed[T any] struct{ api *sdk.Client }\n\ntype promoted struct{ *typed[int] }\n\n" +
		"func connect() managed.TypedExternalClient[*v1.Bucket] { return &typed[int]{} }\n\n" +
		"func (t *typed[T]) Disconnect(context.Context) error { return nil }\n\n"
	for _, method := range []string{"Observe Observation", "Create Creation", "Update Update", "Delete Delete"} {
		name, result, _ := strings.Cut(method, " ")
		end := "return managed.External" + result + "{}, t.api.Release(ctx)\n"
		if name == "Update" {
			end = update
		}
		code += "func (t *typed[T]) " + name + "(ctx context.Context, cr *v1.Bucket) (managed.External" + result + ", error) {\n" + end + "}\n\n"
	}
	return []string{connected, code + connected}
}

// reads returns a pair about a parameter that no code reads, or that a request reads in another way.
func reads(name string, wrong, good []string) pair {
	return pair{
		name: name, rule: "unread-parameter", message: "no code reads Lock",
		wrong: append([]string{lockCaseAll, "", sendsLock, ""}, wrong...), good: append([]string{sendsLock, ""}, good...),
	}
}

// sends returns a pair about a parameter that Observe compares, and Update may send.
func sends(name string, wrong, good []string) pair {
	return pair{
		name: name, rule: "compared-unsent", message: "Lock is compared by",
		wrong: append([]string{sendsLock, ""}, wrong...), good: append([]string{sendsLock, ""}, good...),
	}
}

// before adds code before a request is completed, and declarations.
func before(code, declarations string) []string {
	return []string{"\tif p.Region != nil {", code + "\n\tif p.Region != nil {", "func observe(", declarations + "\n\nfunc observe("}
}

var clientPairs = []pair{
	{
		name: "generic", rule: "swallowed-error", message: "bucket.typed[T].Update doesn't return the error of Update",
		wrong: typed("_ = t.api.Update(ctx, \"\", &sdk.Input{})\nreturn managed.ExternalUpdate{}, nil\n"),
		good:  typed("return managed.ExternalUpdate{}, t.api.Update(ctx, \"\", &sdk.Input{})\n"),
	},
	{
		name: "genericfunction", rule: "swallowed-error", message: "bucket.pushed doesn't return the error of Update",
		wrong: []string{update, "err = pushed(ctx, e.api, in)", connected, "func pushed[T any](ctx context.Context, api *sdk.Client, in T) error {\n_ = api.Update(ctx, \"\", nil)\nreturn nil\n}\n\n" + connected},
		good:  []string{update, "err = pushed(ctx, e.api, in)", connected, "func pushed[T any](ctx context.Context, api *sdk.Client, in T) error {\nreturn api.Update(ctx, \"\", nil)\n}\n\n" + connected},
	},
	{
		name: "byconnector", rule: "swallowed-error", message: "doesn't return the error of Update",
		wrong: append(afterUpdate(discards+fails), assertion, "cr, ok := bucketOf(mg), true\n\tif !ok {\n\t\treturn managed.ExternalObservation{}",
			asserted, "cr := bucketOf(mg)", asserted, "cr := bucketOf(mg)", asserted, "cr := bucketOf(mg)", connected, bucketOf+connected),
		good: []string{assertion, "cr, ok := bucketOf(mg), true\n\tif !ok {\n\t\treturn managed.ExternalObservation{}",
			asserted, "cr := bucketOf(mg)", asserted, "cr := bucketOf(mg)", asserted, "cr := bucketOf(mg)", connected, bucketOf + connected},
	},
	{
		name: "store", rule: "swallowed-error", message: "doesn't return the error of Send",
		wrong: append(afterUpdate("_ = (&store.Store{}).Send(ctx, in.Name)\n"+fails), sdkImport, sdkImport+"\t\"example.org/provider/internal/store\"\n"),
		good: []string{update, "if in.Lock == nil {\n_, _ = text.Parser{}.Number(in.Name)\n}\nerr = errors.Join(retry.Update(ctx, e.api, in), (&store.Store{}).Put(ctx, in.Name), kube.Push(ctx, e.api, in), held.Push(ctx, e.api, in), api.Push(ctx, e.api, in))",
			sdkImport, sdkImport + "\t\"example.org/provider/internal/held/api\"\n\t\"example.org/provider/internal/held/kube\"\n\theld \"example.org/provider/internal/held/meta\"\n" +
				"\t\"example.org/provider/internal/retry\"\n\t\"example.org/provider/internal/store\"\n\t\"example.org/provider/internal/text\"\n"},
	},
	{
		name: "boxedexternal", rule: "untracked-usage", message: "never records",
		wrong: []string{track, "_ = cr\n", "type connector struct {", "func boxed() any { return &external{} }\n\ntype connector struct {"},
		good: []string{"return &external{kube: c.kube, api: &sdk.Client{}}, nil", "return anew(c)", "type connector struct {",
			"func anew(c *connector) (managed.ExternalClient, error) { return &external{kube: c.kube, api: &sdk.Client{}}, nil }\n\ntype connector struct {"},
	},
	{
		name: "untrackedfunction", rule: "untracked-usage", message: "never records",
		wrong: []string{track, "if err := each(func(*v1.Bucket) error { return nil }); err != nil {\nreturn nil, err\n}\n_ = cr\n", connected, "func each(do func(*v1.Bucket) error) error { return do(nil) }\n\n" + connected},
		good:  []string{track, "if err := each(func(*v1.Bucket) error { return c.usage.Track(ctx, cr) }); err != nil {\nreturn nil, err\n}\n", connected, "func each(do func(*v1.Bucket) error) error { return do(nil) }\n\n" + connected},
	},
	{
		name: "kindless", rule: "never-ready", message: "",
		wrong: []string{available, "cr.SetConditions(xpv2.Creating())\n"},
		good: []string{connected, "type kindless struct{}\n\nfunc (kindless) Observe(context.Context, *sdk.Input) (o managed.ExternalObservation, err error) { return }\n" +
			"func (kindless) Create(context.Context, *sdk.Input) (o managed.ExternalCreation, err error) { return }\n" +
			"func (kindless) Update(context.Context, *sdk.Input) (o managed.ExternalUpdate, err error) { return }\n" +
			"func (kindless) Delete(context.Context, *sdk.Input) (o managed.ExternalDelete, err error) { return }\n\n" + connected},
	},
	{
		name: "swallowbyreal", rule: "swallowed-error", message: "bucket.real.push doesn't return the error of Update",
		wrong: []string{update, pushed, connected, pusher + "func (r real) push(ctx context.Context) error { _ = r.api.Update(ctx, \"\", nil); return nil }\n\n" + connected},
		good: []string{update, pushed, connected, pusher + "func (r real) push(ctx context.Context) error { return r.api.Update(ctx, \"\", nil) }\n\n" +
			"type mockPusher struct{ real }\n\nfunc (m mockPusher) push(ctx context.Context) error { _ = m.api.Update(ctx, \"\", nil); return nil }\n\n" +
			"type other struct{ api *sdk.Client }\n\nfunc (o other) push(ctx context.Context) error { _ = o.api.Update(ctx, \"\", nil); return nil }\n\n" + connected},
	},
	sends("sentbyclosure", before("func() { in.Class += got }()", "const got = \"\""), before("var _ = same[*bool]\nfunc() { in.Lock = same(p.Lock) }()", "func same[T any](v T) T { return v }")),
	reads("readbycopies", []string{"// BucketList is a list.", "func (p *BucketParameters) DeepCopyLock() bool { return *p.Lock }\n\nfunc (p *BucketParameters) ResolveReferences() bool { return *p.Lock }\n\n" +
		"func (p *BucketParameters) ConvertTo() bool { return *p.Lock }\n\nfunc (p *BucketParameters) ConvertFrom() bool { return *p.Lock }\n\n// BucketList is a list."},
		[]string{"// BucketList is a list.", "func (p *BucketParameters) IsLocked() bool { return *p.Lock }\n\n// BucketList is a list."}),
	reads("readbyvalue", before("fmt.Println(e.api.Latest().Lock, values(cr).Class)", "func values(cr *v1.Bucket) v1.BucketParameters { return cr.Spec.ForProvider }"),
		before("fmt.Println(values(cr).Lock)", "func values(cr *v1.Bucket) v1.BucketParameters { return cr.Spec.ForProvider }")),
	reads("readbyconversion", before("c := (*copied)(p)\n_ = c.Class", "type copied v1.BucketParameters"),
		before("c := sent(*p)\n_ = c", "type sent v1.BucketParameters\n\nfunc (s sent) locked() bool { return *s.Lock }")),
	reads("readasgeneric", before("p = same(p)", "func same[T any](v *T) *T { fmt.Sprintln(v); return v }"),
		before("same(p)", "func same[T any](v *T) { fmt.Sprintln(v) }")),
	reads("readasheld", []string{params, strings.Replace(params, "p :=", "e.cr = cr\n\tp :=", 1), "\tapi  *sdk.Client\n", "\tapi  *sdk.Client\n\tcr   *v1.Bucket\n\tp    *v1.BucketParameters\n"},
		imported("encoding/json", before("if _, err := json.Marshal(request{p}); err != nil {\nreturn nil, err\n}", "type request struct{ P *v1.BucketParameters }")...)),
	reads("readaswhole", before("fmt.Sprintln(cr)", ""), before("fmt.Sprintln(cr.Spec)", "")),
}

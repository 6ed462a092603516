package controllers_test

// The ends of Update and Delete in the base.
const (
	updated = "return managed.ExternalUpdate{}, err\n}\n\nfunc (e *external) Delete"
	deleted = "err := e.api.Delete(ctx, meta.GetExternalName(cr))\n\treturn managed.ExternalDelete{}, resource.Ignore(isNotFound, err)"
	memory  = "type memory interface {\n\tupdate(context.Context) error\n\tclose() error\n}\n\ntype inMemory struct{}\n\nfunc (inMemory) update(context.Context) error { return nil }\n\nfunc (inMemory) close() error { return nil }\n\nfunc nothing() (managed.ExternalUpdate, error) {\n"
	got     = "got, err := e.api.Get(ctx, id)\n\tif err != nil {\n\t\treturn managed.ExternalObservation{}, resource.Ignore(isNotFound, err)\n\t}"
)

// afterUpdate replaces what follows the call of the API in Update.
func afterUpdate(code string) []string {
	return []string{updated, code + "\nreturn managed.ExternalUpdate{}, nil\n}\n\nfunc (e *external) Delete"}
}

// swallows returns a pair of endings of Update: one returns no error though the call has failed.
func swallows(name, wrong, good string) pair {
	return pair{name: name, rule: "swallowed-error", message: "doesn't return the error of", wrong: afterUpdate(wrong), good: afterUpdate(good)}
}

// importing adds an import to the right code of a pair.
func importing(path string, p pair) pair {
	p.good = imported(path, p.good...)
	return p
}

// absentBelow returns a pair of functions that find an external resource, and of what Observe concludes from nil.
func absentBelow(name, wrong, good, absent, concluded string) pair {
	found := func(failed, nothing string) []string {
		return []string{got, "got, err := e.find(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, err\n}\nif got == nil {\n" + nothing + "\n}",
			"func observe(", "func (e *external) find(ctx context.Context, id string) (*sdk.Bucket, error) {\ngot, err := e.api.Get(ctx, id)\n" +
				"if err != nil {\n" + failed + "\n}\nreturn got, nil\n}\n\nfunc observe("}
	}
	return pair{name: name, rule: "absent-on-error", message: "for any error of Get", wrong: found(wrong, absent), good: found(good, concluded)}
}

var errorPairs = []pair{
	swallows("swallowequal", "if err == nil {\nreturn managed.ExternalUpdate{}, nil\n}", "if err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowreversed", "if nil != err {\nreturn managed.ExternalUpdate{}, nil\n}", "if nil != err {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowsome", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\n}",
		"if err == sdk.ErrNotFound {\nreturn managed.ExternalUpdate{}, nil\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowstate", "if err != nil {\nreturn managed.ExternalUpdate{}, nil\n}", "if err != nil {\nif in.Region == \"\" {\nreturn managed.ExternalUpdate{}, nil\n}\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowloop", "if err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nfor i := 0; i < 2; i++ {\nif err := e.api.Update(ctx, \"\", in); err != nil {\ne.log.Info(\"failed\", \"error\", err)\n}\n}",
		"var all []error\nfor range 2 {\nif err := e.api.Update(ctx, \"\", in); err != nil {\nall = append(all, err)\n}\n}\n"+
			"if len(all) > 0 {\nreturn managed.ExternalUpdate{}, errors.Join(all...)\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowagain", "for range 2 {\nerr = e.api.Update(ctx, \"\", in)\nif err == nil {\nbreak\n}\n}",
		"for range 2 {\nerr = e.api.Update(ctx, \"\", in)\nif err == nil {\nbreak\n}\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("swallowwrapped", "if err != nil {\nwrapped := fmt.Errorf(\"update: %w\", err)\ne.log.Info(\"failed\", \"error\", wrapped)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if err != nil {\nreturn managed.ExternalUpdate{}, fmt.Errorf(\"update: %w\", err)\n}"),
	swallows("cleanup", "if err == nil {\nif in.Region != \"\" {\n_ = e.api.Delete(ctx, in.Region)\n}\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"if err != nil {\nif in.Region != \"\" {\n_ = e.api.Delete(ctx, in.Region)\n}\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("cleanupelse", "if err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nif in.Lock != nil && *in.Lock {\n_ = e.api.Delete(ctx, in.Region)\n}",
		"if err == nil {\nreturn managed.ExternalUpdate{}, nil\n}\nif in.Region != \"\" {\n_ = e.api.Delete(ctx, in.Region)\n}\nif in.Lock == nil {\nreturn managed.ExternalUpdate{}, err\n}\nreturn managed.ExternalUpdate{}, err"),
	swallows("cleanupreturn", "if got, err := e.api.Get(ctx, in.Name); got == nil {\n_ = e.api.Delete(ctx, in.Name)\nreturn managed.ExternalUpdate{}, nil\n} else if err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"if got, err := e.api.Get(ctx, in.Name); got == nil {\n_ = e.api.Delete(ctx, in.Name)\nreturn managed.ExternalUpdate{}, errors.New(\"gone\")\n} else if err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("closing", "e.api.Release(ctx)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}", "e.api.Close(ctx)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("closure", "_ = e.api.Update(ctx, \"\", in)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"again := func() { _ = e.api.Update(ctx, \"\", in) }\nagain()\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	importing("strings", swallows("released", "e.api.Release(ctx)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}", "defer e.api.Release(ctx)\nvar b strings.Builder\nb.WriteString(*cr.Spec.ForProvider.Class)\n_, _ = e.isUpToDate(ctx, cr, &sdk.Bucket{})\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}")),
	swallows("condition", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if err != nil {\ncr.SetConditions(xpv2.ReconcileError(err))\nreturn managed.ExternalUpdate{}, nil\n}"),
	swallows("message", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if err != nil {\ncr.Status.AtProvider.State = err.Error()\nreturn managed.ExternalUpdate{}, nil\n}"),
	swallows("formatted", "if err != nil {\nwrapped := errors.Join(err)\ne.log.Info(\"failed\", \"error\", wrapped)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if err != nil {\nwrapped := errors.Join(err)\ncr.Status.AtProvider.State = wrapped.Error()\nreturn managed.ExternalUpdate{}, nil\n}"),
	swallows("printed", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalUpdate{}, nil\n}", "if err != nil {\ncr.Status.AtProvider.State = fmt.Sprint(err)\nreturn managed.ExternalUpdate{}, nil\n}"),
	swallows("kept", "if err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if err != nil {\nlast = err\nreturn managed.ExternalUpdate{}, nil\n}\nreturn managed.ExternalUpdate{}, nil\n}\n\nvar last error\n\nfunc nothing() (managed.ExternalUpdate, error) {\n"),
	swallows("status", "_ = e.api.Update(ctx, \"\", in)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"_ = e.api.Tombstone(ctx, \"\")\n_ = slices.Sorted(slices.Values(in.Zones))\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("made", "_, _ = e.api.Get(ctx, in.Name)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"_, _ = sdk.NewInput(in.Name)\n_ = e.kube.Status().Update(ctx, cr)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("interface", "var u interface {\nUpdate(context.Context, string, *sdk.Input) error\n} = e.api\n_ = u.Update(ctx, in.Name, in)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"_ = e.kube.Get(ctx, types.NamespacedName{Name: in.Name}, &corev1.Secret{})\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("textual", "if p := cr.Spec.ForProvider; p.Class != nil {\nin.Quota = new(int64)\n*in.Quota, _ = parsed(*p.Class)\n}\nreturn managed.ExternalUpdate{}, err\n}\n\n"+
		"func parsed(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }\n\nfunc nothing() (managed.ExternalUpdate, error) {\n",
		"in.Quota = new(int64)\n*in.Quota, _ = parsed(in.Class)\nreturn managed.ExternalUpdate{}, err\n}\n\n"+
			"func parsed(text string) (int64, error) { return strconv.ParseInt(text, 10, 64) }\n\nfunc nothing() (managed.ExternalUpdate, error) {\n"),
	swallows("unasked", "if in.Lock != nil && *in.Lock {\ne.log.Info(\"locked\")\n}\nif err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalUpdate{}, nil\n}",
		"if _, err := strconv.Atoi(in.Name); err != nil {\nreturn managed.ExternalUpdate{}, nil\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("contextless", "_, _ = e.api.String()\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}",
		"_ = strconv.Quote(*cr.Spec.ForProvider.Class)\n_ = valid(cr.Spec.ForProvider.Zones)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}\n"+
			"return managed.ExternalUpdate{}, nil\n}\n\nfunc valid(zones []string) error { return nil }\n\nfunc nothing() (managed.ExternalUpdate, error) {\n"),
	swallows("function", "_ = sdk.Sync(ctx, in)\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}", "if err != nil {\nreturn managed.ExternalUpdate{}, err\n}\nif err := sdk.Sync(ctx, in); err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("looped", "for range 2 {\n_ = e.api.Release(ctx)\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}", "for range 2 {\nif err != nil {\n_ = e.api.Release(ctx)\n}\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("shadowed", "if err == nil {\nerr = e.api.Update(ctx, \"\", in)\nif err == nil {\nreturn managed.ExternalUpdate{}, nil\n}\n}",
		"if err == nil {\nerr = e.api.Update(ctx, \"\", in)\n}\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("deferred", "defer e.log.Info(\"done\")\nif err != nil {\nreturn managed.ExternalUpdate{}, nil\n}", "defer e.log.Info(\"done\")\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"),
	swallows("rangedint", fails+"\nfor range 2 {\nif err := e.api.Update(ctx, \"\", in); err != nil {\ne.log.Info(\"failed\", \"error\", err)\n}\n}", fails+"\nfor range 2 {\nif err := e.api.Update(ctx, \"\", in); err != nil {\nreturn managed.ExternalUpdate{}, err\n}\n}"),
	{
		name: "deferrednamed", rule: "swallowed-error", message: "doesn't return the error of Update",
		wrong: append(afterUpdate("defer e.log.Info(\"done\")\nif err != nil {\nreturn managed.ExternalUpdate{}, nil\n}"), "(managed.ExternalUpdate, error) {", "(u managed.ExternalUpdate, failed error) {"),
		good:  append(afterUpdate("defer e.log.Info(\"done\")\nif err != nil {\nreturn managed.ExternalUpdate{}, err\n}"), "(managed.ExternalUpdate, error) {", "(u managed.ExternalUpdate, failed error) {"),
	},
	swallows("inmemory", "var m memory = inMemory{}\n_ = m.update(ctx)\n"+fails+"\nreturn managed.ExternalUpdate{}, nil\n}\n\n"+memory, "var m memory = inMemory{}\n_ = m.close()\n"+fails+"\nreturn managed.ExternalUpdate{}, nil\n}\n\n"+memory),
	{
		name: "undeletedtext", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nif err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalDelete{}, err\n}\nreturn managed.ExternalDelete{}, nil"},
		good:  []string{deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nif err != nil && err.Error() == \"not found\" {\nreturn managed.ExternalDelete{}, nil\n}\nreturn managed.ExternalDelete{}, err"},
	},
	{
		name: "swallowdeletion", rule: "swallowed-error", message: "external.Delete doesn't return the error of Delete",
		wrong: []string{deleted, "if err := e.api.Delete(ctx, meta.GetExternalName(cr)); err != nil {\ne.log.Info(\"failed\", \"error\", err)\nreturn managed.ExternalDelete{}, nil\n}\nreturn managed.ExternalDelete{}, nil"},
		good:  []string{deleted, "_, err := e.api.Drop(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, resource.Ignore(isNotFound, err)"},
	},
	{
		name: "undeletedinline", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif _, is := err.(interface{ NotFound() }); is {\nreturn managed.ExternalObservation{}, nil\n}\nif err != nil {\nreturn managed.ExternalObservation{}, err\n}",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
		good: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\ne.note(err)\nreturn managed.ExternalObservation{}, xperrors.Wrap(err, \"get\")\n}",
			connected, "func (e *external) note(err error) { e.log.Info(\"failed\", \"error\", err) }\n\n" + connected,
			runtimePkg, "xperrors \"github.com/crossplane/crossplane-runtime/v2/pkg/errors\"\n\t" + runtimePkg,
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
	},
	{
		name: "undeletedequal", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err == sdk.ErrNotFound {\nreturn managed.ExternalObservation{}, nil\n}\nif err != nil {\nreturn managed.ExternalObservation{}, err\n}",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
		good: []string{deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nif err == sdk.ErrNotFound {\nreturn managed.ExternalDelete{}, nil\n}\nreturn managed.ExternalDelete{}, err"},
	},
	{
		name: "undeletedignored", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, resource.Ignore(sdk.IsGone, err)\n}",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
		good: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, resource.Ignore(sdk.IsGone, err)\n}",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, resource.Ignore(sdk.IsGone, err)"},
	},
	absentBelow("absentfailed", "return nil, nil", "return nil, nil", "return managed.ExternalObservation{}, nil", "return managed.ExternalObservation{}, errors.New(\"none\")"),
	absentBelow("absentlast", "return nil, nil", "return &sdk.Bucket{}, nil", "return managed.ExternalObservation{}, nil", "return managed.ExternalObservation{}, nil"),
	{
		name: "absentempty", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{got, got + "\nif got == nil {\nreturn managed.ExternalObservation{}, nil\n}"},
	},
	{
		name: "absentset", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "o := managed.ExternalObservation{}\nif e.log == nil && o.ResourceExists {\nreturn o, nil\n}\ngot, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\no := e.failed(got)\no.ResourceUpToDate = true\nreturn o, nil\n}", "func observe(", "func (e *external) failed(got *sdk.Bucket) managed.ExternalObservation {\nreturn managed.ExternalObservation{ResourceExists: true}\n}\n\nfunc observe("},
	},
	{
		name: "absentpointer", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{ResourceExists: false, ResourceUpToDate: true}, nil\n}"},
		good:  []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn *last(got), nil\n}", "func observe(", "func last(got *sdk.Bucket) *managed.ExternalObservation {\nreturn &managed.ExternalObservation{ResourceExists: true}\n}\n\nfunc observe("},
	},
	{
		name: "swallowreads", rule: "swallowed-error", message: "external.push doesn't return the error of Update",
		wrong: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "err = e.push(ctx, cr, in)",
			"func observe(", "func (e *external) push(ctx context.Context, cr *v1.Bucket, in *sdk.Input) error {\n" +
				"if err := e.api.Update(ctx, meta.GetExternalName(cr), in); err != nil {\nreturn nil\n}\nreturn nil\n}\n\nfunc observe("},
		good: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "if got, err := e.last(ctx, cr); got == nil {\nreturn managed.ExternalUpdate{}, err\n}\nerr = e.api.Update(ctx, in.Name, in)",
			"func observe(", "func (e *external) last(ctx context.Context, cr *v1.Bucket) (*sdk.Bucket, error) {\n" +
				"got, err := e.api.Get(ctx, meta.GetExternalName(cr))\nif err != nil {\nreturn nil, nil\n}\nreturn got, nil\n}\n\nfunc observe("},
	},
	{
		name: "swallowyes", rule: "swallowed-error", message: "external.push doesn't return the error of Update",
		wrong: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "e.push(ctx, cr, in)",
			"func observe(", "func (e *external) push(ctx context.Context, cr *v1.Bucket, in *sdk.Input) {\n" +
				"if err := e.api.Update(ctx, meta.GetExternalName(cr), in); err != nil {\nreturn\n}\n}\n\nfunc observe("},
		good: []string{"err = e.api.Update(ctx, meta.GetExternalName(cr), in)", "if !e.push(ctx, cr, in) {\nerr = errors.New(\"failed\")\n}",
			"func observe(", "func (e *external) push(ctx context.Context, cr *v1.Bucket, in *sdk.Input) bool {\n" +
				"if err := e.api.Update(ctx, meta.GetExternalName(cr), in); err != nil {\nreturn false\n}\nreturn true\n}\n\nfunc observe("},
	},
	{
		name: "tombstone", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{got, "defer e.api.Release(ctx)\n_, _ = e.api.Get(ctx, id)\nif gone := e.api.Tombstone(ctx, id); gone != nil {\nreturn managed.ExternalObservation{}, nil\n}\n" + got},
	},
	{
		name: "absentkube", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nobservation := managed.ExternalObservation{}\nreturn observation, nil\n}"},
		good:  []string{got, "if err := e.kube.Get(ctx, types.NamespacedName{Name: id}, &corev1.Secret{}); err != nil {\nreturn managed.ExternalObservation{}, nil\n}\n" + got},
	},
	{
		name: "absentexists", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{ResourceUpToDate: true}, nil\n}"},
		good:  []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{ResourceExists: true, ResourceUpToDate: true}, nil\n}"},
	},
	{
		name: "absentnamed", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\nexists := got != nil\nreturn managed.ExternalObservation{ResourceExists: exists}, nil\n}"},
	},
	{
		name: "absentvar", rule: "absent-on-error", message: "for any error of Get",
		wrong: []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\ne.log.Info(\"gone\")\nreturn managed.ExternalObservation{}, nil\n}"},
		good:  []string{got, "got, err := e.api.Get(ctx, id)\nif err != nil {\no := e.failed(got)\nreturn o, nil\n}", "func observe(", "func (e *external) failed(got *sdk.Bucket) managed.ExternalObservation {\nreturn managed.ExternalObservation{ResourceExists: true}\n}\n\nfunc observe("},
	},
	{
		name: "undeletedstatus", rule: "delete-not-idempotent", message: "Delete fails if Drop says",
		wrong: []string{deleted, "_, err := e.api.Drop(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
		good:  []string{deleted, "code, err := e.api.Drop(ctx, meta.GetExternalName(cr))\nif code == 404 {\nreturn managed.ExternalDelete{}, nil\n}\nreturn managed.ExternalDelete{}, err"},
	},
	{
		name: "undeletedbelow", rule: "delete-not-idempotent", message: "Delete fails if remove says",
		wrong: []string{deleted, "return managed.ExternalDelete{}, e.remove(ctx, cr)", "func observe(", "func (e *external) remove(ctx context.Context, cr *v1.Bucket) error { return e.api.Delete(ctx, meta.GetExternalName(cr)) }\n\nfunc observe("},
		good: []string{deleted, "return managed.ExternalDelete{}, e.remove(ctx, cr)",
			"func observe(", "func (e *external) remove(ctx context.Context, cr *v1.Bucket) error {\nreturn resource.Ignore(isNotFound, e.api.Delete(ctx, meta.GetExternalName(cr)))\n}\n\nfunc observe("},
	},
	{
		name: "undeletedtwice", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{deleted, "if err := e.api.Release(ctx); err != nil {\nreturn managed.ExternalDelete{}, err\n}\nreturn managed.ExternalDelete{}, e.api.Delete(ctx, meta.GetExternalName(cr))"},
		good:  []string{deleted, "if err := e.api.Release(ctx); err == sdk.ErrNotFound {\nreturn managed.ExternalDelete{}, nil\n}\nreturn managed.ExternalDelete{}, e.api.Delete(ctx, meta.GetExternalName(cr))"},
	},
	{
		name: "undeletedkube", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nif err != nil {\nreturn managed.ExternalDelete{}, err\n}\nreturn managed.ExternalDelete{}, nil"},
		good: []string{deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nif err != nil {\nreturn managed.ExternalDelete{}, err\n}\nreturn managed.ExternalDelete{}, nil",
			got, "err := e.kube.Get(ctx, types.NamespacedName{Name: id}, &corev1.Secret{})\nif kerrors.IsNotFound(err) || resource.IgnoreNotFound(err) == nil {\nreturn managed.ExternalObservation{}, nil\n}\n" +
				"if client.IgnoreNotFound(err) != nil {\nreturn managed.ExternalObservation{}, err\n}\n" +
				"got, err := e.api.Get(ctx, id)\nif err != nil {\nreturn managed.ExternalObservation{}, err\n}",
			"\t\"k8s.io/apimachinery/pkg/types\"", "\tkerrors \"k8s.io/apimachinery/pkg/api/errors\"\n\t\"k8s.io/apimachinery/pkg/types\""},
	},
	{
		name: "undeletedtyped", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{"func isNotFound(err error) bool { return errors.Is(err, sdk.ErrNotFound) }", "func isNotFound(err error) bool { _, is := err.(interface{ NotFound() }); return is }",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, fmt.Errorf(\"delete: %w\", err)"},
		good: []string{"func isNotFound(err error) bool { return errors.Is(err, sdk.ErrNotFound) }", "func isNotFound(err error) bool { _, is := err.(interface{ NotFound() }); return is }"},
	},
	{
		name: "undeletedsql", rule: "delete-not-idempotent", message: "Delete fails if Delete says",
		wrong: []string{"func isNotFound(err error) bool { return errors.Is(err, sdk.ErrNotFound) }", "func isNotFound(err error) bool { return err == sdk.ErrNotFound }",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
		good: []string{"func isNotFound(err error) bool { return errors.Is(err, sdk.ErrNotFound) }", "func isNotFound(err error) bool { return errors.Is(err, sdk.ErrNoRows) }",
			deleted, "err := e.api.Delete(ctx, meta.GetExternalName(cr))\nreturn managed.ExternalDelete{}, err"},
	},
}

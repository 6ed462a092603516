package load

import (
	"strings"
	"testing"
)

// TestScanWebhooks tells what serves conversions from what serves other webhooks, or nothing.
func TestScanWebhooks(t *testing.T) {
	for call, want := range map[string]struct{ bucket, other bool }{
		`_ = mgr`: {},
		`mgr.GetWebhookServer().Register("/convert", handler)`:                                                         {true, true},
		`mgr.GetWebhookServer().Register("/validate", handler)`:                                                        {},
		`_ = conversion.NewWebhookHandler(mgr.GetScheme())`:                                                            {true, true},
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).Complete()`:                                               {true, true},
		`_ = builder.WebhookManagedBy(mgr, &v1.Bucket{}).Complete()`:                                                   {true, true},
		`_ = ctrl.NewWebhookManagedBy[*v1.Bucket](mgr, &v1.Bucket{}).Complete()`:                                       {true, true},
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).WithValidator(v).Complete()`:                              {true, false},
		`_ = ctrl.NewWebhookManagedBy(mgr).WithDefaulter(v).For(&Bucket{}).Complete()`:                                 {true, false},
		`for _, o := range all { _ = ctrl.NewWebhookManagedBy(mgr).For(o).WithValidator(v).Complete() }`:               {true, true},
		`_ = "NewWebhookManagedBy" // and mgr.GetWebhookServer().Register("/convert", handler)`:                        {},
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Other{}).WithValidator(v).WithLogConstructor(nil).Complete()`:       {false, true},
		`b := ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}); _ = b.Complete()`:                                       {true, true},
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).WithCustomValidator(v).WithCustomDefaulter(d).Complete()`: {true, false},
	} {
		source := "package main\n\nimport ctrl \"sigs.k8s.io/controller-runtime\"\n\nfunc main() {\n\t" + call + "\n}\n"
		scan := func(source string) Webhooks { return scanWebhooks([]byte(source), Imports([]byte(source))) }
		got := scan(source)
		if !got.Program || got.Serve("Bucket") != want.bucket || got.Serve("Other") != want.other {
			t.Errorf("%s: Program %t, Bucket %t, Other %t, want %+v", call, got.Program, got.Serve("Bucket"), got.Serve("Other"), want)
		}
		if library := scan(strings.Replace(source, "package main", "package setup", 1)); library.Program {
			t.Errorf("%s: a library is taken for a program", call)
		}
	}
	if w := scanWebhooks([]byte("package main\n\n// NewWebhookManagedBy is in sigs.k8s.io/controller-runtime.\nfunc main() {}\n"), nil); w.Program || !w.Serve("Bucket") {
		t.Error("a tool is taken for a program with controllers")
	}
}

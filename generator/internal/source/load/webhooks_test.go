package load

import (
	"strings"
	"testing"

	"github.com/mrgen-io/mrgen/testdata/expect"
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
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Other{}).WithValidator(v).WithLogConstructor(nil).Complete()`:       {false, true},
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).WithCustomValidator(v).WithCustomDefaulter(d).Complete()`: {true, false},
		`_ = &v1.Bucket{} // of no webhook`:                                                                            {},
		`_ = "NewWebhookManagedBy" // and mgr.GetWebhookServer().Register("/convert", handler)`:                        {},
	} {
		source := "package main\n\nimport ctrl \"sigs.k8s.io/controller-runtime\"\n\nfunc main() {\n\t" + call + "\n}\n"
		scan := func(source string) webhookFile { return scanWebhooks([]byte(source), Imports([]byte(source))) }
		got := scan(source)
		expect.True(t, got.isProgram && got.servesKind("Bucket") == want.bucket && got.servesKind("Other") == want.other, "%s: %+v, want %+v", call, got, want)
		expect.Equal(t, got, scan(strings.Replace(source, "package", "package /* of a program */", 1)), "with a comment")
		library := scan(strings.Replace(source, "package main", "package setup", 1))
		expect.True(t, !library.isProgram && library.servesKind("Bucket") == want.bucket, "%s: in a library: %+v, want %+v", call, library, want)
	}
	f := scanWebhooks([]byte("package main\n\nfunc main() { NewWebhookManagedBy() }\n"), nil)
	expect.True(t, !f.isProgram && !f.serves, "a tool is taken for a program with controllers")
}

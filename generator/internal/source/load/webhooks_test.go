package load

import (
	"strings"
	"testing"
)

// TestScanWebhooks tells what serves conversions from what serves other webhooks, or nothing.
func TestScanWebhooks(t *testing.T) {
	for call, want := range map[string]bool{
		`_ = mgr`: false,
		`mgr.GetWebhookServer().Register("/convert", handler)`:                                  true,
		`mgr.GetWebhookServer().Register("/validate", handler)`:                                 false,
		`_ = conversion.NewWebhookHandler(mgr.GetScheme())`:                                     true,
		`_ = ctrl.NewWebhookManagedBy(mgr).For(&v1.Bucket{}).Complete()`:                        true,
		`_ = builder.WebhookManagedBy(mgr, &v1.Bucket{}).Complete()`:                            true,
		`_ = ctrl.NewWebhookManagedBy[*v1.Bucket](mgr, &v1.Bucket{}).Complete()`:                true,
		`_ = "NewWebhookManagedBy" // and mgr.GetWebhookServer().Register("/convert", handler)`: false,
	} {
		source := "package main\n\nimport ctrl \"sigs.k8s.io/controller-runtime\"\n\nfunc main() {\n\t" + call + "\n}\n"
		scan := func(source string) webhookFile { return scanWebhooks([]byte(source), Imports([]byte(source))) }
		if got := scan(source); !got.isProgram || got.serves != want {
			t.Errorf("%s: %+v, want %t", call, got, want)
		}
		if library := scan(strings.Replace(source, "package main", "package setup", 1)); library.isProgram || library.serves != want {
			t.Errorf("%s: in a library: %+v, want %t", call, library, want)
		}
	}
	if f := scanWebhooks([]byte("package main\n\nfunc main() { NewWebhookManagedBy() }\n"), nil); f.isProgram || f.serves {
		t.Error("a tool is taken for a program with controllers")
	}
}

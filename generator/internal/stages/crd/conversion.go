package crd

import (
	"slices"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/mrgen-io/mrgen/generator/diag"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
	"github.com/mrgen-io/mrgen/generator/internal/versions"
)

const codeWebhook diag.Code = "webhook"

// isConvertedByHand reports whether the author has written conversions of a kind. Other kinds with equal
// versions get no webhook: the API server would call it for nothing, and fail without it.
func isConvertedByHand(d stage.Definition) bool {
	stored := slices.IndexFunc(d.Objects, func(o *model.Object) bool { return o.Methods[versions.HubMethod] })
	return stored >= 0 && isConvertible(d) &&
		slices.ContainsFunc(d.Objects, func(o *model.Object) bool { return converts(d.Objects[stored], o) })
}

// webhookConversion tells the API server how to reach the webhook of a provider. The API server requires a
// service, so this has stand-ins: when Crossplane installs a provider, it writes the provider's service, port
// and certificate. See internal/controller/pkg/revision/establisher.go in github.com/crossplane/crossplane/v2.
func webhookConversion() *apiextensionsv1.CustomResourceConversion {
	path := "/convert" // where controller-runtime serves it
	return &apiextensionsv1.CustomResourceConversion{
		Strategy: apiextensionsv1.WebhookConverter,
		Webhook: &apiextensionsv1.WebhookConversion{
			ClientConfig: &apiextensionsv1.WebhookClientConfig{
				Service: &apiextensionsv1.ServiceReference{Namespace: "crossplane-system", Name: "provider", Path: &path},
			},
			ConversionReviewVersions: []string{"v1"},
		},
	}
}

// checkWebhooks warns about kinds with a webhook that no program in the module serves: the API server would
// refuse to read and write them.
func checkWebhooks(pass *stage.Pass, definitions stage.Definitions) {
	for _, d := range definitions {
		if d.CRD.Spec.Conversion == nil || pass.Source.Program == nil || !pass.Source.Program.LacksWebhook(d.CRD.Spec.Names.Kind) {
			continue
		}
		stored := d.Stored()
		pass.Report(diag.Warningf(d.Objects[stored].Pos, codeWebhook,
			"no program in this module serves the webhook that converts versions of this kind: register it in main, as mrgen diagnostics webhook shows"))
	}
}

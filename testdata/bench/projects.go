package main

// A project has APIs of its own, which it generates with controller-gen or a tool like it.
type project struct {
	// name is that of the folder of its checkout, and the last part of the repository's.
	name, repository string
	apis             []api
}

// An api is what one run of the generators reads, with the options that the project's own run has.
type api struct {
	// module is the folder of the Go module in the checkout, empty for its root.
	module string
	// patterns are the packages, relative to the module.
	patterns []string
	// header is the file with a comment for generated Go files, relative to the module.
	header string
	// noCopies is set if controller-gen can't write the deep copies, and the project has another
	// generator for them.
	noCopies bool
	// dangerousTypes and embeddedObjectMeta are controller-gen's allowDangerousTypes and
	// generateEmbeddedObjectMeta.
	dangerousTypes, embeddedObjectMeta bool
	// minKubernetes is the oldest version that accepts the definitions, empty for mrgen's default.
	minKubernetes string
	// edit is what must be different in the source for mrgen to accept it.
	edit *edit
}

// An edit changes the source in the copies for both generators.
type edit struct {
	// folder is that of the files to change, those in folders below included, in the checkout.
	folder string
	// find is a regular expression.
	find, replace string
	// why says what mrgen refuses, and rightly so.
	why string
}

// projects are those to compare.
var projects = []project{
	{"argo-rollouts", "argoproj/argo-rollouts", []api{{patterns: []string{"./pkg/apis/rollouts/..."}}}},
	{"cert-manager", "cert-manager/cert-manager", []api{{patterns: []string{"./pkg/apis/..."}, noCopies: true}}},
	{"cluster-api", "kubernetes-sigs/cluster-api", []api{
		{module: "api", patterns: []string{"./..."}, header: "../hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./cmd/clusterctl/api/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./util/test/builder/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./internal/topology/upgrade/test/t1/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./internal/topology/upgrade/test/t2/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./controllers/crdmigrator/test/t1/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./controllers/crdmigrator/test/t2/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./controllers/crdmigrator/test/t3/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./controllers/crdmigrator/test/t4/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
		{patterns: []string{"./util/deprecated/v1beta1/test/builder/..."}, header: "hack/scripts/verify/boilerplate/boilerplate.generatego.txt"},
	}},
	{"crossplane", "crossplane/crossplane", []api{
		{module: "apis", patterns: []string{"./core/v2"}, header: "hack/boilerplate.go.txt"},
		{module: "apis", patterns: []string{"./pkg/v1beta1", "./pkg/v1"}, header: "hack/boilerplate.go.txt", embeddedObjectMeta: true},
		{module: "apis", patterns: []string{"./apiextensions/v1alpha1", "./apiextensions/v1beta1", "./apiextensions/v1", "./apiextensions/v2"}, header: "hack/boilerplate.go.txt"},
		{module: "apis", patterns: []string{"./protection/v1beta1"}, header: "hack/boilerplate.go.txt"},
		{module: "apis", patterns: []string{"./ops/v1alpha1"}, header: "hack/boilerplate.go.txt"},
		{module: "apis", patterns: []string{"./pkg/meta/..."}, header: "hack/boilerplate.go.txt"},
	}},
	{"external-secrets", "external-secrets/external-secrets", []api{{module: "apis", patterns: []string{"./..."}, header: "../hack/boilerplate.go.txt"}}},
	{"gateway-api", "kubernetes-sigs/gateway-api", []api{{patterns: []string{"./apis/...", "./apisx/..."}, header: "hack/boilerplate/boilerplate.generatego.txt", minKubernetes: "1.33", edit: &edit{
		folder: "apis", find: `(?m)^// \+kubebuilder:resource:`, replace: "// +kubebuilder:metadata:annotations=\"api-approved.kubernetes.io=unapproved\"\n$0",
		why: "the API server refuses kinds of k8s.io without an annotation, which the project adds to the output of controller-tools",
	}}}},
	{"helm-controller", "fluxcd/helm-controller", []api{{module: "api", patterns: []string{"./..."}, header: "../hack/boilerplate.go.txt"}}},
	{"karpenter", "kubernetes-sigs/karpenter", []api{{patterns: []string{"./pkg/apis/..."}, header: "hack/boilerplate.go.txt"}}},
	{"kueue", "kubernetes-sigs/kueue", []api{{patterns: []string{"./apis/..."}, header: "hack/boilerplate.go.txt", embeddedObjectMeta: true}}},
	{"kustomize-controller", "fluxcd/kustomize-controller", []api{{module: "api", patterns: []string{"./..."}, header: "../hack/boilerplate.go.txt"}}},
	{"notification-controller", "fluxcd/notification-controller", []api{{module: "api", patterns: []string{"./..."}, header: "../hack/boilerplate.go.txt"}}},
	{"pipeline", "tektoncd/pipeline", []api{
		{patterns: []string{"./pkg/apis/pipeline/..."}, noCopies: true, edit: &edit{
			folder: "pkg/apis/run/v1alpha1", find: `(?m)^\tRetriesStatus \[\]`, replace: "\t// +kubebuilder:pruning:PreserveUnknownFields\n\t// +kubebuilder:validation:Schemaless\n$0",
			why: "the API server refuses the empty items that controller-gen writes for a struct which is part of itself; the project has no definition of this kind",
		}},
		{patterns: []string{"./pkg/apis/resolution/..."}},
	}},
	{"prometheus-operator", "prometheus-operator/prometheus-operator", []api{{module: "pkg/apis/monitoring", patterns: []string{"./..."}, header: "../../../.header"}}},
	{"rook", "rook/rook", []api{{module: "pkg/apis", patterns: []string{"./ceph.rook.io/v1"}, dangerousTypes: true, embeddedObjectMeta: true}}},
	{"source-controller", "fluxcd/source-controller", []api{{module: "api", patterns: []string{"./..."}, header: "../hack/boilerplate.go.txt"}}},
}

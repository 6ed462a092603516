package e2e_test

import (
	"path/filepath"
	"testing"
)

// TestFamilies guards that packages of single API groups work together: Crossplane installs the one
// with the configuration beside one that is asked for, each has the kinds of its group alone, and
// runs their controllers. A reference to a kind of a package that isn't installed says so, and is
// resolved when that is there.
func TestFamilies(t *testing.T) {
	folder := filepath.Join(t.TempDir(), newProvider)
	mrgen(t, filepath.Dir(folder), "init", newProvider, "--module=example.org/"+newProvider, "--group=scaffold.example.org")
	mrgen(t, folder, "add", "kind", "Network", "--group=network", "--version=v1alpha1")
	mrgen(t, folder, "add", "kind", "Bucket", "--group=storage", "--version=v1alpha1")
	edit(t, filepath.Join(folder, "apis/storage/v1alpha1/bucket_types.go"), "	// Description of", `	// NetworkID is that of the network that the external resource is in.
	// +crossplane:generate:reference:type=example.org/provider-scaffold/apis/network/v1alpha1.Network
	// +optional
	NetworkID *string `+"`json:\"networkID,omitempty\"`"+`

	// Description of`)
	addToAPI(t, folder, "bucket", "\tNetworkID *string `json:\"networkID,omitempty\"`\n")
	mrgen(t, folder, "fix", "references", "--force")
	mrgen(t, folder, "generate")
	p := newPackaged(t, folder)
	ofFamily := []string{"--registry=" + p.registry, "--version=v1.0.0"}
	config := p.push("provider-family-scaffold", "--group=config")
	storage := p.push("provider-scaffold-storage", append(ofFamily, "--group=storage")...)
	network := p.push("provider-scaffold-network", append(ofFamily, "--group=network")...)

	for _, revision := range p.install(storage, 2) {
		if label := revision.GetLabels()["pkg.crossplane.io/provider-family"]; label != "provider-family-scaffold" {
			t.Errorf("%s is of the family %q", revision.GetName(), label)
		}
	}
	p.activate()
	p.mrds("Active", "buckets.storage.scaffold.example.org")
	p.run("provider-family", config)
	p.run("provider-storage", storage)
	bucket := p.applyFiles("examples/storage.*/v1alpha1/bucket.yaml")[0]
	configuration := p.applyFiles("examples/provider/*.yaml")[1]
	p.conditions(bucket, "Ready=True", "Synced=True")
	p.eventually(configuration, func() error { return is("status.users", field(configuration, "status.users"), 1) })

	connected := p.object(`
apiVersion: storage.scaffold.example.org/v1alpha1
kind: Bucket
metadata: {namespace: default, name: connected}
spec:
  forProvider: {region: here, size: 1, networkIDRef: {name: example}}
  providerConfigRef: {kind: ClusterProviderConfig, name: default}
`)
	p.apply(connected)
	message := p.conditions(connected, "Synced=False")
	if !contains(message, `spec.forProvider.networkID: cannot resolve reference to Network "example"`, `no matches for kind "Network" in version "network.scaffold.example.org/v1alpha1"`) {
		t.Errorf("of a reference to a kind that isn't there, the condition says %q", message)
	}

	p.install(network, 3)
	p.mrds("Active", "buckets.storage.scaffold.example.org", "networks.network.scaffold.example.org")
	p.run("provider-network", network)
	p.applyFiles("examples/network.*/v1alpha1/network.yaml")
	p.conditions(connected, "Ready=True", "Synced=True")
	if err := is("spec.forProvider.networkID", field(connected, "spec.forProvider.networkID"), "example"); err != nil {
		t.Error(err)
	}
}

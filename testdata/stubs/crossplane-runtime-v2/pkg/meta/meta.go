// Package meta stands in for the package of that name in crossplane-runtime.
package meta

// GetExternalName returns the external name of an object.
func GetExternalName(o interface{ GetAnnotations() map[string]string }) string {
	return o.GetAnnotations()["crossplane.io/external-name"]
}

// SetExternalName sets the external name of an object.
func SetExternalName(o interface{ SetAnnotations(map[string]string) }, name string) {
	o.SetAnnotations(map[string]string{"crossplane.io/external-name": name})
}

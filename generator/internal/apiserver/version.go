package apiserver

import (
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/mrgen-io/mrgen/generator/diag"
)

// oldest is the oldest release that mrgen supports. It knows all fields of rules, and all functions in rules of mrgen.
var oldest = version.MajorMinor(1, 31)

// newestRelease returns the newest release that mrgen knows.
func newestRelease() *version.Version { return environment.DefaultCompatibilityVersion().AddMinor(1) }

// ParseVersion parses the version of a Kubernetes release, such as "1.31".
func ParseVersion(text string) (*version.Version, diag.List) {
	v, err := version.ParseGeneric(text)
	if err != nil {
		return nil, diag.List{diag.Errorf(diag.Position{}, "option", "%q is not a Kubernetes version: write it as 1.31", text)}
	}
	if last := newestRelease(); !v.LessThan(last.AddMinor(1)) {
		return nil, diag.List{diag.Errorf(diag.Position{File: text}, "option", "mrgen judges by Kubernetes %s at most: name that or an earlier version", minor(last))}
	}
	return v, nil
}

// Package scheme stands in for the package of that name in controller-runtime.
package scheme

import (
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Builder registers kinds.
type Builder struct {
	GroupVersion schema.GroupVersion
}

// Register adds objects.
func (b *Builder) Register(...runtime.Object) *Builder { return b }

// AddToScheme registers the objects.
func (b *Builder) AddToScheme(*runtime.Scheme) error { return nil }

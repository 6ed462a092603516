// Package client stands in for the package of that name in controller-runtime.
package client

import "context"

// Reader reads objects.
type Reader interface {
	Get()
	List(ctx context.Context, list ObjectList, options ...ListOption) error
}

// ObjectList is a list of objects.
type ObjectList any

// ListOption is an option for lists.
type ListOption interface{ ApplyToList() }

// InNamespace is the option to list what is in a namespace.
type InNamespace string

// ApplyToList applies the option.
func (InNamespace) ApplyToList() {}

// Client reads and writes objects.
type Client interface {
	Get(ctx context.Context, key, object any) error
	Update(ctx context.Context, object any) error
}

// Package client stands in for the package of that name in controller-runtime.
package client

import "context"

// Reader reads objects.
type Reader interface {
	Get(ctx context.Context, key, object any) error
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
	Reader
	Update(ctx context.Context, object any) error
	Patch(ctx context.Context, object Object, patch Patch) error
}

// Object is an object of any kind.
type Object interface{ DeepCopyObject() any }

// Patch changes an object.
type Patch interface{ Data(Object) ([]byte, error) }

// MergeFrom returns a patch with the changes since an object was read.
func MergeFrom(Object) Patch { return nil }

// MergeFromWithOptions returns such a patch with options.
func MergeFromWithOptions(Object, ...MergeFromWithOptimisticLock) Patch { return nil }

// MergeFromWithOptimisticLock is the option to refuse a patch of an object that has changed.
type MergeFromWithOptimisticLock struct{}

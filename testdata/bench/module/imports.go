// Package module imports what synthetic providers import, with the code that the
// tools write for them, so that
// `go mod tidy` keeps go.mod and go.sum as they need
// them.
package module

import (
	_ "dario.cat/mergo"
	_ "github.com/crossplane/crossplane-runtime/v2/apis/common/v1"
	_ "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/errors"
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/fieldpath"
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/reconciler/managed"
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/reference"
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/resource"
	_ "github.com/pkg/errors"
	_ "k8s.io/apimachinery/pkg/runtime"
	_ "sigs.k8s.io/controller-runtime/pkg/client"
	_ "sigs.k8s.io/controller-runtime/pkg/conversion"
	_ "sigs.k8s.io/controller-runtime/pkg/scheme"
)

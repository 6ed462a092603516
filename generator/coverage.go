package generator

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/sdk"
)

// An SDKStruct is a struct of an SDK that a conversion makes, or reads.
type SDKStruct struct {
	// Method is the name of the conversion, Name that of the struct, with its package, and Sent is set if
	// the struct is a request.
	Method, Name string
	Sent         bool
	// Fields are the Go names of its fields, and Left those that no field of a kind goes to, or comes from.
	Fields, Left []string
}

// Coverage says which fields of an SDK the kinds show and set, by the conversions that the packages in
// [Options.ConvertPackages] declare. It writes nothing.
func Coverage(ctx context.Context, options Options) ([]SDKStruct, []Diagnostic, error) {
	r, diags, err := evaluate(ctx, options)
	if err != nil || diags.HasErrors() {
		return nil, sorted(diags), err
	}
	return each(r.SDK, func(s sdk.Struct) SDKStruct { return SDKStruct(s) }), nil, nil
}

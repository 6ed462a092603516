// Package loop has generated code at work in controllers. See package play.
package loop

import (
	_ "github.com/crossplane/crossplane-runtime/v2/pkg/statemetrics"     // for the reconciler of new providers
	_ "github.com/mrgen-io/provider-example/apis/namespaced/ec2/v1beta1" // what the program of the test plays with
)

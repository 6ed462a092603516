package simulated

import _ "embed" // for the source

// Source is simulated.go, which new providers get as it is.
//
//go:embed simulated.go
var Source []byte

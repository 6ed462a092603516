package simulated

import _ "embed" // for the sources

// Source is simulated.go, which new providers get as it is.
//
//go:embed simulated.go
var Source []byte

// ServerSource is server.go, which providers get with their first kind of an SDK over HTTP.
//
//go:embed server.go
var ServerSource []byte

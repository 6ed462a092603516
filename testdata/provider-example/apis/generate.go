package apis

// Deep copies, method sets, CRDs and MRDs of all packages below this one. What
// is generated, and where to, is set in mrgen.yaml.
//go:generate go run github.com/mrgen-io/mrgen/cmd/mrgen generate ./apis/...

package apis

// Everything that comes from the packages below this one. What is generated, and
// where to, is set in mrgen.yaml.
//go:generate go run github.com/mrgen-io/mrgen/cmd/mrgen generate ./apis/...

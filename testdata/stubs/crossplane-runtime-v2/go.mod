module github.com/crossplane/crossplane-runtime/v2

go 1.23

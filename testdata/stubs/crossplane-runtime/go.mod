module github.com/crossplane/crossplane-runtime

go 1.23

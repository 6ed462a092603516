module github.com/crossplane/crossplane/apis/v2

go 1.23

module example.org/provider

go 1.23

require (
	github.com/crossplane/crossplane/apis/v2 v2.0.0
	k8s.io/apimachinery v0.0.0
)

replace (
	github.com/crossplane/crossplane/apis/v2 => ../crossplane-apis
	k8s.io/apimachinery => ../apimachinery
)

module example.org/provider

go 1.24

require k8s.io/api v0.0.0

replace k8s.io/api => FOLDER/api

require k8s.io/apiextensions-apiserver v0.0.0

replace k8s.io/apiextensions-apiserver => FOLDER/apiextensions

require k8s.io/apimachinery v0.34.0

replace k8s.io/apimachinery => FOLDER/apimachinery

require sigs.k8s.io/controller-runtime v0.0.0

replace sigs.k8s.io/controller-runtime => FOLDER/controller-runtime

require github.com/crossplane/crossplane/apis/v2 v2.4.0

replace github.com/crossplane/crossplane/apis/v2 => FOLDER/crossplane-apis

require github.com/crossplane/crossplane-runtime/v2 v2.4.0

replace github.com/crossplane/crossplane-runtime/v2 => FOLDER/crossplane-runtime-v2

require github.com/crossplane/crossplane-runtime v0.0.0

replace github.com/crossplane/crossplane-runtime => FOLDER/crossplane-runtime

require k8s.io/utils v0.0.0

replace k8s.io/utils => FOLDER/utils

package synthetic

import (
	"math/rand/v2"
	"strings"
)

const (
	domain  = "synthetic.example.org"
	version = "v1beta1"
)

// A scope is a way in which all kinds exist.
type scope struct {
	name, adjective string
	// infix sets the API groups of the scopes apart.
	infix string
	// resource is the scope in the marker of a kind.
	resource string
	// specImport declares the type that specs embed, named spec.
	specImport, spec string
	// reference, selector and secret are types of common/v1.
	reference, selector, secret string
}

var scopes = []scope{
	{
		name: "cluster", adjective: "cluster scoped", resource: "Cluster",
		spec:      "xpv1.ResourceSpec",
		reference: "xpv1.Reference", selector: "xpv1.Selector", secret: "xpv1.SecretKeySelector",
	},
	{
		name: "namespaced", adjective: "namespaced", infix: "m.", resource: "Namespaced",
		specImport: `xpv2 "github.com/crossplane/crossplane-runtime/v2/apis/common/v2"`, spec: "xpv2.ManagedResourceSpec",
		reference: "xpv1.NamespacedReference", selector: "xpv1.NamespacedSelector", secret: "xpv1.LocalSecretKeySelector",
	},
}

func (s scope) folder(group string) string { return "apis/" + s.name + "/" + group + "/" + version }

func (s scope) group(name string) string { return name + "." + s.infix + domain }

// A group is an API group, with a package in each scope.
type group struct {
	name  string
	kinds []string
	// clusterOnly is the number of kinds at the end that are not namespaced.
	clusterOnly int
}

// count returns how many of the kinds exist in a scope.
func (g group) count(s scope) int {
	if s.name == "namespaced" {
		return len(g.kinds) - g.clusterOnly
	}
	return len(g.kinds)
}

// shared returns the kinds that may be referred to in each scope: those without a
// namespaced twin can't be, from one. If there are no others, nothing is namespaced.
func (g group) shared() []string { return g.kinds[:max(1, len(g.kinds)-g.clusterOnly)] }

// plan spreads kinds over groups, about ten to a package and to two groups at least,
// so that there is a reference across groups in any provider of more than two kinds.
func plan(kinds int) []group {
	names := (kinds + 1) / 2
	random := rand.New(rand.NewPCG(seed, 1<<32))
	var groups []group
	for names > 0 {
		size := 8 + random.IntN(5)
		if len(groups) == 0 && names <= size {
			size = (names + 1) / 2
		}
		size = min(size, names)
		groups = append(groups, group{name: groupName(len(groups)), kinds: kindNames(random, size)})
		names -= size
	}
	groups[len(groups)-1].clusterOnly = kinds % 2
	return groups
}

func groupName(number int) string {
	name := services[number%len(services)]
	for rest := number / len(services); rest > 0; rest /= len(qualifiers) {
		name = strings.ToLower(qualifiers[rest%len(qualifiers)]) + name
	}
	return name
}

func kindNames(random *rand.Rand, count int) []string {
	seen := map[string]bool{}
	var names []string
	for len(names) < count {
		name := pick(random, qualifiers) + pick(random, resources)
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	return names
}

// A target is a kind that may be referred to.
type target struct {
	kind string
	// group is empty for the group of the field itself.
	group string
	// converted is set if the kind is stored in its second version, in the cluster scope.
	converted bool
}

// targets returns kinds to refer to: half of the group itself, half of one of the
// groups before it. References never point to a later group, so that no two
// packages import each other.
func targets(random *rand.Rand, groups []group, number int) func() target {
	return func() target {
		own := groups[number]
		if number == 0 || random.IntN(2) == 0 {
			return target{kind: pick(random, own.shared())}
		}
		other := groups[number-1-random.IntN(min(number, 8))]
		return target{kind: pick(random, other.kinds), group: other.name}
	}
}

func pick[T any](random *rand.Rand, from []T) T { return from[random.IntN(len(from))] }

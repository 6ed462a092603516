package synthetic

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// emitWritten hands over the API packages of a provider that people write.
func emitWritten(kinds int, emit func(string, []byte) error) error {
	groups := plan(kinds)
	for _, file := range []struct{ name, source string }{
		{"apis/apis.go", registration("apis", registered(groups))},
		{"apis/v1alpha1/groupversion_info.go", groupVersion("v1alpha1", domain, "v1alpha1", "the configuration of the provider")},
		{"apis/v1alpha1/providerconfig_types.go", providerConfig("v1alpha1", "Cluster")},
	} {
		if err := emitGo(file.name, file.source, emit); err != nil {
			return err
		}
	}
	for i := range groups {
		if err := emitGroup(groups, i, emit); err != nil {
			return err
		}
	}
	return nil
}

// emitGroup writes the packages of a group. What is in a group depends on the seed,
// its number and its kinds only.
func emitGroup(groups []group, number int, emit func(string, []byte) error) error {
	g := groups[number]
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	target := targets(random, groups, number)
	for i, name := range g.kinds {
		k := newKind(random, name, target)
		for _, s := range scopes {
			if i >= g.count(s) {
				continue
			}
			file := s.folder(g.name) + "/" + fileName(name) + "_types.go"
			if err := emitGo(file, s.kindFile(k), emit); err != nil {
				return err
			}
		}
	}
	for _, s := range scopes {
		if g.count(s) == 0 {
			continue
		}
		about := fmt.Sprintf("the %s managed resources of %s", s.adjective, g.name)
		if err := emitGo(s.folder(g.name)+"/groupversion_info.go", groupVersion(version, s.group(g.name), version, about), emit); err != nil {
			return err
		}
		if err := emitGo(s.folder(g.name)+"/referencers.go", referencers, emit); err != nil {
			return err
		}
	}
	return nil
}

// registered returns the packages whose types belong into a scheme.
func registered(groups []group) []registeredPackage {
	var list []registeredPackage
	for _, s := range scopes {
		for _, g := range groups {
			if g.count(s) > 0 {
				list = append(list, registeredPackage{s.name + g.name, s.folder(g.name)})
			}
		}
	}
	return append(list, registeredPackage{"config", "apis/v1alpha1"})
}

func fileName(kind string) string { return strings.ToLower(kind) }

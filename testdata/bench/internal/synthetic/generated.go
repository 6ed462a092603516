package synthetic

import (
	"fmt"
	"math/rand/v2"
	"slices"
)

const (
	// secondVersion is the version in which some kinds exist besides.
	secondVersion = "v1beta2"
	// rootGroup is the folder of the group that has the name of the domain, as the package
	// with the provider's configuration has: two packages for one group version.
	rootGroup = "synthetic"
)

// A family is an API group of members, with a package for each scope and version.
type family struct {
	name    string
	members []member
	// clusterOnly is the number of members at the end that are not namespaced.
	clusterOnly int
}

// A member is a kind of a family.
type member struct {
	name   string
	fields int
	// converted is set if the kind was first published with lists where it now has
	// single structs. Its cluster scope has both versions.
	converted bool
}

func (f family) in(s scope) []member {
	if s.name == "namespaced" {
		return f.members[:len(f.members)-f.clusterOnly]
	}
	return f.members
}

// versions returns those in which a member exists in a scope. The last one is stored.
func (s scope) versions(m member) []string {
	if m.converted && s.name == "cluster" {
		return []string{version, secondVersion}
	}
	return []string{version}
}

// apiGroup returns the API group of a family.
func (s scope) apiGroup(family string) string {
	if family == rootGroup {
		return s.infix + domain
	}
	return s.group(family)
}

func (s scope) versionFolder(family, version string) string {
	return "apis/" + s.name + "/" + family + "/" + version
}

// planFamilies spreads kinds over groups, and fields over kinds.
func planFamilies(kinds int) []family {
	names := (kinds + 1) / 2
	random := rand.New(rand.NewPCG(seed, 1<<33))
	var families []family
	number := 0
	for left := names; left > 0; {
		f := family{name: rootGroup}
		if len(families) > 0 {
			f.name = groupName(len(families) - 1)
		}
		size := min(left, max(1, kindsPerGroup.whole(spread(len(families), silver))))
		for _, name := range kindNames(random, size) {
			m := member{name: name, fields: max(1, fieldsPerKind.whole(spread(number, golden)))}
			m.converted = topFields(m.fields) < m.fields && random.Float64() < kindsOfTwoVersions
			f.members = append(f.members, m)
			number++
		}
		left -= size
		families = append(families, f)
	}
	families[len(families)-1].clusterOnly = kinds % 2
	return families
}

// anyTarget returns kinds to refer to, half of them of the family itself. Most families
// refer to each other, so that resolvers can't import what they resolve. Kinds that aren't
// namespaced are left out, unless there are no others.
func anyTarget(random *rand.Rand, families []family, number int) func() target {
	namespaced := scopes[1]
	return func() target {
		f := families[number]
		if random.Float64() >= referencesAtHome {
			f = pick(random, families)
		}
		members := f.in(namespaced)
		if len(members) == 0 {
			members = families[0].members
			f = families[0]
		}
		m := pick(random, members)
		return target{kind: m.name, group: f.name, converted: m.converted}
	}
}

// emitGenerated hands over the packages of a provider that upjet generates.
func emitGenerated(kinds int, emit func(string, []byte) error) error {
	families := planFamilies(kinds)
	if err := emitGo("internal/extract/extract.go", extract, emit); err != nil {
		return err
	}
	if err := emit("mrgen.yaml", []byte(generatedSettings)); err != nil {
		return err
	}
	packages := map[string][]registeredPackage{}
	for number := range families {
		if err := emitFamily(families, number, packages, emit); err != nil {
			return err
		}
	}
	for _, s := range scopes {
		config := "apis/" + s.name + "/" + version
		registered := append(packages[s.name], registeredPackage{"config", config})
		about := "the configuration of the provider, for what is " + s.adjective
		for _, file := range []struct{ name, source string }{
			{"apis/" + s.name + "/zz_register.go", registration(s.name, registered)},
			{config + "/doc.go", groupVersion(version, s.infix+domain, version, about)},
			{config + "/types.go", providerConfig(version, s.resource)},
		} {
			if err := emitGo(file.name, file.source, emit); err != nil {
				return err
			}
		}
	}
	return nil
}

// emitFamily writes the packages of a family, and adds them to those that are registered in
// each scope.
func emitFamily(families []family, number int, packages map[string][]registeredPackage, emit func(string, []byte) error) error {
	f := families[number]
	random := rand.New(rand.NewPCG(seed, uint64(number)))
	target := anyTarget(random, families, number)
	var resources []*resource
	for _, m := range f.members {
		resources = append(resources, newResource(random, m, target))
	}
	for _, s := range scopes {
		present := resources[:len(f.in(s))]
		for _, v := range []string{version, secondVersion} {
			inVersion := slices.DeleteFunc(slices.Clone(present), func(r *resource) bool { return !slices.Contains(s.versions(r.member), v) })
			if len(inVersion) == 0 {
				continue
			}
			folder := s.versionFolder(f.name, v)
			if err := emitPackage(s, f.name, v, folder, inVersion, emit); err != nil {
				return err
			}
			packages[s.name] = append(packages[s.name], registeredPackage{f.name + v, folder})
		}
	}
	return nil
}

func emitPackage(s scope, family, version, folder string, resources []*resource, emit func(string, []byte) error) error {
	about := fmt.Sprintf("the %s managed resources of %s", s.adjective, family)
	files := []struct{ name, source string }{
		{"zz_groupversion_info.go", generatedHeader + groupVersion(version, s.apiGroup(family), version, about)},
		{"zz_generated.conversion_hubs.go", s.hubs(version, resources)},
		{"zz_generated.conversion_spokes.go", s.spokes(version, resources)},
	}
	for _, r := range resources {
		files = append(files,
			struct{ name, source string }{"zz_" + fileName(r.name) + "_types.go", s.resourceFile(r, version)},
			struct{ name, source string }{"zz_" + fileName(r.name) + "_terraformed.go", terraformed(r, version)},
		)
	}
	for _, file := range files {
		if file.source == "" {
			continue
		}
		if err := emitGo(folder+"/"+file.name, file.source, emit); err != nil {
			return err
		}
	}
	return nil
}

// Package matrix reads what the API server has to admit and to refuse from YAML.
// It knows nothing of how a case is run: the same cases are for the API server's
// libraries and for a real one.
package matrix

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/json"
	utilyaml "k8s.io/apimachinery/pkg/util/yaml"
	"sigs.k8s.io/yaml"
)

// An Object is a Kubernetes object, or a part of one, in the form of JSON: integers
// are int64.
type Object map[string]any

// UnmarshalJSON keeps integers apart from floating-point numbers.
func (o *Object) UnmarshalJSON(data []byte) error {
	var object map[string]any
	if err := json.Unmarshal(data, &object); err != nil {
		return err
	}
	*o = object
	return nil
}

// An Operation is what is asked of the API server.
type Operation string

// The operations of cases.
const (
	Create       Operation = "create"
	Update       Operation = "update"
	UpdateStatus Operation = "status"
)

// A Case is one request and what comes of it.
type Case struct {
	// Name is unique among the cases of a folder: file, table, variant, case and
	// operation, separated by slashes.
	Name string
	// CRD is the definition that the case is about, and Version the version of it.
	CRD     *apiextensionsv1.CustomResourceDefinition
	Version string
	// Operation is the request, with Object.
	Operation Operation
	Object    Object
	// Stored is what Object is to replace; nil for Create. The API server admits it,
	// status included, unless Violates is set: then it is of the time before the CRD
	// had rules, and would be refused now.
	Stored   Object
	Violates bool
	// Refused are the errors, sorted, each as "field: message"; none if the object is
	// admitted.
	Refused []string
	// Admitted is a part of the object as it is admitted, nil if nothing is said.
	Admitted Object
	// Older is what releases of Kubernetes say that are older than some, nil if they say the same.
	Older *Older
}

// Older is what older releases of Kubernetes say.
type Older struct {
	// Before is the first release that doesn't, such as "1.33".
	Before string `json:"before"`
	// Refused are the errors, see [Case].
	Refused []string `json:"refused"`
	// Why is what they do otherwise.
	Why string `json:"why"`
}

// table is a document in a file of cases: see the README.
type table struct {
	Table  string           `json:"table"`
	CRD    string           `json:"crd"`
	Base   Object           `json:"base"`
	Stored Object           `json:"stored"`
	Each   string           `json:"each"`
	Cases  []caseDefinition `json:"cases"`
}

type caseDefinition struct {
	Name     string   `json:"name"`
	Create   Object   `json:"create"`
	Update   Object   `json:"update"`
	Write    Object   `json:"write"`
	Status   Object   `json:"status"`
	Stored   Object   `json:"stored"`
	Violator Object   `json:"violator"`
	Refused  []string `json:"refused"`
	// Unchecked adds to Refused that rules were not checked.
	Unchecked bool   `json:"unchecked"`
	Admitted  Object `json:"admitted"`
	Older     *Older `json:"older"`
}

// unchecked is what the API server adds if the schema has refused an object already.
const unchecked = "<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation"

// VariantsFile is the file with the variants that tables can run their cases for.
const VariantsFile = "variants.yaml"

// Load returns the cases in the YAML files of a folder, in the order of files,
// tables, variants and cases. Paths of CRDs are relative to the root of the file
// system.
func Load(files fs.FS, dir string) ([]Case, error) {
	variants := map[string]map[string]Object{}
	content, err := fs.ReadFile(files, path.Join(dir, VariantsFile))
	if err != nil {
		return nil, err
	}
	if err := yaml.UnmarshalStrict(content, &variants); err != nil {
		return nil, fmt.Errorf("%s: %w", VariantsFile, err)
	}
	names, err := fs.Glob(files, path.Join(dir, "*.yaml"))
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, name := range names {
		if path.Base(name) == VariantsFile {
			continue
		}
		tables, err := readTables(files, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		for _, t := range tables {
			expanded, err := t.expand(files, variants)
			if err != nil {
				return nil, fmt.Errorf("%s: table %q: %w", name, t.Table, err)
			}
			prefix := strings.TrimSuffix(path.Base(name), ".yaml") + "/" + t.Table + "/"
			for i := range expanded {
				expanded[i].Name = prefix + expanded[i].Name
			}
			cases = append(cases, expanded...)
		}
	}
	seen := map[string]bool{}
	for _, c := range cases {
		if seen[c.Name] {
			return nil, fmt.Errorf("two cases have the name %q", c.Name)
		}
		seen[c.Name] = true
	}
	return cases, nil
}

// readTables returns the documents of a file.
func readTables(files fs.FS, name string) ([]table, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, err
	}
	reader := utilyaml.NewYAMLReader(bufio.NewReader(bytes.NewReader(content)))
	var tables []table
	for {
		document, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return tables, nil
		}
		if err != nil {
			return nil, err
		}
		var t table
		if err := yaml.UnmarshalStrict(document, &t); err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
}

// expand returns the cases of a table for each of its variants.
func (t *table) expand(files fs.FS, variants map[string]map[string]Object) ([]Case, error) {
	crd, version, err := readCRD(files, t.CRD)
	if err != nil {
		return nil, err
	}
	identity := Object{
		"apiVersion": crd.Spec.Group + "/" + version,
		"kind":       crd.Spec.Names.Kind,
		"metadata":   map[string]any{"name": "test"},
	}
	if crd.Spec.Scope == apiextensionsv1.NamespaceScoped {
		identity["metadata"].(map[string]any)["namespace"] = "default"
	}
	each := map[string]Object{"": nil}
	if t.Each != "" {
		if each = variants[t.Each]; len(each) == 0 {
			return nil, fmt.Errorf("%s has no variants %q", VariantsFile, t.Each)
		}
	}
	var cases []Case
	for _, variant := range slices.Sorted(maps.Keys(each)) {
		for _, d := range t.Cases {
			expanded, err := d.expand(identity.with(t.Base), each[variant], t.Stored)
			if err != nil {
				return nil, fmt.Errorf("case %q: %w", d.Name, err)
			}
			for _, c := range expanded {
				c.CRD, c.Version = crd, version
				c.Name = d.Name + "/" + string(c.Operation)
				if variant != "" {
					c.Name = variant + "/" + c.Name
				}
				cases = append(cases, c)
			}
		}
	}
	return cases, nil
}

// expand returns the requests of a case.
func (d *caseDefinition) expand(base, variant, stored Object) ([]Case, error) {
	requests := map[Operation]Object{Create: d.Create, Update: d.Update, UpdateStatus: d.Status}
	if d.Write != nil {
		requests[Create], requests[Update] = d.Write, d.Write
	}
	if d.Stored != nil {
		stored = stored.with(d.Stored)
	}
	if d.Violator != nil {
		stored = d.Violator
	}
	refused := slices.Clone(d.Refused)
	if d.Unchecked {
		refused = append(refused, unchecked)
	}
	slices.Sort(refused)
	var cases []Case
	for _, operation := range []Operation{Create, Update, UpdateStatus} {
		request := requests[operation]
		if request == nil {
			continue
		}
		c := Case{Operation: operation, Object: base.with(variant).with(request), Refused: refused, Admitted: d.Admitted, Older: d.Older}
		if operation != Create {
			c.Stored, c.Violates = base.with(stored), d.Violator != nil
		}
		cases = append(cases, c)
	}
	if len(cases) == 0 {
		return nil, errors.New("it asks for nothing: say create, update, write or status")
	}
	return cases, nil
}

// readCRD returns a CRD and the name of its stored version.
func readCRD(files fs.FS, name string) (*apiextensionsv1.CustomResourceDefinition, string, error) {
	content, err := fs.ReadFile(files, name)
	if err != nil {
		return nil, "", err
	}
	var crd apiextensionsv1.CustomResourceDefinition
	if err := yaml.UnmarshalStrict(content, &crd); err != nil {
		return nil, "", fmt.Errorf("%s: %w", name, err)
	}
	for _, v := range crd.Spec.Versions {
		if v.Storage {
			return &crd, v.Name, nil
		}
	}
	return nil, "", fmt.Errorf("%s stores no version", name)
}

// with returns an object with the values of another laid over it: maps are merged,
// all else is replaced, and null is a value like others.
func (o Object) with(values Object) Object {
	merged := Object(runtime.DeepCopyJSON(o))
	if merged == nil {
		merged = Object{}
	}
	for key, value := range values {
		part, isMap := value.(map[string]any)
		if old, both := merged[key].(map[string]any); both && isMap {
			merged[key] = map[string]any(Object(old).with(part))
			continue
		}
		merged[key] = runtime.DeepCopyJSONValue(value)
	}
	return merged
}

// Common returns what an object has of another: the keys of its maps, at any depth.
func Common(want, got map[string]any) map[string]any {
	if want == nil {
		return nil
	}
	found := map[string]any{}
	for key, value := range got {
		wanted, has := want[key]
		if !has {
			continue
		}
		wantedMap, both := wanted.(map[string]any)
		if gotMap, isMap := value.(map[string]any); isMap && both && len(wantedMap) > 0 {
			value = Common(wantedMap, gotMap)
		}
		found[key] = value
	}
	return found
}

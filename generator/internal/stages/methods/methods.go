// Package methods emits the methods that crossplane-runtime requires of managed resources,
// ProviderConfigs, ProviderConfigUsages and their lists.
package methods

import (
	"context"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/render/gosrc"
	"github.com/mrgen-io/mrgen/generator/internal/stage"
)

// files has the file and the name of the receiver for each role. Both are angryjet's, so that a switch to mrgen
// changes only headers.
var files = []struct {
	role     model.Role
	name     string
	receiver string
}{
	{model.Managed, "zz_generated.managed.go", "mg"},
	{model.ManagedList, "zz_generated.managedlist.go", "l"},
	{model.ProviderConfig, "zz_generated.pc.go", "p"},
	{model.ProviderConfigUsage, "zz_generated.pcu.go", "p"},
	{model.ProviderConfigUsageList, "zz_generated.pculist.go", "p"},
}

// Stage writes the method sets, without methods that the author declared.
var Stage = stage.Stage{
	Name:    "methods",
	Doc:     "Writes the method sets of managed resources, ProviderConfigs, ProviderConfigUsages and their lists.",
	GoFiles: goFiles(),
	Run:     run,
}

func goFiles() []stage.GoFile {
	var list []stage.GoFile
	for _, file := range files {
		list = append(list, stage.GoFile{Name: file.name})
	}
	return list
}

func run(_ context.Context, pass *stage.Pass) error {
	for _, p := range pass.Model.Packages {
		pass.Report(checkLists(p)...)
		for _, o := range p.Objects {
			pass.Report(check(o, pass.Model.Runtimes)...)
		}
	}
	if pass.Failed() {
		return nil
	}
	return pass.EmitEach(func(p *model.Package) (map[string][]byte, error) {
		contents, into := map[string][]byte{}, pass.GoPackage(p.Path, p.Name, p.Dir)
		for _, file := range files {
			w := &methodWriter{File: into.NewFile(pass.Options.Header, isVariable), receiver: file.receiver}
			for _, o := range p.Objects {
				// angryjet's marker, and roles without a known generation, leave methods to the author.
				if o.Role == file.role && o.Generation != nil && !o.SkipMethods {
					w.object(o)
				}
			}
			if !w.written {
				continue
			}
			content, err := w.Content()
			if err != nil {
				return nil, err
			}
			contents[file.name] = content
		}
		return contents, nil
	})
}

// isVariable reports whether a method that refers to imports has a variable of that name. Imports in signatures
// don't count: Go resolves them outside the method.
var isVariable = gosrc.Variables("items", "i", "mg", "l", "p")

// methodWriter writes methods into a file.
type methodWriter struct {
	*gosrc.File
	receiver string
	written  bool
}

// object writes the methods of an object or a list.
func (w *methodWriter) object(o *model.Object) {
	if o.List {
		w.getItems(o)
		return
	}
	for _, m := range o.Generation.Methods {
		part, written := subject(o, m)
		if !written {
			continue
		}
		receiver := w.receiver
		if part != nil {
			receiver += "." + part.Name
		}
		w.method(o, m, receiver)
	}
}

// subject returns the part of an object that a method reads or sets, or nil for the object itself, and whether
// the method is written.
func subject(o *model.Object, m flavor.Method) (part *model.Field, written bool) {
	part, holder := map[flavor.Part]*model.Field{flavor.Spec: o.Spec, flavor.Status: o.Status}[m.Part], o.Type
	if part != nil {
		holder = part.Type
	}
	// The author's method wins, and older types lack some fields.
	return part, !o.Methods[m.Name] && (m.Field == "" || holder.MethodField(m) != nil)
}

// method writes a method that reads or sets a field of holder, an expression for the object or a part of it.
func (w *methodWriter) method(o *model.Object, m flavor.Method, holder string) {
	switch m.Shape {
	case flavor.Getter:
		w.declare(o, m.Name, "() "+w.fieldType(o, m), "return "+holder+"."+m.Field)
	case flavor.Setter:
		w.declare(o, m.Name, "("+m.Parameter+" "+w.fieldType(o, m)+")", holder+"."+m.Field+" = "+m.Parameter)
	case flavor.ConditionGetter:
		w.declare(o, m.Name, "(ct "+w.Qualified(o.Conditions, "ConditionType")+") "+w.Qualified(o.Conditions, "Condition"),
			"return "+holder+"."+m.Name+"(ct)")
	case flavor.ConditionSetter:
		w.declare(o, m.Name, "(c ..."+w.Qualified(o.Conditions, "Condition")+")", holder+"."+m.Name+"(c...)")
	}
}

// fieldType returns the type of the field that a method reads or sets.
func (w *methodWriter) fieldType(o *model.Object, m flavor.Method) string {
	switch {
	case m.Predeclared:
		return m.Type
	case m.Pointer:
		return "*" + w.Qualified(o.Generation.Types, m.Type)
	default:
		return w.Qualified(o.Generation.Types, m.Type)
	}
}

// getItems is the name of the only method of lists.
const getItems = "GetItems"

// getItems writes the only method of lists.
func (w *methodWriter) getItems(o *model.Object) {
	if o.Methods[getItems] {
		return
	}
	item := "[]" + w.Qualified(o.Generation.Resource, o.Generation.Item)
	items := w.receiver + "." + o.Items.Name
	element := "&" + items + "[i]"
	// The items are pointers already.
	if o.Items.Type.Elem.Kind == model.Pointer {
		element = items + "[i]"
	}
	w.function(o, getItems, "() "+item, func() {
		w.Line("items := make(", item, ", len(", items, "))")
		w.Block("for i := range "+items, func() { w.Line("items[i] = ", element) })
		w.Line("return items")
	})
}

// declare writes a method with one statement.
func (w *methodWriter) declare(o *model.Object, name, signature, statement string) {
	w.function(o, name, signature, func() { w.Line(statement) })
}

// function writes a method. The author must not have declared one with that name.
func (w *methodWriter) function(o *model.Object, name, signature string, body func()) {
	w.written = true
	w.Function(name+" of this "+o.Name+".", "("+w.receiver+" *"+o.Name+") "+name+signature, body)
}

// Package methods emits the methods that crossplane-runtime expects of managed
// resources, ProviderConfigs and their usages, and of lists of these.
package methods

import (
	"context"

	"github.com/dave/jennifer/jen"

	"github.com/mrgen-io/mrgen/generator/internal/flavor"
	"github.com/mrgen-io/mrgen/generator/internal/model"
	"github.com/mrgen-io/mrgen/generator/internal/pipeline"
	"github.com/mrgen-io/mrgen/generator/internal/render"
)

// files says what is written for each role: the file, and the receiver's name.
// Both are those of angryjet, so that a switch to mrgen changes headers only.
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

// Stage writes the method sets. A method that the author declared is left out.
var Stage = pipeline.Stage{
	Name:    "methods",
	Doc:     "Writes the method sets of managed resources, ProviderConfigs, ProviderConfigUsages and their lists.",
	GoFiles: fileNames(),
	Run:     run,
}

func fileNames() []string {
	var names []string
	for _, file := range files {
		names = append(names, file.name)
	}
	return names
}

func run(_ context.Context, pass *pipeline.Pass) error {
	return pass.EmitEach(func(p *model.Package) (map[string][]byte, error) {
		contents := map[string][]byte{}
		for _, file := range files {
			w := &writer{file: render.NewGo(p.Path, p.Name, pass.Options.Header), receiver: file.receiver}
			for _, o := range p.Objects {
				if o.Role == file.role && o.Generation != nil && !o.SkipMethods {
					w.object(o)
				}
			}
			if !w.written {
				continue
			}
			content, err := render.Go(w.file)
			if err != nil {
				return nil, err
			}
			contents[file.name] = content
		}
		return contents, nil
	})
}

// writer writes methods into a file.
type writer struct {
	file     *jen.File
	receiver string
	written  bool
}

// object writes the methods of an object or a list.
func (w *writer) object(o *model.Object) {
	if o.List {
		w.getItems(o)
		return
	}
	for _, m := range o.Generation.Methods {
		part := map[flavor.Part]*model.Field{flavor.Spec: o.Spec, flavor.Status: o.Status}[m.Part]
		holder := o.Type
		if part != nil {
			holder = part.Type
		}
		// Versions of an embedded type that lack the field do without its methods.
		if m.Field != "" && holder.GoField(m.Field) == nil {
			continue
		}
		receiver := jen.Id(w.receiver)
		if part != nil {
			receiver.Dot(part.Name)
		}
		w.method(o, m, receiver)
	}
}

// method writes a method that is about the holder, an expression for the object
// or a part of it.
func (w *writer) method(o *model.Object, m flavor.Method, holder *jen.Statement) {
	switch m.Shape {
	case flavor.Getter:
		w.declare(o, m.Name, nil, w.fieldType(o, m), jen.Return(holder.Dot(m.Field)))
	case flavor.Setter:
		parameter := "r"
		if m.Predeclared {
			parameter = "i"
		}
		w.declare(o, m.Name, jen.Id(parameter).Add(w.fieldType(o, m)), nil, holder.Dot(m.Field).Op("=").Id(parameter))
	case flavor.ConditionGetter:
		w.declare(o, m.Name,
			jen.Id("ct").Add(render.Qualified(w.file, o.Conditions, "ConditionType")),
			render.Qualified(w.file, o.Conditions, "Condition"),
			jen.Return(holder.Dot(m.Name).Call(jen.Id("ct"))))
	case flavor.ConditionSetter:
		w.declare(o, m.Name,
			jen.Id("c").Op("...").Add(render.Qualified(w.file, o.Conditions, "Condition")), nil,
			holder.Dot(m.Name).Call(jen.Id("c").Op("...")))
	}
}

// fieldType returns the type of the field that a method is about.
func (w *writer) fieldType(o *model.Object, m flavor.Method) *jen.Statement {
	switch {
	case m.Predeclared:
		return jen.Id(m.Type)
	case m.Pointer:
		return jen.Op("*").Add(render.Qualified(w.file, o.Generation.Types, m.Type))
	default:
		return render.Qualified(w.file, o.Generation.Types, m.Type)
	}
}

// getItems writes the one method of lists.
func (w *writer) getItems(o *model.Object) {
	item := render.Qualified(w.file, o.Generation.Resource, o.Generation.Item)
	items := jen.Id(w.receiver).Dot(o.Items.Name)
	element := jen.Op("&").Add(items.Clone()).Index(jen.Id("i"))
	if o.Items.Type.Elem.Kind == model.Pointer {
		element = items.Clone().Index(jen.Id("i"))
	}
	w.declare(o, "GetItems", nil, jen.Index().Add(item.Clone()),
		jen.Id("items").Op(":=").Make(jen.Index().Add(item.Clone()), jen.Len(items.Clone())),
		jen.For(jen.Id("i").Op(":=").Range().Add(items.Clone())).Block(
			jen.Id("items").Index(jen.Id("i")).Op("=").Add(element),
		),
		jen.Return(jen.Id("items")))
}

// declare writes a method, unless the author declared one of that name.
func (w *writer) declare(o *model.Object, name string, parameter, result *jen.Statement, body ...jen.Code) {
	if o.Methods[name] {
		return
	}
	w.written = true
	w.file.Commentf("%s of this %s.", name, o.Name)
	signature := w.file.Func().Params(jen.Id(w.receiver).Op("*").Id(o.Name)).Id(name).Params(parameter)
	if result != nil {
		signature.Add(result)
	}
	signature.Block(body...)
}
